// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Node constraints (VRMC_node_constraint) in order of evaluation, with the constants of their formulas.
// Import builds the list once per asset; it is immutable and shared by all actors. See docs/decisions/030.
//
// Invariants that tdConstraintList_Build establishes:
// 1. A constraint comes after all constraints that it depends on. Of several candidates, the one with the
//    smallest destination node comes first.
// 2. Members of a dependency cycle have isInCycle, come first, and leave their destination at rest.
// 3. If the globals of a step's `refreshNodes` are updated before each aim, in list order, every aim finds
//    current globals in the parents of its source and destination. No node is in refreshNodes twice.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

#include "tendon/describe.h"

/// One constraint of the file.
typedef struct tdNodeConstraint
{
    tdConstraintKind kind;
    int destination, source; // nodes
    tdVec3 axis;             // rollAxis or aimAxis: unit, signed; unused by rotation
    float weight;            // 0 to 1; see tdConstraintList.isWide
    bool isInCycle;
    int cycle; // members of one cycle share a number; -1: in none
} tdNodeConstraint;

/// A constraint with the constants of its formula. With L the rest rotations of destination d and source s:
///   rotation   left = L(d) L(s)^-1                     q(d) = slerp(L(d), left q(s), weight)
///   roll       left = L(d)^-1, right = L(s)^-1 L(d)    q(d) = L(d) twist(left q(s) right)^weight
///   aim        axis = L(d) turns the aim axis          q(d) = fromTo(axis, direction)^weight L(d)
typedef struct tdConstraintStep
{
    tdConstraintKind kind;
    int destination, source;
    int destinationParent, sourceParent; // -1: root
    int refreshStart, refreshEnd;        // in refreshNodes
    int destinationSlot, sourceSlot;     // of an aim: index of the two parents in refreshNodes, -1: root
    bool isInCycle;
    tdQuat rest; // L(d)
    tdQuat left, right;
    tdVec3 axis;
} tdConstraintStep;

struct tdConstraintList
{
    int count;
    const tdNodeConstraint* items; // in order of evaluation
    const tdConstraintStep* steps; // the same with constants
    const int* byNode;             // node -> place in the lists above, -1: none
    const int* refreshNodes;
    const int* refreshParents;   // index of its parent in refreshNodes, -1: root
    const uint64_t* refreshBits; // set of refreshNodes, by position in nodes->order
    int refreshCount;
    const struct tdConstraintPlan* plan; // the same in constraint groups
    bool hasAim;
    bool isWide; // weights may be outside 0 to 1 (tdLoadDef.wideWeights)
};

/// Bound on the weights of wide lists, either sign. Artists use 2 or 3; the bound keeps the loop of whole
/// turns short.
#define TD_MAX_WIDE_WEIGHT 10.0f
/// Weight of a constraint that must not write, because a body overrules it.
#define TD_CONSTRAINT_OVERRULED (-1.0e6f)

/// Builds the list in the arena from constraints in any order, at most one per destination.
/// @return NULL when memory ran out
tdConstraintList* tdConstraintList_Build(const tdNodeTree* nodes, const tdNodeConstraint* items, int count,
                                         tdArena* arena);

/// Finds the constraints that are in a cycle under a stricter rule, where each depends on its source and all
/// ancestors of it. Some programs use that rule and refuse such files.
/// @param isInCycle by place in the list
/// @return false when memory ran out
bool tdConstraintList_FindWideCycles(const tdConstraintList* list, const tdNodeTree* nodes, bool* isInCycle,
                                     tdArena* scratch);

/// Writes the places of the constraints that one depends on, ascending, at most `capacity`.
/// @return how many there are
int tdConstraintList_GetDependencies(const tdConstraintList* list, const tdNodeTree* nodes, int place,
                                     int* out, int capacity);
