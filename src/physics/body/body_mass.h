// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mass, centre of mass, inertia and radii of a body.
#pragma once

#include "tendon/physics.h"

/// Outer and inner radius from the shapes.
void tdWorld_UpdateRadii(tdWorld* world, int body);
/// The same when only this shape is new and the centre of mass stayed.
void tdWorld_GrowRadii(tdWorld* world, int shape);
/// Mass, centre and inertia anew from the shapes and what the caller gave.
void tdWorld_UpdateMass(tdWorld* world, int body);
