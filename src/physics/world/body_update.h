// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The update of bodies at the begin and the end of a step.
#pragma once

#include "tendon/physics.h"

/// How far each awake body may go in the coming step (world->predictedDisplacements).
void tdWorld_PredictDisplacements(tdWorld* world, float timeStep);
/// Velocities of kinematic bodies from their targets; what they touch wakes while they move.
void tdWorld_DriveKinematic(tdWorld* world, float timeStep);

/// Called by tdWorld_RunSubSteps when velocities and deltas are final, once for each awake index in [1,
/// count), in ranges, from any worker: applies the deltas, clears forces, refreshes inertia, boxes, travel
/// and sleep time.
void tdWorld_FinalizeBodies(tdWorld* world, int startIndex, int endIndex, int worker);
