// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// VRMC_node_constraint 1.0: roll, aim and rotation. Each overwrites the whole local rotation of its
// destination, also at weight 0 (rest); translation and scale stay.
#pragma once

#include "constraint_list.h"

#include "pose/node_pose.h"

/// Run some of the list's constraints.
/// @param places of the constraints to run, ascending
/// @param weights by place in the list, 0 to 1 (or wide); TD_CONSTRAINT_OVERRULED: only bring globals up to
/// date
///        that later ones read
void tdRunConstraints(const tdConstraintList* list, const int* places, int count, const float* weights,
                      tdNodePose* pose);

/// Run one constraint; the globals it reads are current.
void tdRunConstraint(const tdConstraintStep* step, float weight, tdNodePose* pose);

/// Twist of a rotation about a unit axis: normalize(axis (v . axis), w). Identity when the rotation turns the
/// axis by half a turn, where the twist is not defined.
tdQuat tdComputeTwist(tdQuat rotation, tdVec3 axis);

/// Where a node is; the global of its parent (-1: none) is current.
tdVec3 tdComputePosition(const tdNodePose* pose, int node, int parent);
/// A direction of the world in a node's frame (-1: the placement's) by rotations alone. Times an even scale.
tdVec3 tdTurnIntoParent(const tdNodePose* pose, int parent, tdVec3 direction);
