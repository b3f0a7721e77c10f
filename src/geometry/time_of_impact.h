// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Time of impact of two shapes on moving, rotating bodies. Continuous collision uses it
// (docs/decisions/053-continuous-collision.md).
#pragma once

#include "shape.h"

/// Motion of a body during a step: the centre of mass moves along a line, the rotation is a normalised lerp.
typedef struct tdSweep
{
    tdVec3 localCenter;            // centre of mass in the body
    tdVec3 startCenter, endCenter; // in the world
    tdQuat startRotation, endRotation;
} tdSweep;

/// @param localCenter centre of mass in the frame of the body
tdSweep tdMakeSweep(tdTransform start, tdTransform end, tdVec3 localCenter);
/// Pose of the body at a fraction of the step, 0 to 1.
tdTransform tdSweep_At(const tdSweep* sweep, float fraction);

typedef enum tdImpactState
{
    TD_IMPACT_NONE,    // separated during the whole motion
    TD_IMPACT_HIT,     // the distance becomes `target` at `fraction`
    TD_IMPACT_INITIAL, // the distance is at most `target` at the start; fraction 0
} tdImpactState;

typedef struct tdImpact
{
    tdImpactState state;
    float fraction;       // of the step; maxFraction for TD_IMPACT_NONE
    float distance;       // at that time, m; negative: overlap
    tdVec3 point, normal; // in the world at the time of impact; normal from A to B
    bool isUnresolved;    // the iterations ended before the distance reached the target
    bool isMiddle; // the shapes touch at the start, and at `fraction` the centre of A would pass the face
} tdImpact;

/// First time at which two shapes on moving bodies have the distance `target`, a small positive slop in
/// metres. Conservative: the result is never late by more than the tolerance, a quarter of `target`, and the
/// number of iterations is bounded.
tdImpact tdTimeOfImpact(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                        const tdSweep* sweepB, float maxFraction, float target);

/// The same for continuous collision: two meshes whose faces overlap by so little until the end of the motion
/// that contacts handle it have no impact.
tdImpact tdTimeOfDeepImpact(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                            const tdSweep* sweepB, float maxFraction, float target);

/// The same for triggers: meshes and sheets are hit from both sides. Faces that touch at the start are
/// ignored.
tdImpact tdTimeOfOverlap(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                         const tdSweep* sweepB, float maxFraction, float target);
