// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Islands: linking, splitting, sleeping and waking. The records are in data/island_data.h.
#pragma once

#include "tendon/physics.h"

/// Make the island of one body / take a body out. Create returns -1 if memory ran out.
int tdWorld_CreateIsland(tdWorld* world, int body);
void tdWorld_RemoveFromIsland(tdWorld* world, int body);
/// A constraint between two bodies appeared: their islands become one and wake if one is awake. Bodies that
/// are not dynamic do not link. Needs no memory.
void tdWorld_LinkBodies(tdWorld* world, int bodyA, int bodyB);
/// A constraint between two bodies is gone.
void tdWorld_UnlinkBodies(tdWorld* world, int bodyA, int bodyB);
void tdWorld_WakeIsland(tdWorld* world, int island);
void tdWorld_SleepIsland(tdWorld* world, int island);
/// Ends a step: islands that rested long enough sleep, the sleepiest incomplete one is split.
void tdWorld_UpdateSleep(tdWorld* world, float timeStep);
