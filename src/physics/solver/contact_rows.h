// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact constraints, eight manifolds side by side, and the kernels that work on them. The kernels are
// written once (contact_kernels.inl, body_kernels.inl) and compiled per vector width; all widths give the
// same bits, because lanes never interact and eight lanes are processed whatever the width, at once or in
// parts.
//
// A group is eight touches of one colour, no movable body twice. A touch with k manifolds takes k consecutive
// rows of its group, always in the same lane; groups are made of touches with similar k, so little room is
// lost. Only in the overflow colour may a body occur n times in a group: its mass is split into n equal
// pieces, one per lane, and their mean is its velocity afterwards (solver_overflow.c).
#pragma once

#include "physics/data/manifold_data.h"

#define TD_LANES 8
/// Lanes that lie side by side in a contact row: as many as the kernels take at once. WebAssembly, which has
/// one kernel per build and spills much where two registers stand for eight lanes, takes four of them after
/// the other, without SIMD one. What all eight share (counts, flags) is the same in all parts of a row.
#if defined(__wasm_simd128__)
#define TD_ROW_LANES 4
#elif defined(__wasm__)
#define TD_ROW_LANES 1
#else
#define TD_ROW_LANES 8
#endif
#define TD_ROW_PARTS (TD_LANES / TD_ROW_LANES)
/// Fastest correction of joints, m/s and rad/s: frames that start apart are pulled together, not shot.
#define TD_MAX_LINEAR_CORRECTION 4.0f
#define TD_MAX_TURN_CORRECTION 8.0f
/// The same of bounds. A bound is exceeded by much only where its value jumps (a twist near half a turn of
/// swing), and hard correction of that would make energy.
#define TD_MAX_BOUND_CORRECTION 2.0f

/// The normal row of one point in as many manifolds as a row has lanes.
typedef struct tdPointRow
{
    float rAn[3][TD_ROW_LANES]; // rA x n
    float rBn[3][TD_ROW_LANES];
    float iAn[3][TD_ROW_LANES]; // IA^-1 (rA x n)
    float iBn[3][TD_ROW_LANES];
    float mass[TD_ROW_LANES];       // effective mass; 0 where there is no such point
    float separation[TD_ROW_LANES]; // at the begin of the step
    float impulse[TD_ROW_LANES];    // of the current sub-step, >= 0
    float approach[TD_ROW_LANES];   // most negative normal velocity an impulse has met in this step, <= 0
    float lever[TD_ROW_LANES];      // distance from the friction centre
    float total[TD_ROW_LANES];      // impulse of the whole step
    float bounce[TD_ROW_LANES];     // of it: given by restitution
} tdPointRow;

typedef struct tdContactRow
{
    float normal[3][TD_ROW_LANES]; // from A to B, world
    float invMassA[TD_ROW_LANES], invMassB[TD_ROW_LANES];
    float biasRate[TD_ROW_LANES], massScale[TD_ROW_LANES], impulseScale[TD_ROW_LANES];

    // Friction, one block for the manifold: two tangents at the friction centre and the twist about the
    // normal.
    float tangent1[3][TD_ROW_LANES]; // tangent 2 is normal x tangent 1
    float rAt1[3][TD_ROW_LANES], rBt1[3][TD_ROW_LANES], iAt1[3][TD_ROW_LANES], iBt1[3][TD_ROW_LANES];
    float rAt2[3][TD_ROW_LANES], rBt2[3][TD_ROW_LANES], iAt2[3][TD_ROW_LANES], iBt2[3][TD_ROW_LANES];
    float inv11[TD_ROW_LANES], inv12[TD_ROW_LANES],
        inv22[TD_ROW_LANES];                                  // inverse of the 2 x 2 tangent matrix
    float friction1[TD_ROW_LANES], friction2[TD_ROW_LANES];   // impulses
    float iAtwist[3][TD_ROW_LANES], iBtwist[3][TD_ROW_LANES]; // I^-1 n
    float twistMass[TD_ROW_LANES], twist[TD_ROW_LANES];
    float staticFriction[TD_ROW_LANES], dynamicFriction[TD_ROW_LANES];
    float sticking[TD_ROW_LANES];    // 1 or 0
    float restitution[TD_ROW_LANES]; //
    float isNew[TD_ROW_LANES];       // 1 or 0: several points, none of which pushed before
    int pointCount;                  // most of all eight lanes
    float bounceBound[TD_ROW_LANES]; // most that all points may give back, once isBounceBound
    int hasRestitution, hasNew, isBounceBound;
    int padding[4];
    tdPointRow points[TD_MAX_MANIFOLD_POINTS];
} tdContactRow;

/// Eight manifolds.
typedef struct tdContactRows
{
    tdContactRow part[TD_ROW_PARTS];
} tdContactRows;

typedef struct tdContactGroup
{
    int32_t bodyA[TD_LANES], bodyB[TD_LANES]; // slots of the state array; 0: cannot move
    int32_t touching[TD_LANES];               // -1: empty lane
    int firstRow, rowCount;
    uint32_t writeA, writeB;        // lanes whose body is dynamic
    int firstContact, contactCount; // in the solver's sorted list: what the lanes are filled from
    uint32_t piecesA, piecesB;      // four bits per lane: how often its body occurs in the group, less one
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
