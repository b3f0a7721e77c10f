// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernels of the solver, compiled for SSE2.
#include "physics/solver/solver_sse2.h"

#include "base/sse2.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"

#include <stddef.h>

#if defined(TD_SSE2)

#if TD_ROW_LANES == 4
#include "base/simd_quad.h"
#else
#include "base/simd_sse2.h"
#endif

#define GET_KERNELS tdGetKernelsSse2
#include "physics/solver/solver_kernels.inl"

#else

const tdKernels* tdGetKernelsSse2(void)
{
    return NULL;
}

#endif
