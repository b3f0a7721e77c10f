// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What the world asks of the solver: the constraint graph, the growth phase, the sub-steps, and the joints'
// share in islands, sleep and saved state. What the solver asks of the world is in world.h, body.h and
// island.h.
#pragma once

#include "tendon/physics.h"

typedef struct tdStateStream tdStateStream;
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

/// A contact has manifolds and a dense touch now / no longer. Colours are chosen here, from the bodies of the
/// contact (stable body indices); called serially, in an order that depends on data only. The number of
/// manifolds of a contact may change from step to step without a call.
void tdSolver_AddContact(tdWorld* world, int contact);
void tdSolver_RemoveContact(tdWorld* world, int contact);

/// Integrate velocities and positions of all awake bodies under gravity, forces, contacts and joints: reads
/// sims, touches and their manifolds; writes states, warm-start impulses, totalImpulse, minSeparation and
/// isSticking of the manifolds; calls tdWorld_FinalizeBodies for all awake bodies at the end. Needs no
/// memory.
void tdSolver_Solve(tdWorld* world, float timeStep);

// Joints in the world's life.

/// The bodies joined to `body`, one per call. Start with *cursor = -1.
/// @return the other body's index, -1 when there are no more; the fixed world does not count
int tdSolver_GetJointNeighbour(const tdWorld* world, int body, int* cursor);
/// The body is about to be destroyed.
void tdSolver_DestroyJointsOf(tdWorld* world, int body);
/// The body's motion is about to change: its joints leave graph and islands / has changed: they come back.
void tdSolver_DetachJointsOf(tdWorld* world, int body);
void tdSolver_AttachJointsOf(tdWorld* world, int body);
/// Mass or inertia of the body changed.
void tdSolver_ChangeMassOf(tdWorld* world, int body);
/// A body was put elsewhere: its joints wake what hangs on them, and draw it together if they are apart now.
void tdSolver_MoveJointsOf(tdWorld* world, int body);
/// All bodies of the island are asleep now / awake now; sim indices are those after the move.
void tdSolver_SleepJoints(tdWorld* world, int island);
void tdSolver_WakeJoints(tdWorld* world, int island);

/// Continue the hash with what the solver remembers of joints (warm-start impulses, turn counts).
uint64_t tdSolver_Hash(const tdWorld* world, uint64_t hash);
/// Count, write or read everything the next step depends on: joints, colours in their order (state.h).
/// @return false if memory ran out or the bytes are not ours
bool tdSolver_Stream(tdWorld* world, tdStateStream* stream);
