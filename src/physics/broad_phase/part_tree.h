// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Part trees: a bounding-volume tree over the shapes of one body, in the frame of the body. It does not
// change while the body moves. Bodies of at least TD_MIN_TREE_PARTS solid shapes have one. A tree is derived
// data: results do not depend on whether a body has one (docs/decisions/081-compound-bodies.md).
//
// Invariants
//   1. The parts of a tree that is not stale are members (TD_SHAPE_MEMBER). Instead of a leaf per part, the
//      world's tree has one leaf for the body, with ~body as its shape; shape->proxy is the node of the part.
//   2. tree->fat has the fat boxes of the parts, as the world's tree knows them, and of the nodes above.
#pragma once

#include "base/array.h"
#include "math/vecmath.h"
#include "physics/broad_phase/aabb_tree.h"

#include "tendon/physics.h"

/// Fewer shapes are faster to visit one by one.
#define TD_MIN_TREE_PARTS 6
/// Most subtrees that together bound a body.
#define TD_TOP_PARTS 8

/// Nodes are in depth-first order. A visitor that skips a node goes on at `escape`, else at the next node.
typedef struct tdPartNode
{
    tdAabb box;   // in the frame of the body
    int escape;   // the node after this subtree
    int shape;    // -1: inner node
    float radius; // m, of a sphere about the middle of the box that contains the part; 0 for inner nodes
} tdPartNode;

typedef struct tdPartTree
{
    tdPartNode* nodes;
    tdAabb* fat;   // by node, in the world
    tdAabb* swept; // of each node over a motion, in the world; scratch memory of continuous collision
    int count, capacity;
    int tops[TD_TOP_PARTS]; // nodes that together contain all shapes
    int topCount;
    int leaf;            // in the world's tree; -1: none
    tdAabbTreeKind kind; // of that tree
    bool isStale;
    bool isSwept; // `swept` is that of the whole last step
} tdPartTree;

/// Motion of a body from one pose to another.
typedef struct tdPartMotion
{
    tdMat3 start, end;
    tdVec3 startOrigin, endOrigin;
    float margin; // m around the boxes
} tdPartMotion;

typedef struct tdPartTrees tdPartTrees;
struct tdPartTrees
{
    tdArray(tdPartTree) trees;
    tdArray(int) byBody;    // body index -> index in `trees` + 1; 0: none
    tdArray(int) stale;     // bodies whose tree must be built anew
    tdArray(int) freeTrees; // unused entries of `trees`
    tdArray(int) scratch;
};

/// Release all trees.
void tdWorld_FreePartTrees(tdWorld* world);
/// Reserve the memory that tdWorld_InvalidatePartTree needs.
/// @param shapeCount number of shapes that the body will have
/// @return false if memory ran out
bool tdWorld_ReservePartTree(tdWorld* world, int body, int shapeCount);
/// Note that the shapes or the motion type of a body change. Each part gets a leaf of its own again.
void tdWorld_InvalidatePartTree(tdWorld* world, int body);
/// Remove all parts of a body from the world's tree before the body is destroyed.
void tdWorld_RemoveParts(tdWorld* world, int body);
/// Build the trees anew after a state was loaded.
/// @return false if memory ran out
bool tdWorld_ResetPartTrees(tdWorld* world);
/// Build the trees of all bodies that changed.
/// @return false if memory ran out; the next call goes on
bool tdWorld_UpdatePartTrees(tdWorld* world);
/// The tree of a body; NULL: none.
tdPartTree* tdWorld_GetPartTree(const tdWorld* world, int body);
/// Enter the fat boxes of all parts of a body into its tree and into the world's tree.
void tdWorld_RefitParts(tdWorld* world, int body);
/// Enter the fat box of one part; boxes of nodes only grow.
void tdWorld_EnlargePart(tdWorld* world, int shape);
/// The fat box of a shape as the world's tree knows it.
tdAabb tdWorld_GetLeafBox(const tdWorld* world, int shape);

/// @param margin m around all boxes: the part of the path that deviates from the chord, and a margin
tdPartMotion tdMakePartMotion(tdTransform start, tdTransform end, float margin);
/// Box of a motion around all shapes of a tree.
tdAabb tdPartTree_BoundMotion(const tdPartTree* tree, const tdPartMotion* motion);
/// Compute tree->swept.
void tdPartTree_Sweep(tdPartTree* tree, const tdPartMotion* motion);
