// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The passes over one joint.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/joint/joint_rows.h"
#include "physics/solver/kernels.h"

/// Slots, masses and frames of a step.
void tdJoint_PrepareFrames(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Prepare(const tdSolverStep* step, tdJoint* joint);
void tdJoint_WarmStart(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Solve(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Relax(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Store(const tdSolverStep* step, tdJoint* joint);
/// Does some rigid row miss its range by more than that, m and rad?
bool tdJoint_IsSeparated(const tdWorld* world, const tdJoint* joint, float distance, float angle);
/// Add the speed at which a block corrects its errors, cut to what is allowed.
void tdJoint_AddCorrection(const tdSolverStep* step, const tdJointBlock* block, float* rhs);
/// How far a value is inside a bound: positive inside. Angles about one axis are compared the short way
/// round.
void tdJoint_GetGaps(const tdJointBlock* block, float value, float* lower, float* upper);
/// Rigid rows from the pose at the end of a sub-step.
void tdJoint_BeginRelax(const tdSolverStep* step, tdJoint* joint, tdJointPose* pose);
/// Reactions, and the soft rows of the next sub-step.
void tdJoint_EndRelax(tdJoint* joint, const tdJointPose* pose);
