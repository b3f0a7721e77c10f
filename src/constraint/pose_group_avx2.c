// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pose groups of eight lanes: AVX2.
#if defined(__AVX2__)

#define WIDTH 8
#define GET_POSE_GROUP tdGetPoseGroupAvx2
#include "pose_group_kernels.inl"

#else

#include "pose_group.h"

tdPoseGroupFcn* tdGetPoseGroupAvx2(void)
{
    return NULL;
}

#endif
