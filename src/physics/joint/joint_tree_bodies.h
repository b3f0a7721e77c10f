// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies of a joint tree.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

/// Loads the current velocities.
void tdJointTree_LoadVelocities(const tdSolverStep* step, tdJointTreeBody* bodies, int count);
/// Loads the inverse masses at the current pose.
void tdJointTree_LoadMasses(const tdSolverStep* step, tdJointTreeBody* bodies, int count);
/// Reduces the inverse inertia of bodies under high tension (geometric stiffness, see joint_tree_bodies.c).
/// @return true if a body is under such tension
bool tdJointTree_StiffenBodies(const tdSolverStep* step, const tdJointTree* tree, tdJointTreeBody* bodies);
/// Factors the inverse masses.
void tdJointTree_FactorMasses(tdJointTreeBody* bodies, int count);
/// Sets the resulting velocities from the unknowns: v + F z.
void tdJointTree_ApplyUnknowns(tdJointTreeBody* bodies, int count, const double* unknowns);
/// Predicts the poses at the end of the sub-step from the resulting velocities.
void tdJointTree_PredictBodies(const tdSolverStep* step, tdJointTreeBody* bodies, int count);
/// Stores the resulting velocities in the state array.
void tdJointTree_StoreBodies(const tdSolverStep* step, const tdJointTreeBody* bodies, int count);
/// After a solve pass: records how it changes the velocities at the end of the sub-step.
/// @param isFirst false: adds to the record
void tdJointTree_RecordGains(const tdSolverStep* step, tdJointTreeBody* bodies, int count, bool isFirst);
/// True if a velocity differs from the result of the last pass: contacts have pushed the body.
bool tdJointTree_IsDisturbed(const tdSolverStep* step, const tdJointTreeBody* bodies, int count);
/// Work that geometric stiffness took from the impulses of a pass, J.
double tdJointTree_GetStiffWork(const tdJointTree* tree, const tdJointTreeBody* bodies,
                                const double* unknowns);
/// Kinetic energy of a tree with a body that turns fast, J; -1: no body does.
double tdJointTree_SumFastEnergy(const tdSolverStep* step, const tdJointTreeBody* bodies, int count);
/// Reduce the kinetic energy of a tree to the given one.
/// @param isFree no joint holds it at the world
void tdJointTree_BoundFastEnergy(const tdSolverStep* step, const tdJointTreeBody* bodies, int count,
                                 double before, bool isFree);
