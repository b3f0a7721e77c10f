// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Compilation of limits and drives into blocks of rows (docs/decisions/071-joints-from-limits.md). Hard
// one-axis locks of the same kind are combined, so that a point, a line, a hinge or a fixed rotation is one
// block, however the file writes it. Every other limit and drive is a block of its own.
#include "physics/joint/joint_compile.h"

#include "math/trig.h"
#include "physics/data/joint_data.h"
#include "physics/joint/joint_block.h"

#include <math.h>

/// Widest cone, in radians, that keeps a twist away from half a turn of swing, where the twist is undefined.
/// The gradient of the twist grows with 1 / cos(swing / 2): it is below 6 inside this cone.
#define MAX_TWIST_CONE 2.8f

int tdCountAxes(unsigned axes)
{
    return (int)(axes & 1u) + (int)(axes >> 1 & 1u) + (int)(axes >> 2 & 1u);
}

bool tdHasAxis(unsigned axes, int axis)
{
    return (axes >> axis & 1u) != 0;
}

int tdGetAxisOfSet(unsigned axes)
{
    unsigned one = tdCountAxes(axes) == 2 ? ~axes & 7u : axes;
    return one == 1u ? 0 : (one == 2u ? 1 : 2);
}

tdJointLimit tdSettleLimit(const tdJointLimit* limit)
{
    tdJointLimit settled = *limit;
    if (limit->min > limit->max)
    {
        settled.min = settled.max = 0.5f * (limit->min + limit->max);
    }
    return settled;
}

float tdRemoveTurns(float angle)
{
    double turns = floor((double)angle / TD_FULL_TURN + 0.5);
    return (float)((double)angle - TD_FULL_TURN * turns);
}

static bool IsHardLimit(const tdJointLimit* limit)
{
    return !(limit->stiffness < INFINITY);
}

static bool IsLockLimit(const tdJointLimit* limit, int axisCount)
{
    return axisCount == 1 ? limit->min == limit->max : limit->max <= 0.0f;
}

/// Rotation vector of the same rotation, at most half a turn long.
static tdVec3 ShortenTurn(tdVec3 turn)
{
    float length = tdLength(turn), rest = tdRemoveTurns(length);
    return length > TD_PI && length < INFINITY ? tdScale(rest / length, turn) : turn;
}

/// Combines hard one-axis locks of the same kind: three lock a point or a rotation, two a line or a hinge.
/// @return end of the blocks
static tdJointBlock* AddLockBlock(const tdJoint* joint, tdJointBlock* block, bool isLinear)
{
    int found[3] = {-1, -1, -1}, count = 0;
    for (int l = 0; l < joint->limitCount; ++l)
    {
        tdJointLimit limit = tdSettleLimit(joint->limits + l);
        unsigned axes = isLinear ? limit.linearAxes : limit.angularAxes;
        bool isSole = isLinear || limit.linearAxes == 0;
        if (isSole && tdCountAxes(axes) == 1 && IsHardLimit(&limit) && IsLockLimit(&limit, 1) &&
            found[tdGetAxisOfSet(axes)] < 0)
        {
            found[tdGetAxisOfSet(axes)] = l;
            count += 1;
        }
    }
    if (count < 2)
    {
        return block;
    }
    *block = (tdJointBlock){.law = TD_LAW_LOCK, .rowCount = (uint8_t)count, .drive = -1, .axis = -1};
    block->kind = isLinear ? (count == 3 ? TD_BLOCK_POINT : TD_BLOCK_LINE)
                           : (count == 3 ? TD_BLOCK_ROTATION : TD_BLOCK_SWING);
    int row = 0;
    float target[3] = {0.0f, 0.0f, 0.0f};
    for (int step = 1; step <= 3; ++step)
    {
        // The rows of a pair are the two axes after the free axis, cyclically.
        int axis = step - 1;
        if (count == 2)
        {
            int freeAxis = found[0] < 0 ? 0 : (found[1] < 0 ? 1 : 2);
            block->axis = (int8_t)freeAxis;
            axis = (freeAxis + step) % 3;
        }
        if (found[axis] >= 0)
        {
            block->limits[row] = (int16_t)found[axis];
            target[row] = tdSettleLimit(joint->limits + found[axis]).min;
            row += 1;
        }
    }
    block->target = (tdVec3){target[0], target[1], target[2]};
    if (block->kind == TD_BLOCK_ROTATION)
    {
        block->target = ShortenTurn(block->target);
    }
    if (block->kind == TD_BLOCK_SWING && target[0] == 0.0f && target[1] == 0.0f)
    {
        block->kind = TD_BLOCK_AXIS; // the same hinge; its errors do not depend on the twist
    }
    return block + 1;
}

static bool IsLimitCompiled(const tdJointBlock* blocks, const tdJointBlock* end, int limit)
{
    for (const tdJointBlock* block = blocks; block < end; ++block)
    {
        for (int r = 0; r < block->rowCount; ++r)
        {
            if (block->limits[r] == limit && block->drive < 0)
            {
                return true;
            }
        }
    }
    return false;
}

static void CompileLimit(tdJointBlock* block, const tdJointLimit* limit, int index)
{
    bool isLinear = limit->linearAxes != 0;
    unsigned axes = isLinear ? limit->linearAxes : limit->angularAxes;
    int count = tdCountAxes(axes);
    static const uint8_t metric[2][3] = {{TD_BLOCK_TWIST, TD_BLOCK_CONE, TD_BLOCK_ANGLE},
                                         {TD_BLOCK_COORDINATE, TD_BLOCK_RADIUS, TD_BLOCK_DISTANCE}};
    static const uint8_t lock[2][3] = {{TD_BLOCK_TWIST, TD_BLOCK_AXIS, TD_BLOCK_ROTATION},
                                       {TD_BLOCK_COORDINATE, TD_BLOCK_LINE, TD_BLOCK_POINT}};
    bool isLock = IsLockLimit(limit, count);
    *block = (tdJointBlock){
        .drive = -1, .axis = (int8_t)tdGetAxisOfSet(axes), .min = limit->min, .max = limit->max};
    block->kind = isLock ? lock[isLinear][count - 1] : metric[isLinear][count - 1];
    block->rowCount = (uint8_t)(isLock ? count : 1);
    block->limits[0] = block->limits[1] = block->limits[2] = (int16_t)index;
    block->law = isLock ? TD_LAW_LOCK : TD_LAW_RANGE;
    if (count > 1 && !isLock && !(limit->min > 0.0f))
    {
        block->min = -INFINITY;
    }
    if (!isLock && block->min == block->max)
    {
        block->law = TD_LAW_LOCK; // a rod or a fixed cone: one row with a target
    }
    if (block->law == TD_LAW_LOCK && (count == 1 || !isLock))
    {
        block->target.x = block->kind == TD_BLOCK_TWIST ? tdRemoveTurns(limit->min) : limit->min;
    }
    if (!IsHardLimit(limit))
    {
        block->law = TD_LAW_SPRING;
        block->stiffness = limit->stiffness;
        block->damping = limit->damping;
    }
}

/// Axes that a hard lock of one, two or three axes keeps from turning.
static unsigned FindLockedTurns(const tdJoint* joint)
{
    unsigned locked = 0;
    for (int l = 0; l < joint->limitCount; ++l)
    {
        tdJointLimit limit = tdSettleLimit(joint->limits + l);
        int count = tdCountAxes(limit.angularAxes);
        bool isLock = limit.linearAxes == 0 && count > 0 && IsHardLimit(&limit) && IsLockLimit(&limit, count);
        locked |= isLock ? limit.angularAxes : 0u;
    }
    return locked;
}

/// True if drives act on the rotation about two or three axes that are not locked. A twist about one axis has
/// no meaning then, so that position targets are components of the rotation vector.
static bool DrivesSeveralTurns(const tdJoint* joint)
{
    unsigned driven = 0;
    for (int i = 0; i < joint->driveCount; ++i)
    {
        const tdJointDrive* drive = joint->drives + i;
        bool acts = drive->stiffness > 0.0f || drive->damping > 0.0f;
        driven |= acts && drive->type == TD_DRIVE_ANGULAR ? (unsigned)drive->axis : 0u;
    }
    return tdCountAxes(driven & ~FindLockedTurns(joint) & 7u) > 1;
}

bool tdJoint_CountsLimit(const tdJoint* joint, int axis, float min, float max)
{
    return tdHasAxis(joint->heldAxes, axis) || !(min >= -TD_PI && max <= TD_PI);
}

/// Decides which twists are counted over turns.
static void FindTurnAxes(tdJoint* joint)
{
    joint->heldAxes = joint->turnAxes = 0;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        bool isHinge = block->kind == TD_BLOCK_AXIS && block->law == TD_LAW_LOCK;
        joint->heldAxes |= (uint8_t)(isHinge ? 1u << block->axis : 0u);
    }
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        bool isTwist = block->kind == TD_BLOCK_TWIST && block->law != TD_LAW_LOCK;
        bool isDrive = block->law == TD_LAW_DRIVE;
        block->countsTurns =
            isTwist && (isDrive || tdJoint_CountsLimit(joint, block->axis, block->min, block->max));
        bool isCounted = block->countsTurns || (isDrive && block->kind == TD_BLOCK_VECTOR);
        joint->turnAxes |= (uint8_t)(isCounted ? 1u << block->axis : 0u);
    }
}

static tdJointSignature FindSignature(const tdJoint* joint)
{
    int points = 0, cones = 0, twists = 0, counts = 0, axes = 0, rotations = 0, drives = 0, axis = -1;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        bool isHeldAtZero = block->target.x == 0.0f && block->target.y == 0.0f && block->target.z == 0.0f;
        bool isLock = block->law == TD_LAW_LOCK && isHeldAtZero, isRange = block->law == TD_LAW_RANGE;
        if (isLock && block->kind == TD_BLOCK_POINT)
        {
            points += 1;
            continue;
        }
        if (isLock && block->kind == TD_BLOCK_ROTATION)
        {
            rotations += 1;
            continue;
        }
        bool isAxis = isLock && block->kind == TD_BLOCK_AXIS;
        bool isCone = block->kind == TD_BLOCK_CONE && isRange && block->min == -INFINITY;
        bool isTwist =
            block->kind == TD_BLOCK_TWIST && isRange && block->min > -INFINITY && block->max < INFINITY;
        bool isDrive = block->kind == TD_BLOCK_TWIST && block->law == TD_LAW_DRIVE;
        if (!(isAxis || isCone || isTwist || isDrive) || (axis >= 0 && axis != block->axis))
        {
            return TD_SIGNATURE_GENERIC;
        }
        axis = block->axis;
        axes += isAxis ? 1 : 0;
        cones += isCone ? 1 : 0;
        twists += isTwist ? 1 : 0;
        counts += isTwist && block->countsTurns ? 1 : 0;
        drives += isDrive ? 1 : 0;
    }
    if (drives > 0)
    {
        bool isMotor = points == 1 && axes == 1 && drives == 1 && cones == 0 && twists <= 1 && rotations == 0;
        return isMotor ? TD_SIGNATURE_MOTOR : TD_SIGNATURE_GENERIC;
    }
    if (points != 1 || cones > 1 || twists > 1 || axes + rotations > 1)
    {
        return TD_SIGNATURE_GENERIC;
    }
    if (axes == 1)
    {
        return cones == 0 ? TD_SIGNATURE_HINGE : TD_SIGNATURE_GENERIC;
    }
    if (rotations == 1)
    {
        return cones + twists == 0 ? TD_SIGNATURE_FIXED : TD_SIGNATURE_GENERIC;
    }
    if (counts > 0)
    {
        return TD_SIGNATURE_GENERIC; // the lanes of limited balls compare a twist the short way round
    }
    return cones + twists == 0 ? TD_SIGNATURE_BALL : TD_SIGNATURE_LIMITED;
}

/// True if a rigid twist row can reach half a turn of swing, where the twist jumps, because no other row
/// limits the swing.
static bool HasLoneTwist(const tdJoint* joint)
{
    bool hasTwist[3] = {false, false, false}, isKept[3] = {false, false, false};
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        bool isRigid = block->law == TD_LAW_LOCK || block->law == TD_LAW_RANGE;
        bool isCone = block->kind == TD_BLOCK_CONE && block->max < MAX_TWIST_CONE;
        bool isAxis = block->kind == TD_BLOCK_AXIS || block->kind == TD_BLOCK_SWING;
        for (int axis = 0; isRigid && axis < 3; ++axis)
        {
            bool isOwn = block->axis == axis;
            hasTwist[axis] |= isOwn && block->kind == TD_BLOCK_TWIST;
            isKept[axis] |= (isOwn && (isCone || isAxis)) || block->kind == TD_BLOCK_ROTATION ||
                            (block->kind == TD_BLOCK_ANGLE && block->max < MAX_TWIST_CONE);
        }
    }
    return (hasTwist[0] && !isKept[0]) || (hasTwist[1] && !isKept[1]) || (hasTwist[2] && !isKept[2]);
}

void tdJoint_Compile(tdJoint* joint)
{
    tdJointBlock* blocks = joint->blocks;
    tdJointBlock* end = AddLockBlock(joint, blocks, true);
    end = AddLockBlock(joint, end, false);
    for (int l = 0; l < joint->limitCount; ++l)
    {
        tdJointLimit limit = tdSettleLimit(joint->limits + l);
        bool isOpen = !(limit.min > -INFINITY) && !(limit.max < INFINITY);
        if ((limit.linearAxes | limit.angularAxes) == 0 || isOpen || IsLimitCompiled(blocks, end, l))
        {
            continue;
        }
        CompileLimit(end, &limit, l);
        end += 1;
    }
    uint8_t angularKind = DrivesSeveralTurns(joint) ? TD_BLOCK_VECTOR : TD_BLOCK_TWIST;
    for (int i = 0; i < joint->driveCount; ++i)
    {
        const tdJointDrive* drive = joint->drives + i;
        *end =
            (tdJointBlock){.law = TD_LAW_DRIVE, .rowCount = 1, .limits = {-1, -1, -1}, .drive = (int16_t)i};
        end->kind = drive->type == TD_DRIVE_LINEAR ? (uint8_t)TD_BLOCK_COORDINATE : angularKind;
        end->axis = (int8_t)tdGetAxisOfSet((unsigned)drive->axis);
        end->stiffness = drive->stiffness;
        end->damping = drive->damping;
        end->isAcceleration = drive->mode == TD_DRIVE_ACCELERATION;
        end->positionTarget = drive->positionTarget;
        end->velocityTarget = drive->velocityTarget;
        end->maxForce = drive->maxForce;
        end += 1;
    }
    joint->blockCount = (int)(end - blocks);
    joint->lockRowCount = 0;
    FindTurnAxes(joint);
    bool hasRigid = false, hasPoint = false;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = blocks + i;
        hasRigid |= block->law == TD_LAW_LOCK || block->law == TD_LAW_RANGE;
        hasPoint |= block->law == TD_LAW_LOCK && block->kind == TD_BLOCK_POINT;
        if (block->law == TD_LAW_LOCK && joint->lockRowCount + block->rowCount <= TD_MAX_LOCK_ROWS)
        {
            block->isCoupled = true;
            joint->lockRowCount += block->rowCount;
        }
    }
    joint->isLoose = (hasRigid && !hasPoint) || HasLoneTwist(joint);
    joint->signature = (uint8_t)FindSignature(joint);
}
