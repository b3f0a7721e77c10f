// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The work of a constraint list cut into batches of four or eight like things that do not wait for each
// other, for kernels that take one in each lane: constraints of one kind, or chains of nodes whose globals
// aims read. Made at load. Running the batches one after the other gives what running the list gives, bit for
// bit.
//
// Invariants, kept by tdConstraintPlan_Build:
// 1. Every constraint of the list is in one batch, every node of refreshNodes in one batch.
// 2. Everything a batch reads was written by batches before it.
// 3. Lanes from `count` on repeat lane 0: they are safe to read and never to be written.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

typedef enum tdBatchKind
{
    TD_BATCH_REFRESH, // chains of nodes
    TD_BATCH_ROLL,
    TD_BATCH_AIM, // neither end is a root
    TD_BATCH_ROTATION,
    TD_BATCH_ANY, // constraints that run one by one
} tdBatchKind;

/// Rows of tdConstraintBatch.numbers for constraints, `width` numbers each.
enum
{
    TD_ROW_PLACE, // in the list
    TD_ROW_DESTINATION,
    TD_ROW_SOURCE,
    TD_ROW_DESTINATION_PARENT,
    TD_ROW_SOURCE_PARENT,
    TD_NUMBER_ROWS,
};

/// Rows of tdConstraintBatch.constants, `width` floats each: the members of tdConstraintStep.
enum
{
    TD_ROW_REST = 0,
    TD_ROW_LEFT = 4,
    TD_ROW_RIGHT = 8,
    TD_ROW_AXIS = 12,
    TD_CONSTANT_ROWS = 15,
};

typedef struct tdConstraintBatch
{
    tdBatchKind kind;
    int width;  // lanes: 1, 4 or 8
    int count;  // lanes in use
    int length; // rows of `numbers`. REFRESH: each row one node further down the chains
    const int* numbers;
    const float* constants; // NULL for REFRESH and ANY
} tdConstraintBatch;

typedef struct tdConstraintPlan
{
    const tdConstraintBatch* batches;
    int count;
} tdConstraintPlan;

/// @return NULL when memory ran out
tdConstraintPlan* tdConstraintPlan_Build(const tdConstraintList* list, const tdNodeTree* nodes,
                                         tdArena* arena);
