// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The sub-steps of a step.
#pragma once

#include "tendon/physics.h"

/// Integrate velocities and positions of all awake bodies under gravity, forces, contacts and joints: reads
/// sims, touches and their manifolds; writes states, warm-start impulses, totalImpulse, minSeparation and
/// isSticking of the manifolds; calls tdWorld_FinalizeBodies for all awake bodies at the end. Needs no
/// memory.
void tdWorld_RunSubSteps(tdWorld* world, float timeStep);
