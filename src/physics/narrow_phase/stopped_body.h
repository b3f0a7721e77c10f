// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Energy and momentum of bodies that continuous collision stops. See docs/decisions/053.
#pragma once

#include "physics/data/world_data.h"

/// Remove the approach velocity of a body that its core stopped. It was in contact before, and gravity would
/// accelerate it in place. An awake dynamic target takes the opposite impulse at its centre of mass, so that
/// no momentum appears and the energy falls.
void tdRemoveDeepApproach(tdWorld* world, const tdFastBody* found);

/// Keep the energy of a body that is placed back on its path: the angular velocity turns with it, and what it
/// rises against gravity slows it down.
/// @param before the body at the end of the path
void tdKeepStoppedEnergy(const tdWorld* world, const tdBodySim* sim, const tdBodySim* before,
                         tdBodyState* state);

/// Stop bullets that touch a body which stops on its way, where they would run into it: a row of touching
/// balls that hits another ball arrives as a row. Velocities stay as they are; the next step solves the
/// impact.
/// @param count fast bodies from the first one on that are in the order of their references
void tdWorld_StopFollowers(tdWorld* world, int count);
