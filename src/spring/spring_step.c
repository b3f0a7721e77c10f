// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs the levels of a plan: refreshes the globals that a level reads, computes its colliders and centers,
// and runs its groups.
#include "spring_step.h"

#include "spring_limit.h"

#include <string.h>

tdSpringKernelFcn* tdChooseSpringKernel(tdSimd simd)
{
    tdSpringKernelFcn* kernel = simd == TD_SIMD_AVX2 ? tdGetSpringKernelAvx2() : NULL;
    if (kernel == NULL && simd != TD_SIMD_SCALAR)
    {
        kernel = tdGetSpringKernelSse2();
    }
    return kernel != NULL ? kernel : tdGetSpringKernelScalar();
}

static void PlaceCollider(const tdSpringCollider* collider, const tdMat4* global, tdWorldSpringCollider* out)
{
    *out = (tdWorldSpringCollider){.origin = tdMat4Point(*global, collider->offset),
                                   .radius = collider->radius,
                                   .side = tdSpringShape_IsInside(collider->shape) ? -1.0f : 1.0f};
    if (collider->shape == TD_SPRING_PLANE)
    {
        // Normals turn with the inverse transpose.
        tdMat3 inverse = tdTranspose(tdInverse(tdMat4Linear(*global)));
        tdVec3 normal = tdMulMat3Vec3(inverse, collider->end);
        float length = tdLength(normal);
        out->span = length > 0.0f ? tdScale(1.0f / length, normal) : tdVec3_zero;
        // Without a normal nothing is below the plane.
        out->radius = length > 0.0f ? 0.0f : -1.0e30f;
        out->isPlane = length > 0.0f ? 1.0f : 0.0f;
    }
    else if (collider->shape == TD_SPRING_CAPSULE || collider->shape == TD_SPRING_INSIDE_CAPSULE)
    {
        out->span = tdSub(tdMat4Point(*global, collider->end), out->origin);
        float squared = tdLengthSquared(out->span);
        out->inverseSquare = squared > 0.0f ? 1.0f / squared : 0.0f;
    }
}

static void StartLevel(const tdSpringRun* run, const tdSpringLevel* level)
{
    tdSpringState* state = run->state;
    const tdSpringPlan* plan = state->plan;
    for (int i = level->refreshStart; i < level->refreshEnd; ++i)
    {
        int node = plan->refreshNodes[i];
        tdNodePose_RefreshNode(run->pose, node < 0 ? ~node : node, node >= 0);
    }
    for (int i = level->centerStart; i < level->centerEnd; ++i)
    {
        state->centers[i].toWorld = run->pose->globals[plan->centers[i]];
        state->centers[i].fromWorld = tdInverseAffine(state->centers[i].toWorld);
    }
    for (int i = level->colliderStart; i < level->colliderEnd; ++i)
    {
        const tdSpringCollider* collider = &state->list->colliders[plan->colliders[i]];
        PlaceCollider(collider, &run->pose->globals[collider->node], &state->colliders[i]);
    }
}

// Marks the joints of a level, whose globals the kernel has written. Those that a body writes follow it.
static void MarkJoints(const tdSpringRun* run, const tdSpringLevel* level)
{
    const tdSpringState* state = run->state;
    tdNodePose* pose = run->pose;
    for (int g = level->groupStart; g < level->groupEnd; ++g)
    {
        const tdSpringGroup* group = &state->plan->groups[g];
        for (int lane = 0; lane < group->count; ++lane)
        {
            int position = group->positions[lane];
            uint64_t bit = UINT64_C(1) << (position & 63);
            if ((state->written[g] >> lane & 1) != 0)
            {
                pose->dirty[position >> 6] |= bit;
                pose->fresh[position >> 6] |= bit;
            }
            else
            {
                tdNodePose_RefreshNode(pose, group->nodes[lane], true);
            }
        }
    }
}

// True if springs write all joints.
static bool WritesAll(const tdSpringState* state)
{
    bool writesAll = true;
    for (int g = 0; g < state->plan->groupCount && writesAll; ++g)
    {
        unsigned all = (1u << state->plan->groups[g].count) - 1u;
        writesAll = (state->written[g] & all) == all;
    }
    return writesAll;
}

void tdStepSprings(const tdSpringRun* run, tdSpringKernelFcn* kernel)
{
    tdSpringState* state = run->state;
    const tdSpringPlan* plan = state->plan;
    bool writesAll = WritesAll(state);
    memcpy(state->previousRotations, state->rotations,
           (size_t)plan->groupCount * TD_SPRING_LANES * sizeof(tdQuat));
    for (int i = 0; i < plan->levelCount; ++i)
    {
        StartLevel(run, &plan->levels[i]);
        kernel(run, plan->levels[i].groupStart, plan->levels[i].groupEnd);
        if (!writesAll)
        {
            MarkJoints(run, &plan->levels[i]);
        }
    }
    for (int word = 0; word < run->pose->wordCount && writesAll; ++word)
    {
        run->pose->dirty[word] |= plan->turnedBits[word];
        run->pose->fresh[word] |= plan->turnedBits[word];
    }
    run->pose->isDirty = true; // the sweep clears the fresh bits
    tdNodePose_Sweep(run->pose);
}

tdVec3 tdLimitSpringTail(const tdSpringLimit* limit, tdQuat toWorld, tdVec3 head, tdVec3 tail, float length)
{
    tdVec3 offset = tdSub(tail, head);
    float distance = tdLength(offset);
    if (!(distance > 0.0f))
    {
        return tail;
    }
    tdVec3 direction = tdInvRotate(toWorld, tdScale(1.0f / distance, offset));
    tdVec3 allowed = tdSpringLimit_Apply(limit, direction);
    if (memcmp(&allowed, &direction, sizeof(direction)) == 0)
    {
        return tail;
    }
    return tdMulAdd(head, length, tdRotate(toWorld, allowed));
}

tdVec3 tdTurnSpringAxis(const tdMat4* parent, tdVec3 restAxis)
{
    return tdRotate(tdRotationOfMat4(*parent), restAxis);
}
