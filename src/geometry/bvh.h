// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Construction of the binary BVH of a triangle mesh.
#pragma once

#include "triangles.h"

typedef struct tdBvhItem // 32 bytes
{
    tdVec3 lower;
    uint32_t triangle;
    tdVec3 upper;
    uint32_t unused;
} tdBvhItem;

#define TD_BVH_LEAF_SIZE 4 // triangles

/// Nodes that the construction needs in addition to two per item: those of the top levels.
#define TD_BVH_SPARE_NODES 512

/// Sorts `items` into the order of the leaves and writes the nodes, depth first.
/// @param nodes array of 2 count + TD_BVH_SPARE_NODES
/// @param tasks NULL: the calling thread; the result is the same for every number of workers
/// @param progress may be NULL; every item counts 2
/// @return number of nodes
int tdBuildBvh(tdBvhItem* items, int count, tdBvhNode* nodes, const tdTasks* tasks, tdProgress* progress);
