// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Extensions of compilers that the program uses, with a fallback in standard C.
#pragma once

// C11 atomics. MSVC has them with /experimental:c11atomics.
#include <stdatomic.h>

/// The compiler checks the arguments of a function like printf: positions of the format and of its first
/// value, counted from 1.
#if defined(__MINGW32__) && !defined(__clang__)
#define CHECK_FORMAT(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__) || defined(__clang__)
#define CHECK_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define CHECK_FORMAT(text, first)
#endif

// Sanitizers report crashes themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if !defined(IS_SANITIZED)
#define IS_SANITIZED 0
#endif
