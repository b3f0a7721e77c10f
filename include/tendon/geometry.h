// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// geometry.h: convex hulls and triangle meshes, cooked once, shared by any number of shapes and worlds.
#pragma once

#include "vecmath.h"

/// Kind of a shape.
typedef enum tdShapeKind
{
    TD_SHAPE_SPHERE,
    TD_SHAPE_BOX,
    TD_SHAPE_CAPSULE,  // straight or tapered
    TD_SHAPE_CYLINDER, // straight, tapered or a cone
    TD_SHAPE_PLANE,    // half-space or finite sheet
    TD_SHAPE_HULL,
    TD_SHAPE_MESH,
} tdShapeKind;

/// Name of a kind of shape: "sphere", "box", "capsule", "cylinder", "plane", "hull" or "mesh". A static
/// string.
TD_API const char* tdShapeKind_GetName(tdShapeKind kind);

/// A cooked convex hull or triangle mesh. Immutable: threads and worlds may share it. It must outlive every
/// shape made from it.
typedef struct tdGeometry tdGeometry;

/// Result of cooking.
typedef enum tdGeometryStatus
{
    TD_GEOMETRY_OK,
    TD_GEOMETRY_TOO_FEW,    // hull: fewer than 4 distinct points; mesh: no triangle
    TD_GEOMETRY_FLAT,       // hull: all points lie in one plane or line, so there is no volume
    TD_GEOMETRY_NOT_FINITE, // a coordinate is infinite or not a number, or its square overflows
    TD_GEOMETRY_BAD_INDEX,  // mesh: an index is out of range, or their count is not a multiple of 3
    TD_GEOMETRY_OUT_OF_MEMORY,
} tdGeometryStatus;

/// Input of tdCreateMeshGeometry. The arrays are copied. Start from tdDefaultMeshGeometryDef.
typedef struct tdMeshGeometryDef
{
    const tdVec3* positions; // m
    int positionCount;
    const uint32_t*
        indices; // three per triangle, counter-clockwise from the front; default NULL: 0, 1, 2, ...
    int indexCount;
    bool isDoubleSided; // rays and casts hit the backs of triangles too; default false
    bool isOneSided;    // contacts on the fronts of triangles only; default false: a thin shell, whose
                        // two sides collide
    const tdAllocator* allocator; // copied, its context must outlive the geometry; default NULL: malloc
    const tdTasks* tasks;         // for cooking only, the result does not depend on it; default NULL: none
    tdProgress* progress;         // default NULL: none
} tdMeshGeometryDef;

/// Default settings of a mesh, without positions. Does not allocate.
TD_API tdMeshGeometryDef tdDefaultMeshGeometryDef(void);

/// Cook the convex hull of any number of points, in any order, duplicates allowed.
/// @param points m; copied
/// @param allocator copied, its context must outlive the geometry; NULL for malloc
/// @param status may be NULL
/// @return the hull, to be freed with tdDestroyGeometry; NULL if the status is not TD_GEOMETRY_OK
TD_API tdGeometry* tdCreateHullGeometry(const tdVec3* points, int count, const tdAllocator* allocator,
                                        tdGeometryStatus* status);

/// Cook a triangle mesh. Triangles without area are dropped.
/// @param status may be NULL
/// @return the mesh, to be freed with tdDestroyGeometry; NULL if the status is not TD_GEOMETRY_OK
TD_API tdGeometry* tdCreateMeshGeometry(const tdMeshGeometryDef* def, tdGeometryStatus* status);

/// Destroy a geometry. Destroy the shapes made from it first.
/// @param geometry may be NULL
TD_API void tdDestroyGeometry(tdGeometry* geometry);

/// Whether the geometry is a convex hull; otherwise it is a triangle mesh.
TD_API bool tdGeometry_IsHull(const tdGeometry* geometry);

/// Whether the geometry encloses a volume: hulls, and meshes whose every edge joins exactly two triangles.
TD_API bool tdGeometry_IsClosed(const tdGeometry* geometry);

/// Volume, m^3; for an open mesh, that of its convex hull.
TD_API float tdGeometry_GetVolume(const tdGeometry* geometry);

/// Number of vertices.
TD_API int tdGeometry_GetVertexCount(const tdGeometry* geometry);

/// Number of faces of a hull or triangles of a mesh.
TD_API int tdGeometry_GetFaceCount(const tdGeometry* geometry);

/// Position of a vertex, m.
/// @param vertex index, must be in range
TD_API tdVec3 tdGeometry_GetVertex(const tdGeometry* geometry, int vertex);
