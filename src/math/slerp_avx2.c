// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Slerp of eight rotations at once with AVX2.
#include "slerp.h"

#if defined(__AVX2__)

#define WIDTH 8
#define GET_SLERP tdGetSlerpAvx2
#include "slerp_many.inl"

#else

tdSlerpManyFcn* tdGetSlerpAvx2(void)
{
    return NULL;
}

#endif
