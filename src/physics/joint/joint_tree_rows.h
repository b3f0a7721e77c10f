// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of a joint tree.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

/// Loads the rows of all joints of the tree from their blocks. Directions and weights are computed only if
/// the tree is not built yet.
void tdJointTree_GatherRows(const tdSolverStep* step, tdJointTree* tree, tdJointTreePass pass);
/// Sets the residuals of the curved rows from the predicted poses at the end of the sub-step.
void tdJointTree_MeasureResiduals(const tdSolverStep* step, const tdJointTree* tree);
