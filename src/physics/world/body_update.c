// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The update of bodies: predicted displacements and kinematic targets at the start of a step; poses, inertia,
// displacement counters, rest time and fat boxes at its end. See docs/decisions/054 for the rest test.
#include "physics/world/body_update.h"

#include "geometry/bounds.h"
#include "math/trig.h"
#include "physics/broad_phase/proxy.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"

#include <string.h>

// Thresholds of the rest test, found by trial on piles and stacks. test_sleep and test_wake_links notice a
// change of the sleep speed, test_soak one of the jitter thresholds, test_determinism both.
// Bodies of a smaller outer radius than SLEEP_RADIUS have proportionally smaller thresholds.
#define SLEEP_RADIUS 0.02f         // m
#define SLEEP_SPEED 0.05f          // m/s of the fastest point: slower bodies are at rest
#define POSITION_SLEEP_FACTOR 0.5f // weight of the speed of position correction against that of the velocity
#define JITTER_SPEED 0.5f          // m/s of the fastest point: faster bodies are never at rest
#define JITTER_DISTANCE 0.01f      // m: a body that stays this close to its anchor pose only jitters
#define JITTER_TIME 0.5f           // s of rest after which the anchor pose moves along
/// Displacement of a step above which a body is stopped, m: no valid simulation gets there.
#define MAX_MOTION 1.0e12f

static uint32_t ToDisplacementUnits(float distance)
{
    // Rounded up, plus one unit for the rounding error of the distance.
    return (uint32_t)(tdMinFloat(distance, TD_DISPLACEMENT_MAX_STEP) * (1.0f / TD_DISPLACEMENT_UNIT)) + 2;
}

// The rest test. Bodies that are jammed into each other may jitter without end: renewed contacts push them to
// and fro by less than a millimetre, faster than SLEEP_SPEED. So a body that stays near its anchor pose is at
// rest too. Bodies with joints are tested by speed alone, because a slow swing stays near its anchor.
static bool IsBodyAtRest(tdWorld* world, const tdBodySim* sim)
{
    tdTransform* anchor = &world->restSims[sim->body].transform; // unused otherwise while the body is awake
    // A body without shapes has no size.
    float scale = sim->outerRadius > 0.0f ? tdMinFloat(sim->outerRadius * (1.0f / SLEEP_RADIUS), 1.0f) : 1.0f;
    if (sim->sleepSpeed < scale * SLEEP_SPEED)
    {
        if (sim->sleepTime >= JITTER_TIME)
        {
            *anchor = sim->transform;
        }
        return true;
    }
    if (sim->sleepSpeed < scale * JITTER_SPEED && world->bodies.data[sim->body].jointCount == 0)
    {
        tdQuat turn = tdInvMulQuat(anchor->rotation, sim->transform.rotation);
        float turned = 2.0f * tdLength(tdQuatVector(turn)) * sim->outerRadius;
        if (tdDistance(anchor->position, sim->transform.position) + turned < scale * JITTER_DISTANCE)
        {
            return true;
        }
    }
    *anchor = sim->transform;
    return false;
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
            float speed =
                tdLength(state->linearVelocity) + tdLength(state->angularVelocity) * sim->outerRadius;
            sim->sleepSpeed = tdMaxFloat(speed, POSITION_SLEEP_FACTOR * rate * moved);
            bool isAtRest = IsBodyAtRest(world, sim) && (sim->flags & TD_BODY_NO_SLEEP) == 0;
            sim->sleepTime = isAtRest ? sim->sleepTime + timeStep : 0.0f;
        }
        if (!(moved > 0.0f))
        {
            continue;
        }
        sim->invInertia = tdComputeWorldInvInertia(sim);
        world->displacements[i] += ToDisplacementUnits(moved);
        if (moved > tdBodySim_GetSlowDistance(sim) && (sim->flags & TD_BODY_NO_CONTINUOUS) == 0)
        {
            world->marks[i] |= (sim->flags & TD_BODY_DYNAMIC) != 0 ? TD_MARK_FAST : TD_MARK_SWEEPS;
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
