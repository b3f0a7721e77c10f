// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Run-time choice of the vector width. All widths give the same bits, so the choice affects only speed.
#include "cpu.h"

#if !defined(__wasm__)
#include <sched.h>
#endif

#if defined(__x86_64__) || defined(__i386__)
#include <emmintrin.h>
#endif

tdSimd tdCpu_GetSimd(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
    {
        return TD_SIMD_AVX2;
    }
    return __builtin_cpu_supports("sse2") ? TD_SIMD_SSE2 : TD_SIMD_SCALAR;
#elif defined(__wasm_simd128__)
    return TD_SIMD_SSE2;
#else
    return TD_SIMD_SCALAR;
#endif
}

tdSimd tdCpu_ResolveSimd(tdSimd requested)
{
    tdSimd best = tdCpu_GetSimd();
    return requested == TD_SIMD_AUTO || requested > best ? best : requested;
}

const char* tdSimd_GetName(tdSimd simd)
{
    switch (simd)
    {
    case TD_SIMD_AUTO:
        return "auto";
    case TD_SIMD_SCALAR:
        return "scalar";
    case TD_SIMD_SSE2:
        return "sse2";
    case TD_SIMD_AVX2:
        return "avx2";
    }
    return "unknown";
}

// Pauses between two yields of a spinning thread, so that a pre-empted partner gets a processor. A pause
// takes some ten to some hundred cycles, depending on the processor.
#define PAUSES_PER_YIELD 1024

void tdCpu_Pause(int spinCount)
{
#if !defined(__wasm__) // WebAssembly modules are single-threaded here
    if (spinCount > 0 && spinCount % PAUSES_PER_YIELD == 0)
    {
        sched_yield();
        return;
    }
#else
    (void)spinCount;
#endif
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
