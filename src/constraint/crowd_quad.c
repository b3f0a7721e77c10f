// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The crowd's kernel for four lanes: SSE2, NEON, simd128, or plain C where there is nothing of the kind.
#define WIDTH 4
#define GET_CROWD tdGetCrowdQuad
#include "crowd_kernels.inl"
