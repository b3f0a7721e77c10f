// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The solver's kernels for plain C.
#include "contact_rows.h"

#include "base/simd_scalar.h"

#include <stddef.h>

#define GET_KERNELS tdGetKernelsScalar
#include "solver_kernels.inl"
