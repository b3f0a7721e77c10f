// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// geometry.h: convex hulls and triangle meshes, cooked once, then shared by any number of shapes and worlds.
#pragma once

#include "vecmath.h"

/// A cooked convex hull or triangle mesh. Immutable, so threads and worlds may share it. It must outlive
/// every shape that was made of it.
typedef struct tdGeometry tdGeometry;

typedef enum tdGeometryStatus
{
    TD_GEOMETRY_OK,
    TD_GEOMETRY_TOO_FEW,    // hull: fewer than 4 distinct points; mesh: no triangle
    TD_GEOMETRY_FLAT,       // hull: all points in one plane or line, so there is no volume
    TD_GEOMETRY_NOT_FINITE, // a coordinate is infinite or not a number, or its square overflows
    TD_GEOMETRY_BAD_INDEX,  // mesh: an index is beyond the positions, or the count is no multiple of 3
    TD_GEOMETRY_OUT_OF_MEMORY,
} tdGeometryStatus;

typedef struct tdMeshGeometryDef
{
    const tdVec3* positions;
    int positionCount;
    const uint32_t* indices; // three per triangle, counter-clockwise seen from the front; NULL: 0, 1, 2, ...
    int indexCount;
    bool isDoubleSided;           // default false: open meshes collide from the front of their triangles only
    const tdAllocator* allocator; // NULL: malloc; its context must outlive the geometry
    const tdTasks* tasks;         // NULL: the caller's thread; the result is the same
    tdProgress* progress;         // NULL: none
} tdMeshGeometryDef;

TD_API tdMeshGeometryDef tdDefaultMeshGeometryDef(void);

/// Convex hull of any number of points, in any order, with duplicates.
/// @param allocator NULL for malloc; its context must outlive the geometry
/// @param status may be NULL
/// @return NULL when the status is not TD_GEOMETRY_OK
TD_API tdGeometry* tdCreateHullGeometry(const tdVec3* points, int count, const tdAllocator* allocator,
                                        tdGeometryStatus* status);

/// Degenerate triangles (no area) are dropped, nothing else is.
/// @param status may be NULL
/// @return NULL when the status is not TD_GEOMETRY_OK
TD_API tdGeometry* tdCreateMeshGeometry(const tdMeshGeometryDef* def, tdGeometryStatus* status);

/// `geometry` may be NULL.
TD_API void tdDestroyGeometry(tdGeometry* geometry);

TD_API bool tdGeometry_IsHull(const tdGeometry* geometry);
/// True for hulls and for meshes whose every edge joins exactly two triangles.
TD_API bool tdGeometry_IsClosed(const tdGeometry* geometry);
/// m^3; of an open mesh, that of its hull.
TD_API float tdGeometry_GetVolume(const tdGeometry* geometry);
TD_API int tdGeometry_GetVertexCount(const tdGeometry* geometry);
/// Faces of a hull, triangles of a mesh.
TD_API int tdGeometry_GetFaceCount(const tdGeometry* geometry);
/// @return the position of a vertex of the hull or mesh
TD_API tdVec3 tdGeometry_GetVertex(const tdGeometry* geometry, int vertex);
