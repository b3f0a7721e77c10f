// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A cooked convex hull: vertices, merged planar faces, half-edges, mass properties. Immutable once made.
//
// Invariants
//   1. The half-edges of face f are edges[faces[f].firstEdge ...] in counter-clockwise order seen from
//   outside.
//   2. edges[edges[i].twin].twin == i, and twins run in opposite directions.
//   3. Every vertex is used by a face; Euler: V - E + F = 2.
//   4. x, y, z hold paddedCount values; those beyond vertexCount repeat vertex 0.
#pragma once

#include "mass.h"

#include "tendon/geometry.h"

#define TD_HULL_MAX_VERTICES 8192 // beyond, the farthest-out points are kept

typedef struct tdHullFace
{
    tdVec3 normal; // unit, outward
    float offset;  // dot(normal, p) = offset on the plane
    uint16_t firstEdge, edgeCount;
} tdHullFace;

typedef struct tdHullEdge // half an edge
{
    uint16_t origin, twin, face;
} tdHullEdge;

struct tdHull
{
    const float *x, *y, *z; // of the vertices, 32-byte aligned
    int vertexCount, paddedCount;
    const tdHullFace* faces;
    int faceCount;
    const tdHullEdge* edges;
    int edgeCount;               // half-edges
    const uint16_t* fullEdges;   // edgeCount / 2 of them: the half-edge with the lower index
    const uint16_t* vertexEdges; // one half-edge that starts at the vertex
    tdAabb aabb;
    tdVolumeData volume;
    float innerRadius; // of the ball about the centroid that fits inside
    float outerRadius; // of the ball about the centroid that holds all
    size_t size;       // bytes of this block
};

/// @param status may be NULL
/// @return NULL when the status is not TD_GEOMETRY_OK
tdHull* tdCookHull(const tdVec3* points, int count, const tdAllocator* allocator, tdGeometryStatus* status);
void tdFreeHull(tdHull* hull, const tdAllocator* allocator);

static inline tdVec3 tdHull_GetVertex(const tdHull* hull, int vertex)
{
    return (tdVec3){hull->x[vertex], hull->y[vertex], hull->z[vertex]};
}

/// Vertex farthest in `direction`; the lowest index among equals.
int tdHull_FindSupport(const tdHull* hull, tdVec3 direction);
