// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Defines TD_SSE2 and the SSE2 intrinsics where the target has them: natively on x86, and under the same
// names as NEON on ARM64 and simd128 in WebAssembly. Each name below gives the bits of the SSE2 intrinsic, in
// most cases with one instruction. Only the intrinsics in use are listed. Decisions:
// docs/decisions/111-sse2-in-wasm.md, docs/decisions/131-neon.md.
#pragma once

#if defined(__SSE2__)

#define TD_SSE2 1
#include <emmintrin.h>

#elif defined(__aarch64__) && defined(__ARM_NEON)

#define TD_SSE2 1
#include <arm_neon.h>

typedef float32x4_t __m128;
typedef int32x4_t __m128i;
typedef float64x2_t __m128d;

// Comparisons and logic work on integer vectors.
#define TD_NEON_BITS(a) vreinterpretq_u32_f32(a)
#define TD_NEON_FLOATS(a) vreinterpretq_f32_u32(a)

#define _mm_set1_ps(s) vdupq_n_f32(s)
#define _mm_setr_ps(a, b, c, d) ((__m128){(a), (b), (c), (d)})
#define _mm_set_ps(d, c, b, a) ((__m128){(a), (b), (c), (d)})
#define _mm_setzero_ps() vdupq_n_f32(0.0f)
#define _mm_load_ps(p) vld1q_f32(p)
#define _mm_loadu_ps(p) vld1q_f32(p)
#define _mm_store_ps(p, a) vst1q_f32(p, a)
#define _mm_storeu_ps(p, a) vst1q_f32(p, a)
#define _mm_cvtss_f32(a) vgetq_lane_f32(a, 0)

#define _mm_add_ps(a, b) vaddq_f32(a, b)
#define _mm_sub_ps(a, b) vsubq_f32(a, b)
#define _mm_mul_ps(a, b) vmulq_f32(a, b)
#define _mm_div_ps(a, b) vdivq_f32(a, b)
#define _mm_sqrt_ps(a) vsqrtq_f32(a)

// MINPS is a < b ? a : b. FMIN orders signed zeros and prefers NaN, so it is not the same.
static inline __m128 tdNeon_Min(__m128 a, __m128 b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

static inline __m128 tdNeon_Max(__m128 a, __m128 b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

#define _mm_min_ps(a, b) tdNeon_Min(a, b)
#define _mm_max_ps(a, b) tdNeon_Max(a, b)

#define _mm_cmplt_ps(a, b) TD_NEON_FLOATS(vcltq_f32(a, b))
#define _mm_cmple_ps(a, b) TD_NEON_FLOATS(vcleq_f32(a, b))
#define _mm_cmpgt_ps(a, b) TD_NEON_FLOATS(vcgtq_f32(a, b))
#define _mm_cmpge_ps(a, b) TD_NEON_FLOATS(vcgeq_f32(a, b))
#define _mm_cmpeq_ps(a, b) TD_NEON_FLOATS(vceqq_f32(a, b))

// Moves the sign of lane i to bit i.
static inline int tdNeon_MoveMask(__m128 a)
{
    const int32x4_t places = {0, 1, 2, 3};
    return (int)vaddvq_u32(vshlq_u32(vshrq_n_u32(TD_NEON_BITS(a), 31), places));
}

#define _mm_movemask_ps(a) tdNeon_MoveMask(a)

#define _mm_and_ps(a, b) TD_NEON_FLOATS(vandq_u32(TD_NEON_BITS(a), TD_NEON_BITS(b)))
#define _mm_or_ps(a, b) TD_NEON_FLOATS(vorrq_u32(TD_NEON_BITS(a), TD_NEON_BITS(b)))
#define _mm_xor_ps(a, b) TD_NEON_FLOATS(veorq_u32(TD_NEON_BITS(a), TD_NEON_BITS(b)))
#define _mm_andnot_ps(a, b) TD_NEON_FLOATS(vbicq_u32(TD_NEON_BITS(b), TD_NEON_BITS(a)))

#define _mm_shuffle_ps(a, b, m)                                                                              \
    ((__m128){vgetq_lane_f32(a, (m)&3), vgetq_lane_f32(a, (m) >> 2 & 3), vgetq_lane_f32(b, (m) >> 4 & 3),    \
              vgetq_lane_f32(b, (m) >> 6 & 3)})
#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define _mm_movehl_ps(a, b) vcombine_f32(vget_high_f32(b), vget_high_f32(a))
#define _mm_movelh_ps(a, b) vcombine_f32(vget_low_f32(a), vget_low_f32(b))
#define _mm_unpacklo_ps(a, b) vzip1q_f32(a, b)
#define _mm_unpackhi_ps(a, b) vzip2q_f32(a, b)
#define _MM_TRANSPOSE4_PS(a, b, c, d)                                                                        \
    do                                                                                                       \
    {                                                                                                        \
        __m128 ab0 = _mm_unpacklo_ps(a, b), ab2 = _mm_unpackhi_ps(a, b);                                     \
        __m128 cd0 = _mm_unpacklo_ps(c, d), cd2 = _mm_unpackhi_ps(c, d);                                     \
        (a) = _mm_movelh_ps(ab0, cd0);                                                                       \
        (b) = _mm_movehl_ps(cd0, ab0);                                                                       \
        (c) = _mm_movelh_ps(ab2, cd2);                                                                       \
        (d) = _mm_movehl_ps(cd2, ab2);                                                                       \
    } while (0)

#define _mm_set1_pd(s) vdupq_n_f64(s)
#define _mm_setzero_pd() vdupq_n_f64(0.0)
#define _mm_loadu_pd(p) vld1q_f64(p)
#define _mm_storeu_pd(p, a) vst1q_f64(p, a)
#define _mm_cvtsd_f64(a) vgetq_lane_f64(a, 0)
#define _mm_unpackhi_pd(a, b) vzip2q_f64(a, b)
#define _mm_add_pd(a, b) vaddq_f64(a, b)
#define _mm_sub_pd(a, b) vsubq_f64(a, b)
#define _mm_mul_pd(a, b) vmulq_f64(a, b)

#define _mm_castps_si128(a) vreinterpretq_s32_f32(a)
#define _mm_castsi128_ps(a) vreinterpretq_f32_s32(a)
#define _mm_setzero_si128() vdupq_n_s32(0)
#define _mm_set1_epi32(s) vdupq_n_s32(s)
#define _mm_setr_epi32(a, b, c, d) ((__m128i){(a), (b), (c), (d)})
#define _mm_storeu_si128(p, a) vst1q_s32((int32_t*)(p), a)
#define _mm_add_epi32(a, b) vaddq_s32(a, b)
#define _mm_and_si128(a, b) vandq_s32(a, b)
#define _mm_or_si128(a, b) vorrq_s32(a, b)
#define _mm_andnot_si128(a, b) vbicq_s32(b, a)

#elif defined(__wasm_simd128__)

#define TD_SSE2 1
#include <wasm_simd128.h>

typedef v128_t __m128;
typedef v128_t __m128i;
typedef v128_t __m128d;

#define _mm_set1_ps(s) wasm_f32x4_splat(s)
#define _mm_setr_ps(a, b, c, d) wasm_f32x4_make(a, b, c, d)
#define _mm_set_ps(d, c, b, a) wasm_f32x4_make(a, b, c, d)
#define _mm_setzero_ps() wasm_f32x4_const(0.0f, 0.0f, 0.0f, 0.0f)
#define _mm_load_ps(p) wasm_v128_load(p)
#define _mm_loadu_ps(p) wasm_v128_load(p)
#define _mm_store_ps(p, a) wasm_v128_store(p, a)
#define _mm_storeu_ps(p, a) wasm_v128_store(p, a)
#define _mm_cvtss_f32(a) wasm_f32x4_extract_lane(a, 0)

#define _mm_add_ps(a, b) wasm_f32x4_add(a, b)
#define _mm_sub_ps(a, b) wasm_f32x4_sub(a, b)
#define _mm_mul_ps(a, b) wasm_f32x4_mul(a, b)
#define _mm_div_ps(a, b) wasm_f32x4_div(a, b)
#define _mm_sqrt_ps(a) wasm_f32x4_sqrt(a)
// MINPS is a < b ? a : b, pmin(x, y) is y < x ? y : x.
#define _mm_min_ps(a, b) wasm_f32x4_pmin(b, a)
#define _mm_max_ps(a, b) wasm_f32x4_pmax(b, a)

#define _mm_cmplt_ps(a, b) wasm_f32x4_lt(a, b)
#define _mm_cmple_ps(a, b) wasm_f32x4_le(a, b)
#define _mm_cmpgt_ps(a, b) wasm_f32x4_gt(a, b)
#define _mm_cmpge_ps(a, b) wasm_f32x4_ge(a, b)
#define _mm_cmpeq_ps(a, b) wasm_f32x4_eq(a, b)
#define _mm_movemask_ps(a) ((int)wasm_i32x4_bitmask(a))

#define _mm_and_ps(a, b) wasm_v128_and(a, b)
#define _mm_or_ps(a, b) wasm_v128_or(a, b)
#define _mm_xor_ps(a, b) wasm_v128_xor(a, b)
#define _mm_andnot_ps(a, b) wasm_v128_andnot(b, a)

#define _mm_shuffle_ps(a, b, m)                                                                              \
    wasm_i32x4_shuffle(a, b, (m)&3, (m) >> 2 & 3, 4 + ((m) >> 4 & 3), 4 + ((m) >> 6 & 3))
#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define _mm_movehl_ps(a, b) wasm_i32x4_shuffle(a, b, 6, 7, 2, 3)
#define _mm_movelh_ps(a, b) wasm_i32x4_shuffle(a, b, 0, 1, 4, 5)
#define _mm_unpacklo_ps(a, b) wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define _mm_unpackhi_ps(a, b) wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define _MM_TRANSPOSE4_PS(a, b, c, d)                                                                        \
    do                                                                                                       \
    {                                                                                                        \
        v128_t ab0 = _mm_unpacklo_ps(a, b), ab2 = _mm_unpackhi_ps(a, b);                                     \
        v128_t cd0 = _mm_unpacklo_ps(c, d), cd2 = _mm_unpackhi_ps(c, d);                                     \
        (a) = _mm_movelh_ps(ab0, cd0);                                                                       \
        (b) = _mm_movehl_ps(cd0, ab0);                                                                       \
        (c) = _mm_movelh_ps(ab2, cd2);                                                                       \
        (d) = _mm_movehl_ps(cd2, ab2);                                                                       \
    } while (0)

#define _mm_set1_pd(s) wasm_f64x2_splat(s)
#define _mm_setzero_pd() wasm_f64x2_const(0.0, 0.0)
#define _mm_loadu_pd(p) wasm_v128_load(p)
#define _mm_storeu_pd(p, a) wasm_v128_store(p, a)
#define _mm_cvtsd_f64(a) wasm_f64x2_extract_lane(a, 0)
#define _mm_unpackhi_pd(a, b) wasm_i64x2_shuffle(a, b, 1, 3)
#define _mm_add_pd(a, b) wasm_f64x2_add(a, b)
#define _mm_sub_pd(a, b) wasm_f64x2_sub(a, b)
#define _mm_mul_pd(a, b) wasm_f64x2_mul(a, b)

#define _mm_castps_si128(a) (a)
#define _mm_castsi128_ps(a) (a)
#define _mm_setzero_si128() wasm_i32x4_const(0, 0, 0, 0)
#define _mm_set1_epi32(s) wasm_i32x4_splat(s)
#define _mm_setr_epi32(a, b, c, d) wasm_i32x4_make(a, b, c, d)
#define _mm_storeu_si128(p, a) wasm_v128_store(p, a)
#define _mm_add_epi32(a, b) wasm_i32x4_add(a, b)
#define _mm_and_si128(a, b) wasm_v128_and(a, b)
#define _mm_or_si128(a, b) wasm_v128_or(a, b)
#define _mm_andnot_si128(a, b) wasm_v128_andnot(b, a)

#endif
