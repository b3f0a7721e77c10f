// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The public handle of cooked hulls and meshes.
#include "geometry.h"

#include "base/assert.h"
#include "base/memory.h"

#include <string.h>

tdMeshGeometryDef tdDefaultMeshGeometryDef(void)
{
    return (tdMeshGeometryDef){0};
}

static tdGeometry* WrapGeometry(tdHull* hull, tdTriangles* triangles, const tdAllocator* allocator,
                                tdGeometryStatus result, tdGeometryStatus* status)
{
    tdGeometry* geometry = NULL;
    if (result == TD_GEOMETRY_OK)
    {
        geometry = tdAllocate(allocator, sizeof(tdGeometry), _Alignof(tdGeometry));
        if (geometry == NULL)
        {
            tdFreeHull(hull, allocator);
            tdFreeTriangles(triangles, allocator);
            result = TD_GEOMETRY_OUT_OF_MEMORY;
        }
        else
        {
            *geometry = (tdGeometry){.allocator = *allocator, .hull = hull, .triangles = triangles};
        }
    }
    if (status != NULL)
    {
        *status = result;
    }
    return geometry;
}

tdGeometry* tdCookHullGeometry(const tdVec3* points, int count, const tdAllocator* allocator,
                               tdGeometryStatus* status)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdGeometryStatus result;
    tdHull* hull = tdCookHull(points, count, &resolved, &result);
    return WrapGeometry(hull, NULL, &resolved, result, status);
}

tdGeometry* tdCreateHullGeometry(const tdVec3* points, int count, const tdAllocator* allocator,
                                 tdGeometryStatus* status)
{
    tdGeometry* geometry = tdCookHullGeometry(points, count, allocator, status);
    if (geometry == NULL)
    {
        return NULL;
    }
    size_t size = (size_t)count * sizeof(tdVec3);
    geometry->points = tdAllocate(&geometry->allocator, size, _Alignof(tdVec3));
    if (geometry->points == NULL)
    {
        tdDestroyGeometry(geometry);
        if (status != NULL)
        {
            *status = TD_GEOMETRY_OUT_OF_MEMORY;
        }
        return NULL;
    }
    memcpy(geometry->points, points, size);
    geometry->pointCount = count;
    return geometry;
}

tdGeometry* tdCreateMeshGeometry(const tdMeshGeometryDef* def, tdGeometryStatus* status)
{
    tdAllocator resolved = tdAllocator_Resolve(def->allocator);
    tdGeometryStatus result;
    tdTriangles* triangles = tdCookTriangles(def, &result);
    return WrapGeometry(NULL, triangles, &resolved, result, status);
}

tdGeometry* tdMeasureMeshGeometry(const tdMeshGeometryDef* def, bool withVolume, tdGeometryStatus* status)
{
    tdAllocator resolved = tdAllocator_Resolve(def->allocator);
    tdGeometryStatus result;
    tdTriangles* triangles = tdMeasureTriangles(def, withVolume, &result);
    return WrapGeometry(NULL, triangles, &resolved, result, status);
}

bool tdGeometry_IsCooked(const tdGeometry* geometry)
{
    return geometry->hull != NULL || geometry->triangles->nodes != NULL;
}

void tdDestroyGeometry(tdGeometry* geometry)
{
    if (geometry != NULL)
    {
        tdAllocator allocator = geometry->allocator;
        tdFreeHull(geometry->hull, &allocator);
        tdFreeTriangles(geometry->triangles, &allocator);
        tdRelease(&allocator, geometry->points, (size_t)geometry->pointCount * sizeof(tdVec3));
        tdRelease(&allocator, geometry, sizeof(tdGeometry));
    }
}

bool tdGeometry_IsHull(const tdGeometry* geometry)
{
    return geometry->hull != NULL;
}

bool tdGeometry_IsClosed(const tdGeometry* geometry)
{
    return geometry->hull != NULL || geometry->triangles->isClosed;
}

float tdGeometry_GetVolume(const tdGeometry* geometry)
{
    return geometry->hull != NULL ? geometry->hull->volume.volume : geometry->triangles->volume.volume;
}

int tdGeometry_GetVertexCount(const tdGeometry* geometry)
{
    return geometry->hull != NULL ? geometry->hull->vertexCount : geometry->triangles->vertexCount;
}

int tdGeometry_GetFaceCount(const tdGeometry* geometry)
{
    return geometry->hull != NULL ? geometry->hull->faceCount : geometry->triangles->triangleCount;
}

tdVec3 tdGeometry_GetVertex(const tdGeometry* geometry, int vertex)
{
    TD_ASSERT(vertex >= 0 && vertex < tdGeometry_GetVertexCount(geometry));
    return geometry->hull != NULL ? tdHull_GetVertex(geometry->hull, vertex)
                                  : geometry->triangles->vertices[vertex];
}

const char* tdShapeKind_GetName(tdShapeKind kind)
{
    static const char* const names[] = {
        [TD_SHAPE_SPHERE] = "sphere",     [TD_SHAPE_BOX] = "box",     [TD_SHAPE_CAPSULE] = "capsule",
        [TD_SHAPE_CYLINDER] = "cylinder", [TD_SHAPE_PLANE] = "plane", [TD_SHAPE_HULL] = "hull",
        [TD_SHAPE_MESH] = "mesh",
    };
    return names[kind];
}
