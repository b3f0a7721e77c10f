// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Eight vectors, quaternions and symmetric matrices at once, built from the operations of simd_*.h. Kernels
// include this file after one of those headers, once per width. Every function has the order of operations of
// its scalar counterpart in math/vecmath.h, so each lane has the scalar bits.

typedef struct tdVec3x8
{
    tdFloat8 x, y, z;
} tdVec3x8;

typedef struct tdQuatx8
{
    tdVec3x8 v;
    tdFloat8 w;
} tdQuatx8;

typedef struct tdSym3x8
{
    tdFloat8 xx, yy, zz, xy, xz, yz;
} tdSym3x8;

/// a * b + c, not fused: both operations round.
TD_SIMD_INLINE tdFloat8 tdMulAdd8(tdFloat8 a, tdFloat8 b, tdFloat8 c)
{
    return tdAdd8(tdMul8(a, b), c);
}

TD_SIMD_INLINE tdVec3x8 tdLoadVec3x8(const float* p)
{
    return (tdVec3x8){tdLoad8(p), tdLoad8(p + 8), tdLoad8(p + 16)};
}

TD_SIMD_INLINE void tdStoreVec3x8(float* p, tdVec3x8 a)
{
    tdStore8(p, a.x);
    tdStore8(p + 8, a.y);
    tdStore8(p + 16, a.z);
}

TD_SIMD_INLINE tdVec3x8 tdAddVec3x8(tdVec3x8 a, tdVec3x8 b)
{
    return (tdVec3x8){tdAdd8(a.x, b.x), tdAdd8(a.y, b.y), tdAdd8(a.z, b.z)};
}

TD_SIMD_INLINE tdVec3x8 tdSubVec3x8(tdVec3x8 a, tdVec3x8 b)
{
    return (tdVec3x8){tdSub8(a.x, b.x), tdSub8(a.y, b.y), tdSub8(a.z, b.z)};
}

TD_SIMD_INLINE tdVec3x8 tdMulVec3x8(tdVec3x8 a, tdVec3x8 b)
{
    return (tdVec3x8){tdMul8(a.x, b.x), tdMul8(a.y, b.y), tdMul8(a.z, b.z)};
}

TD_SIMD_INLINE tdVec3x8 tdScaleVec3x8(tdFloat8 s, tdVec3x8 a)
{
    return (tdVec3x8){tdMul8(s, a.x), tdMul8(s, a.y), tdMul8(s, a.z)};
}

/// a + s b
TD_SIMD_INLINE tdVec3x8 tdMulAddVec3x8(tdVec3x8 a, tdFloat8 s, tdVec3x8 b)
{
    return (tdVec3x8){tdAdd8(a.x, tdMul8(s, b.x)), tdAdd8(a.y, tdMul8(s, b.y)), tdAdd8(a.z, tdMul8(s, b.z))};
}

/// a - s b
TD_SIMD_INLINE tdVec3x8 tdMulSubVec3x8(tdVec3x8 a, tdFloat8 s, tdVec3x8 b)
{
    return (tdVec3x8){tdSub8(a.x, tdMul8(s, b.x)), tdSub8(a.y, tdMul8(s, b.y)), tdSub8(a.z, tdMul8(s, b.z))};
}

TD_SIMD_INLINE tdFloat8 tdDotVec3x8(tdVec3x8 a, tdVec3x8 b)
{
    return tdAdd8(tdAdd8(tdMul8(a.x, b.x), tdMul8(a.y, b.y)), tdMul8(a.z, b.z));
}

TD_SIMD_INLINE tdVec3x8 tdCrossVec3x8(tdVec3x8 a, tdVec3x8 b)
{
    return (tdVec3x8){tdSub8(tdMul8(a.y, b.z), tdMul8(a.z, b.y)), tdSub8(tdMul8(a.z, b.x), tdMul8(a.x, b.z)),
                      tdSub8(tdMul8(a.x, b.y), tdMul8(a.y, b.x))};
}

TD_SIMD_INLINE tdVec3x8 tdSelectVec3x8(tdMask8 mask, tdVec3x8 a, tdVec3x8 b)
{
    return (tdVec3x8){tdSelect8(mask, a.x, b.x), tdSelect8(mask, a.y, b.y), tdSelect8(mask, a.z, b.z)};
}

TD_SIMD_INLINE tdVec3x8 tdMulSym3x8(const tdSym3x8* m, tdVec3x8 a)
{
    return (tdVec3x8){tdAdd8(tdAdd8(tdMul8(m->xx, a.x), tdMul8(m->xy, a.y)), tdMul8(m->xz, a.z)),
                      tdAdd8(tdAdd8(tdMul8(m->xy, a.x), tdMul8(m->yy, a.y)), tdMul8(m->yz, a.z)),
                      tdAdd8(tdAdd8(tdMul8(m->xz, a.x), tdMul8(m->yz, a.y)), tdMul8(m->zz, a.z))};
}

TD_SIMD_INLINE tdVec3x8 tdRotatex8(tdQuatx8 q, tdVec3x8 a)
{
    tdVec3x8 t = tdMulAddVec3x8(tdCrossVec3x8(q.v, a), q.w, a);
    return tdMulAddVec3x8(a, tdSplat8(2.0f), tdCrossVec3x8(q.v, t));
}

TD_SIMD_INLINE tdVec3x8 tdInvRotatex8(tdQuatx8 q, tdVec3x8 a)
{
    tdVec3x8 t = tdMulSubVec3x8(tdCrossVec3x8(q.v, a), q.w, a);
    return tdMulAddVec3x8(a, tdSplat8(2.0f), tdCrossVec3x8(q.v, t));
}

TD_SIMD_INLINE tdQuatx8 tdMulQuatx8(tdQuatx8 a, tdQuatx8 b)
{
    tdVec3x8 v = tdAddVec3x8(tdMulAddVec3x8(tdScaleVec3x8(a.w, b.v), b.w, a.v), tdCrossVec3x8(a.v, b.v));
    return (tdQuatx8){v, tdSub8(tdMul8(a.w, b.w), tdDotVec3x8(a.v, b.v))};
}

TD_SIMD_INLINE tdQuatx8 tdNormalizeQuatx8(tdQuatx8 q)
{
    tdFloat8 squared = tdAdd8(tdDotVec3x8(q.v, q.v), tdMul8(q.w, q.w));
    tdFloat8 s = tdDiv8(tdSplat8(1.0f), tdSqrt8(squared));
    return (tdQuatx8){tdScaleVec3x8(s, q.v), tdMul8(s, q.w)};
}
