// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Data of joint trees. joint_forest.c finds the trees, joint_tree_bodies.c and joint_tree_rows.c load the
// data of a pass, joint_tree.c solves them. Decision: docs/decisions/072-joint-trees.md.
//
// Invariants
//   1. A body is in at most one tree, and no joint of a tree shares a dynamic body with a joint outside the
//   tree.
//   2. Bodies are in the order of elimination of their matrix, and the child of an edge precedes its parent.
#pragma once

#include "physics/data/joint_data.h"
#include "physics/solver/kernels.h"

struct tdJointTreeBody
{
    int body;
    int slot;                      // index in the state array, 0: it does not move in this step
    double invMass, invInertia[6]; // xx yy zz xy xz yz, world, with geometric stiffness
    double rootMass, root[6];      // F with F F^T the inverse mass: xx yx yy zx zy zz of the lower triangle
    double stiffness[6];           // geometric stiffness h^2 G of the tension of its joints
    double share[3][3]; // part of an angular impulse that changes the momentum in spite of the stiffness
    bool isStiff;
    bool isTouched;      // a contact acts on it
    double velocity[6];  // before the pass: linear, angular
    double energy;       // approximate kinetic energy before the pass, J
    double gain[6];      // change by the solve pass of the velocity at the end of the sub-step
    double result[6];    // velocity after the pass
    double eager[6];     // the same before the work of rigid rows is bounded
    tdVec3 nextPosition; // predicted deltaPosition at the end of the sub-step
    tdQuat nextRotation; // and deltaRotation
};

struct tdJointTreeEdge
{
    int joint;
    int child, parent; // indices of the tree's bodies; child -1: the fixed world or a kinematic body
    bool isChildA;     // the child is body A of the joint
    int block;         // of the matrix, line of the parent, column of the child; -1: no child
    int firstRow, rowCount;
};

typedef enum tdJointTreeRowState
{
    TD_ROW_FREE, // the equation holds
    TD_ROW_LOW,  // the impulse is at the lower bound
    TD_ROW_HIGH, // the impulse is at the upper bound
} tdJointTreeRowState;

/// Equation: speed + J F z + offset + change / weight^2 = 0, with `change` the impulse of this pass and F z
/// the change of the velocities.
struct tdJointTreeRow
{
    double child[6], parent[6]; // weight J F
    double weight;              // compliance^-1/2
    double speed;               // J v before the pass
    double offset;
    double held;       // J v after the solve pass
    double before;     // impulse of the sub-step before this pass
    double low, high;  // bounds of before + change
    double change;     // impulse of this pass
    double residual;   // of a refinement, m/s or rad/s
    double start, end; // of a line search: G z at its ends
    double applied;    // the residual that the last refinement removed
    float* impulse;    // accumulated impulse in the joint's block
    float error;       // value of the block's row at the pose of the pass
    bool isSoft;       // a spring or a drive, which may do work
    bool isCurved;     // the refinement follows the value along the path of the sub-step
    int8_t state;      // tdJointTreeRowState
    int8_t sign;       // +1, -1: upper bound of a range
    int8_t line;       // of the block's rows
    int16_t block;     // of the joint
};

typedef enum tdJointTreePass
{
    TD_JOINT_TREE_SOLVE,   // with position correction
    TD_JOINT_TREE_RESOLVE, // after the contacts: rigid rows keep their speed of the solve pass
    TD_JOINT_TREE_RELAX,   // at the pose of the end of the sub-step, starting from the impulses of solve
    TD_JOINT_TREE_PROJECT, // the same, starting from zero: rigid rows do no work
} tdJointTreePass;

/// The solver passes over the active trees [start, end).
void tdJointForest_Prepare(const tdSolverStep* step, int start, int end);
void tdJointForest_Solve(const tdSolverStep* step, int start, int end);
void tdJointForest_Resolve(const tdSolverStep* step, int start, int end);
void tdJointForest_Relax(const tdSolverStep* step, int start, int end);
void tdJointForest_Store(const tdSolverStep* step, int start, int end);
