// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The stage: clock, actors, and the engine's world, which physics_binding.h connects to the actors' nodes.
#pragma once

#include "actor.h"

#include "math/slerp.h"
#include "spring/spring_step.h"

#include <stdatomic.h>

/// Owners of ids of the world, by index; NULL: made by the application.
typedef tdArray(void*) tdPointerTable;

struct tdStage
{
    tdAllocator allocator;
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
};

/// Reserves scratch memory of actor groups, `size` bytes for every worker. 0 frees it.
/// @return false when memory ran out; then actors run one by one
bool tdStage_ReserveGroupScratch(tdStage* stage, size_t size);

/// Length of a step in seconds.
static inline float tdStage_GetStepSeconds(const tdStage* stage)
{
    return (float)(1.0 / stage->stepRate);
}
