// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// All node constraints of one pose, group by group of the list's plan: the same formulas as tdRunConstraints
// with one constraint per lane, and the same bits. For actors that are not part of a group.
#pragma once

#include "constraint_plan.h"
#include "node_constraint.h"

/// Run all constraints of the list.
/// @param weights see tdRunConstraints
/// @param width lanes of the kernel, as tdPoseGroup_GetWidth says; above 1
void tdRunConstraintPlan(const tdConstraintList* list, const float* weights, tdNodePose* pose, int width);

/// Kernels for lanes [lane, lane + width of the kernel) of a group; NULL where this build has none.
typedef void tdConstraintGroupFcn(const tdConstraintGroup* group, int lane, const float* weights,
                                  tdNodePose* pose);
tdConstraintGroupFcn* tdGetConstraintGroupQuad(void); // four
tdConstraintGroupFcn* tdGetConstraintGroupAvx2(void); // eight
