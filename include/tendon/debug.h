// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// debug.h: shapes of the engine as wireframes, for debug drawing.
#pragma once

#include "physics.h"

/// Description of a shape.
typedef struct tdShapeInfo
{
    bool isValid; // false for a null or stale id; the other fields are zero then
    tdShapeKind kind;
    float dimensions[3]; // m; sphere: radius; box: lengths; capsule and cylinder: height, bottom radius, top
                         // radius; plane: sizes along X and Z, may be INFINITY
    int dimensionCount;  // 0 for hulls and meshes
} tdShapeInfo;

/// Describe a shape. Accepts any id, null and stale ones included. Does not allocate.
TD_API tdShapeInfo tdDescribeShape(const tdWorld* world, tdShapeId shape);

/// Wireframe of a shape in its own frame; tdShape_GetLocal places it in the body. Round parts are drawn with
/// chords, unbounded planes as a square of 20 m. Does not allocate.
/// @param points receives at most `capacity` points, two per line; may be NULL if that is 0
/// @return number of points, which may exceed `capacity`
TD_API int tdShape_GetLines(const tdWorld* world, tdShapeId shape, tdVec3* points, int capacity);
