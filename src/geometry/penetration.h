// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Penetration depth of two overlapping convex cores: the shortest translation that separates them (EPA).
#pragma once

#include "support.h"
#include "vec3d.h"

/// A point w = a - b of the Minkowski difference A - B.
typedef struct tdDifferencePoint
{
    tdVec3d w;
    tdVec3 a, b;
} tdDifferencePoint;

static inline tdDifferencePoint tdSupportDifference(const tdConvex* a, const tdConvex* b, tdVec3 direction)
{
    tdDifferencePoint point;
    tdVec3 offsetA = tdConvex_SupportOffset(a, direction),
           offsetB = tdConvex_SupportOffset(b, tdNegate(direction));
    tdVec3 baseA = tdConvex_GetBase(a), baseB = tdConvex_GetBase(b);
    point.a = tdAdd(baseA, offsetA);
    point.b = tdAdd(baseB, offsetB);
    tdVec3d apart = tdSubD(tdWiden(baseA), tdWiden(baseB));
    point.w = tdAddD(apart, tdSubD(tdWiden(offsetA), tdWiden(offsetB)));
    return point;
}

/// Size of the curved cores about their base. Their support points have a rounding error of that size.
static inline double tdGetCurvedSize(const tdConvex* a, const tdConvex* b, const tdDifferencePoint* point)
{
    double sizeA = tdConvex_IsCurved(a) ? (double)tdDistance(point->a, a->origin) : 0.0;
    double sizeB = tdConvex_IsCurved(b) ? (double)tdDistance(point->b, b->origin) : 0.0;
    return sizeA + sizeB;
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
