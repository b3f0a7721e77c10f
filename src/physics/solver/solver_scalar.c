// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernels of the solver, compiled for plain C.
#include "physics/solver/solver_scalar.h"

#include "base/sse2.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"
#include "physics/solver/solver_sse2.h"

#include <stddef.h>

#if TD_ROW_LANES == 4 // rows of four lanes: the SIMD kernels handle them

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
