// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernels of the solver, compiled for AVX2.
#include "physics/solver/solver_avx2.h"

#include "physics/solver/kernels.h"

#include <stddef.h>

#if defined(__AVX2__)

#include "base/simd_avx2.h"

#define GET_KERNELS tdGetKernelsAvx2
#include "physics/solver/solver_kernels.inl"

#else

const tdKernels* tdGetKernelsAvx2(void)
{
    return NULL;
}

#endif
