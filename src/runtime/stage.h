// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The stage: clock, actors, and the engine's world, which physics_binding.h connects to the actors' nodes.
#pragma once

#include "actor.h"

#include "base/compiler.h"
#include "base/limits.h"
#include "base/memory_limit.h"
#include "math/slerp.h"
#include "spring/spring_step.h"

/// Owners of ids of the world, by index; NULL: made by the application.
typedef tdArray(void*) tdPointerTable;

/// Memory for the cursors of a play.
typedef struct tdCursorBlock
{
    int* cursors;
    size_t size; // bytes
} tdCursorBlock;

/// Functions of the recorder of a stage (output/recorder.c).
typedef struct tdStageRecorder
{
    void* context;
    uint32_t (*noteAsset)(void* context, const tdAsset* asset); // gives its number in the recording
    uint32_t (*noteClip)(void* context, const tdClip* clip);    // likewise
    void (*noteActor)(void* context, tdActor* actor);           // numbers it; its bodies have been created
    void (*beginStep)(void* context);
    void (*endStep)(void* context, double seconds); // of a variable step; 0: a fixed one
} tdStageRecorder;

struct tdStage
{
    const tdStageRecorder* recorder; // NULL: none
    tdAllocator allocator;           // with the memory limit
    tdAllocator outerAllocator;      // of the stage itself
    tdMemoryLimit* memoryLimit;
    tdLimits limits; // resolved
    const tdTasks* tasks;
    tdSimd simd;
    tdSlerpManyFcn* slerpMany; // slerpWidth rotations at once; NULL: one by one
    int slerpWidth;
    tdSpringKernelFcn* springKernel;
    double stepRate;
    int64_t stepIndex; // time = stepIndex / stepRate
    tdArray(tdActor*) actors;
    atomic_bool isOutOfMemory; // a call without a result ran out of memory; the next step fails
    int bodyActorCount;        // actors with physics; without any, the passes for them are skipped
    int springActorCount;      // actors with springs, likewise
    bool isVariable;           // springs advance in tdStage_StepVariable
    double variableTime;       // s, of the last variable step
    void* groupScratch;        // groupScratchSize bytes for each worker (constraint/pose_group.h)
    size_t groupScratchSize;
    tdWorld* world;
    tdPointerTable bodyTable, shapeTable; // tdBoundBody, tdBoundShape
    tdArray(char*) systemNames;           // of collision filters, shared by all actors; by number
    tdNameTable systemTable;              // of systemNames
    tdArray(tdContactEvent) contacts;     // of the last step
    tdArray(tdTriggerEvent) triggers;
    tdArray(tdCursorBlock) loadedCursors; // for plays of a state that is being loaded
};

/// Reserves scratch memory of actor groups, `size` bytes for every worker. 0 frees it.
/// @return false when memory ran out; then actors run one by one
bool tdStage_ReserveGroupScratch(tdStage* stage, size_t size);

/// Reports OUT_OF_MEMORY, and MEMORY_LIMIT if that is the reason.
/// @param doing what the stage did, such as "tracing"
void tdStage_ReportMemory(const tdStage* stage, tdReport* report, const char* doing);

/// Length of a step in seconds.
static inline float tdStage_GetStepSeconds(const tdStage* stage)
{
    return (float)(1.0 / stage->stepRate);
}
