// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What the manifold_*.c files share: points on their way into a manifold, clipping, reduction, and the entry
// points of the pair kinds. All of them work in one frame chosen by the caller.
#pragma once

#include "geometry/distance.h"
#include "geometry/support.h"
#include "physics/narrow_phase/manifold.h"

#define TD_MAX_CLIP_POINTS 80

typedef struct tdClipPoint
{
    tdVec3 position;
    float separation;
    uint32_t id;
} tdClipPoint;

/// Cut a convex polygon (or, with two points, a segment) by the plane: dot(normal, p) <= offset stays.
/// @param tag number of the plane, goes into the ids of new points
/// @return number of points in `out`
int tdClipPolygon(const tdClipPoint* in, int count, tdVec3 normal, float offset, uint32_t tag,
                  tdClipPoint* out);

/// Keep at most 4 points: the deepest, and those that span the largest area. In place, `count` up to
/// TD_MAX_CLIP_POINTS.
int tdReducePoints(tdClipPoint* points, int count, tdVec3 normal);

/// Cut the incident polygon (or segment) to the prism over the reference polygon.
/// @param reference counter-clockwise seen against `faceNormal`, at least 3 points
/// @param points in: incident points with ids; out: the rest, their separation from the reference plane along
/// `faceNormal`. Room for TD_MAX_CLIP_POINTS.
int tdClipToPrism(const tdVec3* reference, const uint32_t* referenceIds, int referenceCount,
                  tdVec3 faceNormal, tdClipPoint* points, int count);

/// Reduce and copy. Positions become those of `points`.
void tdFillManifold(tdManifold* manifold, tdVec3 normal, tdClipPoint* points, int count);

/// The generic way: from the closest or deepest features of two convex sets to a manifold. Points beyond
/// `margin` are left out. @return number of points
int tdBuildManifold(const tdConvex* a, const tdConvex* b, const tdDistanceResult* nearest, float margin,
                    tdManifold* manifold);

/// How deep B's set reaches behind the plane of A's along unit `normal` (A to B): separation, radii included.
float tdSeparationAlong(const tdConvex* a, const tdConvex* b, tdVec3 normal);

/// Any two convex sets, by GJK and EPA.
int tdCollideConvex(const tdConvex* a, const tdConvex* b, float margin, tdDistanceCache* cache,
                    tdManifold* manifold);

/// Spheres and straight capsules (cores of one or two points).
int tdCollideRound(const tdConvex* a, const tdConvex* b, float margin, tdManifoldCache* cache,
                   tdManifold* manifold);

/// Box against box. Frame and result: that of box A.
int tdCollideBoxes(tdVec3 halfA, tdVec3 halfB, tdTransform bInA, float margin, tdManifoldCache* cache,
                   tdManifold* manifold);

/// Plane A (half-space, or double-sided and unbounded) against convex B, in the frame of the plane.
int tdCollidePlane(const tdShapeGeometry* plane, const tdConvex* b, float margin, tdManifold* manifold);

/// Mesh or sheet against convex, in the frame of the mesh; normals point from mesh to convex.
/// @param pose of the convex shape's body in the frame of the mesh
int tdCollideMesh(const tdShapeGeometry* mesh, const tdShapeGeometry* convex, tdTransform pose, float margin,
                  tdVec3 velocity, tdManifold* manifolds, int capacity);

/// Mesh or sheet against mesh or sheet, in the frame of A; `bInA` places B's own frame.
int tdCollideMeshes(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, float margin,
                    tdManifold* manifolds, int capacity);
