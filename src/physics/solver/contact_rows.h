// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of contact constraints: eight manifolds side by side, one per SIMD lane. The kernels are written once
// (contact_kernels.inl, body_kernels.inl) and compiled per vector width. All widths give the same bits,
// because lanes never interact and a group always has eight lanes, whatever the width.
//
// A group is eight touching contacts of one colour in which no dynamic body occurs twice. A contact with k
// manifolds takes k consecutive rows of its group, always in the same lane. Groups combine contacts with
// similar k, so few lanes are empty. Only in the overflow colour may a body occur n times in a group
// (solver_overflow.c).
#pragma once

#include "physics/data/manifold_data.h"

#define TD_LANES 8
/// Adjacent lanes in a contact row: as many as a kernel processes at once. WebAssembly has one kernel per
/// build: four lanes with SIMD, because eight lanes spill registers (docs/decisions/112), else one. Counts
/// and flags are the same in all parts of a row.
#if defined(__wasm_simd128__)
#define TD_ROW_LANES 4
#elif defined(__wasm__)
#define TD_ROW_LANES 1
#else
#define TD_ROW_LANES 8
#endif
#define TD_ROW_PARTS (TD_LANES / TD_ROW_LANES)
/// Upper limit of the correction speed of joints, m/s and rad/s, so that separated frames come together
/// slowly.
#define TD_MAX_LINEAR_CORRECTION 4.0f
#define TD_MAX_TURN_CORRECTION 8.0f
/// Likewise for limits, rad/s. A limit is exceeded by much only where its value jumps (twist near 180 degrees
/// of swing), and a fast correction would add energy.
#define TD_MAX_BOUND_CORRECTION 2.0f

/// The normal constraint of one contact point per lane.
typedef struct tdPointRow
{
    float rAn[3][TD_ROW_LANES]; // rA x n
    float rBn[3][TD_ROW_LANES];
    float iAn[3][TD_ROW_LANES]; // IA^-1 (rA x n)
    float iBn[3][TD_ROW_LANES];
    float mass[TD_ROW_LANES];       // effective mass; 0: the lane has no such point
    float separation[TD_ROW_LANES]; // m at the start of the step
    float impulse[TD_ROW_LANES];    // of the current sub-step, >= 0
    float lever[TD_ROW_LANES];      // distance from the friction centre
    float total[TD_ROW_LANES];      // impulse sum of the whole step, impacts included
} tdPointRow;

typedef struct tdContactRow
{
    float normal[3][TD_ROW_LANES]; // from A to B, world
    float invMassA[TD_ROW_LANES], invMassB[TD_ROW_LANES];
    float biasRate[TD_ROW_LANES], massScale[TD_ROW_LANES], impulseScale[TD_ROW_LANES];

    // Friction of the manifold: two tangents at the friction centre, and the twist about the normal.
    float tangent1[3][TD_ROW_LANES]; // tangent 2 is normal x tangent 1
    float rAt1[3][TD_ROW_LANES], rBt1[3][TD_ROW_LANES], iAt1[3][TD_ROW_LANES], iBt1[3][TD_ROW_LANES];
    float rAt2[3][TD_ROW_LANES], rBt2[3][TD_ROW_LANES], iAt2[3][TD_ROW_LANES], iBt2[3][TD_ROW_LANES];
    float inv11[TD_ROW_LANES], inv12[TD_ROW_LANES],
        inv22[TD_ROW_LANES];                                  // inverse of the 2 x 2 tangent matrix
    float friction1[TD_ROW_LANES], friction2[TD_ROW_LANES];   // impulses
    float iAtwist[3][TD_ROW_LANES], iBtwist[3][TD_ROW_LANES]; // I^-1 n
    float twistMass[TD_ROW_LANES], twist[TD_ROW_LANES];
    float staticFriction[TD_ROW_LANES], dynamicFriction[TD_ROW_LANES];
    float sticking[TD_ROW_LANES]; // 1 or 0
    float restitution[TD_ROW_LANES];
    float isNew[TD_ROW_LANES]; // 1 or 0: several points, none with an impulse in the last step
    int pointCount;            // largest of the eight lanes
    int hasRestitution, hasNew;
    unsigned impactLanes; // bit set of lanes with an impact in this sub-step, valid if hasRestitution
    int padding[4];
    tdPointRow points[TD_MAX_MANIFOLD_POINTS];
} tdContactRow;

/// The rows of eight manifolds.
typedef struct tdContactRows
{
    tdContactRow part[TD_ROW_PARTS];
} tdContactRows;

typedef struct tdContactGroup
{
    int32_t bodyA[TD_LANES], bodyB[TD_LANES]; // slots of the state array; 0: immovable
    int32_t touching[TD_LANES];               // -1: empty lane
    int firstRow, rowCount;
    uint32_t writeA, writeB;        // bit sets of lanes whose body is dynamic
    int firstContact, contactCount; // range in tdSolver.sorted
    uint32_t piecesA,
        piecesB; // overflow colour: four bits per lane, occurrences of its body in the group - 1
} tdContactGroup;

_Static_assert(sizeof(tdContactGroup) == 128, "two cache lines");

/// Eight bodies and their accelerations.
typedef struct tdBodyRow
{
    int32_t body[TD_LANES];         // slots of the state array; 0: none
    float linearStep[3][TD_LANES];  // m/s per sub-step, from gravity and force
    float angularStep[3][TD_LANES]; // rad/s per sub-step, from torque
    float frame[4][TD_LANES];       // principal axes at the start of the step
    float inertia[3][TD_LANES], invInertia[3][TD_LANES];
    float gyroscopic[TD_LANES]; // 1 or 0
    int anyGyroscopic;
    uint32_t lanes;   // bit set of lanes with a body
    uint32_t clamped; // bit set of lanes whose body exceeded a bound of speed in this step
    int padding[5];
} tdBodyRow;
