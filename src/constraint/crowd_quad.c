// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The crowd's kernel for four lanes: SSE2 and simd128.
#if defined(__SSE2__) || defined(__wasm_simd128__)

#define WIDTH 4
#define GET_CROWD tdGetCrowdQuad
#include "crowd_kernels.inl"

#else

#include "crowd.h"

tdCrowdFcn* tdGetCrowdQuad(void)
{
    return NULL;
}

#endif
