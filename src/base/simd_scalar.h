// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Eight floats, one at a time: the reference for simd_sse2.h, simd_quad.h and simd_avx2.h, whose operations
// give the same bits (test_simd). Lanes are independent; minimum and maximum are compare-and-select.
#pragma once

// The compiler decides about inlining: forced inlining of eight scalar lanes makes kernels too large.
#define TD_SIMD_OPTIONAL_INLINE 1
#include "simd_inline.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if !defined(TD_SIMD_WIDTH)
#define TD_SIMD_WIDTH 8
#endif

typedef struct tdFloat8
{
    float lane[TD_SIMD_WIDTH];
} tdFloat8;

typedef struct tdMask8
{
    bool lane[TD_SIMD_WIDTH];
} tdMask8;

#define TD_SIMD_EACH(expression)                                                                             \
    tdFloat8 r;                                                                                              \
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)                                                                  \
    {                                                                                                        \
        r.lane[i] = (expression);                                                                            \
    }                                                                                                        \
    return r

#define TD_SIMD_EACH_MASK(expression)                                                                        \
    tdMask8 r;                                                                                               \
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)                                                                  \
    {                                                                                                        \
        r.lane[i] = (expression);                                                                            \
    }                                                                                                        \
    return r

TD_SIMD_INLINE tdFloat8 tdLoad8(const float* p)
{
    TD_SIMD_EACH(p[i]);
}

TD_SIMD_INLINE void tdStore8(float* p, tdFloat8 a)
{
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        p[i] = a.lane[i];
    }
}

TD_SIMD_INLINE tdFloat8 tdSplat8(float s)
{
    TD_SIMD_EACH(s);
}

TD_SIMD_INLINE tdFloat8 tdZero8(void)
{
    return tdSplat8(0.0f);
}

TD_SIMD_INLINE tdFloat8 tdAdd8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH(a.lane[i] + b.lane[i]);
}

TD_SIMD_INLINE tdFloat8 tdSub8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH(a.lane[i] - b.lane[i]);
}

TD_SIMD_INLINE tdFloat8 tdMul8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH(a.lane[i] * b.lane[i]);
}

TD_SIMD_INLINE tdFloat8 tdDiv8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH(a.lane[i] / b.lane[i]);
}

TD_SIMD_INLINE tdFloat8 tdSqrt8(tdFloat8 a)
{
    TD_SIMD_EACH(sqrtf(a.lane[i]));
}

/// Flips the sign bit.
TD_SIMD_INLINE tdFloat8 tdNegate8(tdFloat8 a)
{
    TD_SIMD_EACH(-a.lane[i]);
}

/// Clears the sign bit.
TD_SIMD_INLINE tdFloat8 tdAbs8(tdFloat8 a)
{
    TD_SIMD_EACH(fabsf(a.lane[i]));
}

/// a < b ? a : b
TD_SIMD_INLINE tdFloat8 tdMin8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}

/// a > b ? a : b
TD_SIMD_INLINE tdFloat8 tdMax8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}

TD_SIMD_INLINE tdMask8 tdLess8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH_MASK(a.lane[i] < b.lane[i]);
}

TD_SIMD_INLINE tdMask8 tdLessEqual8(tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH_MASK(a.lane[i] <= b.lane[i]);
}

TD_SIMD_INLINE tdMask8 tdAndMask8(tdMask8 a, tdMask8 b)
{
    TD_SIMD_EACH_MASK(a.lane[i] && b.lane[i]);
}

TD_SIMD_INLINE tdMask8 tdOrMask8(tdMask8 a, tdMask8 b)
{
    TD_SIMD_EACH_MASK(a.lane[i] || b.lane[i]);
}

/// mask ? a : b
TD_SIMD_INLINE tdFloat8 tdSelect8(tdMask8 mask, tdFloat8 a, tdFloat8 b)
{
    TD_SIMD_EACH(mask.lane[i] ? a.lane[i] : b.lane[i]);
}

/// Bit i is lane i.
TD_SIMD_INLINE unsigned tdMaskBits8(tdMask8 mask)
{
    unsigned bits = 0;
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        bits |= mask.lane[i] ? 1u << i : 0u;
    }
    return bits;
}

/// Loads four consecutive floats of eight 64-byte records and transposes them into four vectors.
TD_SIMD_INLINE void tdGather4x8(const float* base, const int32_t* index, int offset, tdFloat8* out)
{
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        const float* p = base + 16 * (intptr_t)index[i] + offset;
        for (int k = 0; k < 4; ++k)
        {
            out[k].lane[i] = p[k];
        }
    }
}

/// The inverse of tdGather4x8, for the lanes whose bit is set in `lanes`.
TD_SIMD_INLINE void tdScatter4x8(float* base, const int32_t* index, int offset, const tdFloat8* in,
                                 unsigned lanes)
{
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        if ((lanes >> i & 1u) != 0)
        {
            float* p = base + 16 * (intptr_t)index[i] + offset;
            for (int k = 0; k < 4; ++k)
            {
                p[k] = in[k].lane[i];
            }
        }
    }
}

/// As tdGather4x8, with a pointer per record.
TD_SIMD_INLINE void tdGatherRows4x8(const float* const* rows, int offset, tdFloat8* out)
{
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            out[k].lane[i] = rows[i][offset + k];
        }
    }
}

/// The inverse of tdGatherRows4x8, for all lanes.
TD_SIMD_INLINE void tdScatterRows4x8(float* const* rows, int offset, const tdFloat8* in)
{
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            rows[i][offset + k] = in[k].lane[i];
        }
    }
}

/// As tdScatterRows4x8, for eight floats per row.
TD_SIMD_INLINE void tdScatterRows8x8(float* const* rows, int offset, const tdFloat8* in)
{
    tdScatterRows4x8(rows, offset, in);
    tdScatterRows4x8(rows, offset + 4, in + 4);
}
