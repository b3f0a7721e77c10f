// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Selection of the kernels by vector width.
#include "physics/solver/kernels.h"

#include "physics/solver/solver_avx2.h"
#include "physics/solver/solver_scalar.h"
#include "physics/solver/solver_sse2.h"

const tdKernels* tdGetKernels(tdSimd simd)
{
    const tdKernels* kernels = NULL;
    if (simd == TD_SIMD_AVX2)
    {
        kernels = tdGetKernelsAvx2();
    }
    if (kernels == NULL && (simd == TD_SIMD_SSE2 || simd == TD_SIMD_AVX2))
    {
        kernels = tdGetKernelsSse2();
    }
    return kernels != NULL ? kernels : tdGetKernelsScalar();
}
