// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Walk over the faces of a mesh or of a finite plane.
#include "face_walk.h"

/// Margin by which a sheet extends beyond the box of the walk, in metres.
#define SHEET_MARGIN 1.0f

void tdFaceWalk_Init(tdFaceWalk* walk, const tdShapeGeometry* shape, tdAabb box)
{
    walk->shape = shape;
    walk->box = box;
    walk->sheetCount = 0;
    walk->source = 0;
    walk->triangle = -1;
    if (shape->kind == TD_SHAPE_MESH)
    {
        tdTriangleQuery_Init(&walk->query, shape->mesh, box);
    }
}

bool tdFaceWalk_Next(tdFaceWalk* walk, tdVec3 corners[3])
{
    const tdShapeGeometry* shape = walk->shape;
    if (shape->kind == TD_SHAPE_MESH)
    {
        int triangle = tdTriangleQuery_Next(&walk->query);
        if (triangle < 0)
        {
            return false;
        }
        tdTriangles_GetCorners(shape->mesh, triangle, corners);
        walk->triangle = triangle;
        walk->source = shape->mesh->sources[triangle];
        return true;
    }
    float x0 = tdMaxFloat(-shape->plane.halfX, walk->box.lower.x - SHEET_MARGIN);
    float x1 = tdMinFloat(shape->plane.halfX, walk->box.upper.x + SHEET_MARGIN);
    float z0 = tdMaxFloat(-shape->plane.halfZ, walk->box.lower.z - SHEET_MARGIN);
    float z1 = tdMinFloat(shape->plane.halfZ, walk->box.upper.z + SHEET_MARGIN);
    if (walk->sheetCount == 2 || !(x0 < x1 && z0 < z1))
    {
        return false;
    }
    corners[0] = (tdVec3){x0, 0.0f, z0};
    corners[1] = walk->sheetCount == 0 ? (tdVec3){x0, 0.0f, z1} : (tdVec3){x1, 0.0f, z1};
    corners[2] = walk->sheetCount == 0 ? (tdVec3){x1, 0.0f, z1} : (tdVec3){x1, 0.0f, z0};
    walk->sheetCount += 1;
    return true;
}
