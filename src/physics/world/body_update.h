// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The update of bodies at the start and the end of a step.
#pragma once

#include "tendon/physics.h"

/// Compute an upper bound of the displacement of each awake body in this step
/// (world->predictedDisplacements).
void tdWorld_PredictDisplacements(tdWorld* world, float timeStep);
/// Set the velocities of kinematic bodies from their targets, and wake bodies that a moving one touches.
void tdWorld_DriveKinematic(tdWorld* world, float timeStep);

/// Update awake bodies after the last sub-step: apply the deltas to their poses, clear forces, update
/// inertia, fat boxes, displacement counters and rest time. Callable from any worker for disjoint ranges of
/// awake indices.
void tdWorld_UpdateBodies(tdWorld* world, int startIndex, int endIndex);
