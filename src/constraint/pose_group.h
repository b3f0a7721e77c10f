// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pose groups: node constraints of several poses of one scene, one pose per lane: the formulas of
// tdRunConstraints, with the same bits. The runtime makes them of actor groups. See docs/decisions/031.
#pragma once

#include "node_constraint.h"

/// Lanes of the widest kernel.
#define TD_POSE_GROUP_MAX_WIDTH 8

typedef struct tdPoseGroup
{
    const tdConstraintList* list;
    tdNodePose* const* poses;    // all of one scene
    const float* const* weights; // of each pose, by place in the list; see tdRunConstraints
    void* scratch;               // tdPoseGroup_GetScratchSize bytes, aligned to 64
} tdPoseGroup;

/// Poses per group with these instructions; 1: the scene has no constraints or cannot run in groups.
int tdPoseGroup_GetWidth(const tdConstraintList* list, const tdNodeTree* nodes, tdSimd simd);
/// Bytes of scratch memory that a group needs.
size_t tdPoseGroup_GetScratchSize(const tdConstraintList* list, int width);
/// Runs all constraints of the list for `width` poses.
void tdPoseGroup_Run(const tdPoseGroup* group, int width);

/// Kernels; NULL where this build has none.
typedef void tdPoseGroupFcn(const tdPoseGroup* group);
tdPoseGroupFcn* tdGetPoseGroupQuad(void);
tdPoseGroupFcn* tdGetPoseGroupAvx2(void);
