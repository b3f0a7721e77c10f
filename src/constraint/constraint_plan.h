// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A constraint list divided into SIMD groups: four or eight constraints of one kind, or chains of nodes to
// refresh, that do not depend on each other. Import builds the plan; running its groups in order gives the
// same bits as running the list. See docs/decisions/032.
//
// Invariants that tdConstraintPlan_Build establishes:
// 1. Every constraint of the list and every node of refreshNodes is in exactly one group.
// 2. Groups read only what earlier groups have written.
// 3. Lanes from `count` on repeat lane 0, so that they can be read. Their results are not written.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

typedef enum tdConstraintGroupKind
{
    TD_CONSTRAINT_GROUP_REFRESH, // chains of nodes
    TD_CONSTRAINT_GROUP_ROLL,
    TD_CONSTRAINT_GROUP_AIM, // neither end is a root
    TD_CONSTRAINT_GROUP_ROTATION,
    TD_CONSTRAINT_GROUP_ANY, // one constraint, run by tdRunConstraint
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

/// Builds the plan of a list in the arena.
/// @return NULL when memory ran out
tdConstraintPlan* tdConstraintPlan_Build(const tdConstraintList* list, const tdNodeTree* nodes,
                                         tdArena* arena);
