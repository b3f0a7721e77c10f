// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The sub-steps of a step: the driver of the constraint solver.
#pragma once

#include "tendon/physics.h"

/// Integrate velocities and positions of all awake bodies under gravity, forces, contacts and joints. Reads
/// sims, touching contacts and their manifolds. Writes states, and the impulses, sag, isOverlapping and
/// isSticking of the manifolds. Ends with tdWorld_UpdateBodies for all awake bodies. Does not allocate.
void tdWorld_RunSubSteps(tdWorld* world, float timeStep);
