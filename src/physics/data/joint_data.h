// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints: one record per id, the set of all joints of a world, and the forest of joint trees. joint/ compiles
// the limits and drives of a joint into blocks of constraint rows (joint/joint_block.h). See
// docs/decisions/071.
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

/// The kind of a joint, which decides how it is solved. All but GENERIC are solved in SIMD groups of eight.
typedef enum tdJointSignature
{
    TD_SIGNATURE_BALL,    // a point lock
    TD_SIGNATURE_LIMITED, // a point lock with cone and twist limits about one axis
    TD_SIGNATURE_HINGE,   // a point lock and a hinge axis, with or without limits
    TD_SIGNATURE_FIXED,   // a point lock and a rotation lock
    TD_SIGNATURE_MOTOR,   // a hinge with one drive about its axis
    TD_SIGNATURE_GENERIC, // any other combination: solved one at a time
    TD_SIGNATURE_COUNT,
} tdJointSignature;

/// Lower triangle of a symmetric 6 x 6 matrix: two bodies have at most six independent lock rows.
#define TD_LOCK_FACTOR_SIZE 21

/// A pointer that takes eight bytes on every platform: records with it have one layout in saved states
/// (docs/decisions/190).
#define TD_WIDE_POINTER(type, name)                                                                          \
    union                                                                                                    \
    {                                                                                                        \
        type* name;                                                                                          \
        _Alignas(8) uint64_t name##Space;                                                                    \
    }

/// The record of a joint.
typedef struct tdJoint
{
    uint32_t generation;
    bool isLive, isBroken, enableCollision, isExcluded;
    bool isLoose;                  // has rigid rows, but no point lock
    bool isMoved;                  // created, changed or teleported since the last test of isSeparated
    bool isSeparated;              // a rigid row has a large error: the frames are being pulled together
                                   // (docs/decisions/074)
    int bodyA, bodyB;              // indices; -1: the world
    int next[2], previous[2];      // joint keys (joint * 2 + side) in the lists of the bodies
    tdTransform frameA, frameB;    // relative to the origins of the bodies
    float breakForce, breakTorque; // N, N m
    _Alignas(8) uint64_t userData;
    uint8_t color;           // in the current step
    uint8_t signature;       // tdJointSignature
    int tree;                // index of its joint tree; -1: none
    _Alignas(8) double work; // J, of the first joint of a tree: tdJointTree.work between steps
    int nextFree;

    TD_WIDE_POINTER(tdJointLimit, limits);
    TD_WIDE_POINTER(tdVec3, limitReactions); // N or N m
    int limitCount;
    TD_WIDE_POINTER(tdJointDrive, drives);
    TD_WIDE_POINTER(tdVec3, driveReactions);
    int driveCount;
    TD_WIDE_POINTER(tdJointBlock, blocks); // capacity limitCount + driveCount
    int blockCount;
    tdVec3 force, torque; // N, N m: reaction in the last step, world axes

    // Twists about the axes of frame A, counted over turns: twist + 2 pi turns. State between steps.
    uint8_t turnAxes; // set of axes whose turns are counted
    uint8_t heldAxes; // set of axes that locks hold together, so that only their twist is left (hinges)
    float twist[3];   // rad, in [-pi, pi]
    int turns[3];

    // In the current step.
    int slotA, slotB;                      // solver slots of the bodies
    float lockFactor[TD_LOCK_FACTOR_SIZE]; // L D L^T of all lock rows: lower triangle by rows, 1 / D on the
                                           // diagonal
    int lockRowCount;                      // rows in lockFactor
    tdVec3 centerOffset;                   // cB - cA at the start of the step
    tdVec3 armA, armB;                     // from the centres of mass to the frames, at the start of the step
    tdQuat turnA, turnB;                   // rotations of the frames at the start of the step
    float invMassA, invMassB;
    tdSym3 invInertiaA, invInertiaB;
    bool writesA, writesB; // the body is dynamic
} tdJoint;

/// Connected joints that are solved together by a direct solver (joint/joint_tree.c). They may close loops.
typedef struct tdJointTree
{
    int firstBody, bodyCount;
    int firstEdge, edgeCount;
    int firstStart, firstLine, firstProduct, firstBlock; // of its matrix (joint/joint_matrix.h)
    bool hasLoops;
    bool hasSoft;            // a spring or a drive
    bool isStiff;            // a body has geometric stiffness in the current pose
    bool isBuilt;            // the rows belong to the current pose
    bool isFactored;         // so does the matrix, for the current states of the rows
    double work, workBefore; // J, of its rigid rows: total, and before the current sub-step
    double fastEnergy; // J, kinetic, before the solve pass, of a tree with fast bodies; negative: not bounded
} tdJointTree;

typedef struct tdJointTreeBody tdJointTreeBody;
typedef struct tdJointTreeEdge tdJointTreeEdge;
typedef struct tdJointTreeRow tdJointTreeRow;
typedef struct tdJointMatrixKernels tdJointMatrixKernels; // joint/joint_matrix.h

/// All joint trees of a world. See docs/decisions/072.
typedef struct tdJointForest
{
    const tdJointMatrixKernels* kernels;
    tdJointTree* trees;
    tdJointTreeBody* bodies;
    tdJointTreeEdge* edges;
    tdJointTreeRow* rows;
    int *starts, *lines, *products; // structures of the matrices
    double* blocks;                 // of the matrices
    double* unknowns;               // 18 per body: solution, refinement, last solution
    int* active;                    // awake trees in the current step
    int* marks;                     // by body index, during the search for trees
    uint64_t* neighbours;           // sets of bodies, during the search for an order of elimination
    int treeCapacity, bodyCapacity, edgeCapacity, rowCapacity, activeCapacity, markCapacity;
    int startCapacity, lineCapacity, productCapacity, blockCapacity, unknownCapacity, neighbourCapacity;
    int treeCount, bodyCount, edgeCount, rowCount, activeCount;
    int startCount, lineCount, productCount, blockCount;
    bool isStale; // joints, masses or motion types changed since the search
} tdJointForest;

/// All joints of a world, and their step memory.
typedef struct tdJointSet
{
    tdArray(tdJoint) joints;
    int freeJoint;
    int liveCount;
    tdArray(tdJointBreakEvent) breakEvents;
    bool hasMoved; // a joint has isMoved
    // Joints to solve in the current step, by colour and signature.
    int* active;
    int activeCapacity, activeCount;
    int genericStart[TD_COLOR_BOUNDS], genericEnd[TD_COLOR_BOUNDS]; // by colour: ranges in `active`
    tdJointGroup* groups;
    tdBallRow* ballRows;
    tdLimitRow* limitRows;
    tdTurnRow* turnRows;
    int groupCapacity, ballCapacity, limitCapacity, turnCapacity;
    int groupCount, limitCount, turnCount;
    int groupStart[TD_COLOR_BOUNDS]; // by colour
    tdJointForest forest;
} tdJointSet;

/// Iterate over the bodies that joints connect to `body`, one per call. Start with *cursor = -1.
/// @return the index of the other body, -1 at the end; joints to the world are skipped
int tdWorld_GetJointNeighbour(const tdWorld* world, int body, int* cursor);
