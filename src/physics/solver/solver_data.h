// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The data of the constraint solver of a world: colour sets and the memory of a step.
#pragma once

#include "base/compiler.h"
#include "physics/data/body_data.h"
#include "physics/data/color.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/impact.h"
#include "physics/solver/kernels.h"
#include "physics/solver/partition.h"
#include "physics/solver/schedule.h"
#include "physics/solver/stack.h"

/// Sizes of blocks that workers take at a time. Smaller blocks cost more synchronization than they balance
/// load.
#define TD_GROUPS_PER_BLOCK 4
#define TD_BODY_ROWS_PER_BLOCK 16
/// Passes of a step besides those counted per colour and sub-step.
#define TD_PASS_CAPACITY_MARGIN 16

struct tdSolver
{
    const tdKernels* kernels;

    // Sets of taken colours by body index. Contacts and joints are coloured independently.
    uint64_t* contactColors;
    uint64_t* jointColors;
    int bodyCapacity;
    int overflowCount; // contacts in the overflow colour

    // Memory of a step.
    int* sorted; // touching contacts by partition, colour and size
    int sortedCapacity;
    tdContactGroup* groups;
    int groupCapacity;
    tdContactRows* rows; // 64-byte aligned
    int rowCapacity;
    tdBodyRow* bodyRows; // 64-byte aligned
    int bodyRowCapacity;
    // When several workers solve partition 0, body states are copied here in the order of regions. The states
    // of a region are then contiguous, and hardware prefetch does not load cache lines that another core
    // writes.
    tdBodyState* slotStates;
    int slotStateCapacity;
    const int* slots; // index in slotStates by awake index; NULL: slotStates is not used
    tdSchedule schedule;
    tdPartitionSet partitions;
    tdStackSet stacks;
    int colorStart[TD_COLOR_BOUNDS]; // partition 0: first group of each colour
    int* groupCosts;                 // partition 0: prefix sums of the cost of groups
    int groupCostCapacity;
    int* workRanges; // partition 0: work ranges of each colour, then of the body rows
    int workRangeCapacity;
    tdImpactContact* impacts; // by touching contact
    int* impactHeap;
    int impactCapacity, impactHeapCapacity;
    int groupLimit, rowLimit; // of this step: from counts, because capacities depend on history

    tdSolverStep step;
    atomic_int needsSprings; // of tdSolverStep
    atomic_int clampedCount; // bodies that exceeded a bound of speed in this step
};
