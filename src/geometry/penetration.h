// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Penetration depth of two overlapping convex cores: the shortest translation that separates them (EPA).
#pragma once

#include "support.h"

/// A point w = a - b of the Minkowski difference A - B.
typedef struct tdDifferencePoint
{
    tdVec3 w, a, b;
} tdDifferencePoint;

static inline tdDifferencePoint tdSupportDifference(const tdConvex* a, const tdConvex* b, tdVec3 direction)
{
    tdDifferencePoint point;
    point.a = tdConvex_Support(a, direction);
    point.b = tdConvex_Support(b, tdNegate(direction));
    point.w = tdSub(point.a, point.b);
    return point;
}

typedef struct tdPenetration
{
    tdVec3 normal;         // unit, from A to B
    float depth;           // m; moving B by this along `normal` separates the cores
    tdVec3 pointA, pointB; // deepest points of the cores: pointA - pointB = depth * normal
} tdPenetration;

/// @param simplex final simplex of GJK, 1 to 4 points
/// @param guess unit direction that decides the normal when A - B has no volume
tdPenetration tdComputePenetration(const tdConvex* a, const tdConvex* b, const tdDifferencePoint* simplex,
                                   int count, tdVec3 guess);
