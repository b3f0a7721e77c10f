// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A dynamic bounding-volume tree: one leaf per shape or compound body. Leaves are inserted by surface area.
// Between rebuilds boxes only grow; a rebuild replaces the nodes above enlarged leaves.
#pragma once

#include "base/array.h"
#include "base/compiler.h"
#include "math/vecmath.h"

#include <float.h>

/// Stack size of the queries. A tree of more than half this height is rebuilt.
#define TD_AABB_TREE_MAX_HEIGHT 96

typedef enum tdAabbTreeKind
{
    TD_AABB_TREE_STATIC,
    TD_AABB_TREE_KINEMATIC,
    TD_AABB_TREE_TRIGGER, // triggers of all bodies, which do not collide with each other
    TD_AABB_TREE_DYNAMIC,
    TD_AABB_TREE_COUNT,
} tdAabbTreeKind;

typedef struct tdAabbTreeNode
{
    tdAabb box;
    int parent;        // of a free node: the next free one
    int child1;        // -1: leaf
    int child2;        // leaf: the shape, or ~body of a compound (part_tree.h)
    int16_t height;    // 0: leaf, -1: free
    uint16_t enlarged; // the box grew since the last rebuild
} tdAabbTreeNode;

/// A node of the query tree with up to four children (query_tree.h), in two cache lines.
typedef struct tdQueryNode
{
    float bounds[6][4]; // lower x, y, z, upper x, y, z of the children; unused lanes repeat the first
    int children[4];    // 2 * node, or 2 * leaf + 1 with the leaf as in tdAabbTreeNode.child2
    int childCount;
    int unused[3];
} tdQueryNode;

/// A leaf while the query tree is built.
typedef struct tdQueryItem
{
    tdAabb box;
    int leaf;
} tdQueryItem;

typedef struct tdAabbTree tdAabbTree;
struct tdAabbTree
{
    tdArray(tdAabbTreeNode) nodes;
    int root, freeNode, leafCount;
    int enlargedCount; // leaves enlarged since the last rebuild
    int hiddenCount;   // leaves that were merged into one of their body and may return
    tdArray(int) scratch;
    atomic_int queryState; // queries since the last change, or TD_QUERY_TREE_... (query_tree.h)
    tdArray(tdQueryNode) queryNodes;
    tdArray(tdQueryItem) queryItems;
};

void tdAabbTree_Init(tdAabbTree* tree);
void tdAabbTree_Free(tdAabbTree* tree, const tdAllocator* allocator);
/// Reserve memory for `leafCount` leaves besides the hidden ones.
/// @return false if memory ran out
bool tdAabbTree_Reserve(tdAabbTree* tree, const tdAllocator* allocator, int leafCount);
/// Note that a box or a body in the tree changed, which makes its query tree stale.
static inline void tdAabbTree_MarkChanged(tdAabbTree* tree)
{
    atomic_store_explicit(&tree->queryState, 0, memory_order_relaxed);
}
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

/// A box that moves along a line, or a ray.
typedef struct tdBoxCast
{
    float lowest[4], highest[4]; // corners of the box at the start
    tdVec3 inverse;              // of the translation per axis
} tdBoxCast;

/// @param origin centre of the box; `halfSize` is zero for a ray
tdBoxCast tdMakeBoxCast(tdVec3 origin, tdVec3 halfSize, tdVec3 translation);
/// Slack of the slab test, relative and in fractions: a few ulp, so that rounding never misses a box.
#define TD_CAST_SLACK 1.0e-6f
#define TD_MIN_CAST_SLACK 1.0e-7f

/// Fraction at which a moving box enters a box, a few ulp early; FLT_MAX if it does not up to `maxFraction`.
static inline float tdBoxCast_Enter(const tdBoxCast* cast, const tdAabb* box, float maxFraction)
{
    float x0 = (box->lower.x - cast->highest[0]) * cast->inverse.x;
    float x1 = (box->upper.x - cast->lowest[0]) * cast->inverse.x;
    float y0 = (box->lower.y - cast->highest[1]) * cast->inverse.y;
    float y1 = (box->upper.y - cast->lowest[1]) * cast->inverse.y;
    float z0 = (box->lower.z - cast->highest[2]) * cast->inverse.z;
    float z1 = (box->upper.z - cast->lowest[2]) * cast->inverse.z;
    float enter = tdMaxFloat(tdMaxFloat(tdMinFloat(x0, x1), tdMinFloat(y0, y1)), tdMinFloat(z0, z1));
    float leave = tdMinFloat(tdMinFloat(tdMaxFloat(x0, x1), tdMaxFloat(y0, y1)), tdMaxFloat(z0, z1));
    enter -= TD_CAST_SLACK * tdAbsFloat(enter) + TD_MIN_CAST_SLACK;
    leave += TD_CAST_SLACK * tdAbsFloat(leave) + TD_MIN_CAST_SLACK;
    return enter <= leave && leave >= 0.0f && enter <= maxFraction ? enter : FLT_MAX;
}
/// Squared distance of a point from a box; 0 inside.
float tdGetDistanceSquared(tdAabb box, tdVec3 point);

/// Called for each leaf whose box overlaps.
/// @return false to stop
typedef bool tdAabbTreeVisitFcn(void* context, int shape);
/// Visit all leaves whose boxes overlap `box`.
void tdAabbTree_QueryLeaves(const tdAabbTree* tree, tdAabb box, tdAabbTreeVisitFcn* visit, void* context);

/// Called for each leaf that a moving box may hit, roughly front to back.
/// @return the new maximum fraction, negative to stop
typedef float tdAabbTreeCastFcn(void* context, int shape, float maxFraction);
/// Visit the leaves that a moving box may hit.
/// @return the last maximum fraction
float tdAabbTree_CastLeaves(const tdAabbTree* tree, const tdBoxCast* cast, float maxFraction,
                            tdAabbTreeCastFcn* visit, void* context);

/// Called for each leaf within the distance.
/// @return the new maximum squared distance
typedef float tdAabbTreeNearFcn(void* context, int shape, float maxDistanceSquared);
/// Visit the leaves within a distance of a point.
void tdAabbTree_FindNearLeaves(const tdAabbTree* tree, tdVec3 point, float maxDistanceSquared,
                               tdAabbTreeNearFcn* visit, void* context);
