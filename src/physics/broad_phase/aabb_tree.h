// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A dynamic tree of boxes: one leaf per shape. Leaves are inserted by surface area, boxes only grow in
// between, and the parts that grew are rebuilt in one go.
#pragma once

#include "base/array.h"
#include "math/vecmath.h"

/// Stack of the queries; beyond half of it the whole tree is rebuilt.
#define TD_AABB_TREE_MAX_HEIGHT 96

typedef enum tdAabbTreeKind
{
    TD_AABB_TREE_STATIC,
    TD_AABB_TREE_KINEMATIC, // and triggers on static bodies
    TD_AABB_TREE_DYNAMIC,
    TD_AABB_TREE_COUNT,
} tdAabbTreeKind;

typedef struct tdAabbTreeNode
{
    tdAabb box;
    int parent;        // next free node when free
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
/// Room for that many leaves. False: out of memory.
bool tdAabbTree_Reserve(tdAabbTree* tree, const tdAllocator* allocator, int leafCount);
/// Room must have been reserved.
int tdAabbTree_Insert(tdAabbTree* tree, tdAabb box, int shape);
void tdAabbTree_Remove(tdAabbTree* tree, int leaf);
/// Take the leaf out and in again with another box.
void tdAabbTree_Move(tdAabbTree* tree, int leaf, tdAabb box);
/// The leaf's box grew to `box`: ancestors grow with it.
void tdAabbTree_Enlarge(tdAabbTree* tree, int leaf, tdAabb box);
/// Rebuild what was enlarged, or everything. Needs no memory beyond the reserve. Only speed depends on it:
/// while few leaves were enlarged it does not pay.
void tdAabbTree_Rebuild(tdAabbTree* tree, bool all);

/// Called for each leaf whose box overlaps. Return false to stop.
typedef bool tdAabbTreeVisitFcn(void* context, int shape);
void tdAabbTree_Query(const tdAabbTree* tree, tdAabb box, tdAabbTreeVisitFcn* visit, void* context);

/// Called for each leaf near a moving box, roughly front to back. Return the new maximum fraction, negative
/// to stop.
typedef float tdAabbTreeCastFcn(void* context, int shape, float maxFraction);
/// @param halfSize of the box that moves, zero for a ray; `origin` is its centre
void tdAabbTree_Cast(const tdAabbTree* tree, tdVec3 origin, tdVec3 halfSize, tdVec3 translation,
                     float maxFraction, tdAabbTreeCastFcn* visit, void* context);

/// Called for each leaf within the distance. Return the new maximum squared distance.
typedef float tdAabbTreeNearFcn(void* context, int shape, float maxDistanceSquared);
void tdAabbTree_FindNear(const tdAabbTree* tree, tdVec3 point, float maxDistanceSquared,
                         tdAabbTreeNearFcn* visit, void* context);
