// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Partitions: sets of awake bodies that no contact or joint connects, found anew in each step. One worker
// solves a partition from the first sub-step to the last, so its rows stay in the cache of one core and no
// synchronization is needed. Partition 0 is different: all workers solve it together, colour by colour. It
// contains bodies with joints, bodies that touch a moving kinematic body, and components that are too large
// for one worker. See docs/decisions/063.
//
// In partition 0 each worker should use its own cache lines too. Bodies are sorted into as many regions of
// space as there are workers, and the contacts of a region are contiguous inside a colour. One worker then
// solves nearly all contacts of a body. See docs/decisions/066.
//
// The order of colours is the same in every partition, the order inside a colour does not matter, and
// partitions share no body. So neither division changes a bit of the result, and both may depend on workers,
// sizes and history.
#pragma once

#include "base/compiler.h"

#include "tendon/physics.h"

typedef struct tdPartition
{
    int firstContact, contactCount; // range in tdSolver.sorted
    int firstGroup, groupCount;
    int overflowCount; // groups of the overflow colour; they are the last ones
    int firstRow, rowCount;
    int firstBodyRow, bodyRowCount;
    int bodyCount;
    bool bounces;    // a contact has restitution
    int regionCount; // > 1: contacts are sorted by region inside a colour
} tdPartition;

typedef struct tdPartitionSet
{
    tdPartition* items;
    int count, capacity;

    // By awake index.
    atomic_int* roots;    // union-find; at the end the least index of the component
    atomic_uchar* shared; // 1: must be in partition 0
    int* sizes;           // of roots: number of bodies in the component
    uint16_t* partitionOf;
    int rootCapacity, sharedCapacity, sizeCapacity, partitionOfCapacity;
    int* bodies; // by partition, each padded with 0 to a multiple of 8
    int bodiesCapacity;
    bool isWhole; // all bodies are in partition 0 and `bodies` is not used

    // Regions, by awake index.
    uint8_t* regions;
    int* regionOrder; // all awake bodies in the order of regions
    int* slots;       // index of a body in regionOrder + 1; 0 for body 0
    int regionCapacity, regionOrderCapacity, slotCapacity;
    int* regionSizes; // scratch: contacts by colour, region and size
    int regionSizeCapacity;
    int regionCount;  // 1: regions are not used
    int regionBodies; // awakeCount when the regions were computed; 0: never
    int regionAge;    // steps since then

    // By touching contact.
    uint16_t* contactPartitions;
    uint32_t* keys;   // sort key, see SORT_KEY_COUNT in partition.c
    int* byPartition; // touching contacts in the order of partitions
    int contactPartitionCapacity, keyCapacity, byPartitionCapacity;
    atomic_int leastSize; // smallest of all size keys

    int pause, nextPause; // steps without a search, because the last search found no useful partitions
} tdPartitionSet;

/// Reserve the memory of a step.
/// @return false if memory ran out
bool tdPartitionSet_Reserve(tdPartitionSet* partitions, tdWorld* world, int contactCount);
void tdPartitionSet_Free(tdPartitionSet* partitions, const tdAllocator* allocator);

/// Find the partitions, sort the contacts of each by colour and size into tdSolver.sorted, and assign groups,
/// rows and body rows. If the limits of groups and rows do not suffice, there is only partition 0.
void tdPartitionSet_LayOut(tdWorld* world);
/// Write the groups of a partition: their contacts and rows.
/// @param colorStart out, or NULL: the first group of each colour, and the end
void tdPartition_WriteGroups(const tdWorld* world, const tdPartition* partition, int* colorStart);
/// The bodies of a row of eight; 0: none.
void tdPartitionSet_GetBodies(const tdPartitionSet* partitions, int row, int awakeCount, int32_t* bodies);
