// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Groups of eight joints and their rows.
#pragma once

#include "physics/solver/contact_rows.h"

typedef struct tdJointGroup tdJointGroup;
typedef struct tdBallRow tdBallRow;
typedef struct tdLimitRow tdLimitRow;
typedef struct tdTurnRow tdTurnRow;

/// Eight point locks: what balls, limited balls, hinges and fixed joints have in common.
struct tdBallRow
{
    float armA[3][TD_LANES], armB[3][TD_LANES]; // from the centres to the pivot, at the begin of the step
    float centerOffset[3][TD_LANES];            // cB - cA
    float invMassA[TD_LANES], invMassB[TD_LANES];
    float invInertiaA[6][TD_LANES], invInertiaB[6][TD_LANES]; // xx yy zz xy xz yz, now
    float inverse[6][TD_LANES];                               // of K, now
    float impulse[3][TD_LANES];
    float sum[3][TD_LANES]; // of the impulses after each sub-step: the reaction
    float startInertiaA[6][TD_LANES], startInertiaB[6][TD_LANES]; // at the begin of the step
};

/// Cone and twist limits of eight joints, about x of frames turned accordingly.
struct tdLimitRow
{
    float turnA[4][TD_LANES], turnB[4][TD_LANES]; // frames at the begin of the step
    float coneMax[TD_LANES], twistMin[TD_LANES], twistMax[TD_LANES];
    float coneImpulse[TD_LANES], lowImpulse[TD_LANES], highImpulse[TD_LANES]; // >= 0
    float coneLast[TD_LANES], lowLast[TD_LANES], highLast[TD_LANES];          // of the last sub-step
    float coneSum[3][TD_LANES], twistSum[3][TD_LANES];
    float coneAxis[3][TD_LANES], twistAxis[3][TD_LANES]; // that the impulses are about
};

/// Turning locks of eight hinges or fixed joints, about the axes of frame A; frames of hinges are turned so
/// that x is free.
struct tdTurnRow
{
    float turnA[4][TD_LANES], turnB[4][TD_LANES]; // frames at the begin of the step
    float impulse[3][TD_LANES], sum[3][TD_LANES]; // sum: torque in the world
    // Stops of hinges.
    float twistMin[TD_LANES], twistMax[TD_LANES];
    float lowImpulse[TD_LANES], highImpulse[TD_LANES]; // >= 0
    float lowLast[TD_LANES], highLast[TD_LANES];       // of the last sub-step
    float twistSum[3][TD_LANES];
};

/// Eight joints of one colour and signature. The ball row has the index of its group.
struct tdJointGroup
{
    int32_t bodyA[TD_LANES], bodyB[TD_LANES]; // slots of the state array; 0: cannot move
    int32_t joint[TD_LANES];                  // -1: empty lane
    uint32_t writeA, writeB;
    int limitRow;      // of limited balls, else -1
    int turnRow;       // of hinges and fixed joints, else -1
    bool isFixed;      // three turning locks, not two
    bool turnsInertia; // some body is not round: its inertia turns with it
};
