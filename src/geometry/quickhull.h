// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The first half of hull cooking: points in, a closed convex surface of triangles out.
#pragma once

#include "base/array.h"
#include "math/vecmath.h"

#include "tendon/geometry.h"

typedef struct tdQuickFace
{
    int vertices[3];  // indices into the points, counter-clockwise from outside
    int neighbors[3]; // across the edge from vertex e to vertex e + 1
    double normal[3]; // unit
    double offset;
    int outside;     // first of the points beyond this face, -1: none
    int farthest;    // of them
    double distance; // of the farthest
    int mark;        // of the insertion that last looked here
    bool isAlive;
} tdQuickFace;

typedef struct tdQuickHull
{
    const tdAllocator* allocator;
    const tdVec3* points;
    int pointCount;
    double extent;    // largest coordinate difference
    double tolerance; // points less than this beyond a face count as inside
    int* next;        // per point: the next one in its face's list
    tdArray(tdQuickFace) faces;
    tdArray(int) visible; // scratch: faces seen from the new point
    tdArray(int) stack;   // scratch: walk over them
    tdArray(int) horizon; // scratch: pairs (face beyond, its edge), in order around
    int vertexCount;
} tdQuickHull;

/// Leaves the dead faces in the array (isAlive false). tdQuickHull_Free must follow, whatever the result.
tdGeometryStatus tdQuickHull_Build(tdQuickHull* hull, const tdVec3* points, int count, int maxVertices,
                                   const tdAllocator* allocator);
void tdQuickHull_Free(tdQuickHull* hull);
