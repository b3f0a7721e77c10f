// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Continuous collision (docs/decisions/053-continuous-collision.md).
#pragma once

#include "tendon/physics.h"

/// Moves fast bodies back to their first impact: with static and kinematic bodies, and for bullets also with
/// dynamic ones. Wakes sleeping bodies in the path of fast kinematic bodies.
void tdWorld_SolveContinuous(tdWorld* world);
