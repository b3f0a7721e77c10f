// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rows of a joint: metrics, Jacobians and effective masses from the poses of the two frames
// (docs/decisions/071-joints-from-limits.md).
//
// Frames: A at tA = cA + rA with axes a_i, B at tB = cB + rB with axes b_i; d = tB - tA; p_i = dot(d, a_i);
// q = conj(qA) * qB. Every row is Cdot = n.(vB - vA) + aB.wB - aA.wA.
//
// Linear metrics. Each is a length along a direction n that is fixed in A or follows d:
//   p_i          n = a_i                          distance to line k   n = (d - p_k a_k) / |...|
//   |p|          n = d / |d|
//   Cdot = n.(d' - wA x d)  with d' = vB + wB x rB - vA - wA x rA
//        = n.(vB - vA) + (rB x n).wB - ((rA + d) x n).wA           so aA = (rA + d) x n, aB = rB x n.
//   A point lock uses the three world axes. C = d - o, with o the target offset rotated with A: aA = (rA + o)
//   x n.
//
// Angular metrics. With o = wB - wA seen from A, q' = 1/2 o q, that is v' = 1/2 (w o + o x v), w' = -1/2 o.v:
//   twist about i    t = 2 atan2(v_i, w), for i, j, k cyclic
//                    t' = o_i + (o_j (w v_k + v_i v_j) + o_k (v_i v_k - w v_j)) / (v_i^2 + w^2)
//   cone about k     c = angle(a_k, b_k),  c' = o.(a_k x b_k) / |a_k x b_k|
//   whole angle      f = 2 atan2(|v|, |w|), f' = o.v / |v|, v taken with w >= 0
//   rotation vector  r = f v / |v|; near r = 0, the target of locks, r' = o
//   drive about i    the value is t or r_i, the velocity o_i: drives act on the relative angular velocity
//   aA = aB = the gradient in the world, n = 0.
#include "physics/joint/joint_rows.h"

#include "math/trig.h"
#include "physics/data/body_data.h"
#include "physics/data/joint_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_compile.h"
#include "physics/solver/kernels.h"

#include <math.h>
#include <string.h>

/// Sines and angles below this have no direction, in radians; a rotation vector is 2 v there.
#define MIN_ANGLE 1.0e-6f
/// Distances below this have no direction, in metres.
#define MIN_DISTANCE 1.0e-7f
/// Least v_i^2 + w^2 in the gradient of a twist. It is 0 at half a turn of swing, where the twist is
/// undefined; the gradient stays below 10.
#define MIN_TWIST_SQUARED 1.0e-2f
/// Determinant of a 2 x 2 block, relative to the product of its diagonal, below which the block is singular.
#define MIN_DETERMINANT 1.0e-6f
/// Share of the trace that is added to the diagonal of a 3 x 3 block, so that infinite mass or inertia leaves
/// it solvable.
#define DIAGONAL_SHARE 1.0e-7f
/// Pivot, relative to the row's own k, below which a row depends on the rows before it.
#define MIN_PIVOT 1.0e-5f
/// The same in double, where only rows that are equal to rounding of their numbers depend on each other.
#define MIN_EXACT_PIVOT 1.0e-9

tdVec3 tdGetAxis(const tdMat3* m, int axis)
{
    return axis == 0 ? m->cx : (axis == 1 ? m->cy : m->cz);
}

float tdMeasureTwist(tdQuat q, int axis)
{
    float i = tdGetComponent(tdQuatVector(q), axis), w = q.w;
    if (w < 0.0f)
    {
        i = -i;
        w = -w;
    }
    return 2.0f * tdAtan2(i, w);
}

/// Rotation vector of the shorter arc.
static tdVec3 ComputeRotationVector(tdQuat q)
{
    tdVec3 v = tdQuatVector(q);
    float w = q.w;
    if (w < 0.0f)
    {
        v = tdNegate(v);
        w = -w;
    }
    float length = tdLength(v);
    if (length < MIN_ANGLE)
    {
        return tdScale(2.0f, v);
    }
    return tdScale(2.0f * tdAtan2(length, w) / length, v);
}

float tdMeasureRotationVector(tdQuat q, int axis)
{
    return tdGetComponent(ComputeRotationVector(q), axis);
}

/// Largest number of turns between two updates; a count beyond is an overflow.
#define MAX_NEW_TURNS 1.0e6
/// Turn counts saturate here.
#define MAX_TURNS 1000000000

/// Whole turns from the last update to a twist that lies `travel` further.
static int CountNewTurns(const tdJoint* joint, float twist, int axis, float travel)
{
    double moved = (double)joint->twist[axis] + (double)travel - (double)twist;
    double count = floor(moved / TD_FULL_TURN + 0.5);
    return count > -MAX_NEW_TURNS && count < MAX_NEW_TURNS ? (int)count : 0;
}

void tdJoint_CountTurns(tdJoint* joint, tdQuat q, tdVec3 travel)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        if (tdHasAxis(joint->turnAxes, axis))
        {
            float twist = tdMeasureTwist(q, axis);
            int turns = joint->turns[axis] + CountNewTurns(joint, twist, axis, tdGetComponent(travel, axis));
            joint->turns[axis] = tdMaxInt(tdMinInt(turns, MAX_TURNS), -MAX_TURNS);
            joint->twist[axis] = twist;
        }
    }
}

float tdJoint_MeasureCounted(const tdJoint* joint, tdQuat q, int axis)
{
    float twist = tdMeasureTwist(q, axis);
    int turns = joint->turns[axis] + CountNewTurns(joint, twist, axis, 0.0f);
    return (float)((double)twist + TD_FULL_TURN * (double)turns);
}

/// Rotation vector minus target. Of the two vectors of a rotation, the one nearer to the target.
static tdVec3 ComputeRotationError(tdQuat q, tdVec3 target)
{
    tdVec3 r = ComputeRotationVector(q), error = tdSub(r, target);
    float length = tdLength(r);
    if (length > MIN_ANGLE)
    {
        tdVec3 other = tdSub(tdScale(1.0f - 2.0f * TD_PI / length, r), target);
        error = tdDot(other, other) < tdDot(error, error) ? other : error;
    }
    return error;
}

/// Errors of a lock on two or three components of the rotation vector.
static tdVec3 ComputeLockTurn(tdQuat q, const tdJointBlock* block)
{
    if (block->kind == TD_BLOCK_ROTATION)
    {
        return ComputeRotationError(q, block->target);
    }
    tdVec3 r = ComputeRotationVector(q);
    return (tdVec3){tdGetComponent(r, (block->axis + 1) % 3) - block->target.x,
                    tdGetComponent(r, (block->axis + 2) % 3) - block->target.y, 0.0f};
}

/// Axis of frame B in frame A.
static tdVec3 GetAxisInA(tdQuat q, int axis)
{
    tdVec3 e = {axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
    return tdRotate(q, e);
}

float tdMeasureLimit(const tdJointLimit* limit, tdVec3 p, tdQuat q)
{
    if (limit->linearAxes != 0)
    {
        int count = tdCountAxes(limit->linearAxes), axis = tdGetAxisOfSet(limit->linearAxes);
        if (count == 1)
        {
            return tdGetComponent(p, axis);
        }
        if (count == 2)
        {
            float x = tdGetComponent(p, (axis + 1) % 3), y = tdGetComponent(p, (axis + 2) % 3);
            return tdSqrt(x * x + y * y);
        }
        return tdLength(p);
    }
    if (limit->angularAxes != 0)
    {
        int count = tdCountAxes(limit->angularAxes), axis = tdGetAxisOfSet(limit->angularAxes);
        if (count == 1)
        {
            return tdMeasureTwist(q, axis);
        }
        if (count == 2)
        {
            tdVec3 b = GetAxisInA(q, axis);
            float x = tdGetComponent(b, (axis + 1) % 3), y = tdGetComponent(b, (axis + 2) % 3);
            return tdAtan2(tdSqrt(x * x + y * y), tdGetComponent(b, axis));
        }
        return tdLength(ComputeRotationVector(q));
    }
    return 0.0f;
}

// Evaluation.

static tdVec3 MulInverseInertia(const tdSym3* m, tdVec3 v)
{
    return (tdVec3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                    m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

/// R m R^T
tdSym3 tdTurnSym3(tdQuat turn, const tdSym3* m)
{
    tdMat3 r = tdMat3FromQuat(turn);
    tdMat3 columns = {{m->xx, m->xy, m->xz}, {m->xy, m->yy, m->yz}, {m->xz, m->yz, m->zz}};
    tdMat3 full = tdMulMat3(tdMulMat3(r, columns), tdTranspose(r));
    return (tdSym3){full.cx.x, full.cy.y, full.cz.z, full.cx.y, full.cx.z, full.cy.z};
}

tdQuat tdAdvanceRotation(tdQuat q, tdVec3 w, float h)
{
    // Taylor series of sine and cosine of the half angle, which is clamped to pi / 2: of unit length to
    // rounding.
    tdVec3 half = tdScale(0.5f * h, w);
    float x = tdMinFloat(tdDot(half, half), 2.4674011f);
    float s = 1.0f + x * (-1.0f / 6.0f + x * (1.0f / 120.0f + x * (-1.0f / 5040.0f + x / 362880.0f)));
    float c = 1.0f + x * (-0.5f + x * (1.0f / 24.0f + x * (-1.0f / 720.0f + x / 40320.0f)));
    return tdMulQuat((tdQuat){s * half.x, s * half.y, s * half.z, c}, q);
}

tdJointPose tdJoint_ComputeFrames(const tdSolverStep* step, const tdJoint* joint)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdBodyState* a = states + joint->slotA;
    const tdBodyState* b = states + joint->slotB;
    tdJointPose pose;
    pose.hasInertia = false;
    pose.rA = tdRotate(a->deltaRotation, joint->armA);
    pose.rB = tdRotate(b->deltaRotation, joint->armB);
    tdVec3 centers = tdAdd(joint->centerOffset, tdSub(b->deltaPosition, a->deltaPosition));
    pose.d = tdAdd(centers, tdSub(pose.rB, pose.rA));
    tdQuat qA = tdMulQuat(a->deltaRotation, joint->turnA);
    tdQuat qB = tdMulQuat(b->deltaRotation, joint->turnB);
    pose.q = tdInvMulQuat(qA, qB);
    pose.axes = tdMat3FromQuat(qA);
    return pose;
}

tdJointPose tdJoint_ComputePose(const tdSolverStep* step, const tdJoint* joint)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    tdJointPose pose = tdJoint_ComputeFrames(step, joint);
    pose.hasInertia = true;
    pose.invA = tdTurnSym3(states[joint->slotA].deltaRotation, &joint->invInertiaA);
    pose.invB = tdTurnSym3(states[joint->slotB].deltaRotation, &joint->invInertiaB);
    return pose;
}

static void FinishJointRow(const tdJoint* joint, const tdJointPose* pose, tdJointRow* row)
{
    if (!pose->hasInertia)
    {
        return;
    }
    row->iA = MulInverseInertia(&pose->invA, row->aA);
    row->iB = MulInverseInertia(&pose->invB, row->aB);
    row->k = (joint->invMassA + joint->invMassB) * tdDot(row->n, row->n) + tdDot(row->aA, row->iA) +
             tdDot(row->aB, row->iB);
}

static void SetLinearRow(const tdJoint* joint, const tdJointPose* pose, tdJointRow* row, tdVec3 n,
                         tdVec3 armA, float error)
{
    row->n = n;
    row->aA = tdCross(armA, n);
    row->aB = tdCross(pose->rB, n);
    row->error = error;
    FinishJointRow(joint, pose, row);
}

/// Axes of frame A about which locks of the joint hold the rotation of B relative to A.
static unsigned FindHeldTurns(const tdJoint* joint)
{
    unsigned axes = 0;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        if (block->law == TD_LAW_LOCK && block->kind == TD_BLOCK_ROTATION)
        {
            axes |= 7u;
        }
        if (block->law == TD_LAW_LOCK && (block->kind == TD_BLOCK_SWING || block->kind == TD_BLOCK_AXIS))
        {
            axes |= 7u & ~(1u << block->axis);
        }
        // The gradient of a twist is its axis if locks hold the others.
        if (block->law == TD_LAW_LOCK && block->kind == TD_BLOCK_TWIST &&
            tdHasAxis(joint->heldAxes, block->axis))
        {
            axes |= 1u << block->axis;
        }
    }
    return axes;
}

// A torque about a locked axis moves nothing, so it may be left out of a row that is no lock. The lever arms
// of a slider whose rail passes the centre of mass at a distance r would otherwise dominate its mass by
// m r^2 / I, up to 1e6 for a small body: the locks take all of that back, and rounding is all that remains of
// the mass.
static void RemoveLockedTurns(const tdJoint* joint, const tdJointPose* pose, tdJointRow* row)
{
    unsigned axes = FindHeldTurns(joint);
    const tdSym3 *inverseA = &joint->invInertiaA, *inverseB = &joint->invInertiaB;
    float a = inverseA->xx + inverseA->yy + inverseA->zz, b = inverseB->xx + inverseB->yy + inverseB->zz;
    if (axes == 0 || !(a + b > 0.0f))
    {
        return;
    }
    // The body that turns more easily keeps the shorter arm.
    tdVec3 torque = tdScale(1.0f / (a + b), tdAdd(tdScale(a, row->aA), tdScale(b, row->aB)));
    for (int i = 0; i < 3; ++i)
    {
        if (tdHasAxis(axes, i))
        {
            tdVec3 axis = tdGetAxis(&pose->axes, i);
            float share = tdDot(torque, axis);
            row->aA = tdMulSub(row->aA, share, axis);
            row->aB = tdMulSub(row->aB, share, axis);
        }
    }
    FinishJointRow(joint, pose, row);
}

static void SetAngularRow(const tdJoint* joint, const tdJointPose* pose, tdJointRow* row, tdVec3 gradientInA,
                          float error)
{
    row->n = tdVec3_zero;
    row->aA = row->aB = tdMulMat3Vec3(pose->axes, gradientInA);
    row->error = error;
    FinishJointRow(joint, pose, row);
}

static tdVec3 MakeUnitVector(int axis)
{
    return (tdVec3){axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
}

/// d(twist)/d(angle) in frame A.
static tdVec3 ComputeTwistGradient(tdQuat q, int i)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    tdVec3 v = tdQuatVector(q);
    float vi = tdGetComponent(v, i), vj = tdGetComponent(v, j), vk = tdGetComponent(v, k), w = q.w;
    float square = vi * vi + w * w;
    float g[3] = {0.0f, 0.0f, 0.0f};
    g[i] = 1.0f;
    float inverse = 1.0f / tdMaxFloat(square, MIN_TWIST_SQUARED);
    g[j] = (w * vk + vi * vj) * inverse;
    g[k] = (vi * vk - w * vj) * inverse;
    return (tdVec3){g[0], g[1], g[2]};
}

static void EvaluateLinear(const tdJoint* joint, const tdJointPose* pose, tdJointBlock* block)
{
    tdVec3 arm = tdAdd(pose->rA, pose->d);
    tdVec3 d = pose->d;
    switch (block->kind)
    {
    case TD_BLOCK_POINT:
    {
        // The target is an offset in frame A, usually zero.
        tdVec3 offset = tdMulMat3Vec3(pose->axes, block->target);
        tdVec3 error = tdSub(d, offset), anchor = tdAdd(pose->rA, offset);
        for (int r = 0; r < 3; ++r)
        {
            SetLinearRow(joint, pose, block->rows + r, MakeUnitVector(r), anchor, tdGetComponent(error, r));
        }
        break;
    }
    case TD_BLOCK_LINE:
        for (int r = 0; r < 2; ++r)
        {
            tdVec3 n = tdGetAxis(&pose->axes, (block->axis + 1 + r) % 3);
            SetLinearRow(joint, pose, block->rows + r, n, arm,
                         tdDot(n, d) - tdGetComponent(block->target, r));
        }
        break;
    case TD_BLOCK_COORDINATE:
    {
        tdVec3 n = tdGetAxis(&pose->axes, block->axis);
        SetLinearRow(joint, pose, block->rows, n, arm, tdDot(n, d));
        break;
    }
    case TD_BLOCK_RADIUS:
    {
        tdVec3 axis = tdGetAxis(&pose->axes, block->axis);
        tdVec3 n = tdMulSub(d, tdDot(d, axis), axis);
        float radius = tdLength(n);
        n = radius > MIN_DISTANCE ? tdScale(1.0f / radius, n) : tdGetAxis(&pose->axes, (block->axis + 1) % 3);
        SetLinearRow(joint, pose, block->rows, n, arm, radius);
        break;
    }
    default: // TD_BLOCK_DISTANCE
    {
        float distance = tdLength(d);
        tdVec3 n = distance > MIN_DISTANCE ? tdScale(1.0f / distance, d) : pose->axes.cx;
        SetLinearRow(joint, pose, block->rows, n, arm, distance);
        break;
    }
    }
}

static void EvaluateAngular(const tdJoint* joint, const tdJointPose* pose, tdJointBlock* block)
{
    switch (block->kind)
    {
    case TD_BLOCK_ROTATION:
    case TD_BLOCK_SWING:
    {
        tdVec3 error = ComputeLockTurn(pose->q, block);
        int first = block->kind == TD_BLOCK_SWING ? block->axis + 1 : 0;
        for (int r = 0; r < block->rowCount; ++r)
        {
            SetAngularRow(joint, pose, block->rows + r, MakeUnitVector((first + r) % 3),
                          tdGetComponent(error, r));
        }
        break;
    }
    case TD_BLOCK_AXIS:
    {
        // The rotation from a_k to b_k has no component about k: angle times (e_k x b_k) / |e_k x b_k|.
        int k = block->axis, i = (k + 1) % 3, j = (k + 2) % 3;
        tdVec3 b = GetAxisInA(pose->q, k);
        float x = tdGetComponent(b, i), y = tdGetComponent(b, j);
        float sine = tdSqrt(x * x + y * y);
        float scale = sine > MIN_ANGLE ? tdAtan2(sine, tdGetComponent(b, k)) / sine : 1.0f;
        SetAngularRow(joint, pose, block->rows, MakeUnitVector(i),
                      sine > MIN_ANGLE ? -y * scale : (tdGetComponent(b, k) < 0.0f ? TD_PI : -y));
        SetAngularRow(joint, pose, block->rows + 1, MakeUnitVector(j), x * scale);
        break;
    }
    case TD_BLOCK_TWIST:
    {
        int axis = block->axis;
        float twist =
            block->countsTurns ? tdJoint_MeasureCounted(joint, pose->q, axis) : tdMeasureTwist(pose->q, axis);
        // Locks keep the swing of a hinge at zero, where the gradient is the axis. A stop and a drive that
        // push against each other must act along the same axis, or the locks would have to bear the
        // difference.
        bool isAxis = block->law == TD_LAW_DRIVE || tdHasAxis(joint->heldAxes, axis);
        tdVec3 gradient = isAxis ? MakeUnitVector(axis) : ComputeTwistGradient(pose->q, axis);
        SetAngularRow(joint, pose, block->rows, gradient, twist);
        break;
    }
    case TD_BLOCK_VECTOR:
        SetAngularRow(joint, pose, block->rows, MakeUnitVector(block->axis),
                      tdMeasureRotationVector(pose->q, block->axis));
        break;
    case TD_BLOCK_CONE:
    {
        int k = block->axis;
        tdVec3 e = MakeUnitVector(k), b = GetAxisInA(pose->q, k);
        tdVec3 axis = tdCross(e, b);
        float sine = tdLength(axis);
        axis = sine > MIN_ANGLE ? tdScale(1.0f / sine, axis) : MakeUnitVector((k + 1) % 3);
        SetAngularRow(joint, pose, block->rows, axis, tdAtan2(sine, tdDot(e, b)));
        break;
    }
    default: // TD_BLOCK_ANGLE
    {
        tdVec3 r = ComputeRotationVector(pose->q);
        float angle = tdLength(r);
        SetAngularRow(joint, pose, block->rows,
                      angle > MIN_ANGLE ? tdScale(1.0f / angle, r) : MakeUnitVector(0), angle);
        break;
    }
    }
}

/// Inverts the matrix K of 1, 2 or 3 rows. A direction in which nothing can move gets 0.
static void InvertBlock(const tdJoint* joint, tdJointBlock* block)
{
    const tdJointRow* r = block->rows;
    float* inverse = block->inverse;
    memset(inverse, 0, sizeof(block->inverse));
    float m = joint->invMassA + joint->invMassB;
    if (block->rowCount == 1)
    {
        inverse[0] = r[0].k > 0.0f ? 1.0f / r[0].k : 0.0f;
        return;
    }
    float xy = m * tdDot(r[0].n, r[1].n) + tdDot(r[0].aA, r[1].iA) + tdDot(r[0].aB, r[1].iB);
    float xx = r[0].k, yy = r[1].k;
    if (block->rowCount == 2)
    {
        float determinant = xx * yy - xy * xy;
        if (determinant > MIN_DETERMINANT * xx * yy)
        {
            inverse[0] = yy / determinant;
            inverse[1] = xx / determinant;
            inverse[3] = -xy / determinant;
        }
        else
        {
            float trace = xx + yy;
            inverse[0] = inverse[1] = trace > 0.0f ? 1.0f / trace : 0.0f;
        }
        return;
    }
    float zz = r[2].k;
    float xz = m * tdDot(r[0].n, r[2].n) + tdDot(r[0].aA, r[2].iA) + tdDot(r[0].aB, r[2].iB);
    float yz = m * tdDot(r[1].n, r[2].n) + tdDot(r[1].aA, r[2].iA) + tdDot(r[1].aB, r[2].iB);
    float floor = DIAGONAL_SHARE * (xx + yy + zz);
    xx += floor;
    yy += floor;
    zz += floor;
    float cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    float determinant = xx * cxx + xy * cxy + xz * cxz;
    if (!(determinant > 0.0f))
    {
        float trace = xx + yy + zz;
        inverse[0] = inverse[1] = inverse[2] = trace > 0.0f ? 1.0f / trace : 0.0f;
        return;
    }
    float s = 1.0f / determinant;
    inverse[0] = s * cxx;
    inverse[1] = s * (xx * zz - xz * xz);
    inverse[2] = s * (xx * yy - xy * xy);
    inverse[3] = s * cxy;
    inverse[4] = s * cxz;
    inverse[5] = s * (xy * xz - xx * yz);
}

void tdJoint_MeasureBlock(const tdJoint* joint, const tdJointPose* pose, const tdJointBlock* block,
                          float* errors)
{
    tdVec3 d = pose->d;
    switch (block->kind)
    {
    case TD_BLOCK_POINT:
    {
        tdVec3 error = tdSub(d, tdMulMat3Vec3(pose->axes, block->target));
        errors[0] = error.x;
        errors[1] = error.y;
        errors[2] = error.z;
        return;
    }
    case TD_BLOCK_LINE:
        for (int r = 0; r < 2; ++r)
        {
            errors[r] = tdDot(tdGetAxis(&pose->axes, (block->axis + 1 + r) % 3), d) -
                        tdGetComponent(block->target, r);
        }
        return;
    case TD_BLOCK_COORDINATE:
        errors[0] = tdDot(tdGetAxis(&pose->axes, block->axis), d);
        break;
    case TD_BLOCK_RADIUS:
    {
        tdVec3 axis = tdGetAxis(&pose->axes, block->axis);
        errors[0] = tdLength(tdMulSub(d, tdDot(d, axis), axis));
        break;
    }
    case TD_BLOCK_DISTANCE:
        errors[0] = tdLength(d);
        break;
    case TD_BLOCK_ROTATION:
    case TD_BLOCK_SWING:
    {
        tdVec3 error = ComputeLockTurn(pose->q, block);
        for (int r = 0; r < block->rowCount; ++r)
        {
            errors[r] = tdGetComponent(error, r);
        }
        return;
    }
    case TD_BLOCK_AXIS:
    {
        // The rotation from a_k to b_k has no component about k: angle times (e_k x b_k) / |e_k x b_k|.
        int k = block->axis;
        tdVec3 b = GetAxisInA(pose->q, k);
        float x = tdGetComponent(b, (k + 1) % 3), y = tdGetComponent(b, (k + 2) % 3);
        float z = tdGetComponent(b, k), sine = tdSqrt(x * x + y * y);
        float scale = sine > MIN_ANGLE ? tdAtan2(sine, z) / sine : 1.0f;
        errors[0] = sine > MIN_ANGLE ? -y * scale : (z < 0.0f ? TD_PI : -y);
        errors[1] = x * scale;
        return;
    }
    case TD_BLOCK_TWIST:
        errors[0] = block->countsTurns ? tdJoint_MeasureCounted(joint, pose->q, block->axis)
                                       : tdMeasureTwist(pose->q, block->axis);
        break;
    case TD_BLOCK_VECTOR:
        errors[0] = tdMeasureRotationVector(pose->q, block->axis);
        break;
    case TD_BLOCK_CONE:
    {
        tdVec3 e = MakeUnitVector(block->axis), b = GetAxisInA(pose->q, block->axis);
        errors[0] = tdAtan2(tdLength(tdCross(e, b)), tdDot(e, b));
        break;
    }
    default: // TD_BLOCK_ANGLE
        errors[0] = tdLength(ComputeRotationVector(pose->q));
        break;
    }
    if (block->law == TD_LAW_LOCK)
    {
        errors[0] -= block->target.x;
        errors[0] = block->kind == TD_BLOCK_TWIST ? tdRemoveTurns(errors[0]) : errors[0];
    }
}

void tdJoint_EvaluateBlock(const tdJoint* joint, const tdJointPose* pose, tdJointBlock* block)
{
    if (block->kind <= TD_BLOCK_DISTANCE)
    {
        EvaluateLinear(joint, pose, block);
        for (int r = 0; block->law != TD_LAW_LOCK && r < block->rowCount; ++r)
        {
            RemoveLockedTurns(joint, pose, block->rows + r);
        }
    }
    else
    {
        EvaluateAngular(joint, pose, block);
    }
    if (block->law == TD_LAW_LOCK)
    {
        bool isValue = block->kind == TD_BLOCK_COORDINATE || block->kind == TD_BLOCK_RADIUS ||
                       block->kind == TD_BLOCK_DISTANCE || block->kind == TD_BLOCK_TWIST ||
                       block->kind == TD_BLOCK_CONE || block->kind == TD_BLOCK_ANGLE;
        if (isValue)
        {
            block->rows[0].error -= block->target.x;
            if (block->kind == TD_BLOCK_TWIST)
            {
                block->rows[0].error = tdRemoveTurns(block->rows[0].error);
            }
        }
        if (!block->isCoupled)
        {
            InvertBlock(joint, block);
        }
    }
}

int tdJoint_GetLockRows(tdJoint* joint, tdJointRow** rows, float** impulses)
{
    int count = 0;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        for (int r = 0; block->isCoupled && r < block->rowCount; ++r)
        {
            rows[count] = block->rows + r;
            impulses[count] = block->impulse + r;
            count += 1;
        }
    }
    return count;
}

// L D L^T of the coupled rows: K_ij = n_i.n_j (1/mA + 1/mB) + aA_i.iA_j + aB_i.iB_j. Rows that depend on the
// rows before them, and rows along which nothing can move, get 1 / D = 0.
void tdJoint_FactorLocks(tdJoint* joint)
{
    tdJointRow* rows[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = tdJoint_GetLockRows(joint, rows, impulses);
    float m = joint->invMassA + joint->invMassB;
    float* factor = joint->lockFactor;
    float pivots[TD_MAX_LOCK_ROWS];
    for (int i = 0; i < count; ++i)
    {
        float* row = factor + i * (i + 1) / 2;
        for (int j = 0; j <= i; ++j)
        {
            const float* other = factor + j * (j + 1) / 2;
            float sum = m * tdDot(rows[i]->n, rows[j]->n) + tdDot(rows[i]->aA, rows[j]->iA) +
                        tdDot(rows[i]->aB, rows[j]->iB);
            for (int k = 0; k < j; ++k)
            {
                sum -= row[k] * other[k] * pivots[k];
            }
            if (j < i)
            {
                row[j] = sum * other[j];
            }
            else
            {
                bool isRegular = sum > MIN_PIVOT * rows[i]->k;
                pivots[i] = isRegular ? sum : 0.0f;
                row[i] = isRegular ? 1.0f / sum : 0.0f;
            }
        }
    }
}

void tdSolveFactor(const float* factor, int count, float* x)
{
    for (int i = 0; i < count; ++i)
    {
        const float* row = factor + i * (i + 1) / 2;
        for (int k = 0; k < i; ++k)
        {
            x[i] -= row[k] * x[k];
        }
    }
    for (int i = 0; i < count; ++i)
    {
        x[i] *= factor[i * (i + 1) / 2 + i];
    }
    for (int i = count - 1; i >= 0; --i)
    {
        for (int k = i + 1; k < count; ++k)
        {
            x[i] -= factor[k * (k + 1) / 2 + i] * x[k];
        }
    }
}

/// A row in double: the mass that the locks leave may be a millionth of that of the row alone.
typedef struct ExactRow
{
    double n[3], aA[3], aB[3];
    double iA[3], iB[3]; // I^-1 aA, I^-1 aB
} ExactRow;

static void MulInertiaExactly(const tdSym3* m, const double* v, double* result)
{
    double xx = (double)m->xx, yy = (double)m->yy, zz = (double)m->zz, xy = (double)m->xy, xz = (double)m->xz,
           yz = (double)m->yz;
    result[0] = xx * v[0] + xy * v[1] + xz * v[2];
    result[1] = xy * v[0] + yy * v[1] + yz * v[2];
    result[2] = xz * v[0] + yz * v[1] + zz * v[2];
}

static ExactRow MakeExactRow(const tdJointPose* pose, const tdJointRow* row)
{
    ExactRow exact = {{(double)row->n.x, (double)row->n.y, (double)row->n.z},
                      {(double)row->aA.x, (double)row->aA.y, (double)row->aA.z},
                      {(double)row->aB.x, (double)row->aB.y, (double)row->aB.z},
                      {(double)row->iA.x, (double)row->iA.y, (double)row->iA.z},
                      {(double)row->iB.x, (double)row->iB.y, (double)row->iB.z}};
    if (pose != NULL)
    {
        MulInertiaExactly(&pose->invA, exact.aA, exact.iA);
        MulInertiaExactly(&pose->invB, exact.aB, exact.iB);
    }
    return exact;
}

/// J M^-1 J^T of two rows.
static double MulRowsExactly(const ExactRow* a, const ExactRow* b, double inverseMass)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        sum += inverseMass * a->n[i] * b->n[i] + a->aA[i] * b->iA[i] + a->aB[i] * b->iB[i];
    }
    return sum;
}

/// L D L^T as that of tdJoint_FactorLocks.
typedef struct ExactFactor
{
    int count;
    ExactRow rows[TD_MAX_LOCK_ROWS];
    double lower[TD_MAX_LOCK_ROWS][TD_MAX_LOCK_ROWS]; // 1 / D on the diagonal
} ExactFactor;

static void FactorExactly(ExactFactor* factor, const tdJointPose* pose, tdJointRow** locks,
                          double inverseMass)
{
    double pivots[TD_MAX_LOCK_ROWS];
    for (int i = 0; i < factor->count; ++i)
    {
        factor->rows[i] = MakeExactRow(pose, locks[i]);
        double* row = factor->lower[i];
        double own = MulRowsExactly(&factor->rows[i], &factor->rows[i], inverseMass);
        for (int j = 0; j <= i; ++j)
        {
            const double* other = factor->lower[j];
            double sum = MulRowsExactly(&factor->rows[i], &factor->rows[j], inverseMass);
            for (int k = 0; k < j; ++k)
            {
                sum -= row[k] * other[k] * pivots[k];
            }
            bool isRegular = sum > MIN_EXACT_PIVOT * own;
            pivots[j] = j < i || isRegular ? (j < i ? pivots[j] : sum) : 0.0;
            row[j] = j < i ? sum * other[j] : (isRegular ? 1.0 / sum : 0.0);
        }
    }
}

static void SolveExactly(const ExactFactor* factor, double* x)
{
    for (int i = 0; i < factor->count; ++i)
    {
        for (int k = 0; k < i; ++k)
        {
            x[i] -= factor->lower[i][k] * x[k];
        }
    }
    for (int i = factor->count - 1; i >= 0; --i)
    {
        x[i] *= factor->lower[i][i];
        for (int k = i + 1; k < factor->count; ++k)
        {
            x[i] -= factor->lower[k][i] * x[k];
        }
    }
}

/// Inverse mass that a row keeps beside any locks that do not block it: bodies that turn about the joint, or
/// that only move along the row.
static double ComputeLeastResponse(const tdJoint* joint, const tdJointRow* row)
{
    double inverseMass = (double)joint->invMassA + (double)joint->invMassB;
    if (tdDot(row->n, row->n) > 0.0f)
    {
        return (double)row->k < inverseMass ? (double)row->k : inverseMass;
    }
    double own = (double)row->k, inertia = 0.0;
    inertia +=
        joint->invMassA > 0.0f ? (double)tdDot(joint->armA, joint->armA) / (double)joint->invMassA : 0.0;
    inertia +=
        joint->invMassB > 0.0f ? (double)tdDot(joint->armB, joint->armB) / (double)joint->invMassB : 0.0;
    return own / (1.0 + own * inertia);
}

// A row beside locks. An impulse L on the row alone would accelerate the locked rows. Together with impulses
// -y L on the locks, y = K_l^-1 b and b = J_l M^-1 J^T, the locked rows keep their velocity and the row has
// the inverse effective mass k - b.y. Limits, springs and drives thus act on the motion that the locks leave
// free: the stop of a door has the inertia about the hinge, not about the centre of mass.
void tdJoint_CoupleRows(tdJoint* joint, const tdJointPose* pose)
{
    tdJointRow* locks[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    ExactFactor factor = {.count = tdJoint_GetLockRows(joint, locks, impulses)};
    double m = (double)joint->invMassA + (double)joint->invMassB;
    bool isFactored = false;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        for (int r = 0; block->law != TD_LAW_LOCK && r < block->rowCount; ++r)
        {
            if (!isFactored)
            {
                FactorExactly(&factor, pose, locks, m);
                isFactored = true;
            }
            tdJointRow* row = block->rows + r;
            ExactRow exact = MakeExactRow(pose, row);
            double b[TD_MAX_LOCK_ROWS], y[TD_MAX_LOCK_ROWS];
            for (int l = 0; l < factor.count; ++l)
            {
                b[l] = y[l] = MulRowsExactly(&factor.rows[l], &exact, m);
            }
            SolveExactly(&factor, y);
            double effective = MulRowsExactly(&exact, &exact, m);
            for (int l = 0; l < factor.count; ++l)
            {
                row->couple[l] = (float)y[l];
                effective -= b[l] * y[l];
            }
            bool isFree = effective > (double)MIN_PIVOT * ComputeLeastResponse(joint, row);
            row->effective = isFree ? (float)effective : 0.0f;
        }
    }
}
