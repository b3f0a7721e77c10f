// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A batch of one pose's constraints, or of chains of its nodes, with WIDTH of them in the lanes of vectors.
// Uneven scale above an aim goes through the function for one, lane by lane.
#include "batch.h"
#include "lanes.inl"

TD_SIMD_INLINE Wide LoadRow(const tdConstraintBatch* batch, int row, int lane)
{
    Wide result;
    memcpy(&result, batch->constants + row * batch->width + lane, sizeof(result));
    return result;
}

TD_SIMD_INLINE Vecs LoadVecs(const tdConstraintBatch* batch, int row, int lane)
{
    return (Vecs){LoadRow(batch, row, lane), LoadRow(batch, row + 1, lane), LoadRow(batch, row + 2, lane)};
}

TD_SIMD_INLINE Quats LoadQuats(const tdConstraintBatch* batch, int row, int lane)
{
    return (Quats){LoadRow(batch, row, lane), LoadRow(batch, row + 1, lane), LoadRow(batch, row + 2, lane),
                   LoadRow(batch, row + 3, lane)};
}

TD_SIMD_INLINE const int* GetNumbers(const tdConstraintBatch* batch, int row, int lane)
{
    return batch->numbers + row * batch->width + lane;
}

TD_SIMD_INLINE Slot GatherGlobals(const tdNodePose* pose, const int* nodes)
{
    const float* matrices[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        matrices[i] = pose->globals[nodes[i]].m;
    }
    return GatherSlot(matrices);
}

TD_SIMD_INLINE Vecs FindPositions(const tdNodePose* pose, const int* nodes, const Slot* parents)
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

// Down the chains, each lane keeping the global it made last.
TD_SIMD_INLINE void RefreshChains(const tdConstraintBatch* batch, int lane, tdNodePose* pose)
{
    const int* parents = pose->nodes->parents;
    const float* above[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        int parent = parents[batch->numbers[lane + i]];
        above[i] = parent >= 0 ? pose->globals[parent].m : pose->placementMatrix.m;
    }
    Slot slots[2];
    slots[0] = GatherSlot(above);
    for (int row = 0; row < batch->length; ++row)
    {
        const int* nodes = GetNumbers(batch, row, lane);
        const float* from[WIDTH];
        float* to[WIDTH]; // lanes that repeat lane 0 write what it writes
        for (int i = 0; i < WIDTH; ++i)
        {
            from[i] = &pose->locals[nodes[i]].translation.x;
            to[i] = pose->globals[nodes[i]].m;
        }
        ComposeSlot(&slots[row & 1], from, to, &slots[~row & 1]);
    }
}

TD_SIMD_INLINE Quats RunAims(const tdConstraintBatch* batch, int lane, Quats rest, Wide weight,
                             const tdNodePose* pose)
{
    const int* parents = GetNumbers(batch, TD_ROW_DESTINATION_PARENT, lane);
    Slot above = GatherGlobals(pose, GetNumbers(batch, TD_ROW_SOURCE_PARENT, lane));
    Vecs to = FindPositions(pose, GetNumbers(batch, TD_ROW_SOURCE, lane), &above);
    above = GatherGlobals(pose, parents);
    Vecs from = FindPositions(pose, GetNumbers(batch, TD_ROW_DESTINATION, lane), &above);
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
    return ComputeAims(rest, LoadVecs(batch, TD_ROW_AXIS, lane), direction, local, weight);
}

static void RunBatch(const tdConstraintBatch* batch, int lane, const float* weights, tdNodePose* pose)
{
    if (batch->kind == TD_BATCH_REFRESH)
    {
        RefreshChains(batch, lane, pose);
        return;
    }
    const int* places = GetNumbers(batch, TD_ROW_PLACE, lane);
    const int* destinations = GetNumbers(batch, TD_ROW_DESTINATION, lane);
    const int* sources = GetNumbers(batch, TD_ROW_SOURCE, lane);
    Wide weight = TO_ALL(0.0f);
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        weight[i] = weights[places[i]];
        from[i] = &pose->locals[sources[i]].rotation.x;
    }
    Quats rest = LoadQuats(batch, TD_ROW_REST, lane), rotation;
    if (batch->kind == TD_BATCH_AIM)
    {
        rotation = RunAims(batch, lane, rest, weight, pose);
    }
    else if (batch->kind == TD_BATCH_ROLL)
    {
        rotation =
            ComputeRolls(rest, LoadQuats(batch, TD_ROW_LEFT, lane), LoadQuats(batch, TD_ROW_RIGHT, lane),
                         LoadVecs(batch, TD_ROW_AXIS, lane), GatherQuats(from), weight);
    }
    else
    {
        rotation = ComputeRotations(rest, LoadQuats(batch, TD_ROW_LEFT, lane), GatherQuats(from), weight);
    }
    tdQuat quats[WIDTH];
    int overruled = FinishRotations(rest, rotation, weight, quats);
    for (int i = 0; i < WIDTH && lane + i < batch->count; ++i)
    {
        if ((overruled >> i & 1) == 0)
        {
            tdNodePose_SetRotation(pose, destinations[i], quats[i]);
        }
    }
}

tdBatchFcn* GET_BATCH(void)
{
    return RunBatch;
}
