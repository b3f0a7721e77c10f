// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Kernel of a pose group with WIDTH lanes. Aims below non-uniform scale or between roots use the scalar functions,
// lane by lane.
//
// `scratch` keeps the globals of refreshed nodes in lanes, so that they are transposed once; the poses get them,
// too.
#include "pose_group.h"
#include "lanes.inl"

// The group, with the arrays of its poses.
typedef struct PoseGroupRun
{
    const tdPoseGroup* group;
    int mirrored; // bits of lanes whose poses have mirrored nodes
    tdTrs* locals[WIDTH];
    tdMat4* globals[WIDTH];
} PoseGroupRun;

TD_SIMD_INLINE Quats GatherRotations(const PoseGroupRun* run, int node)
{
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        from[i] = &run->locals[i][node].rotation.x;
    }
    return GatherQuats(from);
}

TD_SIMD_INLINE Vecs SpreadVec(tdVec3 v)
{
    return (Vecs){TO_ALL(v.x), TO_ALL(v.y), TO_ALL(v.z)};
}

TD_SIMD_INLINE Vecs FindPosePositions(const PoseGroupRun* run, int node, int slot)
{
    if (slot < 0)
    {
        Vecs result = SpreadVec(tdVec3_zero);
        for (int i = 0; i < WIDTH; ++i)
        {
            tdVec3 position = tdComputePosition(run->group->poses[i], node, -1);
            result.x[i] = position.x;
            result.y[i] = position.y;
            result.z[i] = position.z;
        }
        return result;
    }
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        from[i] = &run->locals[i][node].translation.x;
    }
    Wide t[4];
    Gather(t, from, 0);
    return ComputePositions((const GlobalLanes*)run->group->scratch + slot, t);
}

TD_SIMD_INLINE Quats RunPoseAims(const PoseGroupRun* run, const tdConstraintStep* step, Wide weight)
{
    Vecs from = FindPosePositions(run, step->destination, step->destinationSlot);
    Vecs to = FindPosePositions(run, step->source, step->sourceSlot);
    Vecs direction = {to.x - from.x, to.y - from.y, to.z - from.z}, local = direction;
    int odd = (1 << WIDTH) - 1;
    if (step->destinationSlot >= 0)
    {
        local = TurnIntoParents((const GlobalLanes*)run->group->scratch + step->destinationSlot, direction, &odd);
        odd |= run->mirrored;
    }
    for (int i = 0; i < WIDTH && odd != 0; ++i, odd >>= 1)
    {
        if ((odd & 1) != 0)
        {
            TurnOneIntoParent(run->group->poses[i], step->destinationParent, direction, i, &local);
        }
    }
    return ComputeAims(SpreadQuat(step->rest), SpreadVec(step->axis), direction, local, weight);
}

// Updates the global of one node in all poses.
TD_SIMD_INLINE void RefreshNode(const PoseGroupRun* run, int node, int parentSlot, GlobalLanes* slot)
{
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        from[i] = &run->locals[i][node].translation.x;
    }
    GlobalLanes placements;
    const GlobalLanes* parents = (const GlobalLanes*)run->group->scratch + parentSlot;
    if (parentSlot < 0)
    {
        const float* matrices[WIDTH];
        for (int i = 0; i < WIDTH; ++i)
        {
            matrices[i] = run->group->poses[i]->placementMatrix.m;
        }
        placements = TransposeGlobals(matrices);
        parents = &placements;
    }
    float* to[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        to[i] = run->globals[i][node].m;
    }
    ComposeGlobals(parents, from, to, slot);
}

TD_SIMD_INLINE void WriteRotations(const PoseGroupRun* run, const tdConstraintStep* step, Wide weight, Quats rotation)
{
    tdQuat quats[WIDTH];
    int overruled = FinishRotations(SpreadQuat(step->rest), rotation, weight, quats);
    for (int i = 0; i < WIDTH; ++i)
    {
        if ((overruled >> i & 1) == 0)
        {
            tdNodePose_SetRotation(run->group->poses[i], step->destination, quats[i]);
        }
    }
}

static void RunPoseGroup(const tdPoseGroup* group)
{
    const tdConstraintList* list = group->list;
    PoseGroupRun all = {.group = group};
    const PoseGroupRun* run = &all;
    for (int i = 0; i < WIDTH; ++i)
    {
        all.locals[i] = group->poses[i]->locals;
        all.globals[i] = group->poses[i]->globals;
        all.mirrored |= (group->poses[i]->mirrorCount != 0) << i;
    }
    for (int place = 0; place < list->count; ++place)
    {
        const tdConstraintStep* step = &list->steps[place];
        for (int i = step->refreshStart; i < step->refreshEnd; ++i)
        {
            RefreshNode(run, list->refreshNodes[i], list->refreshParents[i], (GlobalLanes*)run->group->scratch + i);
        }
        Wide weight = TO_ALL(0.0f);
        for (int i = 0; i < WIDTH; ++i)
        {
            weight[i] = group->weights[i][place];
        }
        Quats rotation = SpreadQuat(step->rest);
        if (!step->isInCycle)
        {
            switch (step->kind)
            {
            case TD_CONSTRAINT_ROTATION:
                rotation = ComputeRotations(rotation, SpreadQuat(step->left),
                                            GatherRotations(run, step->source), weight);
                break;
            case TD_CONSTRAINT_ROLL:
                rotation = ComputeRolls(rotation, SpreadQuat(step->left), SpreadQuat(step->right),
                                        SpreadVec(step->axis), GatherRotations(run, step->source), weight);
                break;
            case TD_CONSTRAINT_AIM:
                rotation = RunPoseAims(run, step, weight);
                break;
            }
        }
        WriteRotations(run, step, weight, rotation);
    }
    for (int i = 0; i < WIDTH && list->refreshCount > 0; ++i)
    {
        for (int word = 0; word < group->poses[i]->wordCount; ++word)
        {
            group->poses[i]->fresh[word] |= list->refreshBits[word];
        }
    }
}

tdPoseGroupFcn* GET_POSE_GROUP(void)
{
    return RunPoseGroup;
}
