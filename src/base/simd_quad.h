// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Four of the eight lanes in one register, for targets with too few registers for two per vector
// (WebAssembly, docs/decisions/112-four-lanes.md). Names and bits are those of simd_scalar.h, which documents
// the functions. Kernels process the eight lanes in two passes.
#pragma once

#include "simd_inline.h"
#include "sse2.h"

#include <stdint.h>

#define TD_SIMD_WIDTH 4

typedef struct tdFloat8
{
    __m128 lanes;
} tdFloat8;

typedef tdFloat8 tdMask8;

TD_SIMD_INLINE tdFloat8 tdLoad8(const float* p)
{
    return (tdFloat8){_mm_loadu_ps(p)};
}

TD_SIMD_INLINE void tdStore8(float* p, tdFloat8 a)
{
    _mm_storeu_ps(p, a.lanes);
}

TD_SIMD_INLINE tdFloat8 tdSplat8(float s)
{
    __m128 v = _mm_set1_ps(s);
    return (tdFloat8){v};
}

TD_SIMD_INLINE tdFloat8 tdZero8(void)
{
    return (tdFloat8){_mm_setzero_ps()};
}

TD_SIMD_INLINE tdFloat8 tdAdd8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_add_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdSub8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_sub_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdMul8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_mul_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdDiv8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_div_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdSqrt8(tdFloat8 a)
{
    return (tdFloat8){_mm_sqrt_ps(a.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdNegate8(tdFloat8 a)
{
    __m128 sign = _mm_set1_ps(-0.0f);
    return (tdFloat8){_mm_xor_ps(a.lanes, sign)};
}

TD_SIMD_INLINE tdFloat8 tdAbs8(tdFloat8 a)
{
    __m128 sign = _mm_set1_ps(-0.0f);
    return (tdFloat8){_mm_andnot_ps(sign, a.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdMin8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_min_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdMax8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_max_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdMask8 tdLess8(tdFloat8 a, tdFloat8 b)
{
    return (tdMask8){_mm_cmplt_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdMask8 tdLessEqual8(tdFloat8 a, tdFloat8 b)
{
    return (tdMask8){_mm_cmple_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdMask8 tdAndMask8(tdMask8 a, tdMask8 b)
{
    return (tdMask8){_mm_and_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdMask8 tdOrMask8(tdMask8 a, tdMask8 b)
{
    return (tdMask8){_mm_or_ps(a.lanes, b.lanes)};
}

TD_SIMD_INLINE tdFloat8 tdSelect8(tdMask8 mask, tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_or_ps(_mm_and_ps(mask.lanes, a.lanes), _mm_andnot_ps(mask.lanes, b.lanes))};
}

TD_SIMD_INLINE unsigned tdMaskBits8(tdMask8 mask)
{
    return (unsigned)_mm_movemask_ps(mask.lanes);
}

TD_SIMD_INLINE void tdGather4x8(const float* base, const int32_t* index, int offset, tdFloat8* out)
{
    const float* p = base + offset;
    __m128 r0 = _mm_loadu_ps(p + 16 * (intptr_t)index[0]), r1 = _mm_loadu_ps(p + 16 * (intptr_t)index[1]);
    __m128 r2 = _mm_loadu_ps(p + 16 * (intptr_t)index[2]), r3 = _mm_loadu_ps(p + 16 * (intptr_t)index[3]);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    out[0] = (tdFloat8){r0};
    out[1] = (tdFloat8){r1};
    out[2] = (tdFloat8){r2};
    out[3] = (tdFloat8){r3};
}

TD_SIMD_INLINE void tdScatter4x8(float* base, const int32_t* index, int offset, const tdFloat8* in,
                                 unsigned lanes)
{
    __m128 r0 = in[0].lanes, r1 = in[1].lanes, r2 = in[2].lanes, r3 = in[3].lanes;
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    float* p = base + offset;
    if ((lanes & 15u) == 15u)
    {
        _mm_storeu_ps(p + 16 * (intptr_t)index[0], r0);
        _mm_storeu_ps(p + 16 * (intptr_t)index[1], r1);
        _mm_storeu_ps(p + 16 * (intptr_t)index[2], r2);
        _mm_storeu_ps(p + 16 * (intptr_t)index[3], r3);
        return;
    }
    __m128 rows[4] = {r0, r1, r2, r3};
    for (int i = 0; i < 4; ++i)
    {
        if ((lanes >> i & 1u) != 0)
        {
            _mm_storeu_ps(p + 16 * (intptr_t)index[i], rows[i]);
        }
    }
}

TD_SIMD_INLINE void tdGatherRows4x8(const float* const* rows, int offset, tdFloat8* out)
{
    __m128 r0 = _mm_loadu_ps(rows[0] + offset), r1 = _mm_loadu_ps(rows[1] + offset);
    __m128 r2 = _mm_loadu_ps(rows[2] + offset), r3 = _mm_loadu_ps(rows[3] + offset);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    out[0] = (tdFloat8){r0};
    out[1] = (tdFloat8){r1};
    out[2] = (tdFloat8){r2};
    out[3] = (tdFloat8){r3};
}

TD_SIMD_INLINE void tdScatterRows4x8(float* const* rows, int offset, const tdFloat8* in)
{
    __m128 r0 = in[0].lanes, r1 = in[1].lanes, r2 = in[2].lanes, r3 = in[3].lanes;
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(rows[0] + offset, r0);
    _mm_storeu_ps(rows[1] + offset, r1);
    _mm_storeu_ps(rows[2] + offset, r2);
    _mm_storeu_ps(rows[3] + offset, r3);
}
