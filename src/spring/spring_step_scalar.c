// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernel of springs, compiled for plain C.
#include "spring_step.h"

#include "base/sse2.h"

#if defined(TD_SSE2) && defined(TD_ONE_WIDTH) // small builds have one kernel

tdSpringKernelFcn* tdGetSpringKernelScalar(void)
{
    return tdGetSpringKernelSse2();
}

#else

#define TD_SIMD_WIDTH 8
#include "base/simd_scalar.h"

#define GET_SPRING_KERNEL tdGetSpringKernelScalar
#include "spring_kernels.inl"

#endif
