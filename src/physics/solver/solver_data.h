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

#include "physics/solver/contact_rows.h"
#include "physics/solver/partition.h"
#include "physics/solver/schedule.h"
#include "physics/solver/solver.h"
#include "physics/world/world.h"

#define TD_COLOR_COUNT 64
#define TD_COLOR_OVERFLOW 64
/// Items of a range that are worth a block of their own.
#define TD_GROUPS_PER_BLOCK 4
#define TD_BODY_ROWS_PER_BLOCK 16
#define TD_STAGE_CAPACITY_MARGIN 16

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
    tdStageList stages;
    tdParts parts;
    int colorStart[TD_COLOR_COUNT +
                   2]; // in part 0 the groups of a colour are [colorStart[c], colorStart[c + 1])
    int* groupCosts;   // of part 0: how much work the groups before one are
    int groupCostCapacity;
    int* shares; // of the workers: in each colour of part 0, then in its rows of bodies
    int shareCapacity;
    int groupLimit,
        rowLimit; // most this step may use; from counts, not from capacities, which have a history

    tdSolverStep step;
    struct tdJointSet* joints;
};

/// Grow `*memory`, keeping the first `count` elements. False: out of memory, nothing changed.
bool tdSolver_Grow(tdWorld* world, void** memory, int* capacity, int count, int wanted, size_t elementSize);

/// Room for the colour sets of body indices below `bodyCount`.
bool tdSolver_ReserveBodies(tdWorld* world, int bodyCount);

/// The colour for a constraint between two bodies, taken at once.
int tdSolver_TakeColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB);
void tdSolver_GiveColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB, int color);

/// Set piecesA and piecesB (0 before) of a group of the overflow colour that has its lanes.
void tdContactGroup_CountPieces(tdContactGroup* group);
/// The passes over groups of the overflow colour.
tdKernelFcn tdOverflow_WarmStart, tdOverflow_Solve, tdOverflow_Relax, tdOverflow_Restitute;
