// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Clips of an asset's own animations, and the functions that both kinds of clip share.
#include "clip.h"

#include "base/report.h"

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
