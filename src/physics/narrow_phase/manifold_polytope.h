// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Boxes and hulls as polytopes in a common frame: vertices and planes are transformed once, the topology is
// shared.
#pragma once

#include "geometry/hull.h"
#include "geometry/support.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"

/// Vertices of the largest hull that separating axes handle; GJK is faster for larger ones.
#define TD_POLYTOPE_MAX_VERTICES 64
#define TD_POLYTOPE_MAX_FACES 124 // 2 V - 4
#define TD_POLYTOPE_MAX_EDGES 186 // 3 V - 6

typedef struct tdPolytope
{
    int vertexCount, faceCount, fullEdgeCount;
    const tdHullFace* topology; // firstEdge and edgeCount of the faces
    const tdHullEdge* edges;
    const tdHullFullEdge* fullEdges;
    tdVec3 center;
    float innerRadius;
    int paddedCount; // of the vertices: multiple of 4, the rest repeats vertex 0
    _Alignas(16) float x[TD_POLYTOPE_MAX_VERTICES];
    _Alignas(16) float y[TD_POLYTOPE_MAX_VERTICES];
    _Alignas(16) float z[TD_POLYTOPE_MAX_VERTICES];
    tdVec3 normals[TD_POLYTOPE_MAX_FACES];
    float offsets[TD_POLYTOPE_MAX_FACES];
} tdPolytope;

/// True for boxes and for hulls of up to TD_POLYTOPE_MAX_VERTICES vertices, without a matrix.
bool tdCanBePolytope(const tdShapeGeometry* shape);
/// @param pose of the shape's body in the common frame
void tdMakePolytope(tdPolytope* polytope, const tdShapeGeometry* shape, tdTransform pose);

static inline tdVec3 tdPolytope_GetVertex(const tdPolytope* polytope, int vertex)
{
    return (tdVec3){polytope->x[vertex], polytope->y[vertex], polytope->z[vertex]};
}

/// Least dot product of `direction` with a vertex.
float tdPolytope_FindLowest(const tdPolytope* polytope, tdVec3 direction);
/// Face whose normal is most aligned with `direction`.
int tdPolytope_FindFace(const tdPolytope* polytope, tdVec3 direction);
/// Corners of a face with their ids.
/// @return number of corners, at most TD_MAX_FEATURE_POINTS
int tdPolytope_GetFace(const tdPolytope* polytope, int face, tdClipPoint* points);

/// Manifold of two polytopes in one frame, by separating axes.
/// @param cache may be NULL
/// @return number of points; -1 if neither a face nor a pair of edges has contact points (two corners are
/// closest)
int tdCollidePolytopes(const tdPolytope* a, const tdPolytope* b, float margin, tdManifoldCache* cache,
                       tdManifold* manifold);
