// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Islands: dynamic bodies held together by touching contacts and joints. Persistent. They merge at once when
// a contact or joint appears (the smaller one is relabelled); what disappears is only counted, and one island
// per step, the sleepiest that lost something, is split by union-find.
//
// Invariants
//   1. Every dynamic body is in exactly one island; all bodies of an island are awake, or all sleep.
//   2. An island may be too large (constraintsLost > 0), never too small.
#pragma once

#include "tendon/base.h"

typedef struct tdWorld tdWorld;

typedef struct tdIsland
{
    int firstBody, lastBody; // through tdBody.islandNext
    int bodyCount;           // 0: free
    int constraintsLost;     // contacts and joints that vanished since it was last known to be whole
    bool isAwake;
    uint8_t padding[3];              // islands are saved as they lie: no byte is left to chance
    float shortestRest, longestRest; // s, of its bodies, valid if stepIndex is the present one
    int nextFree;
    uint64_t stepIndex;
} tdIsland;

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
