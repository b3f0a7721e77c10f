// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rays, moving shapes and closest points. Frames: everything is in the frame of the target's body unless
// said.
#pragma once

#include "distance.h"

typedef struct tdCastHit
{
    float fraction;    // of the translation
    tdVec3 point;      // on the target
    tdVec3 normal;     // unit, out of the target, against the motion; zero if it started inside
    uint32_t triangle; // of a mesh, as given at cooking; 0 otherwise
} tdCastHit;

/// Ray from `origin` to origin + maxFraction * translation. A ray that starts inside a solid hits at fraction
/// 0 with normal zero. Meshes and sheets that are one-sided are hit from the front only.
bool tdRayCastShape(const tdShapeGeometry* shape, tdVec3 origin, tdVec3 translation, float maxFraction,
                    tdCastHit* hit);

/// `moving`, of any kind, travels without turning. Planes do not meet planes.
/// @param movingPose of its body at the start, in the target's body
bool tdCastShape(const tdShapeGeometry* moving, tdTransform movingPose, tdVec3 translation, float maxFraction,
                 const tdShapeGeometry* target, tdCastHit* hit);

typedef struct tdClosestPoint
{
    tdVec3 point;
    float distance; // 0 inside a solid
} tdClosestPoint;

/// Point of the shape nearest to `point`; inside a solid it is `point` itself.
tdClosestPoint tdShape_FindClosestPoint(const tdShapeGeometry* shape, tdVec3 point);

/// A body's motion during a step: the centre of mass goes straight, the rotation turns evenly.
typedef struct tdSweep
{
    tdVec3 localCenter;            // centre of mass in the body
    tdVec3 startCenter, endCenter; // in the world
    tdQuat startRotation, endRotation;
} tdSweep;

tdSweep tdMakeSweep(tdTransform start, tdTransform end, tdVec3 localCenter);
tdTransform tdSweep_At(const tdSweep* sweep, float fraction);

typedef enum tdImpactState
{
    TD_IMPACT_NONE,    // apart during the whole motion
    TD_IMPACT_HIT,     // they come within `target` at `fraction`
    TD_IMPACT_INITIAL, // within `target` already at the start: fraction 0
} tdImpactState;

typedef struct tdImpact
{
    tdImpactState state;
    float fraction;       // maxFraction when there is none
    tdVec3 point, normal; // in the world, normal from A to B; of the moment of impact
    bool isMiddle;        // hit: they touched before, and now the middle of A would get through
} tdImpact;

/// First moment at which two shapes on moving bodies are `target` apart (a small positive slop).
/// Conservative: it is never late by more than the tolerance, target / 4, and it ends after a bounded number
/// of iterations.
tdImpact tdTimeOfImpact(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                        const tdSweep* sweepB, float maxFraction, float target);
