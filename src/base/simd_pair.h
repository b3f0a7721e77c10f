// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Two doubles side by side: SSE2 where the target has it, else plain C with the same bits.
#pragma once

#include "base/sse2.h"

#if defined(TD_SSE2)

typedef __m128d tdDouble2;

static inline tdDouble2 tdLoad2(const double* p)
{
    return _mm_loadu_pd(p);
}

static inline void tdStore2(double* p, tdDouble2 a)
{
    _mm_storeu_pd(p, a);
}

static inline tdDouble2 tdSplat2(double s)
{
    return _mm_set1_pd(s);
}

static inline tdDouble2 tdAdd2(tdDouble2 a, tdDouble2 b)
{
    return _mm_add_pd(a, b);
}

static inline tdDouble2 tdSub2(tdDouble2 a, tdDouble2 b)
{
    return _mm_sub_pd(a, b);
}

static inline tdDouble2 tdMul2(tdDouble2 a, tdDouble2 b)
{
    return _mm_mul_pd(a, b);
}

/// Sum of both elements.
static inline double tdSum2(tdDouble2 a)
{
    return _mm_cvtsd_f64(a) + _mm_cvtsd_f64(_mm_unpackhi_pd(a, a));
}

#else

typedef struct tdDouble2
{
    double x, y;
} tdDouble2;

static inline tdDouble2 tdLoad2(const double* p)
{
    return (tdDouble2){p[0], p[1]};
}

static inline void tdStore2(double* p, tdDouble2 a)
{
    p[0] = a.x;
    p[1] = a.y;
}

static inline tdDouble2 tdSplat2(double s)
{
    return (tdDouble2){s, s};
}

static inline tdDouble2 tdAdd2(tdDouble2 a, tdDouble2 b)
{
    return (tdDouble2){a.x + b.x, a.y + b.y};
}

static inline tdDouble2 tdSub2(tdDouble2 a, tdDouble2 b)
{
    return (tdDouble2){a.x - b.x, a.y - b.y};
}

static inline tdDouble2 tdMul2(tdDouble2 a, tdDouble2 b)
{
    return (tdDouble2){a.x * b.x, a.y * b.y};
}

static inline double tdSum2(tdDouble2 a)
{
    return a.x + a.y;
}

#endif

/// x += s y, of six elements.
static inline void tdMulAdd6(double* x, double s, const double* y)
{
    tdDouble2 f = tdSplat2(s);
    tdStore2(x, tdAdd2(tdLoad2(x), tdMul2(f, tdLoad2(y))));
    tdStore2(x + 2, tdAdd2(tdLoad2(x + 2), tdMul2(f, tdLoad2(y + 2))));
    tdStore2(x + 4, tdAdd2(tdLoad2(x + 4), tdMul2(f, tdLoad2(y + 4))));
}

/// Dot product of six elements.
static inline double tdDot6(const double* a, const double* b)
{
    tdDouble2 sum = tdMul2(tdLoad2(a), tdLoad2(b));
    sum = tdAdd2(sum, tdMul2(tdLoad2(a + 2), tdLoad2(b + 2)));
    return tdSum2(tdAdd2(sum, tdMul2(tdLoad2(a + 4), tdLoad2(b + 4))));
}
