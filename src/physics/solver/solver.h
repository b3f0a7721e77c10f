// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What the world asks of the solver: the constraint graph, the growth phase, the sub-steps, and the joints'
// share in islands, sleep and saved state. What the solver asks of the world is in world.h, body.h and
// island.h.
#pragma once

#include "tendon/physics.h"

typedef struct tdSolver tdSolver; // graph, joints and step memory of one world: world->solver

/// @return false if memory ran out
bool tdSolver_Create(tdWorld* world);
void tdSolver_Destroy(tdWorld* world);

/// The growth phase: everything Solve, AddContact and WakeJoints will need, before anything changes.
/// @param bodyCount body records in use, so body indices are below it
/// @param contactCount touching contacts there may be at once, sleepers included
/// @param manifoldCount manifolds that may be solved in this step
/// @return false if memory ran out; nothing changed
bool tdSolver_Reserve(tdWorld* world, int bodyCount, int contactCount, int manifoldCount);
