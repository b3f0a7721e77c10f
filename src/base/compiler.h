// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Extensions of compilers under one name, with a fallback in standard C. Only this header, the SIMD headers
// of base and math, and the platform layer use extensions (checked by tools/check_layers).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// clang takes the extensions of gcc on every target; as clang-cl it does not define __GNUC__.
#if defined(__GNUC__) || defined(__clang__)
#define TD_GNU_EXTENSIONS 1
#endif
// C11 atomics. MSVC has them with /experimental:c11atomics.
#include <stdatomic.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif
// --- functions --------------------------------------------------------------------------------------------
#if defined(TD_GNU_EXTENSIONS)
#define TD_NOINLINE __attribute__((noinline))
#define TD_UNUSED __attribute__((unused))
#define TD_FORCE_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define TD_NOINLINE __declspec(noinline)
#define TD_UNUSED
#define TD_FORCE_INLINE __forceinline
#else
#define TD_NOINLINE
#define TD_UNUSED
#define TD_FORCE_INLINE inline
#endif

// --- processors -------------------------------------------------------------------------------------------
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#define TD_X86 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#define TD_ARM64 1
#endif

/// Asks for a cache line. WebAssembly has no instruction for it.
static inline void tdPrefetchLine(const void* address)
{
#if defined(__wasm__)
    (void)*(const volatile char*)address;
#elif defined(TD_GNU_EXTENSIONS)
    __builtin_prefetch(address);
#elif defined(_MSC_VER) && defined(TD_X86)
    _mm_prefetch((const char*)address, 1);
#else
    (void)address;
#endif
}

/// Tells the processor that the thread spins.
static inline void tdPauseProcessor(void)
{
#if defined(TD_GNU_EXTENSIONS) && defined(TD_X86)
    __builtin_ia32_pause();
#elif defined(TD_GNU_EXTENSIONS) && defined(TD_ARM64)
    __asm__ volatile("yield");
#elif defined(_MSC_VER) && defined(TD_X86)
    _mm_pause();
#elif defined(_MSC_VER) && defined(TD_ARM64)
    __yield();
#endif
}
#if !defined(_MSC_VER) || !defined(_M_X64) // the form for MSVC is at the end
/// True if the processor and its system run AVX2. The build includes those kernels on x86-64.
static inline bool tdHasAvx2(void)
{
#if defined(TD_GNU_EXTENSIONS) && defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}
#endif
/// Index of the lowest set bit.
/// @param word not 0
static inline int tdFindLowestBit(uint64_t word)
{
#if defined(TD_GNU_EXTENSIONS)
    return __builtin_ctzll(word);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
    unsigned long index;
    _BitScanForward64(&index, word);
    return (int)index;
#else
    int index = 0;
    for (; (word & 1) == 0; word >>= 1)
    {
        index += 1;
    }
    return index;
#endif
}

/// The upper 64 bits of a product; `*low` gets the lower ones.
static inline uint64_t tdMultiplyWide(uint64_t a, uint64_t b, uint64_t* low)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 tdWord128;
    tdWord128 product = (tdWord128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    uint64_t middle = (p00 >> 32) + (p01 & 0xffffffffu) + (p10 & 0xffffffffu);
    *low = (middle << 32) | (p00 & 0xffffffffu);
    return p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
#endif
}

// --- atomics on plain words -------------------------------------------------------------------------------
// For words of public structs, whose headers are also C++ and have no atomic types.

static inline void tdStoreRelease(uint64_t* word, uint64_t value)
{
#if defined(TD_GNU_EXTENSIONS)
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
#else
    atomic_store_explicit((_Atomic uint64_t*)word, value, memory_order_release);
#endif
}

static inline uint64_t tdLoadAcquire(const uint64_t* word)
{
#if defined(TD_GNU_EXTENSIONS)
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#else
    return atomic_load_explicit((_Atomic uint64_t*)(uintptr_t)word, memory_order_acquire);
#endif
}

static inline void tdAddRelaxed(uint64_t* word, uint64_t amount)
{
#if defined(TD_GNU_EXTENSIONS)
    __atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
#else
    atomic_fetch_add_explicit((_Atomic uint64_t*)word, amount, memory_order_relaxed);
#endif
}

// --- MSVC -------------------------------------------------------------------------------------------------

#if defined(_MSC_VER) && defined(_M_X64)

// clang-cl links no library with __builtin_cpu_supports.
static inline bool tdHasAvx2(void)
{
    int words[4];
    __cpuid(words, 0);
    if (words[0] < 7)
    {
        return false;
    }
    __cpuid(words, 1);
    bool savesRegisters = (words[2] & 1 << 27) != 0 && (_xgetbv(0) & 6) == 6; // those of 32 bytes
    __cpuidex(words, 7, 0);
    return savesRegisters && (words[1] & 1 << 5) != 0;
}

#endif
