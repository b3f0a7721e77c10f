// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact constraints, eight manifolds side by side, and the kernels that work on them. The kernels are
// written once (contact_kernels.inl, body_kernels.inl) and compiled per vector width; all widths give the
// same bits, because lanes never interact and eight lanes are processed whatever the width.
//
// A group is eight touches of one colour, no movable body twice. A touch with k manifolds takes k consecutive
// rows of its group, always in the same lane; groups are made of touches with similar k, so little room is
// lost.
#pragma once

#include "body.h"
#include "contact.h"

#define TD_LANES 8
/// Fastest correction of joints, m/s and rad/s: frames that start apart are pulled together, not shot.
#define TD_MAX_LINEAR_CORRECTION 4.0f
#define TD_MAX_TURN_CORRECTION 8.0f
/// The same of bounds. A bound is exceeded by much only where its value jumps (a twist near half a turn of
/// swing), and hard correction of that would make energy.
#define TD_MAX_BOUND_CORRECTION 2.0f

/// The normal row of one point in eight manifolds.
typedef struct tdPointRow
{
    float rAn[3][TD_LANES]; // rA x n
    float rBn[3][TD_LANES];
    float iAn[3][TD_LANES]; // IA^-1 (rA x n)
    float iBn[3][TD_LANES];
    float mass[TD_LANES];       // effective mass; 0 where there is no such point
    float separation[TD_LANES]; // at the begin of the step
    float impulse[TD_LANES];    // of the current sub-step, >= 0
    float approach[TD_LANES];   // most negative normal velocity an impulse has met in this step, <= 0
    float lever[TD_LANES];      // distance from the friction centre
    float total[TD_LANES];      // impulse of the whole step
    float bounce[TD_LANES];     // of it: given by restitution
} tdPointRow;

typedef struct tdContactRow
{
    float normal[3][TD_LANES]; // from A to B, world
    float invMassA[TD_LANES], invMassB[TD_LANES];
    float biasRate[TD_LANES], massScale[TD_LANES], impulseScale[TD_LANES];

    // Friction, one block for the manifold: two tangents at the friction centre and the twist about the
    // normal.
    float tangent1[3][TD_LANES]; // tangent 2 is normal x tangent 1
    float rAt1[3][TD_LANES], rBt1[3][TD_LANES], iAt1[3][TD_LANES], iBt1[3][TD_LANES];
    float rAt2[3][TD_LANES], rBt2[3][TD_LANES], iAt2[3][TD_LANES], iBt2[3][TD_LANES];
    float inv11[TD_LANES], inv12[TD_LANES], inv22[TD_LANES]; // inverse of the 2 x 2 tangent matrix
    float friction1[TD_LANES], friction2[TD_LANES];          // impulses
    float iAtwist[3][TD_LANES], iBtwist[3][TD_LANES];        // I^-1 n
    float twistMass[TD_LANES], twist[TD_LANES];
    float staticFriction[TD_LANES], dynamicFriction[TD_LANES];
    float sticking[TD_LANES];    // 1 or 0
    float restitution[TD_LANES]; //
    float isNew[TD_LANES];       // 1 or 0: several points, none of which pushed before
    int pointCount;              // most of all lanes
    float bounceBound[TD_LANES]; // most that all points may give back, once isBounceBound
    int hasRestitution, hasNew, isBounceBound;
    int padding[4];
    tdPointRow points[TD_MAX_MANIFOLD_POINTS];
} tdContactRow;

typedef struct tdContactGroup
{
    int32_t bodyA[TD_LANES], bodyB[TD_LANES]; // slots of the state array; 0: cannot move
    int32_t touch[TD_LANES];                  // -1: empty lane
    int firstRow, rowCount;
    uint32_t writeA, writeB;    // lanes whose body is dynamic
    int firstTouch, touchCount; // in the solver's sorted list: what the lanes are filled from
    int padding[2];
} tdContactGroup;

_Static_assert(sizeof(tdContactGroup) == 128, "two cache lines");

/// Eight bodies, with what moves them in every sub-step.
typedef struct tdBodyRow
{
    int32_t body[TD_LANES];         // slots of the state array; 0: none
    float linearStep[3][TD_LANES];  // velocity change per sub-step by gravity and force
    float angularStep[3][TD_LANES]; // by torque
    float frame[4][TD_LANES];       // principal axes at the begin of the step
    float inertia[3][TD_LANES], invInertia[3][TD_LANES];
    float gyroscopic[TD_LANES]; // 1 or 0
    int anyGyroscopic;
    uint32_t lanes; // that have a body
    int padding[6];
} tdBodyRow;

/// Eight point locks: what balls, limited balls, hinges and fixed joints have in common.
typedef struct tdBallRow
{
    float armA[3][TD_LANES], armB[3][TD_LANES]; // from the centres to the pivot, at the begin of the step
    float centerOffset[3][TD_LANES];            // cB - cA
    float invMassA[TD_LANES], invMassB[TD_LANES];
    float invInertiaA[6][TD_LANES], invInertiaB[6][TD_LANES]; // xx yy zz xy xz yz, now
    float inverse[6][TD_LANES];                               // of K, now
    float impulse[3][TD_LANES];
    float sum[3][TD_LANES]; // of the impulses after each sub-step: the reaction
    float startInertiaA[6][TD_LANES], startInertiaB[6][TD_LANES]; // at the begin of the step
} tdBallRow;

/// Cone and twist limits of eight joints, about x of frames turned accordingly.
typedef struct tdLimitRow
{
    float turnA[4][TD_LANES], turnB[4][TD_LANES]; // frames at the begin of the step
    float coneMax[TD_LANES], twistMin[TD_LANES], twistMax[TD_LANES];
    float coneImpulse[TD_LANES], lowImpulse[TD_LANES], highImpulse[TD_LANES]; // >= 0
    float coneLast[TD_LANES], lowLast[TD_LANES], highLast[TD_LANES];          // of the last sub-step
    float coneSum[3][TD_LANES], twistSum[3][TD_LANES];
    float coneAxis[3][TD_LANES], twistAxis[3][TD_LANES]; // that the impulses are about
} tdLimitRow;

/// Turning locks of eight hinges or fixed joints, about the axes of frame A; frames of hinges are turned so
/// that x is free.
typedef struct tdTurnRow
{
    float turnA[4][TD_LANES], turnB[4][TD_LANES]; // frames at the begin of the step
    float impulse[3][TD_LANES], sum[3][TD_LANES]; // sum: torque in the world
    // Stops of hinges.
    float twistMin[TD_LANES], twistMax[TD_LANES];
    float lowImpulse[TD_LANES], highImpulse[TD_LANES]; // >= 0
    float lowLast[TD_LANES], highLast[TD_LANES];       // of the last sub-step
    float twistSum[3][TD_LANES];
} tdTurnRow;

/// Eight joints of one colour and signature. The ball row has the index of its group.
typedef struct tdJointGroup
{
    int32_t bodyA[TD_LANES], bodyB[TD_LANES]; // slots of the state array; 0: cannot move
    int32_t joint[TD_LANES];                  // -1: empty lane
    uint32_t writeA, writeB;
    int limitRow;      // of limited balls, else -1
    int turnRow;       // of hinges and fixed joints, else -1
    bool isFixed;      // three turning locks, not two
    bool turnsInertia; // some body is not round: its inertia turns with it
} tdJointGroup;

/// A spring of a given frequency and damping ratio as the coefficients of an implicit velocity constraint,
/// see tdMakeSoftness.
typedef struct tdSoftness
{
    float biasRate, massScale, impulseScale;
} tdSoftness;

tdSoftness tdMakeSoftness(float hertz, float dampingRatio, float timeStep);

/// What all kernels of a step share.
typedef struct tdSolverStep
{
    float timeStep, subStep, invSubStep;
    tdSoftness contactSoftness, staticSoftness, jointSoftness;
    float maxPushSpeed;
    float restitutionThreshold;
    float* states; // tdBodyState as floats
    const tdBodySim* sims;
    const tdBodySim* restSims;
    const tdTouch* touches;
    tdContactManifold* manifolds;
    tdContactGroup* groups;
    tdContactRow* rows;
    tdBodyRow* bodyRows;
    const tdJointGroup* jointGroups;
    tdBallRow* ballRows;
    tdLimitRow* limitRows;
    tdTurnRow* turnRows;
    float maxLinearCorrection, maxTurnCorrection; // of joints, m/s and rad/s
    int awakeCount;
    tdWorld* world;
} tdSolverStep;

/// Ranges are half-open. Contact kernels take groups, body kernels rows of eight bodies.
typedef void tdKernelFcn(const tdSolverStep* step, int start, int end);

typedef struct tdKernels
{
    tdKernelFcn *prepareContacts, *warmStartContacts, *solveContacts, *relaxContacts, *restituteContacts,
        *storeContacts;
    tdKernelFcn *integrateVelocities, *integratePositions;
    tdKernelFcn *prepareJoints, *warmStartJoints, *solveJoints, *relaxJoints; // groups of eight
} tdKernels;

/// NULL if this build has no such width.
const tdKernels* tdGetKernelsScalar(void);
const tdKernels* tdGetKernelsSse2(void);
const tdKernels* tdGetKernelsAvx2(void);
/// The kernels of a width that was resolved (tdCpu_ResolveSimd).
const tdKernels* tdGetKernels(tdSimd simd);
