// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Sweeps of fast bodies: the first impact of a motion (docs/decisions/053-continuous-collision.md, 081).
#pragma once

#include "geometry/time_of_impact.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/data/world_data.h"

/// Motion of the body of a target, and of the fast body relative to it.
typedef struct tdTargetMotion
{
    int body; // -1: none
    bool isDynamic;
    tdSweep sweep;
    tdTransform start, end; // of the target
    float bend;             // sin^2 of half its rotation
    float moved;            // m, of the origin of the fast body in the frame of the target
    float turned;           // m per metre of radius
} tdTargetMotion;

typedef struct tdFastQuery
{
    tdWorld* world;
    int simIndex, shape;
    tdTransform start, end; // of its body
    tdSweep sweep;
    float bend;  // sin^2 of half the rotation
    float time;  // of `start`, as a fraction of the step
    float share; // distance of the surfaces at the impact, in speculative margins
    tdFastBody* found;
    int targetFast;          // if the target is a bullet: its index among the fast bodies; else -1
    tdPartTree* tree;        // of the body; NULL: its shapes are visited one by one
    bool isTreeSwept;        // tree->swept is that of this query
    int tieShape, tieTarget; // of the impact found by this query; -1: none
    tdTargetMotion target;
} tdFastQuery;

/// Pose of the body at the start of the step.
tdTransform tdBodySim_GetStartPose(const tdBodySim* sim);
/// Box around the motion of a shape.
/// @param center of mass of its body
tdAabb tdShape_ComputeSweptAabb(const tdShapeGeometry* shape, tdTransform start, tdTransform end,
                                tdVec3 center);
/// A query of the motion of a fast body from `start` to `end`.
tdFastQuery tdMakeFastQuery(tdWorld* world, tdFastBody* found, tdTransform start, tdTransform end);
/// Distance of the surfaces at an impact, m.
float tdFastQuery_GetImpactDistance(const tdFastQuery* query, int target);
/// Computes query->target for a body, unless it is that of the last call.
void tdFastQuery_PrepareTarget(tdFastQuery* query, int body);
/// True if all shapes of the fast body are slow relative to the prepared target (IsPartSlow).
bool tdFastQuery_IsBodySlow(const tdFastQuery* query);
/// Tests query->shape against a shape and keeps the earlier impact. A tdAabbTreeVisitFcn.
bool tdFastQuery_VisitTarget(void* context, int target);
/// Sweeps the tree of a compound, unless that is done.
void tdFastQuery_SweepTree(tdFastQuery* query);
/// Tests the parts of a compound near a box against a target in it.
void tdFastQuery_VisitParts(tdFastQuery* query, int target, tdAabb box);
/// A target in a tree, for a compound body.
bool tdFastQuery_VisitTargetOfTree(void* context, int target);
/// Sweeps all shapes of a body against static and, unless `onlyStatic`, kinematic shapes.
/// @return swept box
tdAabb tdFastQuery_Sweep(tdFastQuery* query, bool onlyStatic);
