// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A clip appended to its asset's document as an animation.
#include "baked_tracks.h"
#include "clip_name.h"

#include "anim/clip.h"
#include "base/report.h"
#include "gltf/document_edit.h"
#include "import/import.h"
#include "runtime/stage.h"
#include "scene/humanoid.h"

#include "tendon/motion.h"

#include <string.h>

typedef struct ClipWriter
{
    tdDocumentEdit* edit;
    tdText samplers, channels;
    int count;
    bool hasFailed;
} ClipWriter;

static const char* GetPath(tdPropertyKind kind)
{
    switch (kind)
    {
    case TD_PROPERTY_TRANSLATION:
        return "translation";
    case TD_PROPERTY_ROTATION:
        return "rotation";
    case TD_PROPERTY_SCALE:
        return "scale";
    case TD_PROPERTY_WEIGHTS:
        return "weights";
    default:
        return NULL;
    }
}

static void AddCurve(ClipWriter* writer, int node, const char* path, tdInterpolation interpolation, int width,
                     int keyCount, const float* times, const float* values)
{
    static const char* const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    bool isWeights = strcmp(path, "weights") == 0;
    int perKey = interpolation == TD_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    tdNewAccessor input = {.values = times, .count = keyCount, .componentCount = 1, .writeBounds = true};
    tdNewAccessor output = {
        .values = values,
        .count = isWeights ? keyCount * perKey * width : keyCount * perKey,
        .componentCount = isWeights ? 1 : width,
    };
    int inputIndex = tdDocumentEdit_AddAccessor(writer->edit, &input);
    int outputIndex = tdDocumentEdit_AddAccessor(writer->edit, &output);
    writer->hasFailed = writer->hasFailed || inputIndex < 0 || outputIndex < 0;
    const char* comma = writer->count > 0 ? "," : "";
    tdText_AppendFormat(&writer->samplers, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", comma,
                        inputIndex, outputIndex, names[interpolation]);
    tdText_AppendFormat(&writer->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                        comma, writer->count, node, path);
    writer->count += 1;
}

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

/// Morph weights and eyes: what expressions and gaze come to on this model.
static bool AddFace(ClipWriter* writer, const tdAsset* asset, const tdClip* clip)
{
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.world.allocator = &asset->outerAllocator;
    tdStage* stage = tdCreateStage(&stageDef);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = false;
    actorDef.enableConstraints = false;
    tdActor* actor = tdCreateActor(stage, asset, &actorDef, NULL);
    tdTape* tape = tdCreateTape(actor, NULL);
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
            AddCurve(writer, track->node, "weights", TD_INTERPOLATION_LINEAR, track->width, track->keyCount,
                     track->times, track->values);
        }
        else if (track->kind == TD_TRACK_ROTATION && isEye &&
                 !HasChannel(clip, TD_PROPERTY_ROTATION, track->node))
        {
            AddCurve(writer, track->node, "rotation", TD_INTERPOLATION_LINEAR, 4, track->keyCount,
                     track->times, track->values);
        }
    }
    tdArena_Free(&arena);
    tdDestroyTape(tape);
    tdDestroyStage(stage);
    return isGood;
}

static bool WriteClip(ClipWriter* writer, const tdAsset* asset, const tdClip* clip, const char* wantedName)
{
    for (int i = 0; i < clip->channelCount; ++i)
    {
        const tdChannel* channel = &clip->channels[i];
        const char* path = GetPath(channel->target.kind);
        if (path != NULL)
        {
            AddCurve(writer, channel->target.object, path, channel->interpolation, channel->width,
                     channel->keyCount, channel->times, channel->values);
        }
    }
    if (NeedsSampling(clip) && !AddFace(writer, asset, clip))
    {
        return false;
    }
    if (writer->count == 0)
    {
        return true;
    }
    tdText text, name;
    tdText_Init(&text, &asset->outerAllocator);
    tdText_Init(&name, &asset->outerAllocator);
    const char* wanted =
        wantedName != NULL ? wantedName : (clip->name != NULL && clip->name[0] != 0 ? clip->name : "motion");
    bool isGood = tdFindFreeName(&asset->scene, wanted, &name);
    tdText_AppendString(&text, "{\"name\":");
    tdText_AppendJsonString(&text, isGood ? name.data : "", isGood ? name.length : 0);
    tdText_AppendString(&text, ",\"samplers\":[");
    tdText_Append(&text, writer->samplers.data, writer->samplers.length);
    tdText_AppendString(&text, "],\"channels\":[");
    tdText_Append(&text, writer->channels.data, writer->channels.length);
    tdText_AppendString(&text, "]}");
    isGood = isGood && !writer->hasFailed && !text.failed && !writer->samplers.failed &&
             !writer->channels.failed &&
             tdDocumentEdit_AddElement(writer->edit, "animations", text.data, text.length) >= 0;
    tdText_Free(&text);
    tdText_Free(&name);
    return isGood;
}

tdAsset* tdAddClip(const tdAsset* asset, const tdClip* clip, const char* name, tdReport* report)
{
    if (asset == NULL || clip == NULL || asset->document == NULL)
    {
        return NULL;
    }
    TD_ASSERT(clip->asset == asset);
    ClipWriter writer = {.edit = tdCreateDocumentEdit(asset->document, &asset->outerAllocator)};
    tdText_Init(&writer.samplers, &asset->outerAllocator);
    tdText_Init(&writer.channels, &asset->outerAllocator);
    bool isGood = writer.edit != NULL && WriteClip(&writer, asset, clip, name);
    tdDocument* document = isGood ? tdDocumentEdit_Finish(writer.edit, report) : NULL;
    if (!isGood)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "adding a clip");
    }
    tdText_Free(&writer.samplers);
    tdText_Free(&writer.channels);
    tdDestroyDocumentEdit(writer.edit);
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = &asset->outerAllocator;
    return document != NULL ? tdCreateAssetFromDocument(document, &def, NULL) : NULL;
}
