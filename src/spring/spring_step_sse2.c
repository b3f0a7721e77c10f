// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernel of springs, compiled for SSE2, or for simd128 in WebAssembly.
#include "spring_step.h"

#include "base/sse2.h"

#if defined(TD_SSE2)

#include "base/simd_sse2.h"

#define GET_SPRING_KERNEL tdGetSpringKernelSse2
#include "spring_kernels.inl"

#else

tdSpringKernelFcn* tdGetSpringKernelSse2(void)
{
    return NULL;
}

#endif
