// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Eight floats in two SSE2 registers (simd128 in WebAssembly). Names and bits are those of simd_scalar.h,
// which documents the functions. MINPS and MAXPS are compare-and-select (a < b ? a : b), also for NaN and
// signed zeros.
#pragma once

#include "simd_inline.h"
#include "sse2.h"

#include <stdint.h>

#define TD_SIMD_WIDTH 8

typedef struct tdFloat8
{
    __m128 low, high;
} tdFloat8;

typedef tdFloat8 tdMask8;

TD_SIMD_INLINE tdFloat8 tdLoad8(const float* p)
{
    return (tdFloat8){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
}

TD_SIMD_INLINE void tdStore8(float* p, tdFloat8 a)
{
    _mm_storeu_ps(p, a.low);
    _mm_storeu_ps(p + 4, a.high);
}

TD_SIMD_INLINE tdFloat8 tdSplat8(float s)
{
    __m128 v = _mm_set1_ps(s);
    return (tdFloat8){v, v};
}

TD_SIMD_INLINE tdFloat8 tdZero8(void)
{
    return (tdFloat8){_mm_setzero_ps(), _mm_setzero_ps()};
}

TD_SIMD_INLINE tdFloat8 tdAdd8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_add_ps(a.low, b.low), _mm_add_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdFloat8 tdSub8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_sub_ps(a.low, b.low), _mm_sub_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdFloat8 tdMul8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_mul_ps(a.low, b.low), _mm_mul_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdFloat8 tdDiv8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_div_ps(a.low, b.low), _mm_div_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdFloat8 tdSqrt8(tdFloat8 a)
{
    return (tdFloat8){_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high)};
}

TD_SIMD_INLINE tdFloat8 tdNegate8(tdFloat8 a)
{
    __m128 sign = _mm_set1_ps(-0.0f);
    return (tdFloat8){_mm_xor_ps(a.low, sign), _mm_xor_ps(a.high, sign)};
}

TD_SIMD_INLINE tdFloat8 tdAbs8(tdFloat8 a)
{
    __m128 sign = _mm_set1_ps(-0.0f);
    return (tdFloat8){_mm_andnot_ps(sign, a.low), _mm_andnot_ps(sign, a.high)};
}

TD_SIMD_INLINE tdFloat8 tdMin8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_min_ps(a.low, b.low), _mm_min_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdFloat8 tdMax8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_max_ps(a.low, b.low), _mm_max_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdMask8 tdLess8(tdFloat8 a, tdFloat8 b)
{
    return (tdMask8){_mm_cmplt_ps(a.low, b.low), _mm_cmplt_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdMask8 tdLessEqual8(tdFloat8 a, tdFloat8 b)
{
    return (tdMask8){_mm_cmple_ps(a.low, b.low), _mm_cmple_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdMask8 tdAndMask8(tdMask8 a, tdMask8 b)
{
    return (tdMask8){_mm_and_ps(a.low, b.low), _mm_and_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdMask8 tdOrMask8(tdMask8 a, tdMask8 b)
{
    return (tdMask8){_mm_or_ps(a.low, b.low), _mm_or_ps(a.high, b.high)};
}

TD_SIMD_INLINE tdFloat8 tdSelect8(tdMask8 mask, tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm_or_ps(_mm_and_ps(mask.low, a.low), _mm_andnot_ps(mask.low, b.low)),
                      _mm_or_ps(_mm_and_ps(mask.high, a.high), _mm_andnot_ps(mask.high, b.high))};
}

TD_SIMD_INLINE unsigned tdMaskBits8(tdMask8 mask)
{
    return (unsigned)_mm_movemask_ps(mask.low) | (unsigned)_mm_movemask_ps(mask.high) << 4;
}

TD_SIMD_INLINE void tdGather4x8(const float* base, const int32_t* index, int offset, tdFloat8* out)
{
    const float* p = base + offset;
    __m128 r0 = _mm_loadu_ps(p + 16 * (intptr_t)index[0]), r1 = _mm_loadu_ps(p + 16 * (intptr_t)index[1]);
    __m128 r2 = _mm_loadu_ps(p + 16 * (intptr_t)index[2]), r3 = _mm_loadu_ps(p + 16 * (intptr_t)index[3]);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    __m128 s0 = _mm_loadu_ps(p + 16 * (intptr_t)index[4]), s1 = _mm_loadu_ps(p + 16 * (intptr_t)index[5]);
    __m128 s2 = _mm_loadu_ps(p + 16 * (intptr_t)index[6]), s3 = _mm_loadu_ps(p + 16 * (intptr_t)index[7]);
    _MM_TRANSPOSE4_PS(s0, s1, s2, s3);
    out[0] = (tdFloat8){r0, s0};
    out[1] = (tdFloat8){r1, s1};
    out[2] = (tdFloat8){r2, s2};
    out[3] = (tdFloat8){r3, s3};
}

TD_SIMD_INLINE void tdScatter4x8(float* base, const int32_t* index, int offset, const tdFloat8* in,
                                 unsigned lanes)
{
    __m128 r0 = in[0].low, r1 = in[1].low, r2 = in[2].low, r3 = in[3].low;
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    __m128 s0 = in[0].high, s1 = in[1].high, s2 = in[2].high, s3 = in[3].high;
    _MM_TRANSPOSE4_PS(s0, s1, s2, s3);
    __m128 rows[8] = {r0, r1, r2, r3, s0, s1, s2, s3};
    for (int i = 0; i < 8; ++i)
    {
        if ((lanes >> i & 1u) != 0)
        {
            _mm_storeu_ps(base + 16 * (intptr_t)index[i] + offset, rows[i]);
        }
    }
}

TD_SIMD_INLINE void tdGatherRows4x8(const float* const* rows, int offset, tdFloat8* out)
{
    __m128 r0 = _mm_loadu_ps(rows[0] + offset), r1 = _mm_loadu_ps(rows[1] + offset);
    __m128 r2 = _mm_loadu_ps(rows[2] + offset), r3 = _mm_loadu_ps(rows[3] + offset);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    __m128 s0 = _mm_loadu_ps(rows[4] + offset), s1 = _mm_loadu_ps(rows[5] + offset);
    __m128 s2 = _mm_loadu_ps(rows[6] + offset), s3 = _mm_loadu_ps(rows[7] + offset);
    _MM_TRANSPOSE4_PS(s0, s1, s2, s3);
    out[0] = (tdFloat8){r0, s0};
    out[1] = (tdFloat8){r1, s1};
    out[2] = (tdFloat8){r2, s2};
    out[3] = (tdFloat8){r3, s3};
}

TD_SIMD_INLINE void tdScatterRows4x8(float* const* rows, int offset, const tdFloat8* in)
{
    __m128 r0 = in[0].low, r1 = in[1].low, r2 = in[2].low, r3 = in[3].low;
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    __m128 s0 = in[0].high, s1 = in[1].high, s2 = in[2].high, s3 = in[3].high;
    _MM_TRANSPOSE4_PS(s0, s1, s2, s3);
    _mm_storeu_ps(rows[0] + offset, r0); // no loop: the rows stay in registers
    _mm_storeu_ps(rows[1] + offset, r1);
    _mm_storeu_ps(rows[2] + offset, r2);
    _mm_storeu_ps(rows[3] + offset, r3);
    _mm_storeu_ps(rows[4] + offset, s0);
    _mm_storeu_ps(rows[5] + offset, s1);
    _mm_storeu_ps(rows[6] + offset, s2);
    _mm_storeu_ps(rows[7] + offset, s3);
}

TD_SIMD_INLINE void tdScatterRows8x8(float* const* rows, int offset, const tdFloat8* in)
{
    tdScatterRows4x8(rows, offset, in);
    tdScatterRows4x8(rows, offset + 4, in + 4);
}
