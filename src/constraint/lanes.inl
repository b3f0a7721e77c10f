// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The formulas of node_constraint.c and the global update of node_pose.c in WIDTH lanes. The operations are the same
// in the same order, so each lane gives the bits of the scalar functions. A lane is a pose in
// pose_group_kernels.inl and a constraint in constraint_group_kernels.inl.
#include "node_constraint.h"

#include "math/wide_quat.inl"

typedef struct Vecs
{
    Wide x, y, z;
} Vecs;

/// A global in lanes: three columns and the origin; the last row is 0 0 0 1.
typedef struct GlobalLanes
{
    Vecs cx, cy, cz, origin;
} GlobalLanes;

TD_SIMD_INLINE Wide Abs(Wide x) // as tdAbsFloat
{
    return Select(x < TO_ALL(0.0f), -x, x);
}

TD_SIMD_INLINE Quats ScaleQuats(Wide s, Quats q)
{
    return (Quats){s * q.x, s * q.y, s * q.z, s * q.w};
}

TD_SIMD_INLINE Quats RenormalizeQuats(Quats q)
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

// rotation ^ weight in lanes with a weight below 1, the rotation in the others.
TD_SIMD_INLINE Quats TakeParts(Quats rotation, Wide weight)
{
    Mask isPart = weight < TO_ALL(1.0f);
    if (GetBits(isPart) == 0)
    {
        return rotation;
    }
    return SelectQuats(isPart, Slerp(SpreadQuat(tdQuat_identity), rotation, weight), rotation);
}

TD_SIMD_INLINE Quats GatherQuats(const float* const from[WIDTH])
{
    Wide v[4];
    Gather(v, from, 0);
    return (Quats){v[0], v[1], v[2], v[3]};
}

TD_SIMD_INLINE Quats ComputeRotations(Quats rest, Quats left, Quats source, Wide weight)
{
    Quats target = MulQuats(left, source);
    Quats whole = RenormalizeQuats(target);
    Mask isPart = weight < TO_ALL(1.0f);
    if (GetBits(isPart) == 0)
    {
        return whole;
    }
    return SelectQuats(isPart, Slerp(rest, target, weight), whole);
}

TD_SIMD_INLINE Quats ComputeTwists(Quats rotation, Vecs axis)
{
    Wide along = rotation.x * axis.x + rotation.y * axis.y + rotation.z * axis.z;
    Wide squared = along * along + rotation.w * rotation.w;
    Wide s = TO_ALL(1.0f) / Sqrt(squared);
    Wide v = s * along;
    Quats twist = {v * axis.x, v * axis.y, v * axis.z, s * rotation.w};
    return SelectQuats(squared > TO_ALL(TD_MIN_TWIST), twist, SpreadQuat(tdQuat_identity));
}

TD_SIMD_INLINE Quats ComputeRolls(Quats rest, Quats left, Quats right, Vecs axis, Quats source, Wide weight)
{
    Quats delta = MulQuats(MulQuats(left, source), right);
    return RenormalizeQuats(MulQuats(rest, TakeParts(ComputeTwists(delta, axis), weight)));
}

// Position of a node, from its translation (in three of four vectors) and the global of its parent.
TD_SIMD_INLINE Vecs ComputePositions(const GlobalLanes* m, const Wide t[4])
{
    return (Vecs){m->cx.x * t[0] + m->cy.x * t[1] + m->cz.x * t[2] + m->origin.x,
                  m->cx.y * t[0] + m->cy.y * t[1] + m->cz.y * t[2] + m->origin.y,
                  m->cx.z * t[0] + m->cy.z * t[1] + m->cz.z * t[2] + m->origin.z};
}

// tdTurnIntoParent for lanes whose parent matrix is a rotation times a uniform scale. `odd` gets a bit for each of the
// other lanes, which use the scalar function.
TD_SIMD_INLINE Vecs TurnIntoParents(const GlobalLanes* m, Vecs direction, int* odd)
{
    Wide xx = DotVecs(m->cx, m->cx), yy = DotVecs(m->cy, m->cy), zz = DotVecs(m->cz, m->cz);
    Wide limit = TO_ALL(TD_UNIFORM_TOLERANCE) * xx;
    Mask isUniform = (Abs(yy - xx) <= limit) & (Abs(zz - xx) <= limit) & (Abs(DotVecs(m->cx, m->cy)) <= limit) &
                  (Abs(DotVecs(m->cy, m->cz)) <= limit) & (Abs(DotVecs(m->cz, m->cx)) <= limit) &
                  (DotVecs(CrossVecs(m->cx, m->cy), m->cz) > TO_ALL(0.0f));
    *odd = ~GetBits(isUniform) & ((1 << WIDTH) - 1);
    return (Vecs){DotVecs(m->cx, direction), DotVecs(m->cy, direction), DotVecs(m->cz, direction)};
}

TD_SIMD_INLINE void TurnOneIntoParent(const tdNodePose* pose, int parent, Vecs direction, int lane,
                                      Vecs* local)
{
    tdVec3 turned =
        tdTurnIntoParent(pose, parent, (tdVec3){direction.x[lane], direction.y[lane], direction.z[lane]});
    local->x[lane] = turned.x;
    local->y[lane] = turned.y;
    local->z[lane] = turned.z;
}

// Half a turn about a perpendicular of the axis, in the lanes without a bit in `plain`.
static TD_NOINLINE Quats MakeHalfTurns(Quats turn, Vecs axis, int plain)
{
    for (int i = 0; i < WIDTH; ++i)
    {
        if ((plain >> i & 1) == 0)
        {
            tdVec3 half = tdPerpendicular((tdVec3){axis.x[i], axis.y[i], axis.z[i]});
            turn.x[i] = half.x;
            turn.y[i] = half.y;
            turn.z[i] = half.z;
            turn.w[i] = 0.0f;
        }
    }
    return turn;
}

// @param direction from the destination to the source
// @param local the same in the frame of the destination's parent
TD_SIMD_INLINE Quats ComputeAims(Quats rest, Vecs axis, Vecs direction, Vecs local, Wide weight)
{
    Wide squared = DotVecs(direction, direction);
    Mask isApart = (squared >= TO_ALL(TD_MIN_AIM_SQUARED)) & (squared <= TO_ALL(TD_MAX_AIM_SQUARED));
    Wide length = Sqrt(DotVecs(local, local));
    Wide sum = length + DotVecs(axis, local);
    Mask isPlain = (sum >= TO_ALL(TD_OPPOSITE_TOLERANCE) * length) & (length > TO_ALL(0.0f));
    Vecs cross = CrossVecs(axis, local);
    Wide scale = TO_ALL(1.0f) / Sqrt(TO_ALL(2.0f) * length * sum);
    Quats turn = {scale * cross.x, scale * cross.y, scale * cross.z, scale * sum};
    int plain = GetBits(isPlain);
    if (plain != (1 << WIDTH) - 1)
    {
        turn = MakeHalfTurns(turn, axis, plain);
    }
    return SelectQuats(isApart, RenormalizeQuats(MulQuats(TakeParts(turn, weight), rest)), rest);
}

TD_SIMD_INLINE GlobalLanes TransposeGlobals(const float* const matrices[WIDTH])
{
    Wide m[4];
    GlobalLanes slot;
    Gather(m, matrices, 0);
    slot.cx = (Vecs){m[0], m[1], m[2]};
    Gather(m, matrices, 4);
    slot.cy = (Vecs){m[0], m[1], m[2]};
    Gather(m, matrices, 8);
    slot.cz = (Vecs){m[0], m[1], m[2]};
    Gather(m, matrices, 12);
    slot.origin = (Vecs){m[0], m[1], m[2]};
    return slot;
}

TD_SIMD_INLINE Vecs TurnVecs(const GlobalLanes* m, Vecs v)
{
    return (Vecs){m->cx.x * v.x + m->cy.x * v.y + m->cz.x * v.z,
                  m->cx.y * v.x + m->cy.y * v.y + m->cz.y * v.z,
                  m->cx.z * v.x + m->cy.z * v.y + m->cz.z * v.z};
}

TD_SIMD_INLINE void ScatterColumns(float* const to[WIDTH], int offset, Vecs first, Vecs second, Wide end)
{
    Wide a[4] = {first.x, first.y, first.z, TO_ALL(0.0f)}, b[4] = {second.x, second.y, second.z, end};
    ScatterTwice(to, offset, a, b);
}

// Computes the global of a node in each lane, into `out` and into the poses. In two halves, because the values exceed
// the registers.
// @param locals first floats of the locals
TD_SIMD_INLINE void ComposeGlobals(const GlobalLanes* restrict p, const float* const locals[WIDTH],
                                float* const to[WIDTH], GlobalLanes* restrict out)
{
    Wide a[4], b[4], c[4]; // t.x t.y t.z q.x, q.y q.z q.w s.x, q.w s.x s.y s.z
    Gather(a, locals, 0);
    Gather(b, locals, 4);
    Gather(c, locals, 6);
    Vecs origin = TurnVecs(p, (Vecs){a[0], a[1], a[2]});
    out->origin = (Vecs){origin.x + p->origin.x, origin.y + p->origin.y, origin.z + p->origin.z};
    Wide qx = a[3], qy = b[0], qz = b[1], qw = b[2], sx = b[3], sy = c[2], sz = c[3];
    Wide x2 = qx + qx, y2 = qy + qy, z2 = qz + qz;
    Wide xx = qx * x2, yy = qy * y2, zz = qz * z2;
    Wide xy = qx * y2, yz = qy * z2, zx = qz * x2;
    Wide wx = qw * x2, wy = qw * y2, wz = qw * z2;
    Wide one = TO_ALL(1.0f);
    out->cz = TurnVecs(p, (Vecs){(zx + wy) * sz, (yz - wx) * sz, (one - (xx + yy)) * sz});
    ScatterColumns(to, 8, out->cz, out->origin, one);
    out->cx = TurnVecs(p, (Vecs){(one - (yy + zz)) * sx, (xy + wz) * sx, (zx - wy) * sx});
    out->cy = TurnVecs(p, (Vecs){(xy - wz) * sy, (one - (xx + zz)) * sy, (yz + wx) * sy});
    ScatterColumns(to, 0, out->cx, out->cy, TO_ALL(0.0f));
}

// Transposes the results; rest at weight 0.
// @return bits of overruled lanes, which must not be written
TD_SIMD_INLINE int FinishRotations(Quats rest, Quats rotation, Wide weight, tdQuat out[WIDTH])
{
    Quats result = SelectQuats(weight > TO_ALL(0.0f), rotation, rest);
    float* to[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        to[i] = &out[i].x;
    }
    Scatter(to, 0, result.x, result.y, result.z, result.w);
    return GetBits(weight < TO_ALL(0.0f));
}
