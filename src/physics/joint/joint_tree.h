// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Data of joint trees. joint_forest.c finds the trees, joint_tree_bodies.c and joint_tree_rows.c load the
// data of a pass, joint_tree.c solves them. Decision: docs/decisions/072-joint-trees.md.
//
// Invariants
//   1. A body is in at most one tree, and no joint of a tree shares a dynamic body with a joint outside the
//   tree.
//   2. Edges are in the order of elimination: all other edges of an edge's child precede it, so that it
//   couples only its
//      child and its parent. Edges that close loops come last.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/solver/kernels.h"

/// Rows of the largest joint in a tree: three per limit and one per drive. Joints with more rows are solved
/// iteratively.
#define TD_MAX_EDGE_ROWS 32
/// Rows of all joints of a tree that close loops; their matrix is dense. Components with more are solved
/// iteratively.
#define TD_MAX_LOOP_ROWS 48

struct tdJointTreeBody
{
    int body;
    int slot;                      // index in the state array, 0: it does not move in this step
    double invMass, invInertia[6]; // of the body alone: xx yy zz xy xz yz, world
    double stiffness[3][3];        // geometric stiffness h^2 G of the tension of its joints
    double share[3][3]; // part of an angular impulse that changes the momentum in spite of the stiffness
    double velocity[6]; // before the pass: linear, angular
    double energy;      // approximate kinetic energy before the pass, J
    double gain[6];     // velocity change of the solve pass of this sub-step
    double given[6];    // impulses of rows at a bound and of loop rows
    double kept[6];     // copy of `given` while the loop matrix is built
    double spread[6][6], mean[6]; // inverse mass and velocity, including the eliminated subtree
    double impulse[6];            // sum of the impulses of all free rows
    double result[6];             // velocity after the pass
    double eager[6];              // the same before the work of rigid rows is bounded
};

struct tdJointTreeEdge
{
    int joint;
    int child, parent; // indices of the tree's bodies; child -1: the fixed world or a kinematic body
    bool isChildA;     // the child is body A of the joint
    int firstRow, rowCapacity, rowCount;
    int firstFactor; // L D L^T of its free rows, in the forest's factors
};

typedef enum tdJointTreeRowState
{
    TD_ROW_FREE, // the equation holds
    TD_ROW_LOW,  // the impulse is at the lower bound
    TD_ROW_HIGH, // the impulse is at the upper bound
} tdJointTreeRowState;

/// Equation: child.vc + parent.vp + offset + compliance * change = 0, with `change` the impulse of this pass.
struct tdJointTreeRow
{
    double child[6], parent[6];
    double offset, compliance;
    double fixedSpeed;  // row velocity due to a fixed or kinematic child
    double before;      // impulse of the sub-step before this pass
    double low, high;   // bounds of before + change
    double change;      // impulse of this pass
    double estimate;    // of `change`, without the impulses of later edges
    double onParent[6]; // velocity of the parent per unit impulse
    double answer[6];   // change of the impulse per impulse on the parent
    float* impulse;     // accumulated impulse in the joint's block
    bool isSoft;        // a spring or a drive, which may do work
    int state;          // tdJointTreeRowState
    int sign;           // +1, -1: upper bound of a range
};

typedef enum tdJointTreePass
{
    TD_JOINT_TREE_SOLVE,   // with position correction
    TD_JOINT_TREE_RELAX,   // at the pose of the end of the sub-step, starting from the impulses of solve
    TD_JOINT_TREE_PROJECT, // the same, starting from zero: rigid rows do no work
} tdJointTreePass;

static inline int tdJointTree_CountEdges(const tdJointTree* tree)
{
    return tree->edgeCount + tree->loopCount;
}

static inline double tdDot6(const double* a, const double* b)
{
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

/// The solver passes over the active trees [start, end).
void tdJointForest_Prepare(const tdSolverStep* step, int start, int end);
void tdJointForest_Solve(const tdSolverStep* step, int start, int end);
void tdJointForest_Relax(const tdSolverStep* step, int start, int end);
void tdJointForest_Store(const tdSolverStep* step, int start, int end);
