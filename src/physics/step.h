// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Phases of a step that no other header declares.
#pragma once

#include "math/vecmath.h"

typedef struct tdWorld tdWorld;

/// How far each awake body may go in the coming step (world->aheads).
void tdWorld_LookAhead(tdWorld* world, float timeStep);
/// Velocities of kinematic bodies from their targets; what they touch wakes while they move.
void tdWorld_DriveKinematic(tdWorld* world, float timeStep);
/// Fat boxes of an awake body that may have left them. Touches only the body and its shapes.
void tdWorld_RefreshBoxes(tdWorld* world, int simIndex, tdVec3 displacement);
/// Fat boxes that grew into the trees and into the move buffer.
void tdWorld_RefitTrees(tdWorld* world);
/// Stop fast bodies at their first impact with static and kinematic ones.
void tdWorld_SolveContinuous(tdWorld* world);
