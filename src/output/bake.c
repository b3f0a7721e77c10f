// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Baking: tracks of a tape appended to the document they came from as one more animation. Nothing is rebuilt;
// what the loader did not understand is carried along (lossless rule).
#include "baked_tracks.h"
#include "clip_name.h"
#include "strip.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/report.h"
#include "gltf/document_edit.h"
#include "import/import.h"
#include "runtime/stage.h"

#include <string.h>

/// Key times of several tracks may be the same: each distinct list is written once.
typedef struct TimeLists
{
    int* slots; // open addressing: track + 1
    int slotCount;
    int* accessors; // by track: index of its key times
} TimeLists;

typedef struct Baker
{
    const tdTape* tape;
    const tdDocument* document;
    tdDocumentEdit* edit;
    tdArena* scratch;
    tdBakedTracks tracks;
    TimeLists times;
    tdReport* report;
} Baker;

static bool TimesEqual(const tdBakedTrack* a, const tdBakedTrack* b)
{
    return a->keyCount == b->keyCount && memcmp(a->times, b->times, sizeof(float) * (size_t)a->keyCount) == 0;
}

/// The first track with the same key times.
static int FindTimes(Baker* baker, int track)
{
    const tdBakedTrack* t = &baker->tracks.tracks[track];
    uint64_t mask = (uint64_t)(baker->times.slotCount - 1);
    uint64_t slot = tdHash(TD_HASH_INIT, t->times, sizeof(float) * (size_t)t->keyCount) & mask;
    for (; baker->times.slots[slot] != 0; slot = (slot + 1) & mask)
    {
        int other = baker->times.slots[slot] - 1;
        if (TimesEqual(&baker->tracks.tracks[other], t))
        {
            return other;
        }
    }
    baker->times.slots[slot] = track + 1;
    return track;
}

/// A number that reads back as the same float32, also for readers that keep it in a double.
static void AppendExact(tdText* text, float value)
{
    char number[TD_NUMBER_TEXT_SIZE];
    tdWriteDouble(number, (double)value);
    tdText_AppendString(text, number);
}

static int AddAccessor(Baker* baker, int view, size_t offset, int count, const char* type,
                       const float* bounds)
{
    tdText text;
    tdText_Init(&text, &baker->tape->allocator);
    tdText_AppendFormat(
        &text, "{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"",
        view, offset, count, type);
    if (bounds != NULL)
    {
        tdText_AppendString(&text, ",\"min\":[");
        AppendExact(&text, bounds[0]);
        tdText_AppendString(&text, "],\"max\":[");
        AppendExact(&text, bounds[1]);
        tdText_AppendChar(&text, ']');
    }
    tdText_AppendChar(&text, '}');
    int index =
        text.failed ? -1 : tdDocumentEdit_AddElement(baker->edit, "accessors", text.data, text.length);
    tdText_Free(&text);
    return index;
}

/// All key times in one view, all values in another; one accessor per distinct list and per track.
static bool AddData(Baker* baker, int* timeAccessors, int* valueAccessors)
{
    static const char* const types[TD_TRACK_KIND_COUNT] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
    int count = baker->tracks.count;
    size_t timeCount = 0, valueCount = 0;
    for (int i = 0; i < count; ++i)
    {
        const tdBakedTrack* track = &baker->tracks.tracks[i];
        timeAccessors[i] =
            FindTimes(baker, i); // the track that stands for the list, until it has an accessor
        timeCount += timeAccessors[i] == i ? (size_t)track->keyCount : 0;
        valueCount += (size_t)track->keyCount * (size_t)track->width;
    }
    float* times = tdArena_NewArray(baker->scratch, float, timeCount);
    float* values = tdArena_NewArray(baker->scratch, float, valueCount);
    if (times == NULL || values == NULL)
    {
        return false;
    }
    size_t timeAt = 0, valueAt = 0;
    for (int i = 0; i < count; ++i)
    {
        const tdBakedTrack* track = &baker->tracks.tracks[i];
        size_t keys = (size_t)track->keyCount, floats = keys * (size_t)track->width;
        if (timeAccessors[i] == i)
        {
            memcpy(times + timeAt, track->times, sizeof(float) * keys);
            timeAt += keys;
        }
        memcpy(values + valueAt, track->values, sizeof(float) * floats);
        valueAt += floats;
    }
    int timeView = tdDocumentEdit_AddView(baker->edit, times, sizeof(float) * timeCount);
    int valueView = tdDocumentEdit_AddView(baker->edit, values, sizeof(float) * valueCount);
    timeAt = valueAt = 0;
    for (int i = 0; i < count && timeView >= 0 && valueView >= 0; ++i)
    {
        const tdBakedTrack* track = &baker->tracks.tracks[i];
        if (timeAccessors[i] == i)
        {
            float bounds[2] = {track->times[0], track->times[track->keyCount - 1]};
            timeAccessors[i] =
                AddAccessor(baker, timeView, sizeof(float) * timeAt, track->keyCount, "SCALAR", bounds);
            timeAt += (size_t)track->keyCount;
        }
        else
        {
            timeAccessors[i] = timeAccessors[timeAccessors[i]];
        }
        bool isWeights = track->kind == TD_TRACK_WEIGHTS;
        valueAccessors[i] = AddAccessor(baker, valueView, sizeof(float) * valueAt,
                                        isWeights ? track->keyCount * track->width : track->keyCount,
                                        types[track->kind], NULL);
        valueAt += (size_t)track->keyCount * (size_t)track->width;
        if (timeAccessors[i] < 0 || valueAccessors[i] < 0)
        {
            return false;
        }
    }
    return timeView >= 0 && valueView >= 0;
}

static bool AddAnimation(Baker* baker, const int* timeAccessors, const int* valueAccessors)
{
    static const char* const paths[TD_TRACK_KIND_COUNT] = {"translation", "rotation", "scale", "weights"};
    tdText text, name;
    tdText_Init(&text, &baker->tape->allocator);
    tdText_Init(&name, &baker->tape->allocator);
    const char* wanted = baker->tape->def.name != NULL ? baker->tape->def.name : "baked";
    bool isGood = tdFindFreeName(&baker->tape->actor->asset->scene, wanted, &name);
    tdText_AppendString(&text, "{\"name\":");
    if (isGood)
    {
        tdText_AppendJsonString(&text, name.data, name.length);
    }
    tdText_AppendString(&text, ",\"samplers\":[");
    for (int i = 0; i < baker->tracks.count; ++i)
    {
        tdText_AppendFormat(&text, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}",
                            i > 0 ? "," : "", timeAccessors[i], valueAccessors[i]);
    }
    tdText_AppendString(&text, "],\"channels\":[");
    for (int i = 0; i < baker->tracks.count; ++i)
    {
        const tdBakedTrack* track = &baker->tracks.tracks[i];
        tdText_AppendFormat(&text, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                            i > 0 ? "," : "", i, track->node, paths[track->kind]);
    }
    tdText_AppendString(&text, "]}");
    isGood = isGood && !text.failed &&
             tdDocumentEdit_AddElement(baker->edit, "animations", text.data, text.length) >= 0;
    tdText_Free(&text);
    tdText_Free(&name);
    return isGood;
}

static void AddNumbers(Baker* baker, int node, const char* key, const float* values, int count)
{
    tdText text;
    tdText_Init(&text, &baker->tape->allocator);
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

/// Animated nodes must not have a matrix: those that are get translation, rotation and scale instead.
static void ReplaceMatrices(Baker* baker)
{
    const tdJson* json = baker->document->json;
    const tdTrs* locals = baker->tape->actor->asset->scene.nodes.locals;
    int node = tdJson_GetFirst(json, tdJson_Find(json, 0, "nodes"));
    int index = 0, last = -1;
    for (int i = 0; i < baker->tracks.count; ++i)
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

/// Takes the animations out that the actor plays.
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

static bool FillEdit(Baker* baker)
{
    int count = baker->tracks.count;
    baker->times.slotCount = 16;
    while (baker->times.slotCount < 2 * count)
    {
        baker->times.slotCount *= 2;
    }
    baker->times.slots = tdArena_NewArray(baker->scratch, int, baker->times.slotCount);
    int* timeAccessors = tdArena_NewArray(baker->scratch, int, count);
    int* valueAccessors = tdArena_NewArray(baker->scratch, int, count);
    if (baker->times.slots == NULL || timeAccessors == NULL || valueAccessors == NULL)
    {
        return false;
    }
    if (baker->tape->def.replaceAnimations)
    {
        RemovePlayed(baker);
    }
    if (baker->tape->def.stripPhysics)
    {
        tdStripPhysics(baker->document->json, tdDocumentEdit_GetJson(baker->edit));
    }
    if (count == 0)
    {
        tdReport_Add(baker->report, TD_DIAG_BAKE_NOTHING_MOVED, NULL);
        return true;
    }
    ReplaceMatrices(baker);
    return AddData(baker, timeAccessors, valueAccessors) &&
           AddAnimation(baker, timeAccessors, valueAccessors);
}

tdAsset* tdTape_Bake(const tdTape* tape, tdReport* report)
{
    if (tape == NULL || tape->actor->asset->document == NULL)
    {
        return NULL;
    }
    const tdAsset* asset = tape->actor->asset;
    tdArena scratch;
    tdArena_Init(&scratch, &tape->allocator, (size_t)1 << 16);
    Baker baker = {
        .tape = tape,
        .document = asset->document,
        .edit = tdCreateDocumentEdit(asset->document, &asset->outerAllocator),
        .scratch = &scratch,
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
    if (document == NULL)
    {
        return NULL;
    }
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = &asset->outerAllocator;
    return tdCreateAssetFromDocument(document, &def,
                                     NULL); // the file's own findings are in the report already
}

/// Steps until the stage has reached `time`. False when memory ran out.
static bool AdvanceTo(tdStage* stage, double time)
{
    while (tdStage_GetTime(stage) < time)
    {
        if (!tdStage_Step(stage))
        {
            return false;
        }
    }
    return true;
}

static bool IsAtRest(tdStage* stage)
{
    return stage->world != NULL && tdWorld_GetStats(stage->world).awakeBodyCount == 0;
}

static bool ReportProgress(const tdBakeDef* def, double fraction)
{
    return def->progress == NULL || def->progress(def->progressContext, fraction);
}

/// The actor's pose mixed with the tape's first one; `share` of the latter.
static bool CaptureBlended(tdTape* tape, double time, float share, tdTrs* locals, float* weights)
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
    return tdTape_CapturePose(tape, time, locals, weights);
}

/// Captures one frame; within the last `loopBlend` seconds the pose eases into the first one.
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
           weightSize = sizeof(float) * (size_t)tape->weightCount;
    tdTrs* locals = tdAllocate(&tape->allocator, localSize, _Alignof(tdTrs));
    float* weights = tdAllocate(&tape->allocator, weightSize, _Alignof(float));
    bool isGood =
        locals != NULL && weights != NULL && CaptureBlended(tape, start + time, share, locals, weights);
    tdRelease(&tape->allocator, locals, localSize);
    tdRelease(&tape->allocator, weights, weightSize);
    return isGood;
}

/// Runs the stage and captures. False when memory ran out or the caller stopped it.
static bool Record(tdTape* tape, const tdBakeDef* def, bool* wasStopped)
{
    tdStage* stage = tape->actor->stage;
    double start = tdStage_GetTime(stage) + def->warmup;
    if (!AdvanceTo(stage, start))
    {
        return false;
    }
    double seconds = def->seconds > 0.0 ? def->seconds : tdActor_GetSecondsLeft(tape->actor, start);
    for (int64_t frame = 0;; ++frame)
    {
        double time = (double)frame / def->frameRate;
        bool isLast = time >= seconds - 1.0e-9;
        time = isLast ? seconds : time;
        if (!AdvanceTo(stage, start + time))
        {
            return false;
        }
        isLast = isLast || (def->untilRest && frame > 0 && IsAtRest(stage));
        tdStage_Evaluate(stage, start + time);
        if (!CaptureFrame(tape, def, start, time, seconds))
        {
            return false;
        }
        if (!ReportProgress(def, isLast ? 1.0 : time / seconds))
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
    TD_ASSERT(def->frameRate > 0.0); // a def that was only zeroed
    tdTape* tape = tdCreateTape(actor, def);
    if (tape == NULL)
    {
        return NULL;
    }
    bool wasStopped = false;
    tdAsset* baked = NULL;
    if (Record(tape, def, &wasStopped))
    {
        baked = tdTape_Bake(tape, report);
    }
    else if (!wasStopped)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "recording");
    }
    tdDestroyTape(tape);
    return baked;
}
