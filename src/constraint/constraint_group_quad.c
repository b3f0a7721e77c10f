// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Constraint groups of four lanes: SSE2, NEON and simd128.
#include "base/sse2.h"

#if defined(TD_SSE2)

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
