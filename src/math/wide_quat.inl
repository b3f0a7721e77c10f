// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// WIDTH (4 or 8) quaternions in the lanes of vectors, for kernels that are compiled once per width. Every function
// has the order of operations of its scalar counterpart, so each lane has the scalar bits.
#include "quad.h"
#include "slerp.h"

#include "base/simd_inline.h"
#include "base/sse2.h"

#if WIDTH == 8
#include <immintrin.h>
#endif

typedef float Wide __attribute__((vector_size(4 * WIDTH)));
typedef int32_t Mask __attribute__((vector_size(4 * WIDTH)));

typedef struct Quats
{
    Wide x, y, z, w;
} Quats;

#if WIDTH == 8
#define TO_ALL(x) ((Wide){(x), (x), (x), (x), (x), (x), (x), (x)})
#define JOIN(a, b) ((Wide)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)(a)), (__m128)(b), 1))
#define LOW(v) ((tdQuad)_mm256_castps256_ps128((__m256)(v)))
#define HIGH(v) ((tdQuad)_mm256_extractf128_ps((__m256)(v), 1))
#define JOIN_LOW(a, b) TD_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define JOIN_HIGH(a, b) TD_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define ZIP_LOW(a, b) TD_SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define ZIP_HIGH(a, b) TD_SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define PAIR_LOW(a, b) TD_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define PAIR_HIGH(a, b) TD_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define TO_ALL(x) ((Wide){(x), (x), (x), (x)})
#define ZIP_LOW(a, b) TD_SHUFFLE(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) TD_SHUFFLE(a, b, 2, 6, 3, 7)
#define PAIR_LOW(a, b) TD_SHUFFLE(a, b, 0, 1, 4, 5)
#define PAIR_HIGH(a, b) TD_SHUFFLE(a, b, 2, 3, 6, 7)
#endif

TD_SIMD_INLINE Wide Sqrt(Wide x)
{
#if WIDTH == 8
    return (Wide)_mm256_sqrt_ps((__m256)x);
#else
    return (Wide)_mm_sqrt_ps((__m128)x);
#endif
}

/// Bit i is the sign of lane i.
TD_SIMD_INLINE int GetBits(Mask mask)
{
#if WIDTH == 8
    return _mm256_movemask_ps((__m256)mask);
#else
    return _mm_movemask_ps((__m128)mask);
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

TD_SIMD_INLINE Quats SpreadQuat(tdQuat q)
{
    return (Quats){TO_ALL(q.x), TO_ALL(q.y), TO_ALL(q.z), TO_ALL(q.w)};
}

/// Transposes four floats per lane into four vectors; the transpose is its own inverse.
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

/// Scatters eight floats per lane.
TD_SIMD_INLINE void ScatterTwice(float* const to[WIDTH], int offset, const Wide first[4], const Wide second[4])
{
    Wide a[4] = {first[0], first[1], first[2], first[3]}, b[4] = {second[0], second[1], second[2], second[3]};
    Transpose(a);
    Transpose(b);
    for (int i = 0; i < 4; ++i)
    {
#if WIDTH == 8
        Wide low = JOIN_LOW(a[i], b[i]), high = JOIN_HIGH(a[i], b[i]);
        memcpy(to[i] + offset, &low, sizeof(low));
        memcpy(to[i + 4] + offset, &high, sizeof(high));
#else
        tdQuad_Store(to[i] + offset, a[i]);
        tdQuad_Store(to[i] + offset + 4, b[i]);
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

TD_SIMD_INLINE Quats BlendQuats(Wide wa, Quats a, Wide wb, Quats b)
{
    return (Quats){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
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

/// tdSlerpSeries of every lane.
TD_SIMD_INLINE Quats Slerp(Quats a, Quats b, Wide t)
{
    Wide cosine = DotQuats(a, b);
    Mask isFar = cosine < TO_ALL(0.0f);
    Quats opposite = {-b.x, -b.y, -b.z, -b.w};
    cosine = Select(isFar, -cosine, cosine);
    b = SelectQuats(isFar, opposite, b);
    Mask isWide = ~(cosine > TO_ALL(TD_SLERP_NEAR_COSINE));
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
    return BlendQuats(ComputeSeries(x, TO_ALL(1.0f) - t), a, ComputeSeries(x, t), b);
}
