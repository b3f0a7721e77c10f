// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates, resets and shows the springs of a pose.
#include "spring_state.h"

#include "math/slerp.h"

#include <string.h>

bool tdSpringState_Init(tdSpringState* state, const tdSpringList* list, tdArena* arena)
{
    const tdSpringPlan* plan = list->plan;
    size_t groups = (size_t)plan->groupCount, slots = groups * TD_SPRING_LANES;
    *state = (tdSpringState){.list = list, .plan = plan, .parameters = plan->parameters};
    state->tails = tdArena_AllocateArray(arena, groups, sizeof(tdSpringTails), 64);
    state->rotations = tdArena_NewArray(arena, tdQuat, slots);
    state->previousRotations = tdArena_NewArray(arena, tdQuat, slots);
    state->written = tdArena_NewArray(arena, uint8_t, groups);
    state->colliders =
        tdArena_AllocateArray(arena, (size_t)plan->colliderCount, sizeof(tdWorldSpringCollider), 64);
    state->centers = tdArena_AllocateArray(arena, (size_t)plan->centerCount, sizeof(tdSpringCenter), 64);
    if (state->tails == NULL || state->rotations == NULL || state->previousRotations == NULL ||
        state->written == NULL || state->colliders == NULL || state->centers == NULL)
    {
        return false;
    }
    state->colliders[0].radius = -1.0e30f; // the sentinel: below every hit radius
    state->colliders[0].side = 1.0f;
    state->centers[0] = (tdSpringCenter){tdMat4_identity, tdMat4_identity};
    return true;
}

bool tdSpringState_OwnParameters(tdSpringState* state, tdArena* arena)
{
    if (state->ownParameters == NULL)
    {
        size_t count = (size_t)state->plan->groupCount;
        tdSpringLaneParameters* own = tdArena_AllocateArray(arena, count, sizeof(tdSpringLaneParameters), 64);
        if (own == NULL)
        {
            return false;
        }
        memcpy(own, state->parameters, count * sizeof(tdSpringLaneParameters));
        state->ownParameters = own;
        state->parameters = own;
    }
    return true;
}

void tdSpringState_ShowRest(const tdSpringState* state, tdNodePose* pose)
{
    for (int g = 0; g < state->plan->groupCount; ++g)
    {
        const tdSpringGroup* group = &state->plan->groups[g];
        for (int lane = 0; lane < group->count; ++lane)
        {
            if ((state->written[g] >> lane & 1) != 0)
            {
                int node = group->nodes[lane];
                tdNodePose_SetRotation(pose, node, pose->nodes->locals[node].rotation);
            }
        }
    }
}

void tdSpringState_Show(const tdSpringState* state, tdNodePose* pose, float part)
{
    for (int g = 0; g < state->plan->groupCount; ++g)
    {
        const tdSpringGroup* group = &state->plan->groups[g];
        for (int lane = 0; lane < group->count; ++lane)
        {
            int slot = g * TD_SPRING_LANES + lane;
            if ((state->written[g] >> lane & 1) != 0)
            {
                tdQuat rotation = part >= 1.0f   ? state->rotations[slot]
                                  : part <= 0.0f ? state->previousRotations[slot]
                                                 : tdSlerpSeries(state->previousRotations[slot],
                                                                 state->rotations[slot], part);
                tdNodePose_SetRotation(pose, group->nodes[lane], rotation);
            }
        }
    }
}

void tdSpringState_Reset(tdSpringState* state, tdNodePose* pose)
{
    tdSpringState_ShowRest(state, pose);
    tdNodePose_Sweep(pose);
    for (int g = 0; g < state->plan->groupCount; ++g)
    {
        const tdSpringGroup* group = &state->plan->groups[g];
        tdSpringTails* tails = &state->tails[g];
        for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
        {
            int node = group->nodes[lane], center = state->plan->centers[group->centers[lane]];
            tdVec3 tail = tdMat4Point(pose->globals[node], state->list->joints[group->joints[lane]].child);
            tail = center >= 0 ? tdMat4Point(tdInverseAffine(pose->globals[center]), tail) : tail;
            tail = tdIsFiniteVec3(tail) ? tail : tdVec3_zero;
            for (int i = 0; i < 3; ++i)
            {
                tails->current[i][lane] = tails->previous[i][lane] = tdGetComponent(tail, i);
            }
            int slot = g * TD_SPRING_LANES + lane;
            state->rotations[slot] = state->previousRotations[slot] = pose->nodes->locals[node].rotation;
        }
    }
}
