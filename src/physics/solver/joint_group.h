// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// SIMD groups of eight joints and their rows. See docs/decisions/071.
#pragma once

#include "physics/solver/contact_rows.h"

/// Bound of a limit without bound, rad: finite, so that differences stay finite.
#define TD_OPEN_LIMIT 1.0e10f

typedef struct tdJointGroup tdJointGroup;
typedef struct tdBallRow tdBallRow;
typedef struct tdLimitRow tdLimitRow;
typedef struct tdTurnRow tdTurnRow;

/// Eight point locks, which balls, limited balls, hinges and fixed joints all have.
struct tdBallRow
{
    float armA[3][TD_LANES],
        armB[3][TD_LANES];           // from the centres of mass to the pivot, at the start of the step
    float centerOffset[3][TD_LANES]; // cB - cA
    float invMassA[TD_LANES], invMassB[TD_LANES];
    float invInertiaA[6][TD_LANES], invInertiaB[6][TD_LANES]; // xx yy zz xy xz yz, current
    float inverse[6][TD_LANES];                               // of K, current
    float impulse[3][TD_LANES];
    float sum[3][TD_LANES]; // of the impulses over the sub-steps: the reaction
    float startInertiaA[6][TD_LANES], startInertiaB[6][TD_LANES]; // at the start of the step
};

/// Cone and twist limits of eight joints about x; the frames are rotated accordingly.
struct tdLimitRow
{
    float turnA[4][TD_LANES], turnB[4][TD_LANES]; // frames at the start of the step
    float coneMax[TD_LANES], twistMin[TD_LANES], twistMax[TD_LANES];
    float coneImpulse[TD_LANES], lowImpulse[TD_LANES], highImpulse[TD_LANES]; // >= 0
    float coneLast[TD_LANES], lowLast[TD_LANES], highLast[TD_LANES];          // of the last sub-step
    float coneSum[3][TD_LANES], twistSum[3][TD_LANES];
    float coneAxis[3][TD_LANES], twistAxis[3][TD_LANES]; // of the impulses
};

/// Rotation locks of eight hinges or fixed joints about the axes of frame A. Frames of hinges are rotated so
/// that x is the free axis.
struct tdTurnRow
{
    float turnA[4][TD_LANES], turnB[4][TD_LANES]; // frames at the start of the step
    float impulse[3][TD_LANES], sum[3][TD_LANES]; // sum: reaction torque, world axes
    // Limits of hinges.
    float twistMin[TD_LANES], twistMax[TD_LANES];
    float lowImpulse[TD_LANES], highImpulse[TD_LANES]; // >= 0
    float lowLast[TD_LANES], highLast[TD_LANES];       // of the last sub-step
    float twistSum[3][TD_LANES];
    float twist[TD_LANES], turns[TD_LANES]; // rad, whole turns: at the last evaluation
    // Drives of motors; zero in lanes without one.
    float stiffness[TD_LANES], damping[TD_LANES];
    float perInertia[TD_LANES]; // 1: stiffness and damping are accelerations, 0: torques
    float positionTarget[TD_LANES], velocityTarget[TD_LANES], maxTorque[TD_LANES];
    float driveImpulse[TD_LANES];
    float driveError[TD_LANES]; // rad, at the start of the sub-step
    float driveSum[3][TD_LANES];
};

/// Eight joints of one colour and signature. The ball row has the same index as its group.
struct tdJointGroup
{
    int32_t bodyA[TD_LANES], bodyB[TD_LANES]; // slots of the state array; 0: immovable
    int32_t joint[TD_LANES];                  // -1: empty lane
    uint32_t writeA, writeB;
    int limitRow;      // of limited balls, else -1
    int turnRow;       // of hinges, motors and fixed joints, else -1
    bool isFixed;      // three rotation locks; a hinge has two
    bool isDriven;     // hinges with a drive
    bool turnsInertia; // a body has unequal principal inertias, so its world inertia changes
};
