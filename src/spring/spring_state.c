// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates, resets and shows the springs of a pose.
#include "spring_state.h"

#include "math/slerp.h"

#include <string.h>

static tdQuat GetLaneRotation(const tdSpringRotations* rotations, int lane)
{
    return (tdQuat){rotations->xyzw[0][lane], rotations->xyzw[1][lane], rotations->xyzw[2][lane],
                    rotations->xyzw[3][lane]};
}

static void SetLaneRotation(tdSpringRotations* rotations, int lane, tdQuat rotation)
{
    rotations->xyzw[0][lane] = rotation.x;
    rotations->xyzw[1][lane] = rotation.y;
    rotations->xyzw[2][lane] = rotation.z;
    rotations->xyzw[3][lane] = rotation.w;
}

bool tdSpringState_Init(tdSpringState* state, const tdSpringList* list, const tdNodeTree* nodes,
                        tdArena* arena)
{
    const tdSpringPlan* plan = list->plan;
    size_t groups = (size_t)plan->groupCount;
    *state = (tdSpringState){.list = list, .plan = plan, .parameters = plan->parameters};
    state->tails = tdArena_AllocateArray(arena, groups, sizeof(tdSpringTails), TD_SPRING_ALIGNMENT);
    state->previousTails = tdArena_AllocateArray(arena, groups, sizeof(tdSpringTails), TD_SPRING_ALIGNMENT);
    state->rotations = tdArena_AllocateArray(arena, groups, sizeof(tdSpringRotations), TD_SPRING_ALIGNMENT);
    state->previousRotations =
        tdArena_AllocateArray(arena, groups, sizeof(tdSpringRotations), TD_SPRING_ALIGNMENT);
    state->written = tdArena_NewArray(arena, uint8_t, groups);
    state->colliders = tdArena_AllocateArray(arena, (size_t)plan->colliderCount,
                                             sizeof(tdWorldSpringCollider), TD_SPRING_ALIGNMENT);
    state->centers =
        tdArena_AllocateArray(arena, (size_t)plan->centerCount, sizeof(tdSpringCenter), TD_SPRING_ALIGNMENT);
    state->frames =
        tdArena_AllocateArray(arena, (size_t)plan->frameCount, sizeof(tdSpringFrames), TD_SPRING_ALIGNMENT);
    state->turns = tdArena_NewArray(arena, tdSpringTurn, nodes->count);
    state->turnPath = tdArena_NewArray(arena, int, nodes->count);
    if (state->turns == NULL || state->turnPath == NULL || state->tails == NULL ||
        state->previousTails == NULL || state->frames == NULL || state->rotations == NULL ||
        state->previousRotations == NULL || state->written == NULL || state->colliders == NULL ||
        state->centers == NULL)
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
        tdSpringLaneParameters* own =
            tdArena_AllocateArray(arena, count, sizeof(tdSpringLaneParameters), TD_SPRING_ALIGNMENT);
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
        for (int lane = 0; lane < state->plan->groups[g].count; ++lane)
        {
            if ((state->written[g] >> lane & 1) != 0)
            {
                int node = state->plan->infos[g].nodes[lane];
                tdNodePose_SetRotation(pose, node, pose->nodes->locals[node].rotation);
            }
        }
    }
}

void tdSpringState_Show(const tdSpringState* state, tdNodePose* pose, float part)
{
    for (int g = 0; g < state->plan->groupCount; ++g)
    {
        for (int lane = 0; lane < state->plan->groups[g].count; ++lane)
        {
            if ((state->written[g] >> lane & 1) != 0)
            {
                tdQuat end = GetLaneRotation(&state->rotations[g], lane);
                tdQuat start = GetLaneRotation(&state->previousRotations[g], lane);
                tdQuat rotation = part >= 1.0f ? end : part <= 0.0f ? start : tdSlerpSeries(start, end, part);
                tdNodePose_SetRotation(pose, state->plan->infos[g].nodes[lane], rotation);
            }
        }
    }
}

tdQuat tdSpringState_ComputeRotation(tdSpringState* state, const tdNodePose* pose, int node)
{
    int count = 0;
    for (; node >= 0 && state->turns[node].stepNumber != state->stepNumber; node = pose->nodes->parents[node])
    {
        state->turnPath[count++] = node;
    }
    tdQuat rotation = node >= 0 ? state->turns[node].rotation : tdNormalizeQuat(pose->placement.rotation);
    while (count > 0)
    {
        int next = state->turnPath[--count];
        rotation = tdNormalizeQuat(tdMulQuat(rotation, pose->locals[next].rotation));
        state->turns[next] = (tdSpringTurn){rotation, state->stepNumber};
    }
    return rotation;
}

static void RepeatFirstLane(tdSpringLanes* rows, int rowCount, int count)
{
    for (int i = 0; i < rowCount; ++i)
    {
        for (int lane = count; lane < TD_SPRING_LANES; ++lane)
        {
            rows[i][lane] = rows[i][0];
        }
    }
}

void tdSpringState_Normalize(tdSpringState* state)
{
    for (int g = 0; g < state->plan->groupCount; ++g)
    {
        int count = state->plan->groups[g].count;
        RepeatFirstLane(state->tails[g].xyz, 3, count);
        RepeatFirstLane(state->previousTails[g].xyz, 3, count);
        RepeatFirstLane(state->rotations[g].xyzw, 4, count);
        RepeatFirstLane(state->previousRotations[g].xyzw, 4, count);
    }
}

void tdSpringState_SetWritten(tdSpringState* state, const uint8_t* written)
{
    size_t groups = (size_t)state->plan->groupCount;
    memmove(state->written, written, groups);
    state->writesAll = memcmp(state->written, state->plan->jointBits, groups) == 0;
}

void tdSpringState_Reset(tdSpringState* state, tdNodePose* pose)
{
    tdSpringState_ShowRest(state, pose);
    tdNodePose_Sweep(pose);
    for (int g = 0; g < state->plan->groupCount; ++g)
    {
        const tdSpringGroupInfo* info = &state->plan->infos[g];
        for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
        {
            int node = info->nodes[lane], center = state->plan->centers[info->centers[lane]];
            tdVec3 tail = tdMat4Point(pose->globals[node], state->list->joints[info->joints[lane]].child);
            tail = center >= 0 ? tdMat4Point(tdInverseAffine(pose->globals[center]), tail) : tail;
            tail = tdIsFiniteVec3(tail) ? tail : tdVec3_zero;
            for (int i = 0; i < 3; ++i)
            {
                state->tails[g].xyz[i][lane] = state->previousTails[g].xyz[i][lane] = tdGetComponent(tail, i);
            }
            tdQuat rest = pose->nodes->locals[node].rotation;
            SetLaneRotation(&state->rotations[g], lane, rest);
            SetLaneRotation(&state->previousRotations[g], lane, rest);
        }
    }
}
