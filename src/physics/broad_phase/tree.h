// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A dynamic tree of boxes: one leaf per shape. Leaves are inserted by surface area, boxes only grow in
// between, and the parts that grew are rebuilt in one go.
#pragma once

#include "base/array.h"
#include "math/vecmath.h"

/// Stack of the queries; beyond half of it the whole tree is rebuilt.
#define TD_TREE_MAX_HEIGHT 96

typedef enum tdTreeKind
{
    TD_TREE_STATIC,
    TD_TREE_KINEMATIC, // and triggers on static bodies
    TD_TREE_DYNAMIC,
    TD_TREE_COUNT,
} tdTreeKind;

typedef struct tdTreeNode
{
    tdAabb box;
    int parent;        // next free node when free
    int child1;        // -1: leaf
    int child2;        // leaf: the shape
    int16_t height;    // 0: leaf, -1: free
    uint16_t enlarged; // the box grew since the last rebuild
} tdTreeNode;

typedef struct tdTree
{
    tdArray(tdTreeNode) nodes;
    int root, freeNode, leafCount;
    int enlargedCount; // leaves enlarged since the last rebuild
    tdArray(int) scratch;
} tdTree;

void tdTree_Init(tdTree* tree);
void tdTree_Free(tdTree* tree, const tdAllocator* allocator);
/// Room for that many leaves. False: out of memory.
bool tdTree_Reserve(tdTree* tree, const tdAllocator* allocator, int leafCount);
/// Room must have been reserved.
int tdTree_Insert(tdTree* tree, tdAabb box, int shape);
void tdTree_Remove(tdTree* tree, int leaf);
/// Take the leaf out and in again with another box.
void tdTree_Move(tdTree* tree, int leaf, tdAabb box);
/// The leaf's box grew to `box`: ancestors grow with it.
void tdTree_Enlarge(tdTree* tree, int leaf, tdAabb box);
/// Rebuild what was enlarged, or everything. Needs no memory beyond the reserve. Only speed depends on it:
/// while few leaves were enlarged it does not pay.
void tdTree_Rebuild(tdTree* tree, bool all);

/// Called for each leaf whose box overlaps. Return false to stop.
typedef bool tdTreeVisitFcn(void* context, int shape);
void tdTree_Query(const tdTree* tree, tdAabb box, tdTreeVisitFcn* visit, void* context);

/// Called for each leaf near a moving box, roughly front to back. Return the new maximum fraction, negative
/// to stop.
typedef float tdTreeCastFcn(void* context, int shape, float maxFraction);
/// @param halfSize of the box that moves, zero for a ray; `origin` is its centre
void tdTree_Cast(const tdTree* tree, tdVec3 origin, tdVec3 halfSize, tdVec3 translation, float maxFraction,
                 tdTreeCastFcn* visit, void* context);

/// Called for each leaf within the distance. Return the new maximum squared distance.
typedef float tdTreeNearFcn(void* context, int shape, float maxDistanceSquared);
void tdTree_FindNear(const tdTree* tree, tdVec3 point, float maxDistanceSquared, tdTreeNearFcn* visit,
                     void* context);
