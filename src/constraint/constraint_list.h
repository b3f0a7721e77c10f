// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Node constraints (VRMC_node_constraint) as import leaves them: sorted so that each stands after everything
// it reads, with the constants of its formula worked out. Immutable; shared by all actors of the asset.
//
// Invariants, kept by tdConstraintList_Build:
// 1. A constraint stands after all constraints it depends on; among those that are free, the one with the
// smaller
//    destination node comes first.
// 2. Members of a true cycle have isInCycle, stand first and leave their destination at rest.
// 3. Going through the list and bringing the globals of `refreshNodes` up to date before each aim, every aim
// finds
//    current globals in the parents of its source and destination. No node is in refreshNodes twice.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

typedef enum tdConstraintKind
{
    TD_CONSTRAINT_ROLL,
    TD_CONSTRAINT_AIM,
    TD_CONSTRAINT_ROTATION,
} tdConstraintKind;

/// What the file says of one constraint.
typedef struct tdNodeConstraint
{
    tdConstraintKind kind;
    int destination, source; // nodes
    tdVec3 axis;             // rollAxis or aimAxis: unit, signed; unused by rotation
    float weight;            // 0 to 1; see tdConstraintList.isWide
    bool isInCycle;
    int cycle; // members of one cycle share a number; -1: in none
} tdNodeConstraint;

/// The same ready to run. With L the rest rotations of destination d and source s:
///   rotation   left = L(d) L(s)^-1                     q(d) = slerp(L(d), left q(s), weight)
///   roll       left = L(d)^-1, right = L(s)^-1 L(d)    q(d) = L(d) twist(left q(s) right)^weight
///   aim        axis = L(d) turns the aim axis          q(d) = fromTo(axis, direction)^weight L(d)
typedef struct tdConstraintStep
{
    tdConstraintKind kind;
    int destination, source;
    int destinationParent, sourceParent; // -1: root
    int refreshStart, refreshEnd;        // in refreshNodes
    int destinationSlot, sourceSlot;     // of an aim: places of the two parents in refreshNodes, -1: root
    bool isInCycle;
    tdQuat rest; // L(d)
    tdQuat left, right;
    tdVec3 axis;
} tdConstraintStep;

struct tdConstraintList
{
    int count;
    const tdNodeConstraint* items; // in order of evaluation
    const tdConstraintStep* steps; // the same, ready to run
    const int* byNode;             // node -> place in the lists above, -1: none
    const int* refreshNodes;
    const int* refreshParents;   // place of each one's parent in refreshNodes, -1: root
    const uint64_t* refreshBits; // all of them, by position in nodes->order
    int refreshCount;
    const struct tdConstraintPlan* plan; // the same in groups (constraint_plan.h)
    bool hasAim;
    bool isWide; // weights may be outside of 0 to 1
};

/// Weights of wide lists stay within this: ten times the effect is a joke already.
#define TD_MAX_WIDE_WEIGHT 10.0f
/// In the place of the weight of a constraint that does not write: a body overrules it.
#define TD_CONSTRAINT_OVERRULED (-1.0e6f)

/// Sort and prepare. `items` (in any order, one per destination) are copied into the arena.
/// @return NULL when memory ran out
tdConstraintList* tdConstraintList_Build(const tdNodeTree* nodes, const tdNodeConstraint* items, int count,
                                         tdArena* arena);

/// Constraints that a wider rule (each depends on its source and everything above it, whatever it reads)
/// finds in a cycle; some programs use it and refuse such files.
/// @param isInCycle by place in the list
/// @return false when memory ran out
bool tdConstraintList_FindWideCycles(const tdConstraintList* list, const tdNodeTree* nodes, bool* isInCycle,
                                     tdArena* scratch);

/// Places in the list of the constraints that one depends on, ascending; at most `capacity` are written.
/// @return how many there are
int tdConstraintList_GetDependencies(const tdConstraintList* list, const tdNodeTree* nodes, int place,
                                     int* out, int capacity);
