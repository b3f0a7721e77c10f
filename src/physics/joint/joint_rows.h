// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of one joint: metrics, Jacobians and effective masses. joint_solve.c and joint_tree.c solve them.
#pragma once

#include "physics/data/body_data.h"
#include "physics/data/joint_data.h"
#include "physics/joint/joint_block.h"
#include "physics/solver/kernels.h"

/// Current pose of the two frames. The names are those of the equations in joint_rows.c.
typedef struct tdJointPose
{
    tdVec3 rA, rB, d;
    tdQuat q;
    tdMat3 axes;       // of frame A in the world
    tdSym3 invA, invB; // inverse inertia in the world
    bool hasInertia;   // invA and invB are known; else rows keep their iA, iB and k
} tdJointPose;

/// The pose without the inertia.
tdJointPose tdJoint_ComputeFrames(const tdSolverStep* step, const tdJoint* joint);
tdJointPose tdJoint_ComputePose(const tdSolverStep* step, const tdJoint* joint);
/// Computes the Jacobian, effective mass and error of all rows of a block.
/// @param joint with its counted twists at this pose (tdJoint_CountTurns)
void tdJoint_EvaluateBlock(const tdJoint* joint, const tdJointPose* pose, tdJointBlock* block);
/// Computes the errors of the rows of a block only.
/// @param pose d, q and axes
/// @param errors rowCount values; bounds, springs and drives: the value
void tdJoint_MeasureBlock(const tdJoint* joint, const tdJointPose* pose, const tdJointBlock* block,
                          float* errors);
/// Collects the coupled lock rows of a joint, which are solved together.
/// @return number of rows, at most TD_MAX_LOCK_ROWS
int tdJoint_GetLockRows(tdJoint* joint, tdJointRow** rows, float** impulses);
/// Factors the matrix of the coupled lock rows into joint->lockFactor.
void tdJoint_FactorLocks(tdJoint* joint);
/// Solves with the factor of tdJoint_FactorLocks, in place.
void tdSolveFactor(const float* factor, int count, float* x);
/// Computes the coupling of the other rows with the locks, and their remaining effective mass.
/// @param pose at which all rows were evaluated, with the inertia; NULL: they differ
void tdJoint_CoupleRows(tdJoint* joint, const tdJointPose* pose);

/// Rotates q by the angular velocity w for the time h, as the integrator does.
tdQuat tdAdvanceRotation(tdQuat q, tdVec3 w, float h);
/// R m R^T
tdSym3 tdTurnSym3(tdQuat turn, const tdSym3* m);
tdVec3 tdGetAxis(const tdMat3* m, int axis);

/// Updates the twists that are counted over turns.
/// @param q rotation of frame B in frame A
/// @param travel angle since the last update that velocities predict, in frame A: turns are counted right as
/// long as it is off by less than half a turn
void tdJoint_CountTurns(tdJoint* joint, tdQuat q, tdVec3 travel);
/// Twist of q about an axis, counted over turns: the one next to the last update.
float tdJoint_MeasureCounted(const tdJoint* joint, tdQuat q, int axis);
/// Component of the rotation vector of q, at most pi long.
float tdMeasureRotationVector(tdQuat q, int axis);
/// Value of a limit, in metres or radians: p is the origin and q the rotation of frame B in frame A.
float tdMeasureLimit(const tdJointLimit* limit, tdVec3 p, tdQuat q);
/// Signed twist of q about an axis, in (-pi, pi].
float tdMeasureTwist(tdQuat q, int axis);
