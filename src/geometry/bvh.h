// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds the binary BVH of a triangle mesh.
#pragma once

#include "triangles.h"

typedef struct tdBvhItem // 32 bytes
{
    tdVec3 lower;
    uint32_t triangle;
    tdVec3 upper;
    uint32_t unused;
} tdBvhItem;

#define TD_BVH_LEAF_SIZE 4

/// Nodes needed while building, beyond 2 count.
#define TD_BVH_SPARE_NODES 512

/// Sorts `items` into the order of the leaves and writes the nodes, depth first.
/// @param nodes room for 2 count + TD_BVH_SPARE_NODES
/// @param tasks NULL: the caller's thread; the result is the same
/// @param progress NULL: none; every item counts 2
/// @return number of nodes
int tdBuildBvh(tdBvhItem* items, int count, tdBvhNode* nodes, const tdTasks* tasks, tdProgress* progress);
