// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Appends a clip to the document of its asset as an animation.
#include "animation_writer.h"
#include "baked_tracks.h"
#include "clip_name.h"
#include "material_members.h"
#include "strip.h"

#include "base/def.h"
#include "base/report.h"
#include "import/create_asset.h"
#include "runtime/stage.h"
#include "scene/humanoid.h"
#include "spring/spring_list.h"

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

static void AddMaterialTrack(tdAnimationWriter* writer, const tdBakedTrack* track, const tdScene* scene)
{
    tdAnimationWriter_Add(writer, &(tdCurveKeys){.node = -1,
                                                 .path = "pointer",
                                                 .pointer = scene->materialValues[track->node].pointer,
                                                 .interpolation = TD_INTERPOLATION_LINEAR,
                                                 .width = track->width,
                                                 .keyCount = track->keyCount,
                                                 .times = track->times,
                                                 .values = track->values});
}

/// A clip that plays alone and is recorded at 60 Hz.
typedef struct ClipRun
{
    tdStage* stage;
    tdTape* tape;
    tdArena arena; // of the tracks
    tdBakedTracks tracks;
} ClipRun;

/// Plays a clip from start to end. False when memory ran out; the caller frees the run in any case.
static bool RecordClip(ClipRun* run, const tdAsset* asset, const tdClip* clip, const tdActorDef* actorDef,
                       bool animateMaterials)
{
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.world.allocator = &asset->outerAllocator;
    *run = (ClipRun){.stage = tdCreateStage(&stageDef)};
    tdActor* actor = tdCreateActor(run->stage, asset, actorDef, NULL);
    tdBakeDef bakeDef = tdDefaultBakeDef();
    bakeDef.animateMaterials = animateMaterials;
    run->tape = tdCreateTape(actor, &bakeDef, &asset->outerAllocator);
    tdArena_Init(&run->arena, &asset->outerAllocator, 0);
    bool isGood = run->tape != NULL && tdActor_Play(actor, clip, NULL).index1 != 0;
    double duration = (double)clip->duration;
    for (int64_t frame = 0; isGood; ++frame)
    {
        double time = (double)frame / 60.0;
        bool isLast = time >= duration - 1.0e-9;
        time = isLast ? duration : time;
        while (isGood && tdStage_GetTime(run->stage) < time)
        {
            isGood = tdStage_Step(run->stage);
        }
        tdStage_Evaluate(run->stage, time);
        isGood = isGood &&
                 (tdTape_GetFrameCount(run->tape) > 0 && duration <= 0.0 ? true
                                                                         : tdTape_CaptureAt(run->tape, time));
        if (isLast)
        {
            break;
        }
    }
    return isGood && tdTape_MakeTracks(run->tape, NULL, &run->arena, &run->tracks);
}

static void FreeClipRun(ClipRun* run)
{
    tdArena_Free(&run->arena);
    tdDestroyTape(run->tape);
    tdDestroyStage(run->stage);
}

/// Adds morph weights, eye rotations and material values: the effect of expressions and gaze on this model.
static bool AddFace(tdAnimationWriter* writer, tdDocumentEdit* edit, const tdAsset* asset, const tdClip* clip,
                    bool animateMaterials, tdReport* report)
{
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = actorDef.enableConstraints = actorDef.enableSprings = false;
    ClipRun run;
    bool isGood = RecordClip(&run, asset, clip, &actorDef, animateMaterials);
    const tdHumanoid* humanoid = asset->scene.humanoid;
    if (isGood && animateMaterials)
    {
        tdTape_ReportUnwrittenMaterials(run.tape, report);
        isGood = tdDefineMaterialValues(asset->document->json, edit, &asset->scene, &run.tracks,
                                        &asset->outerAllocator);
    }
    for (int i = 0; i < run.tracks.count && isGood; ++i)
    {
        const tdBakedTrack* track = &run.tracks.tracks[i];
        bool isEye = humanoid != NULL && (humanoid->nodes[TD_BONE_LEFT_EYE] == track->node ||
                                          humanoid->nodes[TD_BONE_RIGHT_EYE] == track->node);
        if (track->kind == TD_TRACK_WEIGHTS && !HasChannel(clip, TD_PROPERTY_WEIGHTS, track->node))
        {
            AddTrack(writer, track, "weights");
        }
        else if (track->kind == TD_TRACK_MATERIAL &&
                 !HasChannel(clip, TD_PROPERTY_MATERIAL_VALUE, track->node))
        {
            AddMaterialTrack(writer, track, &asset->scene);
        }
        else if (track->kind == TD_TRACK_ROTATION && isEye &&
                 !HasChannel(clip, TD_PROPERTY_ROTATION, track->node))
        {
            AddTrack(writer, track, "rotation");
        }
    }
    FreeClipRun(&run);
    return isGood;
}

/// Adds the rotations of spring joints.
static bool AddSprings(tdAnimationWriter* writer, const tdAsset* asset, const tdClip* clip, bool* hasAny)
{
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = false;
    ClipRun run;
    bool isGood = RecordClip(&run, asset, clip, &actorDef, false);
    for (int i = 0; i < run.tracks.count && isGood; ++i)
    {
        const tdBakedTrack* track = &run.tracks.tracks[i];
        if (track->kind == TD_TRACK_ROTATION && asset->scene.springs->jointOfNode[track->node] >= 0)
        {
            AddTrack(writer, track, "rotation");
            *hasAny = true;
        }
    }
    FreeClipRun(&run);
    return isGood;
}

/// Whether springs replace the keys of a channel.
static bool IsOverruled(const tdAsset* asset, const tdChannel* channel, bool bakesSprings)
{
    return bakesSprings && channel->target.kind == TD_PROPERTY_ROTATION &&
           asset->scene.springs->jointOfNode[channel->target.object] >= 0;
}

/// The path of a channel's target; NULL: the channel is left out.
static const char* GetTargetPath(const tdChannel* channel)
{
    return channel->target.kind == TD_PROPERTY_MATERIAL_VALUE ? "pointer"
                                                              : tdPropertyKind_GetPath(channel->target.kind);
}

static bool WriteClip(tdAnimationWriter* writer, tdDocumentEdit* edit, const tdAsset* asset,
                      const tdClip* clip, const tdMotionDef* def, tdReport* report)
{
    const tdSpringList* springs = asset->scene.springs;
    bool bakesSprings = def->bakeSprings && springs != NULL && springs->plan != NULL, hasSprings = false;
    for (int i = 0; i < clip->channelCount; ++i)
    {
        const tdChannel* channel = &clip->channels[i];
        const char* path = GetTargetPath(channel);
        bool isMaterial = channel->target.kind == TD_PROPERTY_MATERIAL_VALUE;
        if (path != NULL && !IsOverruled(asset, channel, bakesSprings))
        {
            tdAnimationWriter_Add(
                writer,
                &(tdCurveKeys){.node = isMaterial ? -1 : channel->target.object,
                               .path = path,
                               .pointer = isMaterial
                                              ? asset->scene.materialValues[channel->target.object].pointer
                                              : NULL,
                               .interpolation = channel->interpolation,
                               .width = channel->width,
                               .keyCount = channel->keyCount,
                               .times = channel->times,
                               .values = channel->values});
        }
    }
    if ((NeedsSampling(clip) && !AddFace(writer, edit, asset, clip, def->animateMaterials, report)) ||
        (bakesSprings && !AddSprings(writer, asset, clip, &hasSprings)))
    {
        return false;
    }
    if (hasSprings && !def->stripSprings)
    {
        tdReport_Add(report, TD_DIAG_SB_KEPT, NULL);
    }
    tdText name;
    tdText_Init(&name, &asset->outerAllocator);
    const char* wanted =
        def->name != NULL ? def->name : (clip->name != NULL && clip->name[0] != 0 ? clip->name : "motion");
    bool isGood = tdFindFreeName(&asset->scene, wanted, &name) &&
                  tdAnimationWriter_Finish(writer, name.data, name.length);
    tdText_Free(&name);
    return isGood;
}

tdMotionDef tdDefaultMotionDef(void)
{
    return (tdMotionDef){.bakeSprings = true, .cookie = TD_DEF_COOKIE};
}

tdAsset* tdAddClip(const tdAsset* asset, const tdClip* clip, const char* name, tdReport* report)
{
    tdMotionDef def = tdDefaultMotionDef();
    def.name = name;
    def.bakeSprings = false;
    return tdAddMotion(asset, clip, &def, report);
}

tdAsset* tdAddMotion(const tdAsset* asset, const tdClip* clip, const tdMotionDef* def, tdReport* report)
{
    tdMotionDef defaults = tdDefaultMotionDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
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
    bool isGood = edit != NULL && WriteClip(&writer, edit, asset, clip, def, report);
    if (isGood)
    {
        tdStripExtensions(asset->document->json, tdDocumentEdit_GetJson(edit),
                          (tdStripped){.springs = def->stripSprings});
    }
    tdDocument* document = isGood ? tdDocumentEdit_Finish(edit, report) : NULL;
    if (!isGood)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "adding a clip");
    }
    tdAnimationWriter_Free(&writer);
    tdDestroyDocumentEdit(edit);
    return tdFinishEditedAsset(result, document, report);
}
