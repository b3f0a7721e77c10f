// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Distances and closest points of shapes of any kind, planes and meshes included.
#pragma once

#include "distance.h"

/// Distance between two shapes. For a mesh it is the distance to the nearest triangle; overlapping meshes
/// have distance 0. Two planes have infinite distance.
/// @param bodyBInA pose of B's body in A's body; results are in the frame of A's body
tdDistanceResult tdShapeDistance(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA);

typedef struct tdClosestPoint
{
    tdVec3 point;
    float distance; // 0 inside a solid
} tdClosestPoint;

/// Point of the shape nearest to `point`, both in the frame of the shape's body. Inside a solid it is `point`
/// itself. Meshes are surfaces: they have no inside.
tdClosestPoint tdShape_FindClosestPoint(const tdShapeGeometry* shape, tdVec3 point);
