// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// VRMC_node_constraint 1.0: roll, aim and rotation. Each overwrites the whole local rotation of its
// destination, at weight 0 with the rest rotation; translation and scale stay. See docs/spec/vrm.md,
// section 1.
#pragma once

#include "constraint_list.h"

#include "pose/node_pose.h"

/// Thresholds that the scalar functions and the kernels of lanes.inl share.
/// test/constraint/test_node_constraint.c and test/runtime/test_constraint_oracle.c compare both with the
/// formulas in double.
#define TD_MIN_TWIST 5.0e-7f // (1 + cos(swing)) / 2: below it the twist is undefined. 0.08 degrees
#define TD_UNIFORM_TOLERANCE                                                                                 \
    4.0e-6f                         // relative error of squared columns that rounding of a deep tree explains
#define TD_MIN_AIM_SQUARED 1.0e-18f // m^2: source and destination closer than 1e-9 m have no direction
#define TD_MAX_AIM_SQUARED 3.0e38f  // m^2: larger squares overflow
#define TD_OPPOSITE_TOLERANCE 1.0e-6f // 1 + cos(angle): below it the direction is opposite to the axis

/// Runs some constraints of the list.
/// @param places of the constraints to run, ascending
/// @param weights by place in the list, 0 to 1 (or wide); TD_CONSTRAINT_OVERRULED: only refresh the globals
///        that later constraints read
void tdRunConstraints(const tdConstraintList* list, const int* places, int count, const float* weights,
                      tdNodePose* pose);

/// Runs one constraint. The globals it reads are current.
void tdRunConstraint(const tdConstraintStep* step, float weight, tdNodePose* pose);

/// Twist of a rotation about a unit axis: normalize(axis (v . axis), w). Identity when the rotation turns the
/// axis by half a turn, where the twist is not defined.
tdQuat tdComputeTwist(tdQuat rotation, tdVec3 axis);

/// Position of a node. The global of its parent (-1: none) is current.
tdVec3 tdComputePosition(const tdNodePose* pose, int node, int parent);
/// A direction of the world in the frame of a node (-1: of the placement), using rotations only. The length
/// may change by a uniform scale.
tdVec3 tdTurnIntoParent(const tdNodePose* pose, int parent, tdVec3 direction);
