// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The shortest translation that parts two overlapping convex cores (EPA). Used by distance.c.
#pragma once

#include "support.h"

/// A point of the difference A - B and where it comes from.
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
    float depth;           // how far B must go along `normal`
    tdVec3 pointA, pointB; // deepest points of the cores: pointA - pointB = depth * normal
} tdPenetration;

/// @param simplex what GJK ended with, 1 to 4 points
/// @param guess direction to take when the cores have no volume between them (unit)
tdPenetration tdComputePenetration(const tdConvex* a, const tdConvex* b, const tdDifferencePoint* simplex,
                                   int count, tdVec3 guess);
