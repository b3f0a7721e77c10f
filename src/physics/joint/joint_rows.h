// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of one joint as its passes need them (joint_rows.c makes them; joint_solve.c and joint_tree.c solve).
#pragma once

#include "physics/data/body_data.h"
#include "physics/data/joint_data.h"
#include "physics/joint/joint_block.h"
#include "physics/solver/kernels.h"

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

/// R m R^T
tdSym3 tdTurnSym3(tdQuat turn, const tdSym3* m);
tdVec3 tdGetAxis(const tdMat3* m, int axis);

/// Metrics from two poses of the frames: p = B's origin in A, q = B's rotation in A.
float tdMeasureLimit(const tdJointLimit* limit, tdVec3 p, tdQuat q);
/// Signed twist about an axis, (-pi, pi].
float tdMeasureTwist(tdQuat q, int axis);
