// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of one joint as its passes need them (joint_rows.c makes them; joint_solve.c and joint_tree.c solve).
#pragma once

#include "physics/joint/joint.h"

/// The two frames now.
typedef struct tdJointPose
{
    tdVec3 rA, rB, d;
    tdQuat q;
    tdMat3 axes; // of frame A in the world
    tdSym3 invA, invB;
} tdJointPose;

tdJointPose tdJoint_ComputePose(const tdSolverStep* step, const tdJoint* joint);
/// Jacobian, inverse mass and error of all rows of a block.
void tdJoint_EvaluateBlock(const tdJoint* joint, const tdJointPose* pose, tdJointBlock* block);
/// Rows of the locks that are solved together. @return how many
int tdJoint_GetLockRows(tdJoint* joint, tdJointRow** rows, float** impulses);
void tdJoint_FactorLocks(tdJoint* joint);
/// Solve with a factor of FactorLocks, in place.
void tdSolveFactor(const float* factor, int count, float* x);
/// What is left free for the rows beside the locks.
void tdJoint_CoupleRows(tdJoint* joint);

/// Add the speed at which a block corrects its errors, cut to what is allowed.
void tdJoint_AddCorrection(const tdSolverStep* step, const tdJointBlock* block, float* rhs);
/// How far a value is inside a bound: positive inside. Angles about one axis are compared the short way
/// round.
void tdJoint_GetGaps(const tdJointBlock* block, float value, float* lower, float* upper);
/// Rigid rows from the pose at the end of a sub-step.
void tdJoint_BeginRelax(const tdSolverStep* step, tdJoint* joint, tdJointPose* pose);
/// Reactions, and the soft rows of the next sub-step.
void tdJoint_EndRelax(tdJoint* joint, const tdJointPose* pose);

/// R m R^T
tdSym3 tdTurnSym3(tdQuat turn, const tdSym3* m);
tdVec3 tdGetAxis(const tdMat3* m, int axis);
