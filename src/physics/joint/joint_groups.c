// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Ball, limited ball, hinge, motor and fixed joints in groups of eight: fills the lanes before a step and
// stores impulses and reactions after it. The passes are in solver/joint_kernels.inl and
// solver/joint_group_kernels.inl.
#include "physics/joint/joint_groups.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_solve.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/joint_group.h"
#include "physics/solver/kernels.h"
#include "physics/solver/solver_data.h"

#include <string.h>

static void PutVec(float (*rows)[TD_LANES], int lane, tdVec3 v)
{
    rows[0][lane] = v.x;
    rows[1][lane] = v.y;
    rows[2][lane] = v.z;
}

static tdVec3 GetVec(const float (*rows)[TD_LANES], int lane)
{
    return (tdVec3){rows[0][lane], rows[1][lane], rows[2][lane]};
}

static void PutSym(float (*rows)[TD_LANES], int lane, const tdSym3* m)
{
    rows[0][lane] = m->xx;
    rows[1][lane] = m->yy;
    rows[2][lane] = m->zz;
    rows[3][lane] = m->xy;
    rows[4][lane] = m->xz;
    rows[5][lane] = m->yz;
}

static void PutQuat(float (*rows)[TD_LANES], int lane, tdQuat q)
{
    rows[0][lane] = q.x;
    rows[1][lane] = q.y;
    rows[2][lane] = q.z;
    rows[3][lane] = q.w;
}

/// Rotates the frame so that its x axis is the given axis.
static tdQuat RotateAxisToX(tdQuat q, int axis)
{
    if (axis == 0)
    {
        return q;
    }
    float s = axis == 1 ? 0.5f : -0.5f;
    return tdMulQuat(q, (tdQuat){s, s, s, 0.5f});
}

/// Twist limits, which limit rows and turn rows have in common.
typedef struct TwistStops
{
    float *min, *max, *low, *high, *lowLast, *highLast;
} TwistStops;

#define STOPS_OF(row)                                                                                        \
    ((TwistStops){(row)->twistMin, (row)->twistMax, (row)->lowImpulse, (row)->highImpulse, (row)->lowLast,   \
                  (row)->highLast})

static void FillTwistStops(TwistStops stops, int lane, const tdJointBlock* block)
{
    stops.min[lane] = block->min;
    stops.max[lane] = block->max;
    stops.low[lane] = block->impulse[0];
    stops.high[lane] = block->impulse[1];
    stops.lowLast[lane] = block->last[0];
    stops.highLast[lane] = block->last[1];
}

static void FillLimitLane(tdLimitRow* row, int lane, const tdJoint* joint)
{
    int axis = 0;
    row->coneMax[lane] = TD_OPEN_LIMIT;
    row->twistMin[lane] = -TD_OPEN_LIMIT;
    row->twistMax[lane] = TD_OPEN_LIMIT;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        if (block->kind == TD_BLOCK_CONE)
        {
            axis = block->axis;
            row->coneMax[lane] = block->max;
            row->coneImpulse[lane] = block->impulse[1];
            row->coneLast[lane] = block->last[1];
        }
        else if (block->kind == TD_BLOCK_TWIST)
        {
            axis = block->axis;
            FillTwistStops(STOPS_OF(row), lane, block);
        }
    }
    PutQuat(row->turnA, lane, RotateAxisToX(joint->turnA, axis));
    PutQuat(row->turnB, lane, RotateAxisToX(joint->turnB, axis));
}

static void FillDriveLane(tdTurnRow* row, int lane, const tdJointBlock* block)
{
    row->stiffness[lane] = block->stiffness;
    row->damping[lane] = block->damping;
    row->perInertia[lane] = block->isAcceleration ? 1.0f : 0.0f;
    row->positionTarget[lane] = block->positionTarget;
    row->velocityTarget[lane] = block->velocityTarget;
    row->maxTorque[lane] = block->maxForce;
    row->driveImpulse[lane] = block->impulse[0];
}

static void FillTurnLane(tdTurnRow* row, int lane, const tdJoint* joint)
{
    int axis = 0;
    row->twistMin[lane] = -TD_OPEN_LIMIT;
    row->twistMax[lane] = TD_OPEN_LIMIT;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        if (block->kind == TD_BLOCK_ROTATION)
        {
            PutVec(row->impulse, lane, (tdVec3){block->impulse[0], block->impulse[1], block->impulse[2]});
        }
        else if (block->kind == TD_BLOCK_AXIS)
        {
            axis = block->axis;
            PutVec(row->impulse, lane, (tdVec3){0.0f, block->impulse[0], block->impulse[1]});
        }
        else if (block->law == TD_LAW_DRIVE)
        {
            FillDriveLane(row, lane, block);
            row->twist[lane] = joint->twist[block->axis];
            row->turns[lane] = (float)joint->turns[block->axis];
        }
        else if (block->kind == TD_BLOCK_TWIST)
        {
            FillTwistStops(STOPS_OF(row), lane, block);
            row->twist[lane] = joint->twist[block->axis];
            row->turns[lane] = (float)joint->turns[block->axis];
        }
    }
    PutQuat(row->turnA, lane, RotateAxisToX(joint->turnA, axis));
    PutQuat(row->turnB, lane, RotateAxisToX(joint->turnB, axis));
}

static bool HasTurningInertia(const tdSolverStep* step, int slot, bool writes)
{
    return writes && (step->sims[slot].flags & TD_BODY_GYROSCOPIC) != 0;
}

static void FillBallLane(const tdSolverStep* step, tdJointGroup* group, tdBallRow* row, int lane,
                         const tdJoint* joint)
{
    group->turnsInertia |= HasTurningInertia(step, joint->slotA, joint->writesA) ||
                           HasTurningInertia(step, joint->slotB, joint->writesB);
    group->bodyA[lane] = joint->slotA;
    group->bodyB[lane] = joint->slotB;
    group->writeA |= joint->writesA ? 1u << lane : 0u;
    group->writeB |= joint->writesB ? 1u << lane : 0u;
    PutVec(row->armA, lane, joint->armA);
    PutVec(row->armB, lane, joint->armB);
    PutVec(row->centerOffset, lane, joint->centerOffset);
    row->invMassA[lane] = joint->invMassA;
    row->invMassB[lane] = joint->invMassB;
    PutSym(row->startInertiaA, lane, &joint->invInertiaA);
    PutSym(row->startInertiaB, lane, &joint->invInertiaB);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        if (block->kind == TD_BLOCK_POINT)
        {
            PutVec(row->impulse, lane, (tdVec3){block->impulse[0], block->impulse[1], block->impulse[2]});
        }
    }
}

void tdJointGroups_Prepare(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->joints;
    for (int g = start; g < end; ++g)
    {
        tdJointGroup* group = set->groups + g;
        tdBallRow* row = set->ballRows + g;
        tdLimitRow* limits = group->limitRow >= 0 ? set->limitRows + group->limitRow : NULL;
        tdTurnRow* turns = group->turnRow >= 0 ? set->turnRows + group->turnRow : NULL;
        memset(row, 0, sizeof(*row));
        if (limits != NULL)
        {
            memset(limits, 0, sizeof(*limits));
        }
        if (turns != NULL)
        {
            memset(turns, 0, sizeof(*turns));
        }
        for (int lane = 0; lane < TD_LANES; ++lane)
        {
            if (group->joint[lane] >= 0)
            {
                tdJoint* joint = set->joints.data + group->joint[lane];
                tdJoint_PrepareFrames(step, joint);
                FillBallLane(step, group, row, lane, joint);
                if (turns != NULL)
                {
                    FillTurnLane(turns, lane, joint);
                }
                if (limits != NULL)
                {
                    FillLimitLane(limits, lane, joint);
                }
            }
            else if (limits != NULL)
            {
                limits->turnA[3][lane] = limits->turnB[3][lane] = 1.0f;
            }
            else if (turns != NULL)
            {
                turns->turnA[3][lane] = turns->turnB[3][lane] = 1.0f;
            }
        }
    }
    step->world->solver->kernels->prepareJoints(step, start, end);
}

/// Stores the impulses and reactions of one block from its lane.
static void StoreBlockLane(tdJoint* joint, tdJointBlock* block, const tdBallRow* row,
                           const tdLimitRow* limits, const tdTurnRow* turns, int lane)
{
    block->linearSum = block->angularSum = tdVec3_zero;
    if (block->kind == TD_BLOCK_POINT)
    {
        tdVec3 impulse = GetVec(row->impulse, lane);
        block->impulse[0] = impulse.x;
        block->impulse[1] = impulse.y;
        block->impulse[2] = impulse.z;
        block->linearSum = GetVec(row->sum, lane);
    }
    else if (block->kind == TD_BLOCK_ROTATION || block->kind == TD_BLOCK_AXIS)
    {
        tdVec3 impulse = GetVec(turns->impulse, lane);
        bool isAxis = block->kind == TD_BLOCK_AXIS;
        block->impulse[0] = isAxis ? impulse.y : impulse.x;
        block->impulse[1] = isAxis ? impulse.z : impulse.y;
        block->impulse[2] = isAxis ? 0.0f : impulse.z;
        block->angularSum = GetVec(turns->sum, lane);
    }
    else if (block->kind == TD_BLOCK_CONE)
    {
        block->impulse[1] = limits->coneImpulse[lane];
        block->last[1] = limits->coneLast[lane];
        block->angularSum = GetVec(limits->coneSum, lane);
    }
    else if (block->law == TD_LAW_DRIVE)
    {
        block->impulse[0] = turns->driveImpulse[lane];
        block->angularSum = GetVec(turns->driveSum, lane);
        joint->twist[block->axis] = turns->twist[lane];
        joint->turns[block->axis] = (int)turns->turns[lane];
    }
    else if (turns != NULL)
    {
        block->impulse[0] = turns->lowImpulse[lane];
        block->impulse[1] = turns->highImpulse[lane];
        block->last[0] = turns->lowLast[lane];
        block->last[1] = turns->highLast[lane];
        block->angularSum = GetVec(turns->twistSum, lane);
        joint->twist[block->axis] = turns->twist[lane];
        joint->turns[block->axis] = (int)turns->turns[lane];
    }
    else
    {
        block->impulse[0] = limits->lowImpulse[lane];
        block->impulse[1] = limits->highImpulse[lane];
        block->last[0] = limits->lowLast[lane];
        block->last[1] = limits->highLast[lane];
        block->angularSum = GetVec(limits->twistSum, lane);
    }
}

void tdJointGroups_Store(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->joints;
    for (int g = start; g < end; ++g)
    {
        const tdJointGroup* group = set->groups + g;
        const tdBallRow* row = set->ballRows + g;
        const tdLimitRow* limits = group->limitRow >= 0 ? set->limitRows + group->limitRow : NULL;
        const tdTurnRow* turns = group->turnRow >= 0 ? set->turnRows + group->turnRow : NULL;
        for (int lane = 0; lane < TD_LANES; ++lane)
        {
            if (group->joint[lane] < 0)
            {
                continue;
            }
            tdJoint* joint = set->joints.data + group->joint[lane];
            for (int i = 0; i < joint->blockCount; ++i)
            {
                StoreBlockLane(joint, joint->blocks + i, row, limits, turns, lane);
            }
            tdJoint_Store(step, joint);
        }
    }
}
