// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Blocks: one to three rows of a joint with a common meaning, compiled from its limits and drives
// (docs/decisions/071-joints-from-limits.md).
#pragma once

#include "tendon/physics.h"

/// Independent rows between two bodies: six degrees of freedom.
#define TD_MAX_LOCK_ROWS 6

typedef enum tdBlockKind
{
    TD_BLOCK_POINT,      // 3 rows: the origins coincide (or differ by a fixed offset in frame A)
    TD_BLOCK_LINE,       // 2 rows: two coordinates of p are fixed
    TD_BLOCK_COORDINATE, // 1 row: p_i
    TD_BLOCK_RADIUS,     // 1 row: distance to the line of axis k
    TD_BLOCK_DISTANCE,   // 1 row: |p|
    TD_BLOCK_ROTATION,   // 3 rows: the rotation vector of q is fixed
    TD_BLOCK_SWING,      // 2 rows: two components of the rotation vector of q are fixed (a hinge)
    TD_BLOCK_AXIS,       // 2 rows: axis k of both frames coincide
    TD_BLOCK_TWIST,      // 1 row: signed twist about axis i
    TD_BLOCK_CONE,       // 1 row: angle between the axes k
    TD_BLOCK_ANGLE,      // 1 row: whole angle of q
    TD_BLOCK_VECTOR,     // 1 row: component i of the rotation vector of q
} tdBlockKind;

typedef enum tdBlockLaw
{
    TD_LAW_LOCK,   // hard equality, solved as one block
    TD_LAW_RANGE,  // hard bounds, one row
    TD_LAW_SPRING, // soft limit: a spring outside the range
    TD_LAW_DRIVE,
} tdBlockLaw;

/// One scalar constraint: Cdot = n.(vB - vA) + aB.wB - aA.wA.
typedef struct tdJointRow
{
    tdVec3 n, aA, aB;
    tdVec3 iA, iB; // I^-1 aA, I^-1 aB
    float error;   // locks: value minus target; others: the value
    float k;       // J M^-1 J^T
    // Rows that are no locks: response of the joint's locks to a unit impulse, and the k that remains.
    float couple[TD_MAX_LOCK_ROWS];
    float effective;
} tdJointRow;

struct tdJointBlock
{
    uint8_t kind, law;
    uint8_t rowCount;
    int8_t axis;       // i of one-axis metrics, k of two-axis ones; free axis of LINE, SWING and AXIS
    int16_t limits[3]; // limit of each row (the same for all rows of a norm lock), -1: none
    int16_t drive;     // -1: none
    float min, max;    // RANGE, SPRING: infinite at open ends
    tdVec3 target;     // LOCK: values of the rows
    float stiffness, damping;
    bool isAcceleration;
    bool countsTurns;                               // TWIST: the value is counted over turns
    bool isCoupled;                                 // LOCK: solved together with the joint's other locks
    float positionTarget, velocityTarget, maxForce; // DRIVE

    // State between steps: warm start.
    float impulse[3]; // LOCK, SPRING: one per row; RANGE: [0] lower bound, [1] upper bound
    float last[2];    // RANGE: impulses of the bounds in the last sub-step

    // Of the current sub-step.
    tdJointRow rows[3];
    float inverse[6];  // LOCK: inverse of K: xx yy zz xy xz yz
    tdVec3 linearSum;  // linear impulse summed over the step, world
    tdVec3 angularSum; // angular impulse summed over the step, world
};
