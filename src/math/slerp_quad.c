// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Slerp of four rotations at once with SSE2, NEON or simd128.
#include "slerp.h"

#include "base/sse2.h"

#if defined(TD_SSE2)

#define WIDTH 4
#define GET_SLERP tdGetSlerpQuad
#include "slerp_many.inl"

#else

tdSlerpManyFcn* tdGetSlerpQuad(void)
{
    return NULL;
}

#endif
