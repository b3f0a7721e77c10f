// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What one world's solver owns: colours, joints and the memory of a step. Shared by solver*.c and joint*.c.
//
// Colours. No dynamic body occurs twice in a colour, so the constraints of a colour may be solved in any
// order, side by side in lanes and on any worker, and give the same bits. Each body has a 64-bit set of the
// colours its constraints have; a new constraint takes the lowest colour free at both bodies, or the highest
// if only one of them is dynamic: contact with what cannot move is solved last and wins. When all 64 are
// taken the constraint goes to the overflow colour, whose groups are solved one after the other, and in which
// a body may occur several times in a group (solver_overflow.c).
#pragma once

#include "physics/data/body_data.h"
#include "physics/data/color.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"
#include "physics/solver/partition.h"
#include "physics/solver/schedule.h"

/// Items of a range that are worth a block of their own.
#define TD_GROUPS_PER_BLOCK 4
#define TD_BODY_ROWS_PER_BLOCK 16
#define TD_PASS_CAPACITY_MARGIN 16
#define TD_RESTITUTION_PASSES 4

struct tdSolver
{
    const tdKernels* kernels;

    // Colours taken, by body index. Contacts and joints are coloured apart.
    uint64_t* contactColors;
    uint64_t* jointColors;
    int bodyCapacity;
    int overflowCount; // contacts in the overflow colour

    // Memory of a step.
    int* sorted; // touches by part, colour and size
    int sortedCapacity;
    tdContactGroup* groups;
    int groupCapacity;
    tdContactRows* rows; // 64-byte aligned
    int rowCapacity;
    tdBodyRow* bodyRows; // 64-byte aligned
    int bodyRowCapacity;
    // Several workers that solve together have the states of the bodies in order of the slabs while they do,
    // each worker's in one piece: processors fetch neighbouring lines unasked.
    tdBodyState* slotStates;
    int slotStateCapacity;
    const int* slots; // by awake index: where in slotStates; NULL: they are not used
    tdSchedule schedule;
    tdPartitionSet partitions;
    int colorStart[TD_COLOR_BOUNDS]; // in part 0 the groups of a colour are [colorStart[c], colorStart[c +
                                     // 1])
    int* groupCosts;                 // of part 0: how much work the groups before one are
    int groupCostCapacity;
    int* workRanges; // of the workers: in each colour of part 0, then in its rows of bodies
    int workRangeCapacity;
    int groupLimit,
        rowLimit; // most this step may use; from counts, not from capacities, which have a history

    tdSolverStep step;
};
