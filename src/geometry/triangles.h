// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A cooked triangle mesh: welded vertices, triangles in the order of their BVH, what lies beyond each edge,
// mass properties. Immutable once made.
//
// Invariants
//   1. Triangles are sorted so that every BVH leaf owns a run of them.
//   2. neighbors[3 t + e] is the triangle across edge e of t (from corner e to corner e + 1), TD_NO_TRIANGLE
//   at
//      the border or where more than two meet; it is symmetric.
//   3. The left child of node i is node i + 1.
#pragma once

#include "mass.h"

#include "tendon/geometry.h"

#define TD_NO_TRIANGLE UINT32_MAX
#define TD_BVH_MAX_DEPTH 80

typedef enum tdEdgeKind
{
    TD_EDGE_CONVEX,  // contact normals may lie between the two triangles' normals
    TD_EDGE_FLAT,    // coplanar within a hundredth of a degree: no contact of its own
    TD_EDGE_CONCAVE, // no contact of its own
    TD_EDGE_BORDER,  // nothing beyond
} tdEdgeKind;

/// Set with the edge kinds of a triangle that has a border or a convex edge of more than about 11 degrees.
#define TD_TRIANGLE_SHARP 0x40u
#define TD_SHARP_COSINE 0.98f

typedef struct tdBvhNode // 32 bytes
{
    tdVec3 lower;
    uint32_t next; // inner: the right child; leaf: the first triangle
    tdVec3 upper;
    uint32_t count; // 0: inner; else number of triangles
} tdBvhNode;

struct tdTriangles
{
    const tdVec3* vertices;
    int vertexCount;
    const uint32_t* indices; // three per triangle
    int triangleCount;
    const uint32_t* neighbors; // three per triangle
    const tdVec3* normals;     // unit, one per triangle
    const uint8_t*
        edgeKinds; // three times 2 bits per triangle: tdEdgeKind of edge e at bit 2 e; TD_TRIANGLE_SHARP
    const uint32_t* sources; // index of the triangle as given
    const tdBvhNode* nodes;
    int nodeCount;
    tdAabb aabb;
    tdVolumeData volume; // of its hull if it is open
    float
        innerRadius; // of the ball about the centroid that is inside; 0: open, or the centroid is not inside
    bool isClosed;   // every edge joins two triangles that agree on the winding, volume positive
    bool isDoubleSided;
    size_t size; // bytes of this block
};

/// @param status may be NULL
/// @return NULL when the status is not TD_GEOMETRY_OK
tdTriangles* tdCookTriangles(const tdMeshGeometryDef* def, tdGeometryStatus* status);
void tdFreeTriangles(tdTriangles* triangles, const tdAllocator* allocator);

/// As tdTriangles.innerRadius (core.c).
float tdTriangles_ComputeInnerRadius(const tdTriangles* mesh);

static inline tdEdgeKind tdTriangles_GetEdgeKind(const tdTriangles* mesh, int triangle, int edge)
{
    return (tdEdgeKind)((mesh->edgeKinds[triangle] >> (2 * edge)) & 3);
}

static inline void tdTriangles_GetCorners(const tdTriangles* mesh, int triangle, tdVec3 corners[3])
{
    const uint32_t* indices = mesh->indices + 3 * (size_t)triangle;
    corners[0] = mesh->vertices[indices[0]];
    corners[1] = mesh->vertices[indices[1]];
    corners[2] = mesh->vertices[indices[2]];
}

/// Walks the triangles whose boxes overlap `box`, in the order of the BVH.
typedef struct tdTriangleQuery
{
    const tdTriangles* mesh;
    tdAabb box;
    uint32_t next, end; // run of the current leaf
    tdVec3 corners[3];  // of the triangle that came last
    int depth;
    uint32_t stack[TD_BVH_MAX_DEPTH];
} tdTriangleQuery;

void tdTriangleQuery_Init(tdTriangleQuery* query, const tdTriangles* mesh, tdAabb box);
/// @return the next triangle, or -1
int tdTriangleQuery_Next(tdTriangleQuery* query);
