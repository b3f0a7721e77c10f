// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A dynamic bounding-volume tree: one leaf per shape. Leaves are inserted by surface area. Between rebuilds
// boxes only grow; a rebuild replaces the nodes above enlarged leaves.
#pragma once

#include "base/array.h"
#include "math/vecmath.h"

/// Stack size of the queries. A tree of more than half this height is rebuilt.
#define TD_AABB_TREE_MAX_HEIGHT 96

typedef enum tdAabbTreeKind
{
    TD_AABB_TREE_STATIC,
    TD_AABB_TREE_KINEMATIC, // shapes of kinematic bodies, and triggers of static ones
    TD_AABB_TREE_DYNAMIC,
    TD_AABB_TREE_COUNT,
} tdAabbTreeKind;

typedef struct tdAabbTreeNode
{
    tdAabb box;
    int parent;        // of a free node: the next free one
    int child1;        // -1: leaf
    int child2;        // leaf: the shape
    int16_t height;    // 0: leaf, -1: free
    uint16_t enlarged; // the box grew since the last rebuild
} tdAabbTreeNode;

typedef struct tdAabbTree tdAabbTree;
struct tdAabbTree
{
    tdArray(tdAabbTreeNode) nodes;
    int root, freeNode, leafCount;
    int enlargedCount; // leaves enlarged since the last rebuild
    tdArray(int) scratch;
};

void tdAabbTree_Init(tdAabbTree* tree);
void tdAabbTree_Free(tdAabbTree* tree, const tdAllocator* allocator);
/// Reserve memory for `leafCount` leaves.
/// @return false if memory ran out
bool tdAabbTree_Reserve(tdAabbTree* tree, const tdAllocator* allocator, int leafCount);
/// Add a leaf. Memory must have been reserved.
/// @return index of the leaf
int tdAabbTree_Insert(tdAabbTree* tree, tdAabb box, int shape);
/// Remove a leaf.
void tdAabbTree_Remove(tdAabbTree* tree, int leaf);
/// Insert a leaf anew with another box.
void tdAabbTree_Move(tdAabbTree* tree, int leaf, tdAabb box);
/// Enlarge the box of a leaf, and those of its ancestors.
void tdAabbTree_Enlarge(tdAabbTree* tree, int leaf, tdAabb box);
/// Rebuild the nodes above enlarged leaves, or the whole tree. Does not allocate. Results of queries do not
/// depend on it, only their speed.
void tdAabbTree_Rebuild(tdAabbTree* tree, bool all);

/// Called for each leaf whose box overlaps.
/// @return false to stop
typedef bool tdAabbTreeVisitFcn(void* context, int shape);
/// Visit all leaves whose boxes overlap `box`.
void tdAabbTree_Query(const tdAabbTree* tree, tdAabb box, tdAabbTreeVisitFcn* visit, void* context);

/// Called for each leaf that a moving box may hit, roughly front to back.
/// @return the new maximum fraction, negative to stop
typedef float tdAabbTreeCastFcn(void* context, int shape, float maxFraction);
/// Visit the leaves that a moving box may hit.
/// @param origin centre of the box; `halfSize` is zero for a ray
void tdAabbTree_Cast(const tdAabbTree* tree, tdVec3 origin, tdVec3 halfSize, tdVec3 translation,
                     float maxFraction, tdAabbTreeCastFcn* visit, void* context);

/// Called for each leaf within the distance.
/// @return the new maximum squared distance
typedef float tdAabbTreeNearFcn(void* context, int shape, float maxDistanceSquared);
/// Visit the leaves within a distance of a point.
void tdAabbTree_FindNear(const tdAabbTree* tree, tdVec3 point, float maxDistanceSquared,
                         tdAabbTreeNearFcn* visit, void* context);
