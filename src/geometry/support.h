// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Support mappings of convex shapes, and the flat features (face, edge, point) that face a direction.
#pragma once

#include "shape.h"

#define TD_MAX_FEATURE_POINTS 32

/// Every kind but plane and mesh.
static inline bool tdShape_IsConvex(const tdShapeGeometry* shape)
{
    return shape->kind != TD_SHAPE_PLANE && shape->kind != TD_SHAPE_MESH;
}

/// A convex set ready for queries: the core plus a ball of `radius`, in some common frame.
typedef struct tdConvex
{
    const tdShapeGeometry* shape; // NULL: the points below
    tdVec3 points[3];             // point, segment or triangle in the common frame
    int pointCount;
    tdMat3 linear;    // shape frame (before its matrix) to common frame
    tdMat3 transpose; // of `linear`
    tdVec3 origin;
    float radius; // rounding, not included in the core's support
    bool isRigid; // `linear` is a rotation
} tdConvex;

/// @param pose of the shape's body in the common frame
/// A sphere becomes a point with radius, a straight capsule a segment with radius, unless a matrix is in the
/// way.
tdConvex tdMakeConvex(const tdShapeGeometry* shape, tdTransform pose);
tdConvex tdMakeTriangleConvex(tdVec3 a, tdVec3 b, tdVec3 c);
tdConvex tdMakeSegmentConvex(tdVec3 a, tdVec3 b);
tdConvex tdMakePointConvex(tdVec3 point);

/// Point of the core farthest in `direction` (any length).
tdVec3 tdConvex_Support(const tdConvex* convex, tdVec3 direction);
/// Some point well inside.
tdVec3 tdConvex_GetCenter(const tdConvex* convex);

/// The flat feature of the core that faces the unit direction `normal`: 1 point, 2 points of an edge, or a
/// convex polygon counter-clockwise seen against `normal`. Round rims become polygons that contain the
/// farthest point.
/// @param ids stable numbers of the points
/// @return number of points, at most TD_MAX_FEATURE_POINTS
int tdConvex_GetFeature(const tdConvex* convex, tdVec3 normal, tdVec3* points, uint32_t* ids);
