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
        const tdSpringGroupInfo* info = &state->plan->infos[g];
        for (int lane = 0; lane < state->plan->groups[g].count; ++lane)
        {
            int position = info->positions[lane];
            uint64_t bit = UINT64_C(1) << (position & 63);
            if ((state->written[g] >> lane & 1) != 0)
            {
                pose->dirty[position >> 6] |= bit;
                pose->fresh[position >> 6] |= bit;
            }
            else
            {
                tdNodePose_RefreshNode(pose, info->nodes[lane], true);
            }
        }
    }
}

// True if the kernel may take the translations and scales of joints and the locals of tips from the plan.
static bool IsAtRest(const tdSpringPlan* plan, const tdNodePose* pose)
{
    uint64_t changed = 0;
    for (int word = 0; word < pose->wordCount; ++word)
    {
        uint64_t tips = plan->freshBits[word] & ~plan->turnedBits[word];
        changed |= (pose->shifted[word] & plan->freshBits[word]) | (pose->turned[word] & tips);
    }
    return changed == 0 && pose->driven == NULL;
}

// The last step becomes the step before it; the arrays of the latter are overwritten.
static void ExchangeSteps(tdSpringState* state)
{
    tdSpringRotations* rotations = state->rotations;
    state->rotations = state->previousRotations;
    state->previousRotations = rotations;
    tdSpringTails* tails = state->tails;
    state->tails = state->previousTails;
    state->previousTails = tails;
}

// Makes the rotations of the last step invalid. The number wraps around after 2^32 - 1 steps.
static void CountStep(tdSpringState* state, const tdNodePose* pose)
{
    state->stepNumber += 1;
    for (int i = 0; i < pose->nodes->count && state->stepNumber == 0; ++i)
    {
        state->turns[i].stepNumber = 0;
    }
    state->stepNumber = state->stepNumber > 0 ? state->stepNumber : 1;
}

static void FinishRun(const tdSpringRun* run)
{
    const tdSpringPlan* plan = run->state->plan;
    tdNodePose* pose = run->pose;
    if (run->writesAll && plan->coversMoved && !pose->isDirty && pose->driven == NULL)
    {
        memset(pose->fresh, 0, (size_t)pose->wordCount * sizeof(uint64_t)); // nothing is left to sweep
        return;
    }
    for (int word = 0; word < pose->wordCount && run->writesAll; ++word)
    {
        pose->dirty[word] |= plan->turnedBits[word];
        pose->fresh[word] |= plan->freshBits[word];
    }
    pose->isDirty = true; // the sweep clears the fresh bits
    tdNodePose_Sweep(pose);
}

// Collects what packs read of each pose.
static void StartCrowd(tdSpringCrowd* crowd, const tdSpringRun* runs, int count)
{
    bool writesAll = true, isAtRest = true, hasMirrors = false, hitsStage = false, ownsParameters = false;
    // A single pose needs no repetitions.
    for (int i = 0; i < (count > 1 ? TD_SPRING_MAX_RUNS : 1); ++i)
    {
        const tdSpringRun* run = &runs[i < count ? i : 0];
        const tdSpringState* state = run->state;
        crowd->lanes[i] = run;
        crowd->tails[i] = state->tails->xyz[0];
        crowd->previousTails[i] = state->previousTails->xyz[0];
        crowd->rotations[i] = state->rotations->xyzw[0];
        crowd->colliders[i] = &state->colliders->origin.x;
        writesAll &= run->writesAll;
        isAtRest &= run->isAtRest;
        hasMirrors |= run->pose->mirrorCount != 0;
        hitsStage |= run->hit != NULL;
        ownsParameters |= state->parameters != state->plan->parameters;
    }
    crowd->runs = runs;
    crowd->runCount = count;
    crowd->packWidth = 0;
    crowd->writesAll = writesAll;
    crowd->isAtRest = isAtRest;
    crowd->hasMirrors = hasMirrors;
    crowd->hitsStage = hitsStage;
    crowd->ownsParameters = ownsParameters;
}

// Finds the poses of the lanes of a pack. Levels usually have as many joints as the level above.
static void PlacePackLanes(tdSpringCrowd* crowd, int width)
{
    for (int run = 0, lane = 0; run < TD_SPRING_MAX_RUNS; ++run)
    {
        float* locals = &crowd->lanes[run]->pose->locals->translation.x;
        float* globals = crowd->lanes[run]->pose->globals->m;
        for (int end = lane + width; lane < end; ++lane)
        {
            crowd->packLocals[lane] = locals;
            crowd->packGlobals[lane] = globals;
        }
    }
    crowd->packWidth = width;
}

void tdStepSprings(tdSpringRun* runs, int count, tdSpringKernelFcn* kernel)
{
    const tdSpringPlan* plan = runs[0].state->plan;
    for (int i = 0; i < count; ++i)
    {
        runs[i].writesAll = runs[i].state->writesAll;
        runs[i].isAtRest = runs[i].writesAll && IsAtRest(plan, runs[i].pose);
        ExchangeSteps(runs[i].state);
        CountStep(runs[i].state, runs[i].pose);
    }
    tdSpringCrowd crowd; // not cleared: everything that is read is set before
    StartCrowd(&crowd, runs, count);
    for (int level = 0; level < plan->levelCount; ++level)
    {
        const tdSpringLevel* it = &plan->levels[level];
        for (int i = 0; i < count && !it->isPlain; ++i)
        {
            StartLevel(&runs[i], it);
        }
        int last = plan->groups[it->groupEnd - 1].count;
        if (count > 1 && last < TD_SPRING_LANES && last != crowd.packWidth)
        {
            PlacePackLanes(&crowd, last);
        }
        kernel(&crowd, it->groupStart, it->groupEnd);
        for (int i = 0; i < count && !crowd.writesAll; ++i)
        {
            if (!runs[i].writesAll)
            {
                MarkJoints(&runs[i], it);
            }
        }
    }
    for (int i = 0; i < count; ++i)
    {
        FinishRun(&runs[i]);
    }
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
