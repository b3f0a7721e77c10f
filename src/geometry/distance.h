// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Closest points of two convex sets (GJK) and, when they overlap, the shortest way out (EPA).
#pragma once

#include "support.h"

typedef struct tdDistanceResult
{
    float distance;        // negative: depth of the overlap
    tdVec3 normal;         // unit, from A to B
    tdVec3 pointA, pointB; // on the surfaces, in the common frame
} tdDistanceResult;

/// What GJK starts from: indexless, a direction is enough. Zero at first.
typedef struct tdDistanceCache
{
    tdVec3 direction;
} tdDistanceCache;

/// Radii included. Beyond `limit` the answer may stop early: distance is then a lower bound above `limit`.
/// @param cache may be NULL
tdDistanceResult tdConvexDistance(const tdConvex* a, const tdConvex* b, float limit, tdDistanceCache* cache);

/// Distance, or 0 or less if they overlap: cheaper than the above, the way out is not asked for.
float tdConvexDistanceOrZero(const tdConvex* a, const tdConvex* b);

/// Two shapes of any kind, meshes and planes included (mesh: nearest triangle; overlap of meshes counts as
/// 0).
/// @param bodyBInA pose of B's body in A's body; results are in the frame of A's body
tdDistanceResult tdShapeDistance(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA);
