// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Turns the log of a tape into curves. A logged value holds until the next entry; two samples represent it:
// its first frame and the frame before the next entry.
#include "baked_tracks.h"

#include "key_reduction.h"

#include "base/progress.h"
#include "base/report.h"
#include "base/tasks.h"
#include "gltf/document.h"
#include "runtime/actor.h"
#include "scene/humanoid.h"

#include <string.h>

/// One node's entries of one log, before they are reduced.
typedef struct Candidate
{
    int node;
    tdTrackKind kind;
    int width;
    const tdTapeEntry* entries; // ascending by frame
    int entryCount;
    int sampleCount; // room needed: first frame, two per entry, last frame; at most one per frame
    float *times, *values;
    int* kept;
    int keptCount; // 0: stays at rest
} Candidate;

typedef struct ReduceTask
{
    const tdTape* tape;
    tdProgress* progress;
    Candidate* candidates;
} ReduceTask;

static float GetTolerance(const tdTape* tape, tdTrackKind kind)
{
    switch (kind)
    {
    case TD_TRACK_TRANSLATION:
    case TD_TRACK_SCALE:
    case TD_TRACK_KIND_COUNT:
        break;
    case TD_TRACK_ROTATION:
        return tape->def.angleTolerance;
    case TD_TRACK_WEIGHTS:
    case TD_TRACK_MATERIAL:
        return tape->def.weightTolerance;
    }
    return tape->def.positionTolerance;
}

static const float* GetFirstValue(const tdTape* tape, int node, tdTrackKind kind, bool fromRest)
{
    const tdNodeTree* nodes = &tape->actor->asset->scene.nodes;
    if (kind == TD_TRACK_MATERIAL)
    {
        const tdMaterialValue* value = &tape->actor->asset->scene.materialValues[node];
        return fromRest ? value->base : tape->firstMaterials + 4 * (size_t)node;
    }
    const tdTrs* local = fromRest ? &nodes->locals[node] : &tape->first[node];
    switch (kind)
    {
    case TD_TRACK_TRANSLATION:
        return &local->translation.x;
    case TD_TRACK_ROTATION:
        return &local->rotation.x;
    case TD_TRACK_SCALE:
        return &local->scale.x;
    case TD_TRACK_WEIGHTS:
    case TD_TRACK_MATERIAL:
    case TD_TRACK_KIND_COUNT:
        break;
    }
    return (fromRest ? nodes->weights : tape->firstWeights) + nodes->weightStarts[node];
}

static const float* GetEntryValue(const tdTape* tape, const Candidate* candidate, int entry)
{
    const tdTapeEntry* e = &candidate->entries[entry];
    return candidate->kind == TD_TRACK_WEIGHTS ? tape->weightLog.data + e->weightStart : e->value;
}

static void AddSample(const tdTape* tape, Candidate* candidate, int* count, int frame, const float* value)
{
    size_t width = (size_t)candidate->width;
    candidate->times[*count] = tape->times.data[frame];
    memcpy(candidate->values + width * (size_t)*count, value, sizeof(float) * width);
    *count += 1;
}

static int ExpandSamples(const tdTape* tape, Candidate* candidate)
{
    int count = 0;
    int lastFrame = -1;
    const float* value = GetFirstValue(tape, candidate->node, candidate->kind, false);
    AddSample(tape, candidate, &count, 0, value);
    lastFrame = 0;
    for (int i = 0; i < candidate->entryCount; ++i)
    {
        int frame = candidate->entries[i].frame;
        if (frame - 1 > lastFrame)
        {
            AddSample(tape, candidate, &count, frame - 1, value);
        }
        value = GetEntryValue(tape, candidate, i);
        AddSample(tape, candidate, &count, frame, value);
        lastFrame = frame;
    }
    if (lastFrame < tape->times.count - 1)
    {
        AddSample(tape, candidate, &count, tape->times.count - 1, value);
    }
    return count;
}

/// Largest distance of any sample from the rest value.
static bool LeavesRest(const tdTape* tape, const Candidate* candidate, const tdCurve* curve, float tolerance)
{
    const float* rest = GetFirstValue(tape, candidate->node, candidate->kind, true);
    for (int i = 0; i < curve->count; ++i)
    {
        const float* value = curve->values + (size_t)i * (size_t)curve->width;
        if (curve->kind == TD_CURVE_ROTATION)
        {
            tdQuat a = {rest[0], rest[1], rest[2], rest[3]};
            tdQuat b = {value[0], value[1], value[2], value[3]};
            if (tdAngleBetween(a, b) > tolerance)
            {
                return true;
            }
            continue;
        }
        float sum = 0.0f;
        for (int k = 0; k < curve->width; ++k)
        {
            sum += (value[k] - rest[k]) * (value[k] - rest[k]);
        }
        if (sqrtf(sum) > tolerance)
        {
            return true;
        }
    }
    return false;
}

static void ReduceCandidates(void* context, int startIndex, int endIndex, int worker)
{
    (void)worker;
    const ReduceTask* task = context;
    for (int i = startIndex; i < endIndex; ++i)
    {
        Candidate* candidate = &task->candidates[i];
        float tolerance = GetTolerance(task->tape, candidate->kind);
        tdCurve curve = {
            .kind = candidate->kind == TD_TRACK_ROTATION
                        ? TD_CURVE_ROTATION
                        : (candidate->kind == TD_TRACK_WEIGHTS ? TD_CURVE_WEIGHTS : TD_CURVE_VECTOR),
            .width = candidate->width,
            .count = ExpandSamples(task->tape, candidate),
            .times = candidate->times,
            .values = candidate->values,
        };
        candidate->keptCount = LeavesRest(task->tape, candidate, &curve, tolerance)
                                   ? tdReduceKeys(&curve, tolerance, candidate->kept)
                                   : 0;
        tdProgress_Add(task->progress, (uint64_t)candidate->entryCount);
    }
}

/// Sorts one log by node (stable, so frames stay in order). Returns NULL when memory ran out.
static tdTapeEntry* SortByNode(const tdTape* tape, tdTrackKind kind, tdArena* scratch, int** nodeStarts)
{
    const tdTapeEntry* log = tape->logs[kind].data;
    int count = tape->logs[kind].count;
    int nodeCount = kind == TD_TRACK_MATERIAL ? tape->materialCount : tape->nodeCount;
    int* starts = tdArena_NewArray(scratch, int, nodeCount + 1);
    tdTapeEntry* sorted =
        tdArena_Allocate(scratch, (size_t)count * sizeof(tdTapeEntry), _Alignof(tdTapeEntry));
    int* next = tdArena_NewArray(scratch, int, nodeCount + 1);
    if (starts == NULL || sorted == NULL || next == NULL)
    {
        return NULL;
    }
    for (int i = 0; i < count; ++i)
    {
        starts[log[i].node + 1] += log[i].frame < tape->times.count ? 1 : 0;
    }
    for (int node = 0; node < nodeCount; ++node)
    {
        starts[node + 1] += starts[node];
        next[node] = starts[node];
    }
    for (int i = 0; i < count; ++i)
    {
        if (log[i].frame < tape->times.count)
        {
            sorted[next[log[i].node]++] = log[i];
        }
    }
    *nodeStarts = starts;
    return sorted;
}

static int GetTrackWidth(const tdTape* tape, int node, tdTrackKind kind)
{
    const int* starts = tape->actor->asset->scene.nodes.weightStarts;
    switch (kind)
    {
    case TD_TRACK_TRANSLATION:
    case TD_TRACK_SCALE:
    case TD_TRACK_KIND_COUNT:
        break;
    case TD_TRACK_ROTATION:
        return 4;
    case TD_TRACK_WEIGHTS:
        return starts[node + 1] - starts[node];
    case TD_TRACK_MATERIAL:
        return tape->actor->asset->scene.materialValues[node].width;
    }
    return 3;
}

/// Colours of MToon in VRM 0.x are outside of glTF's materials, where no player looks for them.
static bool IsInMaterials(const tdMaterialValue* value)
{
    static const char materials[] = "/materials/";
    return strncmp(value->pointer, materials, sizeof(materials) - 1) == 0;
}

void tdTape_ReportUnwrittenMaterials(const tdTape* tape, tdReport* report)
{
    for (int i = 0; i < tape->materialCount; ++i)
    {
        const tdMaterialValue* value = &tape->actor->asset->scene.materialValues[i];
        bool changes = memcmp(tape->firstMaterials + 4 * (size_t)i, value->base, sizeof(value->base)) != 0;
        for (int k = 0; k < tape->logs[TD_TRACK_MATERIAL].count && !changes; ++k)
        {
            changes = tape->logs[TD_TRACK_MATERIAL].data[k].node == i;
        }
        if (changes && !IsInMaterials(value))
        {
            tdReport_Add(report, TD_DIAG_MATERIAL_NOT_BAKED, NULL, value->pointer);
        }
    }
}

/// A property may need a track if it has log entries or does not start at its rest value.
static bool IsCandidate(const tdTape* tape, int node, tdTrackKind kind, int entryCount)
{
    if (kind == TD_TRACK_MATERIAL && !IsInMaterials(&tape->actor->asset->scene.materialValues[node]))
    {
        return false;
    }
    int width = GetTrackWidth(tape, node, kind);
    return width > 0 && (entryCount > 0 ||
                         memcmp(GetFirstValue(tape, node, kind, false), GetFirstValue(tape, node, kind, true),
                                sizeof(float) * (size_t)width) != 0);
}

static bool PrepareCandidate(Candidate* candidate, int frameCount, tdArena* scratch)
{
    candidate->sampleCount = tdMinInt(2 * candidate->entryCount + 2, frameCount);
    size_t values = (size_t)candidate->sampleCount * (size_t)candidate->width;
    candidate->times =
        tdArena_Allocate(scratch, sizeof(float) * (size_t)candidate->sampleCount, _Alignof(float));
    candidate->values = tdArena_Allocate(scratch, sizeof(float) * values, _Alignof(float));
    candidate->kept = tdArena_Allocate(scratch, sizeof(int) * (size_t)candidate->sampleCount, _Alignof(int));
    return candidate->times != NULL && candidate->values != NULL && candidate->kept != NULL;
}

static bool KeepTrack(const Candidate* candidate, tdArena* arena, tdBakedTrack* track)
{
    size_t width = (size_t)candidate->width;
    *track = (tdBakedTrack){
        .node = candidate->node,
        .kind = candidate->kind,
        .width = candidate->width,
        .keyCount = candidate->keptCount,
        .times = tdArena_NewArray(arena, float, candidate->keptCount),
        .values = tdArena_NewArray(arena, float, width*(size_t)candidate->keptCount),
    };
    if (track->times == NULL || track->values == NULL)
    {
        return false;
    }
    for (int i = 0; i < candidate->keptCount; ++i)
    {
        int sample = candidate->kept[i];
        track->times[i] = candidate->times[sample];
        memcpy(track->values + width * (size_t)i, candidate->values + width * (size_t)sample,
               sizeof(float) * width);
    }
    return true;
}

/// Candidates that are reduced before their keys are copied. Their samples share memory that stays in the
/// cache.
#define CANDIDATES_AT_A_TIME 64

/// Reduces some candidates and adds those that keep keys to the list.
/// @param samples is reset
static bool ReduceAndKeep(ReduceTask* task, int count, const tdTasks* tasks, tdArena* samples, tdArena* arena,
                          tdBakedTracks* list)
{
    tdArena_Reset(samples);
    for (int i = 0; i < count; ++i)
    {
        if (!PrepareCandidate(&task->candidates[i], task->tape->times.count, samples))
        {
            return false;
        }
    }
    tdTasks_For(tasks, ReduceCandidates, task, count, 16);
    for (int i = 0; i < count; ++i)
    {
        if (task->candidates[i].keptCount > 0)
        {
            list->sampleCount += task->tape->times.count;
            if (!KeepTrack(&task->candidates[i], arena, &list->tracks[list->count++]))
            {
                return false;
            }
        }
    }
    return true;
}

static bool MakeTracks(const tdTape* tape, const tdTasks* tasks, tdArena* scratch, tdArena* arena,
                       tdBakedTracks* list)
{
    int* starts[TD_TRACK_KIND_COUNT];
    tdTapeEntry* sorted[TD_TRACK_KIND_COUNT];
    for (int kind = 0; kind < TD_TRACK_KIND_COUNT; ++kind)
    {
        sorted[kind] = SortByNode(tape, (tdTrackKind)kind, scratch, &starts[kind]);
        if (sorted[kind] == NULL)
        {
            return false;
        }
    }
    int nodeCapacity = tape->nodeCount * TD_TRACK_MATERIAL, capacity = nodeCapacity + tape->materialCount;
    Candidate* candidates = tdArena_NewArray(scratch, Candidate, capacity);
    if (candidates == NULL)
    {
        return false;
    }
    int count = 0;
    for (int i = 0; i < capacity; ++i)
    {
        bool isMaterial = i >= nodeCapacity;
        int node = isMaterial ? i - nodeCapacity : i / TD_TRACK_MATERIAL;
        tdTrackKind kind = isMaterial ? TD_TRACK_MATERIAL : (tdTrackKind)(i % TD_TRACK_MATERIAL);
        int entryCount = starts[kind][node + 1] - starts[kind][node];
        if (!IsCandidate(tape, node, kind, entryCount))
        {
            continue;
        }
        Candidate* candidate = &candidates[count++];
        *candidate = (Candidate){
            .node = node,
            .kind = kind,
            .width = GetTrackWidth(tape, node, kind),
            .entries = sorted[kind] + starts[kind][node],
            .entryCount = entryCount,
        };
    }

    tdProgress* progress = tape->actor->asset->def.progress;
    uint64_t entryCount = 0;
    for (int i = 0; i < count; ++i)
    {
        entryCount += (uint64_t)candidates[i].entryCount;
    }
    tdProgress_Start(progress, TD_PROGRESS_REDUCING, entryCount);
    list->tracks = tdArena_NewArray(arena, tdBakedTrack, count);
    list->count = 0;
    list->sampleCount = 0;
    bool isGood = list->tracks != NULL;
    tdArena samples;
    tdArena_Init(&samples, &tape->allocator, (size_t)1 << 18);
    for (int i = 0; i < count && isGood; i += CANDIDATES_AT_A_TIME)
    {
        ReduceTask task = {tape, progress, candidates + i};
        isGood =
            ReduceAndKeep(&task, tdMinInt(CANDIDATES_AT_A_TIME, count - i), tasks, &samples, arena, list);
    }
    tdArena_Free(&samples);
    return isGood;
}

bool tdTape_MakeTracks(const tdTape* tape, const tdTasks* tasks, tdArena* arena, tdBakedTracks* list)
{
    *list = (tdBakedTracks){0};
    if (tape->times.count == 0)
    {
        return true;
    }
    tdArena scratch;
    tdArena_Init(&scratch, &tape->allocator, (size_t)1 << 20);
    bool made = MakeTracks(tape, tasks, &scratch, arena, list);
    tdArena_Free(&scratch);
    return made;
}
