// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// node_constraint.c once more with WIDTH poses in the lanes of vectors, operation for operation, so that each
// lane gets the bits it would get alone. What is rare (uneven scale above an aim, roots as ends of one) goes
// through the functions for one pose, lane by lane.
//
// Globals that aims refresh stay in `scratch`, one slot per refreshed node, so that they are turned into
// lanes once; the poses get them, too.
#include "crowd.h"

#include "math/wide_quat.inl"

typedef struct Vecs
{
    Wide x, y, z;
} Vecs;

// What runs, with the arrays of the poses at hand.
typedef struct Run
{
    const tdCrowd* crowd;
    tdTrs* locals[WIDTH];
    tdMat4* globals[WIDTH];
} Run;

/// A global in lanes: three columns and the origin; the last row is 0 0 0 1.
typedef struct Slot
{
    Vecs cx, cy, cz, origin;
} Slot;

TD_SIMD_INLINE Wide Abs(Wide x) // as tdAbsFloat
{
    return Select(x < TO_ALL(0.0f), -x, x);
}

TD_SIMD_INLINE Quats ScaleQuats(Wide s, Quats q)
{
    return (Quats){s * q.x, s * q.y, s * q.z, s * q.w};
}

TD_SIMD_INLINE Quats Renormalize(Quats q)
{
    return ScaleQuats(TO_ALL(1.5f) - TO_ALL(0.5f) * DotQuats(q, q), q);
}

TD_SIMD_INLINE Wide DotVecs(Vecs a, Vecs b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TD_SIMD_INLINE Vecs CrossVecs(Vecs a, Vecs b)
{
    return (Vecs){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A part of a rotation in the lanes whose weight is below 1; the whole rotation in the others.
TD_SIMD_INLINE Quats TakePart(Quats rotation, Wide weight)
{
    Mask isPart = weight < TO_ALL(1.0f);
    if (GetBits(isPart) == 0)
    {
        return rotation;
    }
    return SelectQuats(isPart, Slerp(SpreadQuat(tdQuat_identity), rotation, weight), rotation);
}

TD_SIMD_INLINE Quats GatherRotations(const Run* run, int node)
{
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        from[i] = &run->locals[i][node].rotation.x;
    }
    Wide v[4];
    Gather(v, from, 0);
    return (Quats){v[0], v[1], v[2], v[3]};
}

TD_SIMD_INLINE Quats ComputeRotations(const Run* run, const tdConstraintStep* step, Wide weight)
{
    Quats target = MulQuats(SpreadQuat(step->left), GatherRotations(run, step->source));
    Quats whole = Renormalize(target);
    Mask isPart = weight < TO_ALL(1.0f);
    if (GetBits(isPart) == 0)
    {
        return whole;
    }
    return SelectQuats(isPart, Slerp(SpreadQuat(step->rest), target, weight), whole);
}

TD_SIMD_INLINE Quats ComputeTwists(Quats rotation, tdVec3 axis)
{
    Wide ax = TO_ALL(axis.x), ay = TO_ALL(axis.y), az = TO_ALL(axis.z);
    Wide along = rotation.x * ax + rotation.y * ay + rotation.z * az;
    Wide squared = along * along + rotation.w * rotation.w;
    Wide s = TO_ALL(1.0f) / Sqrt(squared);
    Wide v = s * along;
    Quats twist = {v * ax, v * ay, v * az, s * rotation.w};
    return SelectQuats(squared > TO_ALL(5.0e-7f), twist, SpreadQuat(tdQuat_identity));
}

TD_SIMD_INLINE Quats ComputeRolls(const Run* run, const tdConstraintStep* step, Wide weight)
{
    Quats source = GatherRotations(run, step->source);
    Quats delta = MulQuats(MulQuats(SpreadQuat(step->left), source), SpreadQuat(step->right));
    Quats twist = TakePart(ComputeTwists(delta, step->axis), weight);
    return Renormalize(MulQuats(SpreadQuat(step->rest), twist));
}

TD_SIMD_INLINE Vecs ComputePositions(const Run* run, int node, int slot)
{
    if (slot < 0)
    {
        Vecs result = {TO_ALL(0.0f), TO_ALL(0.0f), TO_ALL(0.0f)};
        for (int i = 0; i < WIDTH; ++i)
        {
            tdVec3 position = tdComputePosition(run->crowd->poses[i], node, -1);
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
    const Slot* m = (const Slot*)run->crowd->scratch + slot;
    return (Vecs){m->cx.x * t[0] + m->cy.x * t[1] + m->cz.x * t[2] + m->origin.x,
                  m->cx.y * t[0] + m->cy.y * t[1] + m->cz.y * t[2] + m->origin.y,
                  m->cx.z * t[0] + m->cy.z * t[1] + m->cz.z * t[2] + m->origin.z};
}

TD_SIMD_INLINE Vecs TurnIntoParents(const Run* run, const tdConstraintStep* step, Vecs direction)
{
    Vecs local = direction;
    int odd = (1 << WIDTH) - 1; // lanes that take the way for one pose
    if (step->destinationSlot >= 0)
    {
        const Slot* m = (const Slot*)run->crowd->scratch + step->destinationSlot;
        Wide xx = DotVecs(m->cx, m->cx), yy = DotVecs(m->cy, m->cy), zz = DotVecs(m->cz, m->cz);
        Wide limit = TO_ALL(4.0e-6f) * xx;
        Mask isEven = (Abs(yy - xx) <= limit) & (Abs(zz - xx) <= limit) &
                      (Abs(DotVecs(m->cx, m->cy)) <= limit) & (Abs(DotVecs(m->cy, m->cz)) <= limit) &
                      (Abs(DotVecs(m->cz, m->cx)) <= limit) &
                      (DotVecs(CrossVecs(m->cx, m->cy), m->cz) > TO_ALL(0.0f));
        odd &= ~GetBits(isEven);
        local = (Vecs){DotVecs(m->cx, direction), DotVecs(m->cy, direction), DotVecs(m->cz, direction)};
    }
    for (int i = 0; i < WIDTH && odd != 0; ++i, odd >>= 1)
    {
        if ((odd & 1) != 0)
        {
            tdVec3 turned = tdTurnIntoParent(run->crowd->poses[i], step->destinationParent,
                                             (tdVec3){direction.x[i], direction.y[i], direction.z[i]});
            local.x[i] = turned.x;
            local.y[i] = turned.y;
            local.z[i] = turned.z;
        }
    }
    return local;
}

TD_SIMD_INLINE Quats ComputeAims(const Run* run, const tdConstraintStep* step, Wide weight)
{
    Vecs from = ComputePositions(run, step->destination, step->destinationSlot);
    Vecs to = ComputePositions(run, step->source, step->sourceSlot);
    Vecs direction = {to.x - from.x, to.y - from.y, to.z - from.z};
    Wide squared = DotVecs(direction, direction);
    Mask isApart = (squared >= TO_ALL(1.0e-18f)) & (squared <= TO_ALL(3.0e38f));
    Vecs local = TurnIntoParents(run, step, direction);
    Vecs axis = {TO_ALL(step->axis.x), TO_ALL(step->axis.y), TO_ALL(step->axis.z)};
    Wide length = Sqrt(DotVecs(local, local));
    Wide sum = length + DotVecs(axis, local);
    Mask isPlain = (sum >= TO_ALL(1.0e-6f) * length) & (length > TO_ALL(0.0f));
    Vecs cross = CrossVecs(axis, local);
    Wide scale = TO_ALL(1.0f) / Sqrt(TO_ALL(2.0f) * length * sum);
    Quats turn = {scale * cross.x, scale * cross.y, scale * cross.z, scale * sum};
    if (GetBits(isPlain) != (1 << WIDTH) - 1)
    {
        tdVec3 half = tdPerpendicular(step->axis);
        turn = SelectQuats(isPlain, turn, SpreadQuat((tdQuat){half.x, half.y, half.z, 0.0f}));
    }
    Quats rest = SpreadQuat(step->rest);
    return SelectQuats(isApart, Renormalize(MulQuats(TakePart(turn, weight), rest)), rest);
}

// Global of one node in all poses.
TD_SIMD_INLINE void RefreshNode(const Run* run, int node, int parentSlot, Slot* slot)
{
    const float* from[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        from[i] = &run->locals[i][node].translation.x;
    }
    Wide a[4], b[4], c[4]; // t.x t.y t.z q.x, q.y q.z q.w s.x, q.w s.x s.y s.z
    Gather(a, from, 0);
    Gather(b, from, 4);
    Gather(c, from, 6);
    Wide qx = a[3], qy = b[0], qz = b[1], qw = b[2], sx = b[3], sy = c[2], sz = c[3];
    Wide x2 = qx + qx, y2 = qy + qy, z2 = qz + qz;
    Wide xx = qx * x2, yy = qy * y2, zz = qz * z2;
    Wide xy = qx * y2, yz = qy * z2, zx = qz * x2;
    Wide wx = qw * x2, wy = qw * y2, wz = qw * z2;
    Wide one = TO_ALL(1.0f);
    Vecs rx = {(one - (yy + zz)) * sx, (xy + wz) * sx, (zx - wy) * sx};
    Vecs ry = {(xy - wz) * sy, (one - (xx + zz)) * sy, (yz + wx) * sy};
    Vecs rz = {(zx + wy) * sz, (yz - wx) * sz, (one - (xx + yy)) * sz};
    Slot placements;
    const Slot* p = (const Slot*)run->crowd->scratch + parentSlot;
    if (parentSlot < 0)
    {
        const float* matrices[WIDTH];
        for (int i = 0; i < WIDTH; ++i)
        {
            matrices[i] = run->crowd->poses[i]->placementMatrix.m;
        }
        Wide m[4];
        Gather(m, matrices, 0);
        placements.cx = (Vecs){m[0], m[1], m[2]};
        Gather(m, matrices, 4);
        placements.cy = (Vecs){m[0], m[1], m[2]};
        Gather(m, matrices, 8);
        placements.cz = (Vecs){m[0], m[1], m[2]};
        Gather(m, matrices, 12);
        placements.origin = (Vecs){m[0], m[1], m[2]};
        p = &placements;
    }
#define COLUMN(v)                                                                                            \
    ((Vecs){p->cx.x * (v).x + p->cy.x * (v).y + p->cz.x * (v).z,                                             \
            p->cx.y * (v).x + p->cy.y * (v).y + p->cz.y * (v).z,                                             \
            p->cx.z * (v).x + p->cy.z * (v).y + p->cz.z * (v).z})
    Slot result = {COLUMN(rx), COLUMN(ry), COLUMN(rz), COLUMN(((Vecs){a[0], a[1], a[2]}))};
#undef COLUMN
    result.origin.x += p->origin.x;
    result.origin.y += p->origin.y;
    result.origin.z += p->origin.z;
    *slot = result;
    float* to[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        to[i] = run->globals[i][node].m;
    }
    Wide zero = TO_ALL(0.0f);
    Scatter(to, 0, result.cx.x, result.cx.y, result.cx.z, zero);
    Scatter(to, 4, result.cy.x, result.cy.y, result.cy.z, zero);
    Scatter(to, 8, result.cz.x, result.cz.y, result.cz.z, zero);
    Scatter(to, 12, result.origin.x, result.origin.y, result.origin.z, one);
}

TD_SIMD_INLINE void WriteRotations(const Run* run, const tdConstraintStep* step, Wide weight, Quats rotation)
{
    Quats result = SelectQuats(weight > TO_ALL(0.0f), rotation, SpreadQuat(step->rest));
    tdQuat quats[WIDTH];
    float* to[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        to[i] = &quats[i].x;
    }
    Scatter(to, 0, result.x, result.y, result.z, result.w);
    int overruled = GetBits(weight < TO_ALL(0.0f));
    for (int i = 0; i < WIDTH; ++i)
    {
        if ((overruled >> i & 1) == 0)
        {
            tdNodePose_SetRotation(run->crowd->poses[i], step->destination, quats[i]);
        }
    }
}

static void RunCrowd(const tdCrowd* crowd)
{
    const tdConstraintList* list = crowd->list;
    Run all = {.crowd = crowd};
    const Run* run = &all;
    for (int i = 0; i < WIDTH; ++i)
    {
        all.locals[i] = crowd->poses[i]->locals;
        all.globals[i] = crowd->poses[i]->globals;
    }
    for (int place = 0; place < list->count; ++place)
    {
        const tdConstraintStep* step = &list->steps[place];
        for (int i = step->refreshStart; i < step->refreshEnd; ++i)
        {
            RefreshNode(run, list->refreshNodes[i], list->refreshParents[i], (Slot*)run->crowd->scratch + i);
        }
        Wide weight = TO_ALL(0.0f);
        for (int i = 0; i < WIDTH; ++i)
        {
            weight[i] = crowd->weights[i][place];
        }
        Quats rotation = SpreadQuat(step->rest);
        if (!step->isInCycle)
        {
            switch (step->kind)
            {
            case TD_CONSTRAINT_ROTATION:
                rotation = ComputeRotations(run, step, weight);
                break;
            case TD_CONSTRAINT_ROLL:
                rotation = ComputeRolls(run, step, weight);
                break;
            case TD_CONSTRAINT_AIM:
                rotation = ComputeAims(run, step, weight);
                break;
            }
        }
        WriteRotations(run, step, weight, rotation);
    }
    for (int i = 0; i < WIDTH && list->refreshCount > 0; ++i)
    {
        for (int word = 0; word < crowd->poses[i]->wordCount; ++word)
        {
            crowd->poses[i]->fresh[word] |= list->refreshBits[word];
        }
    }
}

tdCrowdFcn* GET_CROWD(void)
{
    return RunCrowd;
}
