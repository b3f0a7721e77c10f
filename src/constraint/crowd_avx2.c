// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The crowd's kernel for AVX2.
#if defined(__AVX2__)

#define WIDTH 8
#define GET_CROWD tdGetCrowdAvx2
#include "crowd_kernels.inl"

#else

#include "crowd.h"

tdCrowdFcn* tdGetCrowdAvx2(void)
{
    return NULL;
}

#endif
