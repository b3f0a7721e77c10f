// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Clips of an asset's own animations, and the functions that both kinds of clip share.
#include "clip.h"

#include "base/hash.h"
#include "base/report.h"

#include <string.h>

tdClip* tdClip_New(const tdAsset* asset, const tdAllocator* allocator)
{
    tdArena arena;
    tdArena_Init(&arena, allocator, 0);
    tdClip* clip = tdArena_New(&arena, tdClip);
    if (clip == NULL)
    {
        tdArena_Free(&arena);
        return NULL;
    }
    clip->arena = arena;
    clip->asset = asset;
    clip->animation = -1;
    clip->name = "";
    return clip;
}

tdClip* tdCreateClip(const tdAsset* asset, int animation, const tdAllocator* allocator, tdReport* report)
{
    if (asset == NULL)
    {
        return NULL;
    }
    if (animation < 0 || animation >= tdAsset_GetScene(asset)->animationCount)
    {
        tdReport_Add(report, TD_DIAG_RT_NO_ANIMATION, NULL, asset->name != NULL ? asset->name : "",
                     animation);
        return NULL;
    }
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdClip* clip = tdClip_New(asset, &resolved);
    if (clip == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "making a clip");
        return NULL;
    }
    const tdAnimation* source = &asset->scene.animations[animation];
    clip->name = source->name != NULL ? source->name : "";
    clip->animation = animation;
    clip->duration = source->duration;
    clip->channels = source->channels;
    clip->channelCount = source->channelCount;
    return clip;
}

void tdDestroyClip(tdClip* clip)
{
    if (clip != NULL)
    {
        tdArena arena = clip->arena; // it holds the clip
        tdArena_Free(&arena);
    }
}

uint64_t tdClip_ComputeFingerprint(const tdClip* clip)
{
    int32_t facts[3] = {clip->animation, clip->channelCount, clip->expressionCount};
    uint64_t hash = tdHash(TD_HASH_INIT, facts, sizeof(facts));
    hash = tdHash(hash, &clip->duration, sizeof(clip->duration));
    for (int i = 0; i < clip->channelCount; ++i)
    {
        const tdChannel* channel = &clip->channels[i];
        int32_t counts[3] = {(int32_t)channel->interpolation, channel->width, channel->keyCount};
        hash = tdHash(hash, &channel->target, sizeof(channel->target));
        hash = tdHash(hash, counts, sizeof(counts));
        if (channel->keyCount > 0)
        {
            size_t size = (size_t)channel->width * sizeof(float), last = (size_t)channel->keyCount - 1;
            hash = tdHash(hash, &channel->times[0], sizeof(float));
            hash = tdHash(hash, &channel->times[last], sizeof(float));
            hash = tdHash(hash, channel->values, size);
            hash = tdHash(hash, channel->values + last * (size_t)channel->width, size);
        }
    }
    for (int i = 0; i < clip->expressionCount; ++i)
    {
        hash = tdHash(hash, clip->expressions[i].name, strlen(clip->expressions[i].name));
    }
    return hash;
}

float tdClip_GetDuration(const tdClip* clip)
{
    return clip != NULL ? clip->duration : 0.0f;
}

const char* tdClip_GetName(const tdClip* clip)
{
    return clip != NULL ? clip->name : "";
}

int tdClip_GetChannelCount(const tdClip* clip)
{
    return clip != NULL ? clip->channelCount : 0;
}

int tdClip_GetExpressionCount(const tdClip* clip)
{
    return clip != NULL ? clip->expressionCount : 0;
}

const char* tdClip_GetExpressionName(const tdClip* clip, int index)
{
    return clip != NULL && index >= 0 && index < clip->expressionCount ? clip->expressions[index].name : NULL;
}

int tdClip_GetContactCount(const tdClip* clip)
{
    return clip != NULL ? clip->contactCount : 0;
}

tdMotionContact tdClip_GetContact(const tdClip* clip, int index)
{
    bool isThere = clip != NULL && index >= 0 && index < clip->contactCount;
    return isThere ? clip->contacts[index] : (tdMotionContact){0, 0.0f, 0.0f};
}
