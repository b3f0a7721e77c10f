// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// First half of hull cooking: from points to a closed convex surface of triangles.
#pragma once

#include "base/array.h"
#include "math/vecmath.h"

#include "tendon/geometry.h"

typedef struct tdQuickFace
{
    int vertices[3];  // indices into the points, counter-clockwise from outside
    int neighbors[3]; // face across the edge from vertex e to vertex e + 1
    double normal[3]; // unit
    double offset;
    int outside;     // first point of the list of points outside this face, -1: none
    int farthest;    // the farthest of these points, -1: none
    double distance; // of the farthest point
    int mark;        // index of the last insertion that saw this face
    bool isAlive;    // false: replaced by other faces
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

/// Whether points are so far from flat that their hull exists for certain. False says nothing: cook it to
/// know.
/// @param box of the points, set when true
bool tdIsFullDimensional(const tdVec3* points, int count, tdAabb* box);

/// Builds the surface. Replaced faces stay in the array (isAlive false). The caller calls tdQuickHull_Free
/// after every result, also after a failure.
/// @param points must stay valid until tdQuickHull_Free
tdGeometryStatus tdQuickHull_Build(tdQuickHull* hull, const tdVec3* points, int count, int maxVertices,
                                   const tdAllocator* allocator);
void tdQuickHull_Free(tdQuickHull* hull);
