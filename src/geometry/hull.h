// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A cooked convex hull: vertices, merged planar faces, half-edges, mass properties. Immutable after cooking.
// Decision: docs/decisions/052-hulls.md.
//
// Invariants
//   1. The half-edges of face f start at edges[faces[f].firstEdge], counter-clockwise seen from outside.
//   2. edges[edges[i].twin].twin == i, and twins run in opposite directions.
//   3. Every vertex belongs to a face; V - E + F = 2 (Euler).
//   4. x, y, z hold paddedCount values; those beyond vertexCount repeat vertex 0.
#pragma once

#include "mass.h"

#include "tendon/geometry.h"

/// Half-edges have 16-bit indices: a hull of V vertices has fewer than 6 V half-edges before merging, and
/// 8192 vertices keep that below 65536. Of more input points the hull keeps the farthest ones.
#define TD_HULL_MAX_VERTICES 8192

typedef struct tdHullFace
{
    tdVec3 normal; // unit, outward
    float offset;  // dot(normal, p) = offset on the plane
    uint16_t firstEdge, edgeCount;
} tdHullFace;

typedef struct tdHullEdge // a half-edge
{
    uint16_t origin, twin, face;
} tdHullEdge;

typedef struct tdHullFullEdge // both half-edges of an edge
{
    uint16_t edge;            // the half-edge with the lower index
    uint16_t origin, end;     // vertices of that half-edge
    uint16_t face, otherFace; // of that half-edge and of its twin
} tdHullFullEdge;

struct tdHull
{
    const float *x, *y, *z; // coordinates of the vertices, 32-byte aligned
    int vertexCount, paddedCount;
    const tdHullFace* faces;
    int faceCount;
    const tdHullEdge* edges;
    int edgeCount;                   // half-edges
    const tdHullFullEdge* fullEdges; // edgeCount / 2
    const uint16_t* vertexEdges;     // per vertex: a half-edge that starts there
    tdAabb aabb;
    tdVolumeData volume;
    float innerRadius; // of the largest ball about the centroid inside the hull
    float outerRadius; // of the smallest ball about the centroid around the hull
    size_t size;       // bytes of this block
};

/// Computes the convex hull of a point set. The caller frees it with tdFreeHull and the same allocator.
/// @param status may be NULL
/// @return NULL when the status is not TD_GEOMETRY_OK: too few points, flat, not finite or out of memory
tdHull* tdCookHull(const tdVec3* points, int count, const tdAllocator* allocator, tdGeometryStatus* status);
void tdFreeHull(tdHull* hull, const tdAllocator* allocator);

static inline tdVec3 tdHull_GetVertex(const tdHull* hull, int vertex)
{
    return (tdVec3){hull->x[vertex], hull->y[vertex], hull->z[vertex]};
}

/// Index of the vertex farthest in `direction`; the lowest index among equals.
int tdHull_FindSupport(const tdHull* hull, tdVec3 direction);
