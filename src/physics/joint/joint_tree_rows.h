// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of a joint tree.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

/// Builds the rows of all joints of the tree from their blocks.
void tdJointTree_GatherRows(const tdSolverStep* step, const tdJointTree* tree, tdJointTreePass pass);
