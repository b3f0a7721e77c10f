// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Slerp of four rotations at once with SSE2 or simd128.
#include "slerp.h"

#if defined(__SSE2__) || defined(__wasm_simd128__)

#define WIDTH 4
#define GET_SLERP tdGetSlerpQuad
#include "slerp_many.inl"

#else

tdSlerpManyFcn* tdGetSlerpQuad(void)
{
    return NULL;
}

#endif
