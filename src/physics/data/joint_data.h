// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints inside the engine. A joint's limits and drives are compiled into blocks: one to three rows each with
// a common meaning. Blocks are compiled when limits change, evaluated (Jacobians and errors from the poses)
// once per sub-step, and solved in the passes of the solver.
#pragma once

#include "base/array.h"
#include "physics/data/body_data.h"
#include "physics/data/color.h"

#include "tendon/joint.h"

typedef struct tdWorld tdWorld;
typedef struct tdJointBlock tdJointBlock; // joint/joint_block.h
typedef struct tdJointGroup tdJointGroup; // solver/joint_group.h
typedef struct tdBallRow tdBallRow;
typedef struct tdLimitRow tdLimitRow;
typedef struct tdTurnRow tdTurnRow;

/// Which path a joint takes through the solver.
typedef enum tdJointSignature
{
    TD_SIGNATURE_BALL,    // a point lock: eight at a time
    TD_SIGNATURE_LIMITED, // a point lock with cone and twist limits about one axis: eight at a time
    TD_SIGNATURE_HINGE,   // a point lock and an axis, perhaps with stops: eight at a time
    TD_SIGNATURE_FIXED,   // a point lock and a rotation: eight at a time
    TD_SIGNATURE_GENERIC, // anything: one at a time
    TD_SIGNATURE_COUNT,
} tdJointSignature;

typedef struct tdJoint
{
    uint32_t generation;
    bool isLive, isBroken, enableCollision, isExcluded;
    bool isLoose;               // it has rigid rows, and none that hold a point of both bodies together
    bool isMoved;               // made, changed or put elsewhere since it was last looked whether it is apart
    bool isSeparated;           // some rigid row is far off: its frames are being drawn together
    int bodyA, bodyB;           // indices, -1: the fixed world
    int next[2], previous[2];   // joint keys (joint * 2 + side) in the bodies' lists
    tdTransform frameA, frameB; // relative to the origins
    float breakForce, breakTorque;
    uint64_t userData;
    uint8_t color;     // of the current step
    uint8_t signature; // tdJointSignature
    int tree;          // of the forest that is solved directly, -1: none
    double work;       // first joint of a tree: the tree's, from step to step
    int nextFree;

    tdJointLimit* limits;
    tdVec3* limitReactions; // N or N m
    int limitCount;
    tdJointDrive* drives;
    tdVec3* driveReactions;
    int driveCount;
    tdJointBlock* blocks; // room for limitCount + driveCount
    int blockCount;
    tdVec3 force, torque;

    // Of the current step.
    int slotA, slotB;     // of the state array
    float lockFactor[21]; // L D L^T of all lock rows together, lower triangle by rows, 1 / D on the diagonal
    int lockRowCount;     // in it
    tdVec3 centerOffset;  // cB - cA at the begin of the step
    tdVec3 armA, armB;    // from the centres to the frames, at the begin of the step
    tdQuat turnA, turnB;  // frames at the begin of the step
    float invMassA, invMassB;
    tdSym3 invInertiaA, invInertiaB;
    bool writesA, writesB;
} tdJoint;

/// Joints whose bodies form a tree and that are solved at once (joint_tree.c).
typedef struct tdJointTree
{
    int firstBody, bodyCount;
    int firstEdge, edgeCount; // of the tree
    int loopCount;            // edges after those: they close loops
    double work, workBefore;  // of its rigid rows: so far, before the current sub-step
} tdJointTree;

typedef struct tdJointTreeBody tdJointTreeBody;
typedef struct tdJointTreeEdge tdJointTreeEdge;
typedef struct tdJointTreeRow tdJointTreeRow;

typedef struct tdJointForest
{
    tdJointTree* trees;
    tdJointTreeBody* bodies;
    tdJointTreeEdge* edges;
    tdJointTreeRow* rows;
    double* factors;
    int* active; // trees that are awake in the current step
    int* marks;  // by body index, while the forest is made
    int treeCapacity, bodyCapacity, edgeCapacity, rowCapacity, factorCapacity, activeCapacity, markCapacity;
    int treeCount, bodyCount, edgeCount, rowCount, factorCount, activeCount;
    bool isStale; // joints, masses or motions changed since it was made
} tdJointForest;

typedef struct tdJointSet
{
    tdArray(tdJoint) joints;
    int freeJoint;
    int liveCount;
    tdArray(tdJointBreakEvent) breakEvents;
    bool hasMoved; // some joint is
    // Of the current step: joints to solve, by colour and signature; all but generic ones in groups of eight.
    int* active;
    int activeCapacity, activeCount;
    int genericStart[TD_COLOR_BOUNDS], genericEnd[TD_COLOR_BOUNDS]; // per colour, in `active`
    tdJointGroup* groups;
    tdBallRow* ballRows;
    tdLimitRow* limitRows;
    tdTurnRow* turnRows;
    int groupCapacity, ballCapacity, limitCapacity, turnCapacity;
    int groupCount, limitCount, turnCount;
    int groupStart[TD_COLOR_BOUNDS]; // per colour
    tdJointForest forest;
} tdJointSet;

/// Iterate over the bodies that joints connect to `body`, one per call. Start with *cursor = -1.
/// @return the index of the other body, -1 at the end; joints to the world are skipped
int tdWorld_GetJointNeighbour(const tdWorld* world, int body, int* cursor);
