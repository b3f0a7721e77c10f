// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Inner radius of a closed mesh: the largest ball about its centroid that lies inside the mesh.
#include "inner_radius.h"

#include "shape_distance.h"

/// Factor by which two distances may differ and still count as equal, so that all triangles that meet in the
/// nearest point are compared.
#define EQUAL_DISTANCE 1.0001f

float tdTriangles_ComputeInnerRadius(const tdTriangles* mesh)
{
    if (!mesh->isClosed)
    {
        return 0.0f;
    }
    tdVec3 center = mesh->volume.centroid;
    tdShapeGeometry shape = {.kind = TD_SHAPE_MESH, .local = tdTransform_identity, .mesh = mesh};
    float radius = tdShape_FindClosestPoint(&shape, center).distance;
    float reach = EQUAL_DISTANCE * radius;
    tdVec3 pad = {reach, reach, reach};
    tdTriangleQuery query;
    tdTriangleQuery_Init(&query, mesh, (tdAabb){tdSub(center, pad), tdAdd(center, pad)});
    tdConvex point = tdMakePointConvex(center);
    // Several triangles can meet in the nearest point. The one whose plane is farthest from the centroid
    // decides whether the centroid is inside.
    float facing = 0.0f;
    for (int i = tdTriangleQuery_Next(&query); i >= 0; i = tdTriangleQuery_Next(&query))
    {
        tdVec3 corners[3];
        tdTriangles_GetCorners(mesh, i, corners);
        tdConvex triangle = tdMakeTriangleConvex(corners[0], corners[1], corners[2]);
        float height = tdDot(mesh->normals[i], tdSub(center, corners[0]));
        if (tdAbsFloat(height) > tdAbsFloat(facing) &&
            tdConvexDistance(&triangle, &point, INFINITY, NULL).distance <= reach)
        {
            facing = height;
        }
    }
    return facing < 0.0f ? radius : 0.0f;
}
