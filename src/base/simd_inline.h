// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Inlining of the vector functions. Sanitizers instrument every access of every lane, and an inlined kernel
// takes minutes to compile with them; sanitized builds therefore call the functions.
#pragma once

#include "compiler.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TD_SIMD_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TD_SIMD_SANITIZED 1
#endif

#if defined(TD_SIMD_SANITIZED)
#define TD_SIMD_INLINE static TD_NOINLINE TD_UNUSED
#elif defined(TD_SIMD_OPTIONAL_INLINE) // set by simd_scalar.h
#define TD_SIMD_INLINE static inline
#else
#define TD_SIMD_INLINE static TD_FORCE_INLINE
#endif

// Long functions that several kernels share: inlined for speed, called in builds with one width, which are
// small.
#if defined(TD_ONE_WIDTH)
#define TD_SIMD_SHARED static TD_NOINLINE TD_UNUSED
#else
#define TD_SIMD_SHARED TD_SIMD_INLINE
#endif
