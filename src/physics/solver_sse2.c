// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The solver's kernels for SSE2.
#include "contact_rows.h"

#include "base/sse2.h"

#include <stddef.h>

#if defined(TD_SSE2)

#include "base/simd_sse2.h"

#define GET_KERNELS tdGetKernelsSse2
#include "solver_kernels.inl"

#else

const tdKernels* tdGetKernelsSse2(void)
{
    return NULL;
}

#endif
