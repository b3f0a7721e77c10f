// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies of a joint tree.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

/// Velocities and inverse masses as they are now.
void tdJointTree_LoadBodies(const tdSolverStep* step, tdJointTreeBody* bodies, int count);
/// Let bodies under heavy tension answer more slowly.
void tdJointTree_StiffenBodies(const tdSolverStep* step, const tdJointTree* tree, tdJointTreeBody* bodies);
void tdJointTree_StoreBodies(const tdSolverStep* step, const tdJointTreeBody* bodies, int count);
/// What the bodies gained in a pass by all rows together, as energy.
double tdJointTree_GetEnergyGain(const tdJointTree* tree, const tdJointTreeBody* bodies);
