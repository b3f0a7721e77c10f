// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Query trees: a copy of a dynamic tree for queries, with tight boxes and four children per node. Queries
// build it when so many of them followed the last change that it pays. A query visits the same shapes in
// either tree, so its result does not depend on which one it uses (docs/decisions/068-query-trees.md).
#pragma once

#include "physics/broad_phase/aabb_tree.h"

#include "tendon/physics.h"

/// Values of tdAabbTree.queryState besides a number of queries.
#define TD_QUERY_TREE_BUILDING -1
#define TD_QUERY_TREE_READY -2

/// Stack size of the traversals: three siblings per level, of at most 24 levels that are split by area and
/// 31 that are split in halves.
#define TD_QUERY_STACK_SIZE 192

/// The box of a shape that queries test: the tight one with room for rounding.
tdAabb tdWorld_ComputeQueryBox(const tdWorld* world, int shape);
/// Prepare for queries of a tree that is not empty. Builds the query tree if that pays. Threads that arrive
/// meanwhile use the dynamic tree.
/// @param count queries to come
/// @return whether the query tree may be used
bool tdWorld_PrepareQueryTree(const tdWorld* world, tdAabbTreeKind kind, int count);
