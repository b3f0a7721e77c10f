// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Eight floats in one AVX register. Names and bits are those of simd_scalar.h, which documents the functions.
// No fused multiply-add. VMINPS and VMAXPS are compare-and-select (a < b ? a : b), also for NaN and signed
// zeros.
#pragma once

#include "simd_inline.h"

#include <immintrin.h>
#include <stdint.h>

#define TD_SIMD_WIDTH 8

typedef struct tdFloat8
{
    __m256 v;
} tdFloat8;

typedef tdFloat8 tdMask8;

TD_SIMD_INLINE tdFloat8 tdLoad8(const float* p)
{
    return (tdFloat8){_mm256_loadu_ps(p)};
}

TD_SIMD_INLINE void tdStore8(float* p, tdFloat8 a)
{
    _mm256_storeu_ps(p, a.v);
}

TD_SIMD_INLINE tdFloat8 tdSplat8(float s)
{
    return (tdFloat8){_mm256_set1_ps(s)};
}

TD_SIMD_INLINE tdFloat8 tdZero8(void)
{
    return (tdFloat8){_mm256_setzero_ps()};
}

TD_SIMD_INLINE tdFloat8 tdAdd8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm256_add_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdFloat8 tdSub8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm256_sub_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdFloat8 tdMul8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm256_mul_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdFloat8 tdDiv8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm256_div_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdFloat8 tdSqrt8(tdFloat8 a)
{
    return (tdFloat8){_mm256_sqrt_ps(a.v)};
}

TD_SIMD_INLINE tdFloat8 tdNegate8(tdFloat8 a)
{
    return (tdFloat8){_mm256_xor_ps(a.v, _mm256_set1_ps(-0.0f))};
}

TD_SIMD_INLINE tdFloat8 tdAbs8(tdFloat8 a)
{
    return (tdFloat8){_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)};
}

TD_SIMD_INLINE tdFloat8 tdMin8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm256_min_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdFloat8 tdMax8(tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm256_max_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdMask8 tdLess8(tdFloat8 a, tdFloat8 b)
{
    return (tdMask8){_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)};
}

TD_SIMD_INLINE tdMask8 tdLessEqual8(tdFloat8 a, tdFloat8 b)
{
    return (tdMask8){_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)};
}

TD_SIMD_INLINE tdMask8 tdAndMask8(tdMask8 a, tdMask8 b)
{
    return (tdMask8){_mm256_and_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdMask8 tdOrMask8(tdMask8 a, tdMask8 b)
{
    return (tdMask8){_mm256_or_ps(a.v, b.v)};
}

TD_SIMD_INLINE tdFloat8 tdSelect8(tdMask8 mask, tdFloat8 a, tdFloat8 b)
{
    return (tdFloat8){_mm256_blendv_ps(b.v, a.v, mask.v)};
}

TD_SIMD_INLINE unsigned tdMaskBits8(tdMask8 mask)
{
    return (unsigned)_mm256_movemask_ps(mask.v);
}

TD_SIMD_INLINE __m256 tdLoadPair8(const float* low, const float* high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

TD_SIMD_INLINE void tdTranspose4x8(__m256 r0, __m256 r1, __m256 r2, __m256 r3, __m256* out)
{
    __m256 a = _mm256_unpacklo_ps(r0, r1), b = _mm256_unpackhi_ps(r0, r1);
    __m256 c = _mm256_unpacklo_ps(r2, r3), d = _mm256_unpackhi_ps(r2, r3);
    out[0] = _mm256_shuffle_ps(a, c, 0x44);
    out[1] = _mm256_shuffle_ps(a, c, 0xee);
    out[2] = _mm256_shuffle_ps(b, d, 0x44);
    out[3] = _mm256_shuffle_ps(b, d, 0xee);
}

TD_SIMD_INLINE void tdGather4x8(const float* base, const int32_t* index, int offset, tdFloat8* out)
{
    const float* p = base + offset;
    __m256 t[4];
    tdTranspose4x8(tdLoadPair8(p + 16 * (intptr_t)index[0], p + 16 * (intptr_t)index[4]),
                   tdLoadPair8(p + 16 * (intptr_t)index[1], p + 16 * (intptr_t)index[5]),
                   tdLoadPair8(p + 16 * (intptr_t)index[2], p + 16 * (intptr_t)index[6]),
                   tdLoadPair8(p + 16 * (intptr_t)index[3], p + 16 * (intptr_t)index[7]), t);
    for (int k = 0; k < 4; ++k)
    {
        out[k].v = t[k];
    }
}

TD_SIMD_INLINE void tdScatter4x8(float* base, const int32_t* index, int offset, const tdFloat8* in,
                                 unsigned lanes)
{
    __m256 t[4];
    tdTranspose4x8(in[0].v, in[1].v, in[2].v, in[3].v, t);
    float* p = base + offset;
    for (int k = 0; k < 4; ++k)
    {
        if ((lanes >> k & 1u) != 0)
        {
            _mm_storeu_ps(p + 16 * (intptr_t)index[k], _mm256_castps256_ps128(t[k]));
        }
        if ((lanes >> (k + 4) & 1u) != 0)
        {
            _mm_storeu_ps(p + 16 * (intptr_t)index[k + 4], _mm256_extractf128_ps(t[k], 1));
        }
    }
}

TD_SIMD_INLINE void tdGatherRows4x8(const float* const* rows, int offset, tdFloat8* out)
{
    __m256 t[4];
    tdTranspose4x8(
        tdLoadPair8(rows[0] + offset, rows[4] + offset), tdLoadPair8(rows[1] + offset, rows[5] + offset),
        tdLoadPair8(rows[2] + offset, rows[6] + offset), tdLoadPair8(rows[3] + offset, rows[7] + offset), t);
    out[0].v = t[0];
    out[1].v = t[1];
    out[2].v = t[2];
    out[3].v = t[3];
}

TD_SIMD_INLINE void tdStorePair8(float* low, float* high, __m256 pair)
{
    _mm_storeu_ps(low, _mm256_castps256_ps128(pair));
    _mm_storeu_ps(high, _mm256_extractf128_ps(pair, 1));
}

TD_SIMD_INLINE void tdScatterRows4x8(float* const* rows, int offset, const tdFloat8* in)
{
    __m256 t[4];
    tdTranspose4x8(in[0].v, in[1].v, in[2].v, in[3].v, t);
    tdStorePair8(rows[0] + offset, rows[4] + offset, t[0]); // no loop: the rows stay in registers
    tdStorePair8(rows[1] + offset, rows[5] + offset, t[1]);
    tdStorePair8(rows[2] + offset, rows[6] + offset, t[2]);
    tdStorePair8(rows[3] + offset, rows[7] + offset, t[3]);
}

TD_SIMD_INLINE void tdScatterRows8x8(float* const* rows, int offset, const tdFloat8* in)
{
    __m256 a[4], b[4]; // rows k and k + 4 of the first and of the last four floats
    tdTranspose4x8(in[0].v, in[1].v, in[2].v, in[3].v, a);
    tdTranspose4x8(in[4].v, in[5].v, in[6].v, in[7].v, b);
    _mm256_storeu_ps(rows[0] + offset, _mm256_permute2f128_ps(a[0], b[0], 0x20));
    _mm256_storeu_ps(rows[1] + offset, _mm256_permute2f128_ps(a[1], b[1], 0x20));
    _mm256_storeu_ps(rows[2] + offset, _mm256_permute2f128_ps(a[2], b[2], 0x20));
    _mm256_storeu_ps(rows[3] + offset, _mm256_permute2f128_ps(a[3], b[3], 0x20));
    _mm256_storeu_ps(rows[4] + offset, _mm256_permute2f128_ps(a[0], b[0], 0x31));
    _mm256_storeu_ps(rows[5] + offset, _mm256_permute2f128_ps(a[1], b[1], 0x31));
    _mm256_storeu_ps(rows[6] + offset, _mm256_permute2f128_ps(a[2], b[2], 0x31));
    _mm256_storeu_ps(rows[7] + offset, _mm256_permute2f128_ps(a[3], b[3], 0x31));
}
