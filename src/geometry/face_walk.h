// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Walk over the faces of a mesh or of a finite plane (a sheet, as two triangles) near a box.
#pragma once

#include "triangles.h"

typedef struct tdFaceWalk
{
    const tdShapeGeometry* shape;
    tdTriangleQuery query; // of a mesh
    tdAabb box;
    int sheetCount;  // triangles of a sheet that the walk has returned
    int triangle;    // the last triangle of a mesh
    uint32_t source; // of the last triangle: its index as given at cooking; 0 for a sheet
} tdFaceWalk;

/// True if rays and casts hit both sides of the faces of a mesh or plane.
static inline bool tdShape_IsDoubleSided(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_MESH ? shape->mesh->isDoubleSided : shape->plane.isDoubleSided;
}

/// True if contacts are on both sides of the faces of a mesh or plane.
static inline bool tdShape_HasTwoSides(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_MESH ? !shape->mesh->isOneSided : shape->plane.isDoubleSided;
}

/// Starts a walk.
/// @param shape a mesh or a plane
/// @param box in the frame of the shape, before its local transform
void tdFaceWalk_Init(tdFaceWalk* walk, const tdShapeGeometry* shape, tdAabb box);
/// Gets the next triangle whose box overlaps the box of the walk, counter-clockwise seen from its front. A
/// sheet is cut to the box plus a margin, so that its triangles stay well-conditioned.
/// @return false: no triangle is left
bool tdFaceWalk_Next(tdFaceWalk* walk, tdVec3 corners[3]);
