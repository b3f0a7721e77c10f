// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The update of bodies: predicted displacements and kinematic targets at the start of a step; poses, inertia,
// displacement counters, rest time and fat boxes at its end. See docs/decisions/044 for the rest test.
#include "physics/world/body_update.h"

#include "geometry/bounds.h"
#include "math/trig.h"
#include "physics/broad_phase/proxy.h"
#include "physics/data/island_data.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/island/rest.h"
#include "physics/solver/solver_data.h"

#include <string.h>

#define POSITION_SLEEP_FACTOR 0.5f // weight of the speed of position correction against that of the velocity
/// Islands of more bodies than this are piles, unless they are stacks: their bodies keep the arms of contacts
/// until they have turned by MAX_TILT, rad, or turn faster than MAX_TILT_RATE, rad/s.
#define MIN_PILE_BODIES 32
#define MAX_TILT 0.0175f
#define MAX_TILT_RATE 0.2f
/// Displacement of a step above which a body is stopped, m: no valid simulation gets there.
#define MAX_MOTION 1.0e12f

static uint32_t ToDisplacementUnits(float distance)
{
    // Rounded up, plus one unit for the rounding error of the distance.
    return (uint32_t)(tdMinFloat(distance, TD_DISPLACEMENT_MAX_STEP) * (1.0f / TD_DISPLACEMENT_UNIT)) + 2;
}

// Stop a dynamic body whose displacement exceeds MAX_MOTION or is not a number. Time steps of years can cause
// that, and a value that is not finite would spread over the island.
static void StopUnboundedMotion(const tdBodySim* sim, tdBodyState* state)
{
    float moved = tdLength(state->deltaPosition) + tdLength(tdQuatVector(state->deltaRotation));
    if ((sim->flags & TD_BODY_DYNAMIC) != 0 && !(moved < MAX_MOTION))
    {
        state->linearVelocity = tdVec3_zero;
        state->angularVelocity = tdVec3_zero;
        state->deltaPosition = tdVec3_zero;
        state->deltaRotation = tdQuat_identity;
    }
}

/// Displacement of a step, m, up to which a body cannot pass through a trigger nor its triggers through a
/// body without an overlap at the start or at the end. Surfaces pass shapes of any size.
static float GetSlowTriggerDistance(const tdBodySim* sim)
{
    bool hasCore = (sim->flags & TD_BODY_HAS_SURFACE) == 0 && sim->innerRadius > 0.0f;
    return hasCore ? tdBodySim_GetSlowDistance(sim) : 0.0f;
}

/// True if a body is part of a pile.
static bool IsInPile(const tdWorld* world, int index)
{
    int island = world->bodies.data[world->sims[index].body].island;
    return island >= 0 && world->islands.data[island].bodyCount > MIN_PILE_BODIES &&
           !tdStackSet_SolvesBody(&world->solver->stacks, index);
}

/// Contacts keep the arms of a body of a pile that hardly turns.
static void UpdateTilt(const tdWorld* world, int index, tdQuat turn)
{
    tdTilt* tilt = &world->tilts[index];
    tdVec3 rate = world->states[index].angularVelocity, sum = tdVec3_zero;
    bool isInPile = IsInPile(world, index);
    if (isInPile && tdDot(rate, rate) < MAX_TILT_RATE * MAX_TILT_RATE)
    {
        sum = tdMulAdd(tilt->turn, 2.0f, tdQuatVector(turn));
    }
    float squared = tdDot(sum, sum);
    tilt->turn = squared > MAX_TILT * MAX_TILT ? tdScale(MAX_TILT / tdSqrt(squared), sum) : sum;
    tilt->pileRadius = isInPile ? world->sims[index].innerRadius : 0.0f;
}

void tdWorld_UpdateBodies(tdWorld* world, int startIndex, int endIndex)
{
    float timeStep = world->timeStep;
    float rate = timeStep > 0.0f ? 1.0f / timeStep : 0.0f;
    for (int i = startIndex; i < endIndex; ++i)
    {
        tdBodySim* sim = &world->sims[i];
        tdBodyState* state = &world->states[i];
        StopUnboundedMotion(sim, state);
        tdVec3 move = state->deltaPosition;
        sim->startCenter = sim->center;
        sim->startRotation = sim->transform.rotation;
        sim->center = tdAdd(sim->center, move);
        sim->transform.rotation = tdNormalizeQuat(tdMulQuat(state->deltaRotation, sim->transform.rotation));
        sim->transform.position = tdSub(sim->center, tdRotate(sim->transform.rotation, sim->localCenter));
        tdQuat turn = state->deltaRotation;
        if ((sim->flags & TD_BODY_HAS_TARGET) != 0)
        {
            sim->transform = world->bodies.data[sim->body].target;
            sim->center = tdTransformPoint(sim->transform, sim->localCenter);
            move = tdSub(sim->center, sim->startCenter);
            turn = tdMulQuat(sim->transform.rotation, tdConjugate(sim->startRotation));
            sim->flags = (sim->flags & ~(uint32_t)TD_BODY_HAS_TARGET) | TD_BODY_TARGET_DONE;
        }
        state->deltaPosition = tdVec3_zero;
        state->deltaRotation = tdQuat_identity;
        sim->force = tdVec3_zero;
        sim->torque = tdVec3_zero;
        if (world->marks[i] != 0)
        {
            world->marks[i] = 0; // written only on change: other workers use the same cache line
        }

        // A point at distance r from the centre moves at most by the chord 2 r sin(angle / 2).
        float turned = 2.0f * tdLength(tdQuatVector(turn)) * sim->outerRadius;
        float moved = (tdLength(move) + turned) * 1.0001f;
        if ((sim->flags & TD_BODY_DYNAMIC) != 0)
        {
            UpdateTilt(world, i, turn);
            float speed =
                tdLength(state->linearVelocity) + tdLength(state->angularVelocity) * sim->outerRadius;
            sim->sleepSpeed = tdMaxFloat(speed, POSITION_SLEEP_FACTOR * rate * moved);
            tdWorld_UpdateRest(world, sim, timeStep);
        }
        // A body without shapes has no outer radius: it may turn although no point moves.
        if (tdLengthSquared(tdQuatVector(turn)) > 0.0f || moved > 0.0f)
        {
            sim->invInertia = tdComputeWorldInvInertia(sim);
        }
        if (!(moved > 0.0f))
        {
            continue;
        }
        world->displacements[i] += ToDisplacementUnits(moved);
        if (moved > tdBodySim_GetSlowDistance(sim) && (sim->flags & TD_BODY_NO_CONTINUOUS) == 0)
        {
            world->marks[i] |= (sim->flags & TD_BODY_DYNAMIC) != 0 ? TD_MARK_FAST : TD_MARK_SWEEPS;
        }
        if (world->triggerShapeCount > 0 && moved > GetSlowTriggerDistance(sim))
        {
            world->marks[i] |= TD_MARK_TRAVELS;
        }
        sim->boxRoom -= moved;
        if (!(sim->boxRoom > 0.0f))
        {
            tdWorld_RefreshBoxes(world, i, move);
        }
    }
}

typedef struct PredictionTask
{
    tdWorld* world;
    float timeStep;
} PredictionTask;

static void PredictDisplacementRange(void* context, int start, int end, int worker)
{
    (void)worker;
    const PredictionTask* task = context;
    tdWorld* world = task->world;
    float timeStep = task->timeStep;
    float fall = tdLength(world->gravity) * timeStep * timeStep;
    for (int i = start + 1; i < end + 1; ++i)
    {
        const tdBodySim* sim = &world->sims[i];
        tdBodyState* state = &world->states[i];
        state->flags = sim->flags;
        float reach = fall * tdAbsFloat(sim->gravityFactor) +
                      timeStep * (tdLength(state->linearVelocity) +
                                  tdLength(state->angularVelocity) * sim->outerRadius);
        if ((sim->flags & TD_BODY_HAS_TARGET) != 0)
        {
            tdTransform target = world->bodies.data[sim->body].target;
            tdQuat turn = tdMulQuat(target.rotation, tdConjugate(sim->transform.rotation));
            reach = tdDistance(target.position, sim->transform.position) +
                    2.0f * tdLength(tdQuatVector(turn)) * (sim->outerRadius + tdLength(sim->localCenter));
        }
        world->predictedDisplacements[i] = world->displacements[i] + ToDisplacementUnits(reach);
        world->startVelocities[i] = (tdStartVelocity){state->linearVelocity, state->angularVelocity};
    }
}

void tdWorld_PredictDisplacements(tdWorld* world, float timeStep)
{
    PredictionTask task = {world, timeStep};
    tdTasks_For(world->tasks, PredictDisplacementRange, &task, world->awakeCount - 1, 512);
}

// Set the velocity that moves a kinematic body to its target in one step.
static void SetTargetVelocity(tdBodySim* sim, tdBodyState* state, tdTransform target, float timeStep)
{
    if (!(timeStep > 0.0f))
    {
        return;
    }
    float rate = 1.0f / timeStep;
    tdVec3 center = tdTransformPoint(target, sim->localCenter);
    state->linearVelocity = tdScale(rate, tdSub(center, sim->center));
    tdQuat turn = tdMulQuat(target.rotation, tdConjugate(sim->transform.rotation));
    turn = turn.w < 0.0f ? tdNegateQuat(turn) : turn;
    float sine = tdLength(tdQuatVector(turn));
    float angle = 2.0f * tdAtan2(sine, turn.w);
    // angle / sine tends to 2 for small angles.
    float scale = sine > 1.0e-6f ? angle / sine : 2.0f;
    state->angularVelocity = tdScale(rate * scale, tdQuatVector(turn));
}

void tdWorld_DriveKinematic(tdWorld* world, float timeStep)
{
    for (int i = 1; i < world->awakeCount && world->awakeKinematicCount > 0; ++i)
    {
        tdBodySim* sim = &world->sims[i];
        tdBodyState* state = &world->states[i];
        if ((sim->flags & TD_BODY_KINEMATIC) == 0)
        {
            continue;
        }
        if ((sim->flags & TD_BODY_HAS_TARGET) != 0)
        {
            SetTargetVelocity(sim, state, world->bodies.data[sim->body].target, timeStep);
        }
        else if ((sim->flags & TD_BODY_TARGET_DONE) != 0)
        {
            state->linearVelocity = tdVec3_zero;
            state->angularVelocity = tdVec3_zero;
        }
        sim->flags &= ~(uint32_t)TD_BODY_TARGET_DONE;
        if (tdLengthSquared(state->linearVelocity) > 0.0f || tdLengthSquared(state->angularVelocity) > 0.0f)
        {
            tdWorld_WakeTouching(world, sim->body);
        }
    }
}
