// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Support mappings of convex shapes, and the features (face, edge, vertex) that face a direction.
#pragma once

#include "shape.h"

/// Points of the largest feature; hull faces with more vertices are thinned out.
#define TD_MAX_FEATURE_POINTS 32

/// True for every kind except planes and meshes.
static inline bool tdShape_IsConvex(const tdShapeGeometry* shape)
{
    return shape->kind != TD_SHAPE_PLANE && shape->kind != TD_SHAPE_MESH;
}

/// A convex set for queries: the Minkowski sum of a core and a ball of `radius`, in a common frame of the
/// query.
typedef struct tdConvex
{
    const tdShapeGeometry* shape; // NULL: the core is `points`
    tdVec3 points[3];             // point, segment or triangle in the common frame
    int pointCount;
    tdMat3 linear;    // shape frame (before its matrix) to common frame
    tdMat3 transpose; // of `linear`
    tdVec3 origin;    // of the shape
    float radius;     // not included in tdConvex_Support
    bool isRigid;     // `linear` is a rotation
} tdConvex;

/// Makes the convex set of a shape, which must outlive it. Without a matrix a sphere becomes a point with a
/// radius and a straight capsule a segment with a radius.
/// @param pose of the shape's body in the common frame
tdConvex tdMakeConvex(const tdShapeGeometry* shape, tdTransform pose);
tdConvex tdMakeTriangleConvex(tdVec3 a, tdVec3 b, tdVec3 c);
tdConvex tdMakeSegmentConvex(tdVec3 a, tdVec3 b);
tdConvex tdMakePointConvex(tdVec3 point);

/// Point of the core farthest in `direction`, which may have any length.
tdVec3 tdConvex_Support(const tdConvex* convex, tdVec3 direction);
/// The same point relative to the base of the convex set: the origin of the shape, or 0 for points.
tdVec3 tdConvex_SupportOffset(const tdConvex* convex, tdVec3 direction);

static inline tdVec3 tdConvex_GetBase(const tdConvex* convex)
{
    return convex->shape != NULL ? convex->origin : tdVec3_zero;
}

/// True if the support points of the core vary continuously with the direction.
static inline bool tdConvex_IsCurved(const tdConvex* convex)
{
    return convex->shape != NULL && convex->shape->kind != TD_SHAPE_BOX &&
           convex->shape->kind != TD_SHAPE_HULL;
}
/// Height of the centroid of a cylinder or capsule on its axis, in the frame of the shape. That of a tapered
/// capsule is approximate.
float tdShape_GetAxisCenter(const tdShapeGeometry* shape);
/// A point inside: the centroid.
tdVec3 tdConvex_GetCenter(const tdConvex* convex);

/// Feature of the core that faces the unit direction `normal`: 1 vertex, the 2 ends of an edge, or a convex
/// polygon, counter-clockwise seen from its outside. Round rims become polygons that contain the farthest
/// point.
/// @param ids feature ids of the points, the same for the same point in every call
/// @return number of points, at most TD_MAX_FEATURE_POINTS
int tdConvex_GetFeature(const tdConvex* convex, tdVec3 normal, tdVec3* points, uint32_t* ids);
