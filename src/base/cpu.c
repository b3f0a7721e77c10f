// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Run-time choice of the vector width. All widths give the same bits, so the choice affects only speed.
#include "cpu.h"

#include "compiler.h"
#include "platform.h"
#include "sse2.h"

tdSimd tdCpu_GetSimd(void)
{
    if (tdHasAvx2())
    {
        return TD_SIMD_AVX2;
    }
#if defined(TD_SSE2)
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
    if (spinCount > 0 && spinCount % PAUSES_PER_YIELD == 0)
    {
        tdPlatform_Yield();
        return;
    }
    tdPauseProcessor();
}
