// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pose groups of four lanes: SSE2, NEON and simd128.
#include "base/sse2.h"

#if defined(TD_SSE2)

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
