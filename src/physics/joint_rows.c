// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rows of a joint: metrics, Jacobians, and the solver's passes over them, one joint at a time.
//
// Frames: A at tA = cA + rA with axes a_i, B at tB = cB + rB with axes b_i; d = tB - tA; p_i = dot(d, a_i);
// q = conj(qA) * qB. Every row is Cdot = n.(vB - vA) + aB.wB - aA.wA.
//
// Linear metrics. Any of them is a length along a direction n that is fixed in A or follows d:
//   p_i          n = a_i                          distance to line k   n = (d - p_k a_k) / |...|
//   |p|          n = d / |d|
//   Cdot = n.(d' - wA x d)  with d' = vB + wB x rB - vA - wA x rA
//        = n.(vB - vA) + (rB x n).wB - ((rA + d) x n).wA           so aA = (rA + d) x n, aB = rB x n.
//   A point lock uses the three world axes, C = d less the offset it is held at, turned with A: aA = (rA + o)
//   x n.
//
// Angular metrics. With o = wB - wA seen from A, q' = 1/2 o q, that is v' = 1/2 (w o + o x v), w' = -1/2 o.v:
//   twist about i    t = 2 atan2(v_i, w),  t' = o_i + (o_j (w v_k + v_i v_j) + o_k (v_i v_k - w v_j)) /
//   (v_i^2 + w^2)
//                    for i, j, k cyclic: the gradient has 1 on axis i and the other two as given
//   cone about k     c = angle(a_k, b_k),  c' = o.(a_k x b_k) / |a_k x b_k|
//   whole angle      f = 2 atan2(|v|, |w|), f' = o.v / |v|, v taken with w >= 0
//   rotation vector  r = f v / |v|; near r = 0, where locks live, r' = o
//   aA = aB = the gradient in the world, n = 0.
//
// Hard rows correct a share of their error per sub-step, and relax takes the speed of that correction out
// again.
//
// Springs and drives are forces F = -k (x + s h v') - c v', v' at the end of the sub-step, s = z^2 / (1 +
// z^2), z = k h^2 / m: a soft spring (z << 1) is integrated without loss of energy, a stiff one fully
// implicit; with C = c + s h k the impulse is L = -(h k x + h C v') and with v' = v0 + K L
//   L = -(h k x + h C v0) / (1 + h C K),    v0 = v - K L_old the velocity without the row.
#include "joint.h"
#include "world.h"

#include "math/trig.h"

#include <string.h>

static tdVec3 AxisOf(const tdMat3* m, int axis)
{
    return axis == 0 ? m->cx : (axis == 1 ? m->cy : m->cz);
}

static float Component(tdVec3 v, int axis)
{
    return tdGetComponent(v, axis);
}

float tdMeasureTwist(tdQuat q, int axis)
{
    float i = Component(tdQuatVector(q), axis), w = q.w;
    if (w < 0.0f)
    {
        i = -i;
        w = -w;
    }
    return 2.0f * tdAtan2(i, w);
}

/// Rotation vector of the shorter way.
static tdVec3 RotationVector(tdQuat q)
{
    tdVec3 v = tdQuatVector(q);
    float w = q.w;
    if (w < 0.0f)
    {
        v = tdNegate(v);
        w = -w;
    }
    float length = tdLength(v);
    if (length < 1.0e-6f)
    {
        return tdScale(2.0f, v);
    }
    return tdScale(2.0f * tdAtan2(length, w) / length, v);
}

/// Axis k of B seen from A.
static tdVec3 AxisInA(tdQuat q, int axis)
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
            return Component(p, axis);
        }
        if (count == 2)
        {
            float x = Component(p, (axis + 1) % 3), y = Component(p, (axis + 2) % 3);
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
            tdVec3 b = AxisInA(q, axis);
            float x = Component(b, (axis + 1) % 3), y = Component(b, (axis + 2) % 3);
            return tdAtan2(tdSqrt(x * x + y * y), Component(b, axis));
        }
        return tdLength(RotationVector(q));
    }
    return 0.0f;
}

// Evaluation.

typedef struct Pose
{
    tdVec3 rA, rB, d;
    tdQuat q;
    tdMat3 axes; // of frame A in the world
    tdSym3 invA, invB;
} Pose;

static tdVec3 MulSym(const tdSym3* m, tdVec3 v)
{
    return (tdVec3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                    m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

/// R m R^T
static tdSym3 TurnSym(tdQuat turn, const tdSym3* m)
{
    tdMat3 r = tdMat3FromQuat(turn);
    tdMat3 columns = {{m->xx, m->xy, m->xz}, {m->xy, m->yy, m->yz}, {m->xz, m->yz, m->zz}};
    tdMat3 full = tdMulMat3(tdMulMat3(r, columns), tdTranspose(r));
    return (tdSym3){full.cx.x, full.cy.y, full.cz.z, full.cx.y, full.cx.z, full.cy.z};
}

static Pose ComputePose(const tdSolverStep* step, const tdJoint* joint)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdBodyState* a = states + joint->slotA;
    const tdBodyState* b = states + joint->slotB;
    Pose pose;
    pose.rA = tdRotate(a->deltaRotation, joint->armA);
    pose.rB = tdRotate(b->deltaRotation, joint->armB);
    tdVec3 centers = tdAdd(joint->centerOffset, tdSub(b->deltaPosition, a->deltaPosition));
    pose.d = tdAdd(centers, tdSub(pose.rB, pose.rA));
    tdQuat qA = tdMulQuat(a->deltaRotation, joint->turnA);
    tdQuat qB = tdMulQuat(b->deltaRotation, joint->turnB);
    pose.q = tdInvMulQuat(qA, qB);
    pose.axes = tdMat3FromQuat(qA);
    pose.invA = TurnSym(a->deltaRotation, &joint->invInertiaA);
    pose.invB = TurnSym(b->deltaRotation, &joint->invInertiaB);
    return pose;
}

static void FinishRow(const tdJoint* joint, const Pose* pose, tdJointRow* row)
{
    row->iA = MulSym(&pose->invA, row->aA);
    row->iB = MulSym(&pose->invB, row->aB);
    row->k = (joint->invMassA + joint->invMassB) * tdDot(row->n, row->n) + tdDot(row->aA, row->iA) +
             tdDot(row->aB, row->iB);
}

static void SetLinearRow(const tdJoint* joint, const Pose* pose, tdJointRow* row, tdVec3 n, tdVec3 armA,
                         float error)
{
    row->n = n;
    row->aA = tdCross(armA, n);
    row->aB = tdCross(pose->rB, n);
    row->error = error;
    FinishRow(joint, pose, row);
}

static void SetAngularRow(const tdJoint* joint, const Pose* pose, tdJointRow* row, tdVec3 gradientInA,
                          float error)
{
    row->n = tdVec3_zero;
    row->aA = row->aB = tdMulMat3Vec3(pose->axes, gradientInA);
    row->error = error;
    FinishRow(joint, pose, row);
}

static tdVec3 UnitInA(int axis)
{
    return (tdVec3){axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
}

/// d(twist)/d(angle) in frame A.
static tdVec3 TwistGradient(tdQuat q, int i)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    tdVec3 v = tdQuatVector(q);
    float vi = Component(v, i), vj = Component(v, j), vk = Component(v, k), w = q.w;
    float square = vi * vi + w * w;
    float g[3] = {0.0f, 0.0f, 0.0f};
    g[i] = 1.0f;
    // Half a turn of swing leaves the twist undefined; near it the gradient is cut so that it stays finite.
    float inverse = 1.0f / tdMaxFloat(square, 1.0e-2f);
    g[j] = (w * vk + vi * vj) * inverse;
    g[k] = (vi * vk - w * vj) * inverse;
    return (tdVec3){g[0], g[1], g[2]};
}

static float WrapAngle(float angle)
{
    while (angle > TD_PI)
    {
        angle -= 2.0f * TD_PI;
    }
    while (angle <= -TD_PI)
    {
        angle += 2.0f * TD_PI;
    }
    return angle;
}

static void EvaluateLinear(const tdJoint* joint, const Pose* pose, tdJointBlock* block)
{
    tdVec3 arm = tdAdd(pose->rA, pose->d);
    tdVec3 d = pose->d;
    switch (block->kind)
    {
    case TD_BLOCK_POINT:
    {
        // Held at an offset fixed in A (zero nearly always).
        tdVec3 offset = tdMulMat3Vec3(pose->axes, block->target);
        tdVec3 error = tdSub(d, offset), anchor = tdAdd(pose->rA, offset);
        for (int r = 0; r < 3; ++r)
        {
            SetLinearRow(joint, pose, block->rows + r, UnitInA(r), anchor, Component(error, r));
        }
        break;
    }
    case TD_BLOCK_LINE:
        for (int r = 0; r < 2; ++r)
        {
            tdVec3 n = AxisOf(&pose->axes, (block->axis + 1 + r) % 3);
            SetLinearRow(joint, pose, block->rows + r, n, arm, tdDot(n, d) - Component(block->target, r));
        }
        break;
    case TD_BLOCK_COORDINATE:
    {
        tdVec3 n = AxisOf(&pose->axes, block->axis);
        SetLinearRow(joint, pose, block->rows, n, arm, tdDot(n, d));
        break;
    }
    case TD_BLOCK_RADIUS:
    {
        tdVec3 axis = AxisOf(&pose->axes, block->axis);
        tdVec3 n = tdMulSub(d, tdDot(d, axis), axis);
        float radius = tdLength(n);
        n = radius > 1.0e-7f ? tdScale(1.0f / radius, n) : AxisOf(&pose->axes, (block->axis + 1) % 3);
        SetLinearRow(joint, pose, block->rows, n, arm, radius);
        break;
    }
    default: // TD_BLOCK_DISTANCE
    {
        float distance = tdLength(d);
        tdVec3 n = distance > 1.0e-7f ? tdScale(1.0f / distance, d) : pose->axes.cx;
        SetLinearRow(joint, pose, block->rows, n, arm, distance);
        break;
    }
    }
}

static void EvaluateAngular(const tdJoint* joint, const Pose* pose, tdJointBlock* block)
{
    switch (block->kind)
    {
    case TD_BLOCK_ROTATION:
    case TD_BLOCK_SWING:
    {
        tdVec3 error = RotationVector(pose->q);
        int first = block->kind == TD_BLOCK_SWING ? block->axis + 1 : 0;
        for (int r = 0; r < block->rowCount; ++r)
        {
            int axis = (first + r) % 3;
            SetAngularRow(joint, pose, block->rows + r, UnitInA(axis),
                          Component(error, axis) - Component(block->target, r));
        }
        break;
    }
    case TD_BLOCK_AXIS:
    {
        // The turn from a_k to b_k has no part about k: angle times (e_k x b_k) / |e_k x b_k|.
        int k = block->axis, i = (k + 1) % 3, j = (k + 2) % 3;
        tdVec3 b = AxisInA(pose->q, k);
        float x = Component(b, i), y = Component(b, j);
        float sine = tdSqrt(x * x + y * y);
        float scale = sine > 1.0e-6f ? tdAtan2(sine, Component(b, k)) / sine : 1.0f;
        SetAngularRow(joint, pose, block->rows, UnitInA(i),
                      sine > 1.0e-6f ? -y * scale : (Component(b, k) < 0.0f ? TD_PI : -y));
        SetAngularRow(joint, pose, block->rows + 1, UnitInA(j), x * scale);
        break;
    }
    case TD_BLOCK_TWIST:
    {
        float twist = tdMeasureTwist(pose->q, block->axis);
        if (block->law == TD_LAW_DRIVE)
        {
            float change = twist - block->lastTwist;
            block->turns += change < -TD_PI ? 1 : (change > TD_PI ? -1 : 0);
            block->lastTwist = twist;
            twist += 2.0f * TD_PI * (float)block->turns;
        }
        SetAngularRow(joint, pose, block->rows, TwistGradient(pose->q, block->axis), twist);
        break;
    }
    case TD_BLOCK_CONE:
    {
        int k = block->axis;
        tdVec3 e = UnitInA(k), b = AxisInA(pose->q, k);
        tdVec3 axis = tdCross(e, b);
        float sine = tdLength(axis);
        axis = sine > 1.0e-6f ? tdScale(1.0f / sine, axis) : UnitInA((k + 1) % 3);
        SetAngularRow(joint, pose, block->rows, axis, tdAtan2(sine, tdDot(e, b)));
        break;
    }
    default: // TD_BLOCK_ANGLE
    {
        tdVec3 r = RotationVector(pose->q);
        float angle = tdLength(r);
        SetAngularRow(joint, pose, block->rows, angle > 1.0e-6f ? tdScale(1.0f / angle, r) : UnitInA(0),
                      angle);
        break;
    }
    }
}

/// Inverse of the 1, 2 or 3 rows' K. A direction nothing can move in gets a zero.
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
        if (determinant > 1.0e-6f * xx * yy)
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
    // A small share of the trace keeps a singular block (infinite inertia, infinite mass) solvable.
    float floor = 1.0e-7f * (xx + yy + zz);
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

static void EvaluateBlock(const tdJoint* joint, const Pose* pose, tdJointBlock* block)
{
    if (block->kind <= TD_BLOCK_DISTANCE)
    {
        EvaluateLinear(joint, pose, block);
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
                block->rows[0].error = WrapAngle(block->rows[0].error);
            }
        }
        if (!block->isCoupled)
        {
            InvertBlock(joint, block);
        }
    }
}

static int GetLockRows(tdJoint* joint, tdJointRow** rows, float** impulses)
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

/// Factor K of all coupled rows: K_ij = n_i.n_j (1/mA + 1/mB) + aA_i.iA_j + aB_i.iB_j. Rows that depend on
/// those before them, or that nothing can move along, get a zero.
static void FactorLocks(tdJoint* joint)
{
    tdJointRow* rows[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = GetLockRows(joint, rows, impulses);
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
                bool isRegular = sum > 1.0e-5f * rows[i]->k;
                pivots[i] = isRegular ? sum : 0.0f;
                row[i] = isRegular ? 1.0f / sum : 0.0f;
            }
        }
    }
}

static void SolveFactor(const float* factor, int count, float* x)
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

// A row next to locks. An impulse L on the row alone would set the locked rows moving; with impulses -y L on
// the locks, y = K_l^-1 b, b = J_l M^-1 J^T, they stay as they are, and the row sees the inverse mass k -
// b.y. So limits, springs and drives act on what the locks leave free: a door's stop feels the inertia about
// the hinge, not about the centre.
static void CoupleRows(tdJoint* joint)
{
    tdJointRow* locks[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = GetLockRows(joint, locks, impulses);
    float m = joint->invMassA + joint->invMassB;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        for (int r = 0; block->law != TD_LAW_LOCK && r < block->rowCount; ++r)
        {
            tdJointRow* row = block->rows + r;
            float b[TD_MAX_LOCK_ROWS];
            for (int l = 0; l < count; ++l)
            {
                b[l] = m * tdDot(locks[l]->n, row->n) + tdDot(locks[l]->aA, row->iA) +
                       tdDot(locks[l]->aB, row->iB);
                row->couple[l] = b[l];
            }
            SolveFactor(joint->lockFactor, count, row->couple);
            float effective = row->k;
            for (int l = 0; l < count; ++l)
            {
                effective -= b[l] * row->couple[l];
            }
            row->effective = effective > 1.0e-5f * row->k ? effective : 0.0f;
        }
    }
}

// Passes.

typedef struct Velocity
{
    tdVec3 vA, wA, vB, wB;
} Velocity;

static Velocity LoadVelocity(const tdSolverStep* step, const tdJoint* joint)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdBodyState* a = states + joint->slotA;
    const tdBodyState* b = states + joint->slotB;
    return (Velocity){a->linearVelocity, a->angularVelocity, b->linearVelocity, b->angularVelocity};
}

static void StoreVelocity(const tdSolverStep* step, const tdJoint* joint, const Velocity* v)
{
    tdBodyState* states = (tdBodyState*)(void*)step->states;
    if (joint->writesA)
    {
        states[joint->slotA].linearVelocity = v->vA;
        states[joint->slotA].angularVelocity = v->wA;
    }
    if (joint->writesB)
    {
        states[joint->slotB].linearVelocity = v->vB;
        states[joint->slotB].angularVelocity = v->wB;
    }
}

static float RowSpeed(const tdJointRow* row, const Velocity* v)
{
    return tdDot(row->n, tdSub(v->vB, v->vA)) + (tdDot(row->aB, v->wB) - tdDot(row->aA, v->wA));
}

static void ApplyRow(const tdJoint* joint, const tdJointRow* row, Velocity* v, float impulse)
{
    v->vA = tdMulSub(v->vA, joint->invMassA * impulse, row->n);
    v->vB = tdMulAdd(v->vB, joint->invMassB * impulse, row->n);
    v->wA = tdMulSub(v->wA, impulse, row->iA);
    v->wB = tdMulAdd(v->wB, impulse, row->iB);
}

/// On a row that is no lock, the locks of the joint answering.
static void ApplyCoupled(tdJoint* joint, const tdJointRow* row, Velocity* v, float impulse)
{
    ApplyRow(joint, row, v, impulse);
    tdJointRow* locks[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = GetLockRows(joint, locks, impulses);
    for (int l = 0; l < count; ++l)
    {
        float answer = -row->couple[l] * impulse;
        *impulses[l] += answer;
        ApplyRow(joint, locks[l], v, answer);
    }
}

static float MaxCorrection(const tdJointBlock* block)
{
    return block->kind <= TD_BLOCK_DISTANCE ? TD_MAX_LINEAR_CORRECTION : TD_MAX_TURN_CORRECTION;
}

/// Speed at which a block corrects its errors, cut to what is allowed.
static void AddCorrection(const tdSolverStep* step, const tdJointBlock* block, float* rhs)
{
    float bias[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f, limit = MaxCorrection(block);
    for (int r = 0; r < block->rowCount; ++r)
    {
        bias[r] = step->jointSoftness.biasRate * block->rows[r].error;
        square += bias[r] * bias[r];
    }
    float scale = square > limit * limit ? limit / tdSqrt(square) : 1.0f;
    for (int r = 0; r < block->rowCount; ++r)
    {
        rhs[r] += scale * bias[r];
    }
}

/// A lock on its own.
static void SolveLock(const tdSolverStep* step, const tdJoint* joint, tdJointBlock* block, Velocity* v,
                      bool isRelax)
{
    float rhs[3] = {0.0f, 0.0f, 0.0f};
    float massScale = isRelax ? 1.0f : step->jointSoftness.massScale;
    float impulseScale = isRelax ? 0.0f : step->jointSoftness.impulseScale;
    for (int r = 0; r < block->rowCount; ++r)
    {
        rhs[r] = RowSpeed(block->rows + r, v);
    }
    if (!isRelax)
    {
        AddCorrection(step, block, rhs);
    }
    const float* m = block->inverse;
    float impulse[3] = {-(m[0] * rhs[0] + m[3] * rhs[1] + m[4] * rhs[2]),
                        -(m[3] * rhs[0] + m[1] * rhs[1] + m[5] * rhs[2]),
                        -(m[4] * rhs[0] + m[5] * rhs[1] + m[2] * rhs[2])};
    for (int r = 0; r < block->rowCount; ++r)
    {
        float delta = massScale * impulse[r] - impulseScale * block->impulse[r];
        block->impulse[r] += delta;
        ApplyRow(joint, block->rows + r, v, delta);
    }
}

/// All coupled locks of the joint at once.
static void SolveLocks(const tdSolverStep* step, tdJoint* joint, Velocity* v, bool isRelax)
{
    tdJointRow* rows[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    float x[TD_MAX_LOCK_ROWS];
    int count = GetLockRows(joint, rows, impulses);
    for (int i = 0; i < count; ++i)
    {
        x[i] = RowSpeed(rows[i], v);
    }
    float massScale = 1.0f, impulseScale = 0.0f;
    if (!isRelax)
    {
        massScale = step->jointSoftness.massScale;
        impulseScale = step->jointSoftness.impulseScale;
        int first = 0;
        for (int i = 0; i < joint->blockCount; ++i)
        {
            if (joint->blocks[i].isCoupled)
            {
                AddCorrection(step, joint->blocks + i, x + first);
                first += joint->blocks[i].rowCount;
            }
        }
    }
    SolveFactor(joint->lockFactor, count, x);
    for (int i = 0; i < count; ++i)
    {
        float delta = -massScale * x[i] - impulseScale * *impulses[i];
        *impulses[i] += delta;
        ApplyRow(joint, rows[i], v, delta);
    }
}

/// How far a value is inside a bound: positive inside. Angles about one axis are compared the short way
/// round.
static void RangeGaps(const tdJointBlock* block, float value, float* lower, float* upper)
{
    *lower = value - block->min;
    *upper = block->max - value;
    if (block->kind == TD_BLOCK_TWIST)
    {
        float turn = 2.0f * TD_PI;
        if (*lower < 0.0f && block->max < INFINITY && value + turn - block->max < -*lower)
        {
            *upper = block->max - (value + turn);
            *lower = INFINITY;
        }
        else if (*upper < 0.0f && block->min > -INFINITY && block->min - (value - turn) < -*upper)
        {
            *lower = value - turn - block->min;
            *upper = INFINITY;
        }
    }
}

static void SolveBound(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, Velocity* v, float gap,
                       float sign, float* accumulated, bool isRelax)
{
    const tdJointRow* row = block->rows;
    if (!(row->effective > 0.0f))
    {
        return;
    }
    float bias = 0.0f, massScale = 1.0f, impulseScale = 0.0f;
    if (gap > 0.0f)
    {
        bias = gap * step->invSubStep;
    }
    else if (!isRelax)
    {
        bias = tdMaxFloat(step->jointSoftness.biasRate * gap, -MaxCorrection(block));
        massScale = step->jointSoftness.massScale;
        impulseScale = step->jointSoftness.impulseScale;
    }
    float speed = sign * RowSpeed(row, v);
    float impulse = *accumulated - massScale * (speed + bias) / row->effective - impulseScale * *accumulated;
    impulse = tdMaxFloat(impulse, 0.0f);
    float delta = impulse - *accumulated;
    *accumulated = impulse;
    ApplyCoupled(joint, row, v, sign * delta);
}

static void SolveRange(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, Velocity* v,
                       bool isRelax)
{
    float lower, upper;
    RangeGaps(block, block->rows[0].error, &lower, &upper);
    if (lower < INFINITY)
    {
        SolveBound(step, joint, block, v, lower, 1.0f, &block->impulse[0], isRelax);
    }
    if (upper < INFINITY)
    {
        SolveBound(step, joint, block, v, upper, -1.0f, &block->impulse[1], isRelax);
    }
}

/// A force -stiffness x - damping (v - velocity) on one row, at most `limit` as an impulse.
static void SolveSpringRow(const tdSolverStep* step, tdJoint* joint, const tdJointRow* row, Velocity* v,
                           float x, float velocity, float stiffness, float damping, float limit,
                           float* accumulated)
{
    float h = step->subStep;
    float z = stiffness * h * h * row->effective;
    float implicit = z * z / (1.0f + z * z);
    float c = damping + implicit * h * stiffness;
    float before = RowSpeed(row, v) - row->effective * *accumulated;
    float impulse =
        (h * damping * velocity - h * stiffness * x - h * c * before) / (1.0f + h * c * row->effective);
    impulse = tdClampFloat(impulse, -limit, limit);
    float delta = impulse - *accumulated;
    *accumulated = impulse;
    ApplyCoupled(joint, row, v, delta);
}

static void SolveSpring(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, Velocity* v)
{
    if (block->rowCount > 1)
    {
        // A soft lock of several rows: the same spring on each (the length of the error is the metric).
        for (int r = 0; r < block->rowCount; ++r)
        {
            SolveSpringRow(step, joint, block->rows + r, v, block->rows[r].error, 0.0f, block->stiffness,
                           block->damping, INFINITY, &block->impulse[r]);
        }
        return;
    }
    float lower, upper;
    RangeGaps(block, block->rows[0].error, &lower, &upper);
    if (lower < 0.0f || upper < 0.0f || block->min == block->max)
    {
        float x = lower < 0.0f ? lower : -upper;
        SolveSpringRow(step, joint, block->rows, v, x, 0.0f, block->stiffness, block->damping, INFINITY,
                       &block->impulse[0]);
    }
    else if (block->impulse[0] != 0.0f)
    {
        ApplyCoupled(joint, block->rows, v, -block->impulse[0]);
        block->impulse[0] = 0.0f;
    }
}

static void SolveDrive(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, Velocity* v)
{
    const tdJointRow* row = block->rows;
    if (!(row->effective > 0.0f))
    {
        return;
    }
    float scale = block->isAcceleration ? 1.0f / row->effective : 1.0f;
    SolveSpringRow(step, joint, row, v, row->error - block->positionTarget, block->velocityTarget,
                   scale * block->stiffness, scale * block->damping, step->subStep * block->maxForce,
                   &block->impulse[0]);
}

static void SolveBlock(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, Velocity* v,
                       bool isRelax)
{
    switch (block->law)
    {
    case TD_LAW_LOCK:
        if (!block->isCoupled)
        {
            SolveLock(step, joint, block, v, isRelax);
        }
        break;
    case TD_LAW_RANGE:
        SolveRange(step, joint, block, v, isRelax);
        break;
    case TD_LAW_SPRING:
        SolveSpring(step, joint, block, v);
        break;
    default:
        SolveDrive(step, joint, block, v);
        break;
    }
}

static float RowImpulse(const tdJointBlock* block, int row)
{
    return block->law == TD_LAW_RANGE ? block->impulse[0] - block->impulse[1] : block->impulse[row];
}

void tdJoint_PrepareFrames(const tdSolverStep* step, tdJoint* joint)
{
    const tdWorld* world = step->world;
    static const tdBodySim fixed = {.transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}}};
    const tdBodySim* a = joint->bodyA >= 0 ? tdWorld_GetBodySim(world, joint->bodyA) : &fixed;
    const tdBodySim* b = joint->bodyB >= 0 ? tdWorld_GetBodySim(world, joint->bodyB) : &fixed;
    joint->slotA = joint->bodyA >= 0 ? world->bodies.data[joint->bodyA].simIndex : 0;
    joint->slotB = joint->bodyB >= 0 ? world->bodies.data[joint->bodyB].simIndex : 0;
    joint->writesA = joint->slotA > 0 && (a->flags & TD_BODY_DYNAMIC) != 0;
    joint->writesB = joint->slotB > 0 && (b->flags & TD_BODY_DYNAMIC) != 0;
    joint->turnA = tdMulQuat(a->transform.rotation, joint->frameA.rotation);
    joint->turnB = tdMulQuat(b->transform.rotation, joint->frameB.rotation);
    joint->armA = tdRotate(a->transform.rotation, tdSub(joint->frameA.position, a->localCenter));
    joint->armB = tdRotate(b->transform.rotation, tdSub(joint->frameB.position, b->localCenter));
    joint->centerOffset = tdSub(b->center, a->center);
    joint->invMassA = joint->writesA ? a->invMass : 0.0f;
    joint->invMassB = joint->writesB ? b->invMass : 0.0f;
    joint->invInertiaA = joint->writesA ? a->invInertia : (tdSym3){0};
    joint->invInertiaB = joint->writesB ? b->invInertia : (tdSym3){0};
}

void tdJoint_Prepare(const tdSolverStep* step, tdJoint* joint)
{
    tdJoint_PrepareFrames(step, joint);
    Pose pose = ComputePose(step, joint);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        block->linearSum = block->angularSum = tdVec3_zero;
        EvaluateBlock(joint, &pose, block);
    }
    FactorLocks(joint);
    CoupleRows(joint);
}

void tdJoint_WarmStart(const tdSolverStep* step, tdJoint* joint)
{
    Velocity v = LoadVelocity(step, joint);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        for (int r = 0; r < block->rowCount; ++r)
        {
            ApplyRow(joint, block->rows + r, &v, RowImpulse(block, r));
        }
    }
    StoreVelocity(step, joint, &v);
}

// Locks first, then the rows that leave them in peace, from last to first: drives, then limits.
void tdJoint_Solve(const tdSolverStep* step, tdJoint* joint)
{
    Velocity v = LoadVelocity(step, joint);
    SolveLocks(step, joint, &v, false);
    for (int i = joint->blockCount - 1; i >= 0; --i)
    {
        SolveBlock(step, joint, joint->blocks + i, &v, false);
    }
    StoreVelocity(step, joint, &v);
}

static bool IsSoft(const tdJointBlock* block)
{
    return block->law == TD_LAW_SPRING || block->law == TD_LAW_DRIVE;
}

static void AddReaction(tdJointBlock* block)
{
    for (int r = 0; r < block->rowCount; ++r)
    {
        float impulse = RowImpulse(block, r);
        const tdJointRow* row = block->rows + r;
        block->linearSum = tdMulAdd(block->linearSum, impulse, row->n);
        if (block->kind > TD_BLOCK_DISTANCE)
        {
            block->angularSum = tdMulAdd(block->angularSum, impulse, row->aB);
        }
    }
}

void tdJoint_Relax(const tdSolverStep* step, tdJoint* joint)
{
    Velocity v = LoadVelocity(step, joint);
    Pose pose = ComputePose(step, joint);
    // Springs belong to the pose at the begin of the sub-step, rigid rows to the one at its end.
    for (int i = 0; i < joint->blockCount; ++i)
    {
        if (!IsSoft(joint->blocks + i))
        {
            EvaluateBlock(joint, &pose, joint->blocks + i);
        }
    }
    FactorLocks(joint);
    CoupleRows(joint);
    SolveLocks(step, joint, &v, true);
    for (int i = joint->blockCount - 1; i >= 0; --i)
    {
        SolveBlock(step, joint, joint->blocks + i, &v, true);
    }
    bool hasSoft = false;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        AddReaction(block);
        if (IsSoft(block))
        {
            EvaluateBlock(joint, &pose, block);
            hasSoft = true;
        }
    }
    if (hasSoft)
    {
        CoupleRows(joint);
    }
    StoreVelocity(step, joint, &v);
}

void tdJoint_Store(const tdSolverStep* step, tdJoint* joint)
{
    float invTime = step->timeStep > 0.0f ? 1.0f / step->timeStep : 0.0f;
    joint->force = joint->torque = tdVec3_zero;
    for (int l = 0; l < joint->limitCount; ++l)
    {
        joint->limitReactions[l] = tdVec3_zero;
    }
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        joint->force = tdMulAdd(joint->force, invTime, block->linearSum);
        joint->torque = tdMulAdd(joint->torque, invTime, block->angularSum);
        bool isLinear = block->kind <= TD_BLOCK_DISTANCE;
        tdVec3 sum = tdScale(invTime, isLinear ? block->linearSum : block->angularSum);
        if (block->drive >= 0)
        {
            joint->driveReactions[block->drive] = sum;
        }
        else if (block->rowCount == 1 || block->limits[0] == block->limits[1])
        {
            joint->limitReactions[block->limits[0]] = sum;
        }
        else
        {
            // Locks gathered from one-axis limits: each gets the part along its own axis.
            Pose pose = ComputePose(step, joint);
            for (int r = 0; r < block->rowCount; ++r)
            {
                const tdJointLimit* limit = joint->limits + block->limits[r];
                tdVec3 axis =
                    AxisOf(&pose.axes, tdGetAxisOfSet(isLinear ? limit->linearAxes : limit->angularAxes));
                joint->limitReactions[block->limits[r]] = tdScale(tdDot(sum, axis), axis);
            }
        }
    }
}
