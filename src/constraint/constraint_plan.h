// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The work of a constraint list cut into groups of four or eight like things that do not wait for each
// other, for kernels that take one in each lane: constraints of one kind, or chains of nodes whose globals
// aims read. Made at load. Running the groups one after the other gives what running the list gives, bit for
// bit.
//
// Invariants, kept by tdConstraintPlan_Build:
// 1. Every constraint of the list is in one group, every node of refreshNodes in one group.
// 2. Everything a group reads was written by groups before it.
// 3. Lanes from `count` on repeat lane 0: they are safe to read and never to be written.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

typedef enum tdConstraintGroupKind
{
    TD_CONSTRAINT_GROUP_REFRESH, // chains of nodes
    TD_CONSTRAINT_GROUP_ROLL,
    TD_CONSTRAINT_GROUP_AIM, // neither end is a root
    TD_CONSTRAINT_GROUP_ROTATION,
    TD_CONSTRAINT_GROUP_ANY, // constraints that run one by one
} tdConstraintGroupKind;

/// Rows of tdConstraintGroup.numbers for constraints, `width` numbers each.
enum
{
    TD_ROW_PLACE, // in the list
    TD_ROW_DESTINATION,
    TD_ROW_SOURCE,
    TD_ROW_DESTINATION_PARENT,
    TD_ROW_SOURCE_PARENT,
    TD_NUMBER_ROWS,
};

/// Rows of tdConstraintGroup.constants, `width` floats each: the members of tdConstraintStep.
enum
{
    TD_ROW_REST = 0,
    TD_ROW_LEFT = 4,
    TD_ROW_RIGHT = 8,
    TD_ROW_AXIS = 12,
    TD_CONSTANT_ROWS = 15,
};

typedef struct tdConstraintGroup
{
    tdConstraintGroupKind kind;
    int width;  // lanes: 1, 4 or 8
    int count;  // lanes in use
    int length; // rows of `numbers`. REFRESH: each row one node further down the chains
    const int* numbers;
    const float* constants; // NULL for REFRESH and ANY
} tdConstraintGroup;

typedef struct tdConstraintPlan
{
    const tdConstraintGroup* groups;
    int count;
} tdConstraintPlan;

/// @return NULL when memory ran out
tdConstraintPlan* tdConstraintPlan_Build(const tdConstraintList* list, const tdNodeTree* nodes,
                                         tdArena* arena);
