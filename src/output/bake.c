// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Baking: appends the tracks of a tape to the document of the actor as one more animation. All other content
// keeps its bytes (decision 020).
//
// See docs/decisions/100-bake.md.
#include "animation_writer.h"
#include "baked_tracks.h"
#include "clip_name.h"
#include "material_members.h"
#include "strip.h"

#include "base/def.h"
#include "base/number.h"
#include "base/progress.h"
#include "base/report.h"
#include "import/create_asset.h"
#include "runtime/stage.h"
#include "runtime/tracks.h"
#include "spring/spring_list.h"

#include "tendon/spring.h"

typedef struct Baker
{
    const tdTape* tape;
    const tdDocument* document;
    tdDocumentEdit* edit;
    tdBakedTracks tracks;
    tdReport* report;
} Baker;

static bool AddAnimation(Baker* baker)
{
    static const char* const paths[TD_TRACK_KIND_COUNT] = {"translation", "rotation", "scale", "weights",
                                                           "pointer"};
    const tdScene* scene = &baker->tape->actor->asset->scene;
    const tdAllocator* allocator = &baker->tape->allocator;
    tdAnimationWriter writer;
    tdText name;
    tdText_Init(&name, allocator);
    tdAnimationWriter_Init(&writer, baker->edit, allocator);
    for (int i = 0; i < baker->tracks.count; ++i)
    {
        const tdBakedTrack* track = &baker->tracks.tracks[i];
        bool isMaterial = track->kind == TD_TRACK_MATERIAL;
        tdAnimationWriter_Add(
            &writer, &(tdCurveKeys){.node = isMaterial ? -1 : track->node,
                                    .path = paths[track->kind],
                                    .pointer = isMaterial ? scene->materialValues[track->node].pointer : NULL,
                                    .interpolation = TD_INTERPOLATION_LINEAR,
                                    .width = track->width,
                                    .keyCount = track->keyCount,
                                    .times = track->times,
                                    .values = track->values});
    }
    const char* wanted = baker->tape->name;
    bool isGood = tdFindFreeName(&baker->tape->actor->asset->scene, wanted, &name) &&
                  tdAnimationWriter_Finish(&writer, name.data, name.length);
    tdAnimationWriter_Free(&writer);
    tdText_Free(&name);
    return isGood;
}

static void AddNumbers(Baker* baker, int node, const char* key, const float* values, int count)
{
    tdText text;
    tdText_InitPart(&text, &baker->tape->allocator, tdDocumentEdit_GetFailure(baker->edit));
    tdText_AppendChar(&text, '[');
    for (int i = 0; i < count; ++i)
    {
        char number[TD_NUMBER_TEXT_SIZE];
        tdWriteFloat(number, values[i]);
        tdText_AppendFormat(&text, "%s%s", i > 0 ? "," : "", number);
    }
    tdText_AppendChar(&text, ']');
    tdJsonEdit_AddMember(tdDocumentEdit_GetJson(baker->edit), node, key, text.failed ? "[]" : text.data,
                         text.failed ? 2 : text.length);
    tdText_Free(&text);
}

/// Animated nodes must not have a matrix: it is replaced by translation, rotation and scale.
static void ReplaceMatrices(Baker* baker)
{
    const tdJson* json = baker->document->json;
    const tdTrs* locals = baker->tape->actor->asset->scene.nodes.locals;
    int node = tdJson_GetFirst(json, tdJson_Find(json, 0, "nodes"));
    int index = 0, last = -1;
    for (int i = 0; i < baker->tracks.count && baker->tracks.tracks[i].kind != TD_TRACK_MATERIAL; ++i)
    {
        int wanted = baker->tracks.tracks[i].node;
        for (; index < wanted && node >= 0; ++index)
        {
            node = tdJson_GetNext(json, node);
        }
        int matrix = tdJson_Find(json, node, "matrix");
        if (matrix < 0 || wanted == last || baker->tracks.tracks[i].kind == TD_TRACK_WEIGHTS)
        {
            continue;
        }
        last = wanted;
        tdJsonEdit_Remove(tdDocumentEdit_GetJson(baker->edit), matrix);
        AddNumbers(baker, node, "translation", &locals[wanted].translation.x, 3);
        AddNumbers(baker, node, "rotation", &locals[wanted].rotation.x, 4);
        AddNumbers(baker, node, "scale", &locals[wanted].scale.x, 3);
    }
}

/// Removes the animations that the actor plays.
static void RemovePlayed(Baker* baker)
{
    const tdJson* json = baker->document->json;
    const tdActor* actor = baker->tape->actor;
    int index = 0;
    for (int animation = tdJson_GetFirst(json, tdJson_Find(json, 0, "animations")); animation >= 0;
         animation = tdJson_GetNext(json, animation), ++index)
    {
        bool isPlayed = false;
        for (int i = 0; i < actor->plays.count; ++i)
        {
            isPlayed = isPlayed ||
                       (actor->plays.data[i].clip != NULL && actor->plays.data[i].clip->animation == index);
        }
        if (isPlayed)
        {
            tdJsonEdit_Remove(tdDocumentEdit_GetJson(baker->edit), animation);
        }
    }
}

static float GetTrackDuration(const tdBakedTracks* tracks)
{
    float duration = 0.0f;
    for (int i = 0; i < tracks->count; ++i)
    {
        duration = tdMaxFloat(duration, tracks->tracks[i].times[tracks->tracks[i].keyCount - 1]);
    }
    return duration;
}

/// Whether the recording has the motion of a spring.
static bool HasSpringTrack(const Baker* baker)
{
    const tdSpringList* springs = baker->tape->actor->scene->springs;
    bool isActive = springs != NULL && tdActor_AreSpringsEnabled(baker->tape->actor), hasTrack = false;
    for (int i = 0; i < baker->tracks.count && isActive && !hasTrack; ++i)
    {
        const tdBakedTrack* track = &baker->tracks.tracks[i];
        hasTrack = track->kind == TD_TRACK_ROTATION && springs->jointOfNode[track->node] >= 0;
    }
    return hasTrack;
}

static bool FillEdit(Baker* baker)
{
    if (baker->tape->def.replaceAnimations)
    {
        RemovePlayed(baker);
    }
    tdStripped stripped = {.physics = baker->tape->def.stripPhysics,
                           .springs = baker->tape->def.stripSprings};
    tdStripExtensions(baker->document->json, tdDocumentEdit_GetJson(baker->edit), stripped);
    if (!stripped.springs && HasSpringTrack(baker))
    {
        tdReport_Add(baker->report, TD_DIAG_SB_KEPT, NULL);
    }
    tdTape_ReportUnwrittenMaterials(baker->tape, baker->report);
    if (baker->tape->def.duration != NULL)
    {
        *baker->tape->def.duration = GetTrackDuration(&baker->tracks);
    }
    if (baker->tracks.count == 0)
    {
        tdReport_Add(baker->report, TD_DIAG_BAKE_NOTHING_MOVED, NULL);
        return true;
    }
    ReplaceMatrices(baker);
    return tdDefineMaterialValues(baker->document->json, baker->edit, &baker->tape->actor->asset->scene,
                                  &baker->tracks, &baker->tape->allocator) &&
           AddAnimation(baker);
}

tdAsset* tdTape_Bake(const tdTape* tape, tdReport* report)
{
    if (tape == NULL)
    {
        return NULL;
    }
    if (tape->actor->asset->document == NULL)
    {
        tdReport_Add(report, TD_DIAG_NOT_A_DOCUMENT, NULL);
        return NULL;
    }
    const tdAsset* asset = tape->actor->asset;
    tdAsset* result = tdCreateEditedAsset(asset, asset->name, report);
    if (result == NULL)
    {
        return NULL;
    }
    tdArena scratch;
    tdArena_Init(&scratch, &tape->allocator, (size_t)1 << 16);
    Baker baker = {
        .tape = tape,
        .document = asset->document,
        .edit = tdCreateDocumentEdit(asset->document, &result->allocator),
        .report = report,
    };
    bool isGood = baker.edit != NULL &&
                  tdTape_MakeTracks(tape, tape->actor->stage->tasks, &scratch, &baker.tracks) &&
                  FillEdit(&baker);
    tdDocument* document = isGood ? tdDocumentEdit_Finish(baker.edit, report) : NULL;
    if (!isGood)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "baking");
    }
    tdDestroyDocumentEdit(baker.edit);
    tdArena_Free(&scratch);
    return tdFinishEditedAsset(result, document, report);
}

/// Steps until the stage has reached `time` or a limit. False when memory ran out.
/// @param isLimited set if a limit was reached (reported)
static bool AdvanceTo(tdStage* stage, double time, tdReport* report, bool* isLimited)
{
    while (tdStage_GetTime(stage) < time && !*isLimited)
    {
        if (!tdStage_Step(stage))
        {
            return false;
        }
        *isLimited = !tdStage_CheckLimits(stage, report);
    }
    return true;
}

static bool IsStageAtRest(tdStage* stage)
{
    return stage->world != NULL && tdWorld_GetStats(stage->world).awakeBodyCount == 0;
}

/// Time in s from `start` until every clip has played once; 0 if none plays.
static double GetClipEnd(const tdActor* actor, double start)
{
    double end = 0.0;
    for (int i = 0; i < actor->plays.count; ++i)
    {
        const tdPlay* play = &actor->plays.data[i];
        double left =
            play->clip != NULL ? (double)play->clip->duration - tdPlay_GetClipTime(play, start) : 0.0;
        end = left > end ? left : end;
    }
    return end;
}

/// Captures the pose of the actor blended with the first one of the tape, whose weight is `share`.
static bool CaptureBlended(tdTape* tape, double time, float share, tdTrs* locals, float* weights,
                           float* materials)
{
    const tdTrs* now = tdActor_GetLocals(tape->actor);
    for (int i = 0; i < tape->nodeCount; ++i)
    {
        locals[i].translation = tdLerp(now[i].translation, tape->first[i].translation, share);
        locals[i].rotation = tdSlerp(now[i].rotation, tape->first[i].rotation, share);
        locals[i].scale = tdLerp(now[i].scale, tape->first[i].scale, share);
    }
    for (int i = 0; i < tape->weightCount; ++i)
    {
        weights[i] = tape->actor->weights[i] + share * (tape->firstWeights[i] - tape->actor->weights[i]);
    }
    for (int i = 0; i < 4 * tape->materialCount; ++i)
    {
        const float* current = tape->actor->materialValues;
        materials[i] = current[i] + share * (tape->firstMaterials[i] - current[i]);
    }
    return tdTape_CapturePose(tape, time, locals, weights, materials);
}

/// Captures one frame; within the last `loopBlend` seconds the pose blends into the first one.
static bool CaptureFrame(tdTape* tape, const tdBakeDef* def, double start, double time, double seconds)
{
    double into = def->loopBlend > 0.0 ? (time - (seconds - def->loopBlend)) / def->loopBlend : 0.0;
    if (into <= 0.0 || def->untilRest || tape->times.count == 0)
    {
        return tdTape_CaptureAt(tape, start + time);
    }
    into = into > 1.0 ? 1.0 : into;
    float share = (float)(into * into * (3.0 - 2.0 * into)); // no jump in velocity where it begins
    size_t localSize = sizeof(tdTrs) * (size_t)tape->nodeCount,
           weightSize = sizeof(float) * (size_t)tape->weightCount,
           materialSize = 4 * sizeof(float) * (size_t)tape->materialCount;
    tdTrs* locals = tdAllocate(&tape->allocator, localSize, _Alignof(tdTrs));
    float* weights = tdAllocate(&tape->allocator, weightSize, _Alignof(float));
    float* materials = tdAllocate(&tape->allocator, materialSize, _Alignof(float));
    bool isGood = locals != NULL && weights != NULL && materials != NULL &&
                  CaptureBlended(tape, start + time, share, locals, weights, materials);
    tdRelease(&tape->allocator, materials, materialSize);
    tdRelease(&tape->allocator, locals, localSize);
    tdRelease(&tape->allocator, weights, weightSize);
    return isGood;
}

/// Time in s as units of progress.
static uint64_t CountTime(double time)
{
    return (uint64_t)(time * TD_PROGRESS_SECOND + 0.5);
}

/// Runs the stage before recording starts.
static bool WarmUp(tdStage* stage, const tdBakeDef* def, double start, tdProgress* progress, tdReport* report,
                   bool* wasStopped, bool* isLimited)
{
    for (int64_t frame = 1; (double)frame / def->frameRate < def->warmup && !*isLimited; ++frame)
    {
        double time = (double)frame / def->frameRate;
        if (!AdvanceTo(stage, start - def->warmup + time, report, isLimited))
        {
            return false;
        }
        *wasStopped = !tdProgress_Update(progress, CountTime(time));
        if (*wasStopped)
        {
            return false;
        }
    }
    return AdvanceTo(stage, start, report, isLimited);
}

/// Frames after which the changes of the rest are estimated: springs and clips have started.
#define FRAMES_BEFORE_ESTIMATE 4

/// Runs the stage and captures. False when memory ran out or the caller stopped it.
static bool RecordFrames(tdTape* tape, const tdBakeDef* def, tdReport* report, bool* wasStopped)
{
    tdStage* stage = tape->actor->stage;
    double start = tdStage_GetTime(stage) + def->warmup;
    double seconds = def->seconds >= 0.0 ? def->seconds : tdActor_GetSecondsLeft(tape->actor, start);
    tdProgress* progress = def->progress != NULL ? def->progress : tape->actor->asset->def.progress;
    tdProgress_Start(progress, TD_PROGRESS_SIMULATING, CountTime(def->warmup + seconds));
    bool isLimited = false;
    if (!WarmUp(stage, def, start, progress, report, wasStopped, &isLimited))
    {
        return false;
    }
    double clipEnd = GetClipEnd(tape->actor, start);
    for (int64_t frame = 0;; ++frame)
    {
        double time = (double)frame / def->frameRate;
        bool isLast = time >= seconds - 1.0e-9;
        time = isLast ? seconds : time;
        if (!AdvanceTo(stage, start + time, report, &isLimited))
        {
            return false;
        }
        if (isLimited && frame > 0)
        {
            tdProgress_Update(progress, CountTime(def->warmup + seconds));
            return true; // the frames up to the limit
        }
        if (frame + 1 >= stage->limits.frames && !isLast)
        {
            tdReportLimitReached(report, TD_LIMIT_frames, (double)stage->limits.frames, start + time);
            isLast = true;
        }
        isLast = isLast || (def->untilRest && frame > 0 && time >= clipEnd && IsStageAtRest(stage));
        // Without bodies a step leaves exactly the pose that an evaluation at its time gives.
        if (stage->stepIndex == 0 || stage->bodyActorCount > 0 || tdStage_GetTime(stage) != start + time)
        {
            tdStage_Evaluate(stage, start + time);
        }
        if (!CaptureFrame(tape, def, start, time, seconds))
        {
            return false;
        }
        if (frame == FRAMES_BEFORE_ESTIMATE && !def->untilRest)
        {
            tdTape_ExpectFrames(tape, seconds * def->frameRate);
        }
        if (!tdProgress_Update(progress, CountTime(def->warmup + (isLast ? seconds : time))))
        {
            *wasStopped = true;
            return false;
        }
        if (isLast)
        {
            return true;
        }
    }
}

tdAsset* tdBakeActor(tdActor* actor, const tdBakeDef* def, tdReport* report)
{
    tdBakeDef defaults = tdDefaultBakeDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    TD_ASSERT(def->frameRate > 0.0);
    if (actor == NULL)
    {
        return NULL;
    }
    tdTape* tape = tdCreateTape(actor, def, &actor->asset->outerAllocator);
    if (tape == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "recording");
        return NULL;
    }
    bool wasStopped = false;
    tdAsset* baked = NULL;
    if (RecordFrames(tape, def, report, &wasStopped))
    {
        baked = tdTape_Bake(tape, report);
    }
    else if (!wasStopped)
    {
        tdStage_ReportMemory(actor->stage, report, "recording");
    }
    tdDestroyTape(tape);
    return baked;
}
