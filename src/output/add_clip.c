// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Appends a clip to the document of its asset as an animation.
#include "animation_writer.h"
#include "baked_tracks.h"
#include "clip_name.h"

#include "base/report.h"
#include "import/create_asset.h"
#include "runtime/stage.h"
#include "scene/humanoid.h"

#include "tendon/motion.h"

static bool HasChannel(const tdClip* clip, tdPropertyKind kind, int node)
{
    for (int i = 0; i < clip->channelCount; ++i)
    {
        if (clip->channels[i].target.kind == kind && clip->channels[i].target.object == node)
        {
            return true;
        }
    }
    return false;
}

static bool NeedsSampling(const tdClip* clip)
{
    return clip->expressionCount > 0 || clip->hasGaze;
}

static void AddTrack(tdAnimationWriter* writer, const tdBakedTrack* track, const char* path)
{
    tdAnimationWriter_Add(writer, &(tdCurveKeys){.node = track->node,
                                                 .path = path,
                                                 .interpolation = TD_INTERPOLATION_LINEAR,
                                                 .width = track->width,
                                                 .keyCount = track->keyCount,
                                                 .times = track->times,
                                                 .values = track->values});
}

/// Adds morph weights and eye rotations: the effect of expressions and gaze on this model.
static bool AddFace(tdAnimationWriter* writer, const tdAsset* asset, const tdClip* clip)
{
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.world.allocator = &asset->outerAllocator;
    tdStage* stage = tdCreateStage(&stageDef);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = false;
    actorDef.enableConstraints = false;
    tdActor* actor = tdCreateActor(stage, asset, &actorDef, NULL);
    tdTape* tape = tdCreateTape(actor, NULL, &asset->outerAllocator);
    tdArena arena;
    tdArena_Init(&arena, &asset->outerAllocator, 0);
    tdActor_Play(actor, clip, NULL);
    bool isGood = tape != NULL;
    double duration = (double)clip->duration;
    for (int64_t frame = 0; isGood; ++frame)
    {
        double time = (double)frame / 60.0;
        bool isLast = time >= duration - 1.0e-9;
        time = isLast ? duration : time;
        while (isGood && tdStage_GetTime(stage) < time)
        {
            isGood = tdStage_Step(stage);
        }
        tdStage_Evaluate(stage, time);
        isGood = isGood &&
                 (tdTape_GetFrameCount(tape) > 0 && duration <= 0.0 ? true : tdTape_CaptureAt(tape, time));
        if (isLast)
        {
            break;
        }
    }
    tdBakedTracks tracks = {0};
    isGood = isGood && tdTape_MakeTracks(tape, NULL, &arena, &tracks);
    const tdHumanoid* humanoid = asset->scene.humanoid;
    for (int i = 0; i < tracks.count && isGood; ++i)
    {
        const tdBakedTrack* track = &tracks.tracks[i];
        bool isEye = humanoid != NULL && (humanoid->nodes[TD_BONE_LEFT_EYE] == track->node ||
                                          humanoid->nodes[TD_BONE_RIGHT_EYE] == track->node);
        if (track->kind == TD_TRACK_WEIGHTS && !HasChannel(clip, TD_PROPERTY_WEIGHTS, track->node))
        {
            AddTrack(writer, track, "weights");
        }
        else if (track->kind == TD_TRACK_ROTATION && isEye &&
                 !HasChannel(clip, TD_PROPERTY_ROTATION, track->node))
        {
            AddTrack(writer, track, "rotation");
        }
    }
    tdArena_Free(&arena);
    tdDestroyTape(tape);
    tdDestroyStage(stage);
    return isGood;
}

static bool WriteClip(tdAnimationWriter* writer, const tdAsset* asset, const tdClip* clip,
                      const char* wantedName)
{
    for (int i = 0; i < clip->channelCount; ++i)
    {
        const tdChannel* channel = &clip->channels[i];
        const char* path = tdPropertyKind_GetPath(channel->target.kind);
        if (path != NULL)
        {
            tdAnimationWriter_Add(writer, &(tdCurveKeys){.node = channel->target.object,
                                                         .path = path,
                                                         .interpolation = channel->interpolation,
                                                         .width = channel->width,
                                                         .keyCount = channel->keyCount,
                                                         .times = channel->times,
                                                         .values = channel->values});
        }
    }
    if (NeedsSampling(clip) && !AddFace(writer, asset, clip))
    {
        return false;
    }
    tdText name;
    tdText_Init(&name, &asset->outerAllocator);
    const char* wanted =
        wantedName != NULL ? wantedName : (clip->name != NULL && clip->name[0] != 0 ? clip->name : "motion");
    bool isGood = tdFindFreeName(&asset->scene, wanted, &name) &&
                  tdAnimationWriter_Finish(writer, name.data, name.length);
    tdText_Free(&name);
    return isGood;
}

tdAsset* tdAddClip(const tdAsset* asset, const tdClip* clip, const char* name, tdReport* report)
{
    if (asset == NULL || clip == NULL)
    {
        return NULL;
    }
    if (asset->document == NULL)
    {
        tdReport_Add(report, TD_DIAG_NOT_A_DOCUMENT, NULL);
        return NULL;
    }
    TD_ASSERT(clip->asset == asset);
    tdAsset* result = tdCreateEditedAsset(asset, asset->name, report);
    if (result == NULL)
    {
        return NULL;
    }
    tdDocumentEdit* edit = tdCreateDocumentEdit(asset->document, &result->allocator);
    tdAnimationWriter writer;
    tdAnimationWriter_Init(&writer, edit, &result->allocator);
    bool isGood = edit != NULL && WriteClip(&writer, asset, clip, name);
    tdDocument* document = isGood ? tdDocumentEdit_Finish(edit, report) : NULL;
    if (!isGood)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "adding a clip");
    }
    tdAnimationWriter_Free(&writer);
    tdDestroyDocumentEdit(edit);
    return tdFinishEditedAsset(result, document, report);
}
