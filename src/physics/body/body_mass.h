// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mass, centre of mass, inertia and radii of a body.
#pragma once

#include "tendon/physics.h"

/// Recompute the outer and inner radius of a body from its shapes.
void tdWorld_UpdateRadii(tdWorld* world, int body);
/// Enlarge the radii by one new shape. The centre of mass must not have changed.
void tdWorld_GrowRadii(tdWorld* world, int shape);
/// Recompute mass, centre of mass, inertia and radii from the shapes and the given overrides.
void tdWorld_UpdateMass(tdWorld* world, int body);
