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

#include "base/simd_inline.h"
#include "math/quad.h"
#include "math/slerp.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef float Wide __attribute__((vector_size(4 * WIDTH)));
typedef int32_t Mask __attribute__((vector_size(4 * WIDTH)));

typedef struct Quats
{
    Wide x, y, z, w;
} Quats;

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

#if WIDTH == 8
#define TO_ALL(x) ((Wide){(x), (x), (x), (x), (x), (x), (x), (x)})
#define JOIN(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define LOW(v) __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define HIGH(v) __builtin_shufflevector(v, v, 4, 5, 6, 7)
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define PAIR_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define PAIR_HIGH(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define TO_ALL(x) ((Wide){(x), (x), (x), (x)})
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define PAIR_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define PAIR_HIGH(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

TD_SIMD_INLINE Wide Sqrt(Wide x)
{
#if defined(__AVX2__)
    return (Wide)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (Wide)_mm_sqrt_ps((__m128)x);
#elif defined(__wasm_simd128__)
    return (Wide)wasm_f32x4_sqrt((v128_t)x);
#else
    Wide result = x;
    for (int i = 0; i < WIDTH; ++i)
    {
        result[i] = sqrtf(x[i]);
    }
    return result;
#endif
}

// One bit per lane.
TD_SIMD_INLINE int GetBits(Mask mask)
{
#if defined(__AVX2__)
    return _mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__)
    return _mm_movemask_ps((__m128)mask);
#elif defined(__wasm_simd128__)
    return (int)wasm_i32x4_bitmask((v128_t)mask);
#else
    int bits = 0;
    for (int i = 0; i < WIDTH; ++i)
    {
        bits |= mask[i] != 0 ? 1 << i : 0;
    }
    return bits;
#endif
}

TD_SIMD_INLINE Wide Select(Mask mask, Wide yes, Wide no)
{
    return (Wide)(((Mask)yes & mask) | ((Mask)no & ~mask));
}

TD_SIMD_INLINE Quats SelectQuats(Mask mask, Quats yes, Quats no)
{
    return (Quats){Select(mask, yes.x, no.x), Select(mask, yes.y, no.y), Select(mask, yes.z, no.z),
                   Select(mask, yes.w, no.w)};
}

TD_SIMD_INLINE Wide Abs(Wide x) // as tdAbsFloat
{
    return Select(x < TO_ALL(0.0f), -x, x);
}

TD_SIMD_INLINE Quats SpreadQuat(tdQuat q)
{
    return (Quats){TO_ALL(q.x), TO_ALL(q.y), TO_ALL(q.z), TO_ALL(q.w)};
}

// Four floats of each pose into four vectors of one lane per pose, and back: the transpose is its own
// inverse.
TD_SIMD_INLINE void Transpose(Wide v[4])
{
    Wide a = ZIP_LOW(v[0], v[1]), b = ZIP_HIGH(v[0], v[1]);
    Wide c = ZIP_LOW(v[2], v[3]), d = ZIP_HIGH(v[2], v[3]);
    v[0] = PAIR_LOW(a, c);
    v[1] = PAIR_HIGH(a, c);
    v[2] = PAIR_LOW(b, d);
    v[3] = PAIR_HIGH(b, d);
}

TD_SIMD_INLINE void Gather(Wide out[4], const float* const from[WIDTH], int offset)
{
    for (int i = 0; i < 4; ++i)
    {
#if WIDTH == 8
        tdQuad low = tdQuad_Load(from[i] + offset), high = tdQuad_Load(from[i + 4] + offset);
        out[i] = JOIN(low, high);
#else
        out[i] = tdQuad_Load(from[i] + offset);
#endif
    }
    Transpose(out);
}

TD_SIMD_INLINE void Scatter(float* const to[WIDTH], int offset, Wide a, Wide b, Wide c, Wide d)
{
    Wide v[4] = {a, b, c, d};
    Transpose(v);
    for (int i = 0; i < 4; ++i)
    {
#if WIDTH == 8
        tdQuad_Store(to[i] + offset, LOW(v[i]));
        tdQuad_Store(to[i + 4] + offset, HIGH(v[i]));
#else
        tdQuad_Store(to[i] + offset, v[i]);
#endif
    }
}

TD_SIMD_INLINE Quats MulQuats(Quats a, Quats b)
{
    return (Quats){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

TD_SIMD_INLINE Wide DotQuats(Quats a, Quats b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

TD_SIMD_INLINE Quats Combine(Wide wa, Quats a, Wide wb, Quats b)
{
    return (Quats){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
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

TD_SIMD_INLINE Wide ComputeSeries(Wide x, Wide t)
{
    Wide tt = t * t, a[9];
    a[0] = t;
    for (int i = 0; i < 8; ++i)
    {
        a[i + 1] = a[i] * (TO_ALL(tdSeries_squares[i]) * tt - TO_ALL(tdSeries_constants[i]));
    }
    Wide x2 = x * x, x4 = x2 * x2;
    Wide low = (a[0] + a[1] * x) + (a[2] + a[3] * x) * x2;
    Wide high = (a[4] + a[5] * x) + (a[6] + a[7] * x) * x2 + a[8] * x4;
    return low + high * x4;
}

// tdSlerpSeries.
TD_SIMD_INLINE Quats Slerp(Quats a, Quats b, Wide t)
{
    Wide cosine = DotQuats(a, b);
    Mask isFar = cosine < TO_ALL(0.0f);
    Quats opposite = {-b.x, -b.y, -b.z, -b.w};
    cosine = Select(isFar, -cosine, cosine);
    b = SelectQuats(isFar, opposite, b);
    Mask isWide = ~(cosine > TO_ALL(0.6f));
    if (GetBits(isWide) != 0)
    {
        Wide half = Sqrt(TO_ALL(0.5f) + TO_ALL(0.5f) * cosine), scale = TO_ALL(0.5f) / half;
        Quats middle = {scale * (a.x + b.x), scale * (a.y + b.y), scale * (a.z + b.z), scale * (a.w + b.w)};
        Mask isFirst = t < TO_ALL(0.5f);
        a = SelectQuats(isWide & ~isFirst, middle, a);
        b = SelectQuats(isWide & isFirst, middle, b);
        Wide twice = TO_ALL(2.0f) * t;
        t = Select(isWide, Select(isFirst, twice, twice - TO_ALL(1.0f)), t);
        cosine = Select(isWide, half, cosine);
    }
    Wide x = cosine - TO_ALL(1.0f);
    return Combine(ComputeSeries(x, TO_ALL(1.0f) - t), a, ComputeSeries(x, t), b);
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
