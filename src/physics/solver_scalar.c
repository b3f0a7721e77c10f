// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The solver's kernels for plain C.
#include "contact_rows.h"

#include "base/sse2.h"

#include <stddef.h>

#if defined(TD_ONE_WIDTH) && defined(TD_SSE2) // the bits are the same: a small module has one path

const tdKernels* tdGetKernelsScalar(void)
{
    return tdGetKernelsSse2();
}

#else

#include "base/simd_scalar.h"

#define GET_KERNELS tdGetKernelsScalar
#include "solver_kernels.inl"

#endif
