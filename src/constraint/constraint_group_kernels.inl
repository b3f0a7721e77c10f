// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Kernel of a constraint group with WIDTH lanes. Aims below non-uniform scale use the scalar function, lane by
// lane.
#include "constraint_group.h"
#include "lanes.inl"

TD_SIMD_INLINE Wide LoadRow(const tdConstraintGroup* group, int row, int lane)
{
    Wide result;
    memcpy(&result, group->constants + row * group->width + lane, sizeof(result));
    return result;
}

TD_SIMD_INLINE Vecs LoadVecs(const tdConstraintGroup* group, int row, int lane)
{
    return (Vecs){LoadRow(group, row, lane), LoadRow(group, row + 1, lane), LoadRow(group, row + 2, lane)};
}

TD_SIMD_INLINE Quats LoadQuats(const tdConstraintGroup* group, int row, int lane)
{
    return (Quats){LoadRow(group, row, lane), LoadRow(group, row + 1, lane), LoadRow(group, row + 2, lane),
                   LoadRow(group, row + 3, lane)};
}

TD_SIMD_INLINE const int* GetNumbers(const tdConstraintGroup* group, int row, int lane)
{
    return group->numbers + row * group->width + lane;
}

TD_SIMD_INLINE GlobalLanes GatherGlobals(const tdNodePose* pose, const int* nodes)
{
    const float* matrices[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        matrices[i] = pose->globals[nodes[i]].m;
    }
    return TransposeGlobals(matrices);
}

TD_SIMD_INLINE Vecs FindGroupPositions(const tdNodePose* pose, const int* nodes, const GlobalLanes* parents)
{
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        from[i] = &pose->locals[nodes[i]].translation.x;
    }
    Wide t[4];
    Gather(t, from, 0);
    return ComputePositions(parents, t);
}

// Refreshes chains from the top down; each lane keeps its last global.
TD_SIMD_INLINE void RefreshChains(const tdConstraintGroup* group, int lane, tdNodePose* pose)
{
    const int* parents = pose->nodes->parents;
    const float* above[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        int parent = parents[group->numbers[lane + i]];
        above[i] = parent >= 0 ? pose->globals[parent].m : pose->placementMatrix.m;
    }
    GlobalLanes slots[2];
    slots[0] = TransposeGlobals(above);
    for (int row = 0; row < group->length; ++row)
    {
        const int* nodes = GetNumbers(group, row, lane);
        const float* from[WIDTH];
        float* to[WIDTH]; // lanes that repeat lane 0 write the same value
        for (int i = 0; i < WIDTH; ++i)
        {
            from[i] = &pose->locals[nodes[i]].translation.x;
            to[i] = pose->globals[nodes[i]].m;
        }
        ComposeGlobals(&slots[row & 1], from, to, &slots[~row & 1]);
    }
}

TD_SIMD_INLINE Quats RunGroupAims(const tdConstraintGroup* group, int lane, Quats rest, Wide weight,
                             const tdNodePose* pose)
{
    const int* parents = GetNumbers(group, TD_ROW_DESTINATION_PARENT, lane);
    GlobalLanes above = GatherGlobals(pose, GetNumbers(group, TD_ROW_SOURCE_PARENT, lane));
    Vecs to = FindGroupPositions(pose, GetNumbers(group, TD_ROW_SOURCE, lane), &above);
    above = GatherGlobals(pose, parents);
    Vecs from = FindGroupPositions(pose, GetNumbers(group, TD_ROW_DESTINATION, lane), &above);
    Vecs direction = {to.x - from.x, to.y - from.y, to.z - from.z};
    int odd;
    Vecs local = TurnIntoParents(&above, direction, &odd);
    odd = pose->mirrorCount == 0 ? odd : (1 << WIDTH) - 1;
    for (int i = 0; i < WIDTH && odd != 0; ++i, odd >>= 1)
    {
        if ((odd & 1) != 0)
        {
            TurnOneIntoParent(pose, parents[i], direction, i, &local);
        }
    }
    return ComputeAims(rest, LoadVecs(group, TD_ROW_AXIS, lane), direction, local, weight);
}

static void RunConstraintGroup(const tdConstraintGroup* group, int lane, const float* weights, tdNodePose* pose)
{
    if (group->kind == TD_CONSTRAINT_GROUP_REFRESH)
    {
        RefreshChains(group, lane, pose);
        return;
    }
    const int* places = GetNumbers(group, TD_ROW_PLACE, lane);
    const int* destinations = GetNumbers(group, TD_ROW_DESTINATION, lane);
    const int* sources = GetNumbers(group, TD_ROW_SOURCE, lane);
    Wide weight = TO_ALL(0.0f);
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        weight[i] = weights[places[i]];
        from[i] = &pose->locals[sources[i]].rotation.x;
    }
    Quats rest = LoadQuats(group, TD_ROW_REST, lane), rotation;
    if (group->kind == TD_CONSTRAINT_GROUP_AIM)
    {
        rotation = RunGroupAims(group, lane, rest, weight, pose);
    }
    else if (group->kind == TD_CONSTRAINT_GROUP_ROLL)
    {
        rotation =
            ComputeRolls(rest, LoadQuats(group, TD_ROW_LEFT, lane), LoadQuats(group, TD_ROW_RIGHT, lane),
                         LoadVecs(group, TD_ROW_AXIS, lane), GatherQuats(from), weight);
    }
    else
    {
        rotation = ComputeRotations(rest, LoadQuats(group, TD_ROW_LEFT, lane), GatherQuats(from), weight);
    }
    tdQuat quats[WIDTH];
    int overruled = FinishRotations(rest, rotation, weight, quats);
    for (int i = 0; i < WIDTH && lane + i < group->count; ++i)
    {
        if ((overruled >> i & 1) == 0)
        {
            tdNodePose_SetRotation(pose, destinations[i], quats[i]);
        }
    }
}

tdConstraintGroupFcn* GET_CONSTRAINT_GROUP(void)
{
    return RunConstraintGroup;
}
