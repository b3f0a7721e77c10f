// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Islands: sets of dynamic bodies that touching contacts and joints connect. Islands persist from step to
// step. They merge at once when a constraint appears. When a constraint disappears, the island only counts
// it; the sleep test splits such islands later (island/island.c). See docs/decisions/062.
//
// Invariants
//   1. Every dynamic body is in exactly one island. All bodies of an island are awake, or all are asleep.
//   2. An island may contain unconnected bodies (constraintsLost > 0). Connected bodies are always in one
//      island.
#pragma once

#include "base/compiler.h"

#include "tendon/base.h"

typedef struct tdWorld tdWorld;

typedef struct tdIsland
{
    int firstBody, lastBody; // list through tdBody.islandNext
    int bodyCount;           // 0: free
    int constraintsLost;     // contacts and joints that disappeared since the last split
    int loadedManifolds, softManifolds, keptManifolds, movingManifolds; // while world/pile.c counts them
    bool isAwake;
    uint8_t loadedSteps; // counts steps with a loaded contact, or those of waiting (solver/stack.c)
    atomic_uchar load;   // of this step; > 0: a contact is loaded
    bool isCreeping;     // the last sleep test failed: its bodies are slow, but they move on
    float shortestRest,
        longestRest; // s, least and largest tdBodySim.sleepTime of its bodies, valid in step stepIndex
    int nextFree;
    _Alignas(8) uint64_t stepIndex;
} tdIsland;
