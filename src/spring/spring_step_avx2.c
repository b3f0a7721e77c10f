// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernel of springs, compiled for AVX2.
#include "spring_step.h"

#if defined(__AVX2__)

#include "base/simd_avx2.h"

#define GET_SPRING_KERNEL tdGetSpringKernelAvx2
#include "spring_kernels.inl"

#else

tdSpringKernelFcn* tdGetSpringKernelAvx2(void)
{
    return NULL;
}

#endif
