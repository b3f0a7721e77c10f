// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The solver's kernels for plain C.
#include "physics/solver/solver_scalar.h"

#include "base/sse2.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"
#include "physics/solver/solver_sse2.h"

#include <stddef.h>

#if TD_ROW_LANES == 4 // the rows are those of the other width, and the bits are the same

const tdKernels* tdGetKernelsScalar(void)
{
    return tdGetKernelsSse2();
}

#else

#define TD_SIMD_WIDTH TD_ROW_LANES
#include "base/simd_scalar.h"

#define GET_KERNELS tdGetKernelsScalar
#include "physics/solver/solver_kernels.inl"

#endif
