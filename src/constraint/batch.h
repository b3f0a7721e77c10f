// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// All node constraints of one pose, batch by batch of the list's plan: the same formulas as tdRunConstraints
// with one constraint per lane, and the same bits. For actors that are not part of a crowd.
#pragma once

#include "constraint_plan.h"
#include "node_constraint.h"

/// Run all constraints of the list.
/// @param weights see tdRunConstraints
/// @param width lanes of the kernel, as tdCrowd_GetWidth says; above 1
void tdRunConstraintPlan(const tdConstraintList* list, const float* weights, tdNodePose* pose, int width);

/// Kernels for lanes [lane, lane + width of the kernel) of a batch; NULL where this build has none.
typedef void tdBatchFcn(const tdConstraintBatch* batch, int lane, const float* weights, tdNodePose* pose);
tdBatchFcn* tdGetBatchQuad(void); // four
tdBatchFcn* tdGetBatchAvx2(void); // eight
