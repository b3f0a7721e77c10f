// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The geometry of a shape: one value type for every kind, with its transform in the body.
#pragma once

#include "math/vecmath.h"

#include "tendon/geometry.h"

typedef struct tdHull tdHull;           // hull.h: cooked convex hull
typedef struct tdTriangles tdTriangles; // triangles.h: cooked triangle mesh with its BVH

typedef struct tdShapeGeometry
{
    tdShapeKind kind;
    tdTransform local; // of the shape in its body
    bool hasMatrix;    // convex kinds only: `matrix` is applied to points before `local`
    tdMat3 matrix;     // scale or shear, not singular
    union
    {
        struct
        {
            float radius;
        } sphere;
        struct
        {
            tdVec3 halfSize;
        } box;
        struct
        {
            float halfHeight, radiusBottom, radiusTop; // along Y; the bottom is at -Y
        } capsule, cylinder;                           // capsule: halfHeight is that of the sphere centres
        struct
        {
            float halfX, halfZ; // INFINITY where unbounded
            bool isDoubleSided; // unbounded and single-sided: half-space, solid below; else a thin sheet
        } plane;                // through the origin, normal +Y
        const tdHull* hull;
        const tdTriangles* mesh;
        _Alignas(8) uint64_t space[2]; // one layout with pointers of every size (docs/decisions/190)
    };
} tdShapeGeometry;

/// True for an unbounded single-sided plane: everything below it is solid.
static inline bool tdShape_IsHalfSpace(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_PLANE && !shape->plane.isDoubleSided && shape->plane.halfX == INFINITY &&
           shape->plane.halfZ == INFINITY;
}

/// A plane without borders: a half-space, or an infinite double-sided plane.
static inline bool tdShape_IsUnbounded(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_PLANE && shape->plane.halfX == INFINITY && shape->plane.halfZ == INFINITY;
}
