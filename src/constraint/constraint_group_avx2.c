// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Constraint groups of eight lanes: AVX2.
#if defined(__AVX2__)

#define WIDTH 8
#define GET_CONSTRAINT_GROUP tdGetConstraintGroupAvx2
#include "constraint_group_kernels.inl"

#else

#include "constraint_group.h"

tdConstraintGroupFcn* tdGetConstraintGroupAvx2(void)
{
    return NULL;
}

#endif
