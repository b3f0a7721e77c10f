// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of joint trees: joint_forest.c finds them, joint_tree.c solves them.
//
// Invariants
//   1. No body is in two trees, and no joint of a tree shares a dynamic body with a joint outside of it.
//   2. Edges are in the order of elimination: when an edge comes, all other edges of its child have come, so
//      nothing but its child and parent is coupled by it. Edges that close loops come after all others.
#pragma once

#include "joint.h"

/// Most rows one joint of a tree may have: three per limit and one per drive.
#define TD_MAX_EDGE_ROWS 32
/// Most rows of all joints that close loops.
#define TD_MAX_LOOP_ROWS 48

struct tdTreeBody
{
    int body;
    int slot;                      // of the state array, 0 if it does not move now
    double invMass, invInertia[6]; // of the body alone: xx yy zz xy xz yz, world
    double stiffness[3][3];        // what the tension of its joints adds to the inertia
    double velocity[6];            // before the pass: linear, angular
    double given[6];               // impulses of rows at a bound, and of loops
    double kept[6];                // while loops are closed
    double spread[6][6], mean[6];  // inverse mass and velocity with the subtree that was eliminated
    double impulse[6];             // sum of all free rows
    double result[6];              // velocity after the pass
};

struct tdTreeEdge
{
    int joint;
    int child, parent; // in the tree's bodies; child -1: the fixed world or something kinematic
    bool isChildA;     // the child is body A of the joint
    int firstRow, rowCapacity, rowCount;
    int firstFactor; // L D L^T of its free rows, in the forest's factors
};

typedef enum tdTreeRowState
{
    TD_ROW_FREE, // its equation holds
    TD_ROW_LOW,  // its impulse is at the lower bound
    TD_ROW_HIGH, // at the upper bound
} tdTreeRowState;

/// Equation: child.vc + parent.vp + offset + compliance * change = 0, with `change` the impulse of this pass.
struct tdTreeRow
{
    double child[6], parent[6];
    double offset, compliance;
    double before;      // impulse of the sub-step so far
    double low, high;   // bounds of its sum
    double change;      // of this pass
    double estimate;    // of `change`, before what comes later in the elimination is known
    double onParent[6]; // velocity a unit of it gives to the parent
    double answer[6];   // how `change` goes with an impulse on the parent
    float* impulse;     // where the sum is kept
    int state;          // tdTreeRowState
    int sign;           // +1, -1: upper bound of a range
};
