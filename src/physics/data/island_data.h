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
