// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation, destruction and memory of the constraint solver of a world.
#pragma once

#include "tendon/physics.h"

typedef struct tdSolver tdSolver; // solver_data.h

/// Create world->solver.
/// @return false if memory ran out
bool tdSolver_Create(tdWorld* world);
/// Free world->solver, if there is one.
void tdSolver_Destroy(tdWorld* world);

/// Reserve the memory of a step, except that of joints (tdJointSet_Reserve).
/// @param bodyCount number of body records; body indices are below it
/// @param contactCount upper bound of touching contacts, sleeping ones included
/// @param manifoldCount upper bound of their manifolds
/// @return false if memory ran out; nothing changed
bool tdSolver_Reserve(tdWorld* world, int bodyCount, int contactCount, int manifoldCount);
