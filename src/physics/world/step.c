// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The step: its phases in order (listed in data/world_data.h). All memory is reserved before the first
// visible change, so a step that fails for lack of memory can be repeated with the same result. See
// docs/decisions/060.
#include "physics/broad_phase/broad_phase.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/broad_phase/proxy.h"
#include "physics/contact/event.h"
#include "physics/data/call_log.h"
#include "physics/data/fingerprint.h"
#include "physics/data/id.h"
#include "physics/data/joint_data.h"
#include "physics/data/manifold_pool.h"
#include "physics/data/refusal.h"
#include "physics/data/world_data.h"
#include "physics/island/island.h"
#include "physics/joint/joint.h"
#include "physics/narrow_phase/continuous.h"
#include "physics/narrow_phase/narrow_phase.h"
#include "physics/narrow_phase/trigger_sweep.h"
#include "physics/solver/solver.h"
#include "physics/world/body_update.h"
#include "physics/world/pile.h"
#include "physics/world/sub_steps.h"

#include "tendon/physics.h"

// Reserve all memory that the rest of the step may need.
static bool ReserveStepMemory(tdWorld* world)
{
    int blockCounts[TD_MANIFOLD_CLASSES], manifoldCount = 0;
    int contactCount = tdWorld_CountNewTouching(world, blockCounts);
    for (int i = 0; i < TD_MANIFOLD_CLASSES; ++i)
    {
        manifoldCount += blockCounts[i] << i;
    }
    const tdAllocator* allocator = &world->allocator;
    int touchingContacts = world->touchingTotal + contactCount;
    return tdArray_Reserve(allocator, &world->touchingContacts, touchingContacts) &&
           tdArray_Reserve(allocator, &world->touchingFlags, touchingContacts) &&
           tdArray_Reserve(allocator, &world->wantRoom, touchingContacts) &&
           tdManifoldPool_ReserveBlocks(world, blockCounts) &&
           tdArray_Reserve(allocator, &world->movedBodies, world->liveBodyCount) &&
           tdArray_Reserve(allocator, &world->fastBodies, world->liveBodyCount) &&
           tdArray_Reserve(allocator, &world->bullets, world->liveBodyCount) &&
           tdArray_Reserve(allocator, &world->travellers,
                           world->triggerShapeCount > 0 ? world->liveBodyCount : 0) &&
           tdSolver_Reserve(world, world->bodies.count, touchingContacts,
                            world->liveManifolds + manifoldCount) &&
           tdJointSet_Reserve(world) && tdWorld_UpdatePartTrees(world) &&
           tdWorld_BeginEvents(world, contactCount);
}

// Clamp velocities that continuous collision has changed.
static void ClampImpactSpeeds(tdWorld* world)
{
    for (int i = 1; i < world->awakeCount && world->stats.continuousCount > 0; ++i)
    {
        world->stats.clampedCount += tdBodyState_ClampSpeeds(&world->states[i]) ? 1 : 0;
    }
}

static void ReportMovedRange(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        const tdBodySim* sim = &world->sims[i + 1];
        const tdBody* body = &world->bodies.data[sim->body];
        world->movedBodies.data[i] = (tdMovedBody){
            .body = tdWorld_MakeBodyId(world, sim->body),
            .transform = sim->transform,
            .userData = body->userData,
        };
    }
}

static void ReportMovedBodies(tdWorld* world)
{
    world->movedBodies.count = world->awakeCount - 1;
    tdTasks_For(world->tasks, ReportMovedRange, world, world->movedBodies.count, 256);
}

static void MarkSleepingBodies(tdWorld* world, int awakeBefore)
{
    if (world->awakeCount == awakeBefore)
    {
        return;
    }
    for (int i = 0; i < world->movedBodies.count; ++i)
    {
        tdMovedBody* moved = &world->movedBodies.data[i];
        moved->fellAsleep = world->bodies.data[moved->body.index1 - 1].simIndex == 0;
    }
}

bool tdWorld_Step(tdWorld* world, float timeStep)
{
    TD_LOG_CALL(world->calls, TD_CALL_WORLD_STEP, TD_CALL_PART(timeStep));
    TD_ASSERT(!world->isLocked);
    if (!TD_ACCEPT(world, timeStep >= 0.0f && timeStep < INFINITY))
    {
        return false;
    }
    world->stats = (tdStepStats){0};
    world->timeStep = timeStep;
    tdWorld_FixFingerprint(world);
    world->isLocked = true;
    tdWorld_PredictDisplacements(world, timeStep);
    if (!tdWorld_UpdatePairs(world) || !tdWorld_TestPairs(world) || !ReserveStepMemory(world))
    {
        world->isLocked = false;
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return false;
    }
    world->status = world->isPairLimitReached ? TD_STATUS_PAIR_LIMIT : TD_STATUS_OK;
    world->stepIndex += 1;
    tdWorld_DriveKinematic(world, timeStep);
    tdWorld_UpdateTouchingContacts(world);
    tdWorld_RunSubSteps(world, timeStep);
    tdWorld_SolveContinuous(world);
    ClampImpactSpeeds(world);
    tdWorld_RefitTrees(world);
    tdWorld_CollectContactEvents(world);
    tdWorld_TestTriggers(world);
    tdWorld_CollectTriggerEvents(world);
    tdWorld_SweepTriggers(world);
    ReportMovedBodies(world);
    tdWorld_StiffenPiles(world);
    int awakeBefore = world->awakeCount;
    tdWorld_UpdateSleep(world, timeStep);
    MarkSleepingBodies(world, awakeBefore);
    world->isLocked = false;
    return true;
}

const tdMovedBody* tdWorld_GetMovedBodies(const tdWorld* world, int* count)
{
    *count = world->movedBodies.count;
    return world->movedBodies.data;
}
