// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Capturing: the pose is compared with the previous one, bit for bit, and only differences are logged.
#include "tape.h"

#include "base/def.h"
#include "runtime/actor.h"

#include <string.h>

tdBakeDef tdDefaultBakeDef(void)
{
    return (tdBakeDef){
        .seconds = -1.0,
        .frameRate = 30.0,
        .positionTolerance = 1.0e-4f,
        .angleTolerance = 5.0e-4f,
        .weightTolerance = 1.0e-3f,
        .name = "baked",
        .cookie = TD_DEF_COOKIE,
    };
}

tdTape* tdCreateTape(const tdActor* actor, const tdBakeDef* def, const tdAllocator* outer)
{
    if (actor == NULL)
    {
        return NULL;
    }
    tdAllocator allocator = tdAllocator_Resolve(outer);
    tdTape* tape = tdAllocateZeroed(&allocator, sizeof(tdTape), _Alignof(tdTape));
    if (tape == NULL)
    {
        return NULL;
    }
    const tdNodeTree* nodes = &actor->asset->scene.nodes;
    tape->allocator = allocator;
    tape->actor = actor;
    tape->def = def != NULL ? *def : tdDefaultBakeDef();
    TD_ASSERT_DEF(&tape->def);
    tape->nodeCount = nodes->count;
    tape->weightCount = nodes->count > 0 ? nodes->weightStarts[nodes->count] : 0;
    if (tape->def.animateMaterials)
    {
        tdActor_GetMaterialValues(actor, &tape->materialCount);
    }
    size_t poseSize = sizeof(tdTrs) * (size_t)tape->nodeCount;
    size_t weightSize = sizeof(float) * (size_t)tape->weightCount;
    size_t materialSize = 4 * sizeof(float) * (size_t)tape->materialCount;
    tape->firstMaterials = tdAllocate(&allocator, materialSize, _Alignof(float));
    tape->lastMaterials = tdAllocate(&allocator, materialSize, _Alignof(float));
    tape->first = tdAllocate(&allocator, poseSize, _Alignof(tdTrs));
    tape->last = tdAllocate(&allocator, poseSize, _Alignof(tdTrs));
    tape->firstWeights = tdAllocate(&allocator, weightSize, _Alignof(float));
    tape->lastWeights = tdAllocate(&allocator, weightSize, _Alignof(float));
    const char* name = tape->def.name != NULL ? tape->def.name : "baked";
    tape->nameSize = strlen(name) + 1;
    tape->name = tdAllocate(&allocator, tape->nameSize, 1);
    tape->def.name = tape->name; // the caller's may be freed before the tape is baked
    if (tape->name != NULL)
    {
        memcpy(tape->name, name, tape->nameSize);
    }
    if (tape->name == NULL || tape->first == NULL || tape->last == NULL || tape->firstWeights == NULL ||
        tape->lastWeights == NULL || tape->firstMaterials == NULL || tape->lastMaterials == NULL)
    {
        tdDestroyTape(tape);
        return NULL;
    }
    return tape;
}

void tdDestroyTape(tdTape* tape)
{
    if (tape == NULL)
    {
        return;
    }
    tdAllocator allocator = tape->allocator;
    size_t poseSize = sizeof(tdTrs) * (size_t)tape->nodeCount;
    size_t weightSize = sizeof(float) * (size_t)tape->weightCount;
    tdRelease(&allocator, tape->name, tape->nameSize);
    tdRelease(&allocator, tape->first, poseSize);
    tdRelease(&allocator, tape->last, poseSize);
    tdRelease(&allocator, tape->firstWeights, weightSize);
    tdRelease(&allocator, tape->lastWeights, weightSize);
    size_t materialSize = 4 * sizeof(float) * (size_t)tape->materialCount;
    tdRelease(&allocator, tape->firstMaterials, materialSize);
    tdRelease(&allocator, tape->lastMaterials, materialSize);
    for (int kind = 0; kind < TD_TRACK_KIND_COUNT; ++kind)
    {
        tdArray_Free(&allocator, &tape->logs[kind]);
    }
    tdArray_Free(&allocator, &tape->weightLog);
    tdArray_Free(&allocator, &tape->times);
    tdRelease(&allocator, tape, sizeof(tdTape));
}

/// Entries for which room is made before they are captured, at most: 24 MB per log.
#define MAX_EXPECTED_ENTRIES 1.0e6

void tdTape_ExpectFrames(tdTape* tape, double frames)
{
    int intervals = tape->times.count - 1;
    for (int kind = 0; kind < TD_TRACK_KIND_COUNT && intervals > 0; ++kind)
    {
        double expected = (double)tape->logs[kind].count / intervals * frames;
        if (expected < MAX_EXPECTED_ENTRIES)
        {
            (void)tdArray_Reserve(&tape->allocator, &tape->logs[kind], (int)expected);
        }
    }
}

int tdTape_GetFrameCount(const tdTape* tape)
{
    return tape != NULL ? tape->times.count : 0;
}

/// Quaternions q and -q are the same rotation: take the one in the hemisphere of the previous one.
static tdQuat OnTheShortWay(tdQuat q, tdQuat before)
{
    return tdDotQuat(q, before) < 0.0f ? tdNegateQuat(q) : q;
}

static bool LogValue(tdTape* tape, tdTrackKind kind, int node, int frame, const void* value, size_t size)
{
    tdTapeEntry entry = {.node = node, .frame = frame, .value = {0.0f}};
    memcpy(entry.value, value, size);
    return tdArray_Push(&tape->allocator, &tape->logs[kind], entry);
}

static bool LogNode(tdTape* tape, int node, int frame, const tdTrs* local)
{
    tdTrs* last = &tape->last[node];
    if (memcmp(last, local, sizeof(tdTrs)) == 0)
    {
        return true;
    }
    tdQuat rotation = OnTheShortWay(local->rotation, last->rotation);
    bool logged = true;
    if (memcmp(&last->translation, &local->translation, sizeof(tdVec3)) != 0)
    {
        logged =
            logged && LogValue(tape, TD_TRACK_TRANSLATION, node, frame, &local->translation, sizeof(tdVec3));
    }
    if (memcmp(&last->rotation, &rotation, sizeof(tdQuat)) != 0)
    {
        logged = logged && LogValue(tape, TD_TRACK_ROTATION, node, frame, &rotation, sizeof(tdQuat));
    }
    if (memcmp(&last->scale, &local->scale, sizeof(tdVec3)) != 0)
    {
        logged = logged && LogValue(tape, TD_TRACK_SCALE, node, frame, &local->scale, sizeof(tdVec3));
    }
    *last = *local;
    last->rotation = rotation;
    return logged;
}

static bool LogWeights(tdTape* tape, int frame, const float* weights)
{
    const int* starts = tape->actor->asset->scene.nodes.weightStarts;
    for (int node = 0; node < tape->nodeCount; ++node)
    {
        int start = starts[node];
        int count = starts[node + 1] - start;
        size_t size = sizeof(float) * (size_t)count;
        if (count == 0 || memcmp(tape->lastWeights + start, weights + start, size) == 0)
        {
            continue;
        }
        tdTapeEntry entry = {.node = node, .frame = frame, .weightStart = tape->weightLog.count};
        float* logged = tdArray_Add(&tape->allocator, &tape->weightLog, count);
        if (logged == NULL || !tdArray_Push(&tape->allocator, &tape->logs[TD_TRACK_WEIGHTS], entry))
        {
            return false;
        }
        memcpy(logged, weights + start, size);
        memcpy(tape->lastWeights + start, weights + start, size);
    }
    return true;
}

static bool LogMaterials(tdTape* tape, int frame, const float* materials)
{
    const size_t size = 4 * sizeof(float);
    for (int i = 0; i < tape->materialCount; ++i)
    {
        const float* value = materials + 4 * (size_t)i;
        float* last = tape->lastMaterials + 4 * (size_t)i;
        if (memcmp(last, value, size) == 0)
        {
            continue;
        }
        if (!LogValue(tape, TD_TRACK_MATERIAL, i, frame, value, size))
        {
            return false;
        }
        memcpy(last, value, size);
    }
    return true;
}

bool tdTape_CapturePose(tdTape* tape, double time, const tdTrs* locals, const float* weights,
                        const float* materials)
{
    if (tape->failed)
    {
        return false;
    }
    int frame = tape->times.count;
    if (frame == 0)
    {
        tape->startTime = time;
    }
    float relative = (float)(time - tape->startTime);
    if (frame > 0 && !(relative > tape->times.data[frame - 1]))
    {
        return false;
    }
    if (!tdArray_Push(&tape->allocator, &tape->times, relative))
    {
        return false;
    }
    if (frame == 0)
    {
        memcpy(tape->first, locals, sizeof(tdTrs) * (size_t)tape->nodeCount);
        memcpy(tape->last, locals, sizeof(tdTrs) * (size_t)tape->nodeCount);
        if (tape->weightCount > 0)
        {
            memcpy(tape->firstWeights, weights, sizeof(float) * (size_t)tape->weightCount);
            memcpy(tape->lastWeights, weights, sizeof(float) * (size_t)tape->weightCount);
        }
        if (tape->materialCount > 0)
        {
            memcpy(tape->firstMaterials, materials, 4 * sizeof(float) * (size_t)tape->materialCount);
            memcpy(tape->lastMaterials, materials, 4 * sizeof(float) * (size_t)tape->materialCount);
        }
        return true;
    }
    bool logged = true;
    for (int node = 0; node < tape->nodeCount && logged; ++node)
    {
        logged = LogNode(tape, node, frame, &locals[node]);
    }
    logged = logged && (tape->weightCount == 0 || LogWeights(tape, frame, weights)) &&
             LogMaterials(tape, frame, materials);
    if (!logged)
    {
        tape->times.count -= 1; // entries of the unfinished frame are after the last one and are never read
        tape->failed = true;
    }
    return logged;
}

bool tdTape_CaptureAt(tdTape* tape, double time)
{
    return tape != NULL && tdTape_CapturePose(tape, time, tdActor_GetLocals(tape->actor),
                                              tape->actor->weights, tape->actor->materialValues);
}

bool tdTape_Capture(tdTape* tape)
{
    return tape != NULL && tdTape_CaptureAt(tape, tdStage_GetTime(tape->actor->stage));
}
