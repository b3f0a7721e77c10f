// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The core of a closed mesh: a ball about its centroid that is wholly inside. What has one is solid enough
// that its middle tells on which side of a wall it is.
#include "cast.h"
#include "triangles.h"

/// Distances that are equal but for rounding.
#define TIE 1.0001f

float tdTriangles_ComputeInnerRadius(const tdTriangles* mesh)
{
    if (!mesh->isClosed)
    {
        return 0.0f;
    }
    tdVec3 center = mesh->volume.centroid;
    tdShapeGeometry shape = {.kind = TD_SHAPE_MESH, .local = tdTransform_identity, .mesh = mesh};
    float radius = tdShape_FindClosestPoint(&shape, center).distance;
    float reach = TIE * radius;
    tdVec3 pad = {reach, reach, reach};
    tdTriangleQuery query;
    tdTriangleQuery_Init(&query, mesh, (tdAabb){tdSub(center, pad), tdAdd(center, pad)});
    tdConvex point = tdMakePointConvex(center);
    // Of several triangles that meet in the nearest point, the one that faces the centre most straightly
    // tells whether it is inside.
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
