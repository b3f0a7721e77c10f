// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Node constraints of several poses of one scene at once: the same formulas as tdRunConstraints with one pose
// per lane, and the same bits. A group of one avatar costs a fraction of what its members cost one by one.
#pragma once

#include "node_constraint.h"

/// The most poses any kernel takes.
#define TD_POSE_GROUP_MAX_WIDTH 8

typedef struct tdPoseGroup
{
    const tdConstraintList* list;
    tdNodePose* const* poses;    // all of one scene
    const float* const* weights; // of each pose, by place in the list; see tdRunConstraints
    void* scratch;               // tdPoseGroup_GetScratchSize bytes, aligned to 64
} tdPoseGroup;

/// Poses that run at once; 1: a group would gain nothing, or the scene cannot be run as one.
int tdPoseGroup_GetWidth(const tdConstraintList* list, const tdNodeTree* nodes, tdSimd simd);
size_t tdPoseGroup_GetScratchSize(const tdConstraintList* list, int width);
/// Run all constraints of the list for `width` poses.
void tdPoseGroup_Run(const tdPoseGroup* group, int width);

/// Kernels; NULL where this build has none.
typedef void tdPoseGroupFcn(const tdPoseGroup* group);
tdPoseGroupFcn* tdGetPoseGroupQuad(void);
tdPoseGroupFcn* tdGetPoseGroupAvx2(void);
