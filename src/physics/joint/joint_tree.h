// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of joint trees: joint_forest.c finds them, joint_tree_bodies.c and joint_tree_rows.c load what a
// pass needs, joint_tree.c solves them.
//
// Invariants
//   1. No body is in two trees, and no joint of a tree shares a dynamic body with a joint outside of it.
//   2. Edges are in the order of elimination: when an edge comes, all other edges of its child have come, so
//      nothing but its child and parent is coupled by it. Edges that close loops come after all others.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/solver/kernels.h"

/// Most rows one joint of a tree may have: three per limit and one per drive.
#define TD_MAX_EDGE_ROWS 32
/// Most rows of all joints that close loops.
#define TD_MAX_LOOP_ROWS 48

struct tdJointTreeBody
{
    int body;
    int slot;                      // of the state array, 0 if it does not move now
    double invMass, invInertia[6]; // of the body alone: xx yy zz xy xz yz, world
    double stiffness[3][3];        // what the tension of its joints adds to the inertia
    double share[3][3];            // of an angular impulse that is not taken by that
    double velocity[6];            // before the pass: linear, angular
    double energy;                 // of motion before the pass, about
    double gain[6];                // what the solve pass of this sub-step gave
    double given[6];               // impulses of rows at a bound, and of loops
    double kept[6];                // while loops are closed
    double spread[6][6], mean[6];  // inverse mass and velocity with the subtree that was eliminated
    double impulse[6];             // sum of all free rows
    double result[6];              // velocity after the pass
    double eager[6];               // the same before the work of rigid rows was bounded
};

struct tdJointTreeEdge
{
    int joint;
    int child, parent; // in the tree's bodies; child -1: the fixed world or something kinematic
    bool isChildA;     // the child is body A of the joint
    int firstRow, rowCapacity, rowCount;
    int firstFactor; // L D L^T of its free rows, in the forest's factors
};

typedef enum tdJointTreeRowState
{
    TD_ROW_FREE, // its equation holds
    TD_ROW_LOW,  // its impulse is at the lower bound
    TD_ROW_HIGH, // at the upper bound
} tdJointTreeRowState;

/// Equation: child.vc + parent.vp + offset + compliance * change = 0, with `change` the impulse of this pass.
struct tdJointTreeRow
{
    double child[6], parent[6];
    double offset, compliance;
    double fixedSpeed;  // the share of a partner outside of the tree in the row's speed
    double before;      // impulse of the sub-step so far
    double low, high;   // bounds of its sum
    double change;      // of this pass
    double estimate;    // of `change`, before what comes later in the elimination is known
    double onParent[6]; // velocity a unit of it gives to the parent
    double answer[6];   // how `change` goes with an impulse on the parent
    float* impulse;     // where the sum is kept
    bool isSoft;        // a spring or a drive: it may do work
    int state;          // tdJointTreeRowState
    int sign;           // +1, -1: upper bound of a range
};

typedef enum tdJointTreePass
{
    TD_JOINT_TREE_SOLVE,   // with correction of positions
    TD_JOINT_TREE_RELAX,   // from the pose at the end of the sub-step, going on from what solve gave
    TD_JOINT_TREE_PROJECT, // the same from nothing: no rigid row does work
} tdJointTreePass;

static inline int tdJointTree_CountEdges(const tdJointTree* tree)
{
    return tree->edgeCount + tree->loopCount;
}

static inline double tdDot6(const double* a, const double* b)
{
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

/// Passes over active trees (joint_tree.c).
void tdJointForest_Prepare(const tdSolverStep* step, int start, int end);
void tdJointForest_Solve(const tdSolverStep* step, int start, int end);
void tdJointForest_Relax(const tdSolverStep* step, int start, int end);
void tdJointForest_Store(const tdSolverStep* step, int start, int end);
