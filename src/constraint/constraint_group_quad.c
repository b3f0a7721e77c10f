// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Constraint groups of four lanes: SSE2 and simd128.
#if defined(__SSE2__) || defined(__wasm_simd128__)

#define WIDTH 4
#define GET_CONSTRAINT_GROUP tdGetConstraintGroupQuad
#include "constraint_group_kernels.inl"

#else

#include "constraint_group.h"

tdConstraintGroupFcn* tdGetConstraintGroupQuad(void)
{
    return NULL;
}

#endif
