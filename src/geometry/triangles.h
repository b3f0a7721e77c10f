// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A cooked triangle mesh: welded vertices, triangles in BVH order, neighbours and kinds of the edges, mass
// properties. Immutable after cooking. Decision: docs/decisions/051-meshes.md.
//
// Invariants
//   1. Triangles are sorted so that every BVH leaf owns a run of them.
//   2. neighbors[3 t + e] is the triangle across edge e of t (from corner e to corner e + 1). It is
//      TD_NO_TRIANGLE at the border and where more than two triangles meet. The relation is symmetric.
//   3. The left child of node i is node i + 1.
#pragma once

#include "mass.h"

#include "tendon/geometry.h"

#define TD_NO_TRIANGLE UINT32_MAX
/// Depth of the deepest BVH: 40 levels of SAH splits, then median splits of at most 2^31 triangles (bvh.c).
#define TD_BVH_MAX_DEPTH 80

typedef enum tdEdgeKind
{
    TD_EDGE_CONVEX,  // contact normals may lie between the normals of the two triangles
    TD_EDGE_FLAT,    // coplanar within a tenth of a degree: no edge contacts
    TD_EDGE_CONCAVE, // no edge contacts
    TD_EDGE_BORDER,  // no triangle beyond
} tdEdgeKind;

/// Bit of tdTriangles.edgeKinds: the triangle has a border edge or a sharp convex edge. Other triangles skip
/// the edge tests of the narrow phase.
#define TD_TRIANGLE_SHARP 0x40u
/// The same as seen from the back: a border edge or a sharp concave edge.
#define TD_TRIANGLE_SHARP_BACK 0x80u
/// Bits of tdTriangles.shells; the index of the shell is above them.
#define TD_SHELL_REVERSED 1u // the triangle's winding is opposite to the orientation of its shell
#define TD_SHELL_CLOSED 2u   // the shell has no border; its orientation is outward
#define TD_SHELL_SHIFT 2
/// Cosine of the least angle between the normals at a sharp edge: about 11 degrees.
#define TD_SHARP_COSINE 0.98f

/// A ball inside a closed mesh.
typedef struct tdMeshCore
{
    tdVec3 center;
    float radius; // m
} tdMeshCore;

/// Most cores of a mesh beside the ball of its inner radius.
#define TD_MAX_MESH_CORES 8

typedef struct tdBvhNode // 32 bytes
{
    tdVec3 lower;
    uint32_t next; // inner node: the right child; leaf: the first triangle
    tdVec3 upper;
    uint32_t count; // inner node: 0; leaf: number of triangles
} tdBvhNode;

struct tdTriangles
{
    const tdVec3* vertices;
    int vertexCount;
    const uint32_t* indices; // three per triangle
    int triangleCount;
    const uint32_t* neighbors; // three per triangle
    const tdVec3* normals;     // unit, one per triangle
    const uint8_t* edgeKinds;  // per triangle: tdEdgeKind of edge e at bit 2 e, and TD_TRIANGLE_SHARP
    const uint32_t* shells;    // per triangle: its shell and TD_SHELL bits (geometry/shells.h)
    const uint32_t* sources;   // per triangle: its index in the input
    const tdBvhNode* nodes;
    int nodeCount;
    tdAabb aabb;
    tdVolumeData volume;                 // of the convex hull if the mesh is open
    float innerRadius;                   // tdTriangles_ComputeInnerRadius
    tdMeshCore cores[TD_MAX_MESH_CORES]; // tdTriangles_FindCores
    int coreCount;
    bool isClosed;      // every edge joins two triangles of the same winding, and the volume is positive
    bool isMixed;       // neighbours have opposite windings
    bool isDoubleSided; // rays and casts hit the backs of triangles
    bool isOneSided;    // contacts are on the fronts of triangles only
    size_t size;        // bytes of this block
};

/// Normal of the triangle across an edge, in the orientation of this triangle. There must be one.
tdVec3 tdTriangles_GetNeighborNormal(const tdTriangles* mesh, int triangle, int edge);

/// Cooks a mesh. The caller frees it with tdFreeTriangles and the same allocator.
/// @param status may be NULL
/// @return NULL when the status is not TD_GEOMETRY_OK
tdTriangles* tdCookTriangles(const tdMeshGeometryDef* def, tdGeometryStatus* status);
/// Checks a mesh and measures it without cooking it, for programs that do not simulate: the status, the
/// number of triangles and the box are those of tdCookTriangles. There are no vertices, triangles or BVH.
/// @param withVolume also the number of vertices, the volume and whether it is closed, to the bit
tdTriangles* tdMeasureTriangles(const tdMeshGeometryDef* def, bool withVolume, tdGeometryStatus* status);
void tdFreeTriangles(tdTriangles* triangles, const tdAllocator* allocator);

/// Copies a cooked mesh, to be scaled. The caller frees it with tdFreeTriangles and the same allocator.
/// @return NULL when memory ran out
tdTriangles* tdCopyTriangles(const tdTriangles* source, const tdAllocator* allocator);
/// Makes a copy of `source` its image under a linear map. The triangles keep their order, their neighbours
/// and their outer side; boxes, normals and kinds of edges follow. Takes time proportional to the triangles
/// and allocates nothing.
/// @param map not singular; may mirror
void tdScaleTriangles(tdTriangles* copy, const tdTriangles* source, tdMat3 map);

/// True if a closed mesh has balls inside that continuous collision can sweep.
static inline bool tdTriangles_HasCore(const tdTriangles* mesh)
{
    return mesh->innerRadius > 0.0f || mesh->coreCount > 0;
}

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

/// Iterates over the triangles whose boxes overlap `box`, in BVH order.
typedef struct tdTriangleQuery
{
    const tdTriangles* mesh;
    tdAabb box;
    uint32_t next, end; // remaining triangles of the current leaf
    tdVec3 corners[3];  // of the last triangle
    int depth;
    uint32_t stack[TD_BVH_MAX_DEPTH];
} tdTriangleQuery;

void tdTriangleQuery_Init(tdTriangleQuery* query, const tdTriangles* mesh, tdAabb box);
/// @return the next triangle, -1: none is left
int tdTriangleQuery_Next(tdTriangleQuery* query);
