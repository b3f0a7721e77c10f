// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The shape as geometry sees it: one value type for every kind, placed in its body.
#pragma once

#include "math/vecmath.h"

typedef struct tdHull tdHull;           // hull.h: cooked convex hull
typedef struct tdTriangles tdTriangles; // triangles.h: cooked triangle mesh with its BVH

typedef enum tdShapeKind
{
    TD_SHAPE_SPHERE,
    TD_SHAPE_BOX,
    TD_SHAPE_CAPSULE,  // straight or tapered
    TD_SHAPE_CYLINDER, // straight, tapered or cone
    TD_SHAPE_PLANE,    // half-space, or finite sheet
    TD_SHAPE_HULL,
    TD_SHAPE_MESH,
} tdShapeKind;

typedef struct tdShapeGeometry
{
    tdShapeKind kind;
    tdTransform local; // in the body; identity is common and cheap
    bool hasMatrix;    // convex kinds but plane: points go through `matrix` before `local`
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
            float halfHeight, radiusBottom, radiusTop; // along Y; bottom is -Y
        } capsule, cylinder;                           // capsule: half distance of the sphere centres
        struct
        {
            float halfX, halfZ; // INFINITY where unbounded
            bool isDoubleSided; // infinite and single-sided: solid below (half-space); else a thin sheet
        } plane;                // through the origin, normal +Y
        const tdHull* hull;
        const tdTriangles* mesh;
    };
} tdShapeGeometry;

/// A plane that is infinite and single-sided: everything below it is solid.
static inline bool tdShape_IsHalfSpace(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_PLANE && !shape->plane.isDoubleSided && shape->plane.halfX == INFINITY &&
           shape->plane.halfZ == INFINITY;
}
