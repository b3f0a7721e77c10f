// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pose groups of four lanes: SSE2 and simd128.
#if defined(__SSE2__) || defined(__wasm_simd128__)

#define WIDTH 4
#define GET_POSE_GROUP tdGetPoseGroupQuad
#include "pose_group_kernels.inl"

#else

#include "pose_group.h"

tdPoseGroupFcn* tdGetPoseGroupQuad(void)
{
    return NULL;
}

#endif
