// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// debug.h: what a viewer draws over the picture: the shapes of the engine as lines.
#pragma once

#include "physics.h"

/// A shape of the world.
typedef struct tdShapeInfo
{
    const char* kind; // "sphere", "box", "capsule", "cylinder", "plane", "hull", "mesh"; "" for a stale id
    float
        dimensions[3]; // radius | sizes | height, bottom and top radius | size along x and z, may be INFINITY
    int dimensionCount; // 0 for hulls and meshes
} tdShapeInfo;

/// Any id, null and stale ones included.
TD_API tdShapeInfo tdDescribeShape(const tdWorld* world, tdShapeId shape);

/// The shape as a wireframe in its own frame (tdShape_GetLocal places it in the body): two points per line.
/// Round parts are drawn with chords, unbounded planes as a square of 20 m.
/// @return how many points there are; at most `capacity` are written
TD_API int tdShape_GetLines(const tdWorld* world, tdShapeId shape, tdVec3* points, int capacity);
