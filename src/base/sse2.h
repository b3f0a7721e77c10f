// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Defines TD_SSE2 and the SSE2 intrinsics where the target has them: natively on x86, and as simd128 under
// the same names in WebAssembly. Each name below is one simd128 instruction with the same bits as the SSE2
// intrinsic. Only the intrinsics in use are listed. Decision: docs/decisions/111-sse2-in-wasm.md.
#pragma once

#if defined(__SSE2__)

#define TD_SSE2 1
#include <emmintrin.h>

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
