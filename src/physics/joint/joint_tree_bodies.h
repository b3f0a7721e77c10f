// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies of a joint tree.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

/// Loads the current velocities and inverse masses.
void tdJointTree_LoadBodies(const tdSolverStep* step, tdJointTreeBody* bodies, int count);
/// Reduces the inverse inertia of bodies under high tension (geometric stiffness, see joint_tree_bodies.c).
void tdJointTree_StiffenBodies(const tdSolverStep* step, const tdJointTree* tree, tdJointTreeBody* bodies);
/// Stores the resulting velocities in the state array.
void tdJointTree_StoreBodies(const tdSolverStep* step, const tdJointTreeBody* bodies, int count);
/// Kinetic energy that all rows together added to the bodies in a pass, in joules.
double tdJointTree_GetEnergyGain(const tdJointTree* tree, const tdJointTreeBody* bodies);
