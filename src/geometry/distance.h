// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Closest points of two convex sets (GJK) and, when they overlap, the penetration (EPA).
#pragma once

#include "support.h"

typedef struct tdDistanceResult
{
    float distance;        // m; negative: penetration depth
    tdVec3 normal;         // unit, from A to B
    tdVec3 pointA, pointB; // on the surfaces, in the common frame
} tdDistanceResult;

/// Start of GJK from the last call for the same pair. Zero at first.
typedef struct tdDistanceCache
{
    tdVec3 direction; // from B to A, any length
} tdDistanceCache;

/// Distance of two convex sets, radii included.
/// @param limit the search may stop when the distance exceeds this; the result is then a lower bound above it
/// @param cache may be NULL
tdDistanceResult tdConvexDistance(const tdConvex* a, const tdConvex* b, float limit, tdDistanceCache* cache);

/// Distance of two convex sets, or some value of at most 0 if they overlap. Faster than tdConvexDistance
/// because it does not compute the penetration depth.
float tdConvexDistanceOrZero(const tdConvex* a, const tdConvex* b);
/// Whether tdConvexDistanceOrZero is at most 0. Stops at the first plane that separates the two.
bool tdTestConvexOverlap(const tdConvex* a, const tdConvex* b);
