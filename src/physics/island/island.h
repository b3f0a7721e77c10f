// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Islands: linking, splitting, sleeping and waking. data/island_data.h describes the records.
#pragma once

#include "tendon/physics.h"

/// Create an island that contains one body. Memory must have been reserved.
/// @return index of the island
int tdWorld_CreateIsland(tdWorld* world, int body);
/// Remove a body from its island, and free the island if it was the last one.
void tdWorld_RemoveFromIsland(tdWorld* world, int body);
/// Merge the islands of two bodies because a constraint connects them. If one island is awake, the other
/// wakes. Does nothing unless both bodies are dynamic. Does not allocate.
void tdWorld_LinkBodies(tdWorld* world, int bodyA, int bodyB);
/// Record that a constraint between two bodies disappeared. The island is split later.
void tdWorld_UnlinkBodies(tdWorld* world, int bodyA, int bodyB);
/// Activate all bodies of an island.
void tdWorld_WakeIsland(tdWorld* world, int island);
/// Deactivate all bodies of an island.
void tdWorld_SleepIsland(tdWorld* world, int island);
/// The sleep test at the end of a step. Islands that rested long enough go to sleep. Of the islands that lost
/// constraints, the one with the longest rest is split, and small ones up to a limit of bodies per step.
void tdWorld_UpdateSleep(tdWorld* world, float timeStep);
