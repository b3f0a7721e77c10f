// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs the constraint groups of a plan on one pose, one constraint per lane: the formulas of
// tdRunConstraints, with the same bits. For actors outside an actor group. See docs/decisions/032.
#pragma once

#include "constraint_plan.h"
#include "node_constraint.h"

/// Runs all constraints of the list.
/// @param weights see tdRunConstraints
/// @param width lanes of the kernel, from tdPoseGroup_GetWidth; 4 or 8
void tdRunConstraintPlan(const tdConstraintList* list, const float* weights, tdNodePose* pose, int width);

/// Kernels for lanes [lane, lane + width of the kernel) of a group; NULL where this build has none.
typedef void tdConstraintGroupFcn(const tdConstraintGroup* group, int lane, const float* weights,
                                  tdNodePose* pose);
tdConstraintGroupFcn* tdGetConstraintGroupQuad(void); // four
tdConstraintGroupFcn* tdGetConstraintGroupAvx2(void); // eight
