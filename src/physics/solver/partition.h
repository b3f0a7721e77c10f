// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parts: sets of awake bodies that no contact or joint connects, found anew in each step. A part is solved by
// one worker from the first sub-step to the last while its rows stay in that worker's cache, without waiting
// for anybody. Part 0 is what all workers solve together, colour by colour: bodies with joints, bodies that
// touch a moving kinematic one, and whatever is too large for one worker.
//
// Where workers solve together, they should not meet in memory either: bodies are sorted into as many slabs
// of space as there are workers, and inside a colour the touches of a slab lie next to each other. So nearly
// all touches of a body are solved by one worker, and its state stays in that worker's cache.
//
// Order inside a part is that of the colours, inside a colour it does not matter, and parts do not meet; so
// neither cut changes a bit of the result: when and how to cut is free to depend on workers, sizes and
// history.
#pragma once

#include "tendon/physics.h"

#include <stdatomic.h>

typedef struct tdPartition
{
    int firstContact, contactCount; // in tdSolver.sorted
    int firstGroup, groupCount;
    int overflowCount; // of the groups: the last ones, of the overflow colour
    int firstRow, rowCount;
    int firstBodyRow, bodyRowCount;
    int bodyCount;
    bool bounces;    // one of its touches does
    int regionCount; // its touches are sorted by slab inside a colour; 1: they are not
} tdPartition;

typedef struct tdPartitionSet
{
    tdPartition* items;
    int count, capacity;

    // By awake index.
    atomic_int* roots;    // least index of those connected with it, when the search is over
    atomic_uchar* shared; // 1: must be in part 0
    int* sizes;           // of roots: how many are connected
    uint16_t* partitionOf;
    int rootCapacity, sharedCapacity, sizeCapacity, partitionOfCapacity;
    int* bodies; // by part, each part filled up to a multiple of 8 with 0
    int bodiesCapacity;
    bool isWhole; // everything is in part 0, and `bodies` is not used

    // Slabs, by awake index.
    uint8_t* regions;
    int* regionOrder; // all awake bodies in order of their slabs; the first is at 0
    int* slots;       // place of a body in slabOrder, counted from 1; 0 for 0
    int regionCapacity, regionOrderCapacity, slotCapacity;
    int* regionSizes; // touches by colour, slab and size
    int regionSizeCapacity;
    int regionCount;  // 1: not used
    int regionBodies; // awakeCount when they were found, 0: never
    int regionAge;    // steps since then

    // By touch.
    uint16_t* contactPartitions;
    uint32_t* keys;   // place inside the part, see part.c
    int* byPartition; // touches in order of their parts
    int contactPartitionCapacity, keyCapacity, byPartitionCapacity;
    atomic_int leastSize; // of all size keys

    int pause, nextPause; // steps without a search, because the last ones found little
} tdPartitionSet;

/// The growth phase. False: out of memory, nothing changed.
bool tdPartitionSet_Reserve(tdPartitionSet* partitions, tdWorld* world, int contactCount);
void tdPartitionSet_Free(tdPartitionSet* partitions, const tdAllocator* allocator);

/// Cut the awake world, sort the touches of each part by colour and size into tdSolver.sorted, and lay out
/// groups, rows and rows of bodies. If the limits of groups and rows do not suffice for many parts there is
/// only one.
void tdPartitionSet_LayOut(tdWorld* world);
/// Write the groups of a part: which touches they hold and where their rows are.
/// @param colorStart NULL, or where to put the first group of each colour and the end
void tdPartition_WriteGroups(const tdWorld* world, const tdPartition* partition, int* colorStart);
/// Bodies of a row of eight, 0 where there is none.
void tdPartitionSet_GetBodies(const tdPartitionSet* partitions, int row, int awakeCount, int32_t* bodies);
