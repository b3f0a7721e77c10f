// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The solver passes over one joint.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/joint/joint_rows.h"
#include "physics/solver/kernels.h"

/// Loads the body indices, masses and frames of a step.
void tdJoint_PrepareFrames(const tdSolverStep* step, tdJoint* joint);
/// The passes of a joint of signature TD_SIGNATURE_GENERIC, in the order of the solver.
void tdJoint_Prepare(const tdSolverStep* step, tdJoint* joint);
void tdJoint_WarmStart(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Solve(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Relax(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Store(const tdSolverStep* step, tdJoint* joint);
/// True if a hard limit is violated by more than `distance` (m) or `angle` (rad).
bool tdJoint_IsSeparated(const tdWorld* world, const tdJoint* joint, float distance, float angle);
/// Adds the correction velocity of the errors of a block to `rhs`, limited to the maximum.
void tdJoint_AddCorrection(const tdSolverStep* step, const tdJointBlock* block, float* rhs);
/// Distances of a value from its bounds, positive inside. Twists outside the range that are not counted over
/// turns belong to the nearer bound along the circle.
void tdJoint_GetGaps(const tdJointBlock* block, float value, float* lower, float* upper);
/// True if the joint has springs or drives.
bool tdJoint_HasSoftRows(const tdJoint* joint);
/// Evaluates the rigid rows at the end of a sub-step.
/// @param hasSoft false: no row needs the effective masses, which stay those of the start of the step
void tdJoint_BeginRelax(const tdSolverStep* step, tdJoint* joint, bool hasSoft, tdJointPose* pose);
/// Sums up the reactions and evaluates the soft rows of the next sub-step.
void tdJoint_EndRelax(tdJoint* joint, const tdJointPose* pose);
