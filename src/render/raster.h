// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rasterisation: triangles in sample coordinates, clipped, into a buffer of depths and triangle numbers.
// Coordinates are fixed-point, so that neighbours share every edge exactly and no sample is drawn twice.
#pragma once

#include "base/array.h"
#include "math/vecmath.h"

/// A vertex in the view: x and y scaled so that the picture spans -w to w, w the distance along the view
/// axis. An orthographic projection has w = 1, and its depth in `depth`.
typedef struct tdViewVertex
{
    float x, y, w, depth;
} tdViewVertex;

/// A triangle on the picture. Corner weights refer to the triangle it was cut from.
typedef struct tdScreenTriangle
{
    int32_t x[3], y[3]; // 1 / 256 sample
    float depth[3];     // larger is nearer: 1 / w, or the negative distance to a light
    int32_t cut;        // index of the corner weights in tdScreenTriangles.cuts; -1: not cut
    uint32_t triangle;  // number in the frame
} tdScreenTriangle;

/// Weights of the original corners at the three corners of a cut triangle.
typedef struct tdCutCorners
{
    tdVec3 weights[3];
} tdCutCorners;

typedef struct tdScreenTriangles
{
    tdArray(tdScreenTriangle) list;
    tdArray(tdCutCorners) cuts;
    int width, height; // of the picture, in samples
    float nearest;     // of w; nearer parts are cut off
    bool isOrthographic;
} tdScreenTriangles;

/// Adds a triangle, cut at the near plane and far outside of the picture.
/// @param keepsBack false: only the front, which is counter-clockwise
/// @return false when memory ran out
bool tdScreenTriangles_Add(tdScreenTriangles* triangles, const tdAllocator* allocator,
                           const tdViewVertex corners[3], uint32_t triangle, bool keepsBack);

/// Decides whether a triangle covers a sample that it contains (alpha masks). NULL: always.
typedef bool tdCoverFcn(const void* context, const tdScreenTriangle* triangle, int x, int y);

/// Draws all triangles into rows firstRow to endRow - 1. `depths` starts with -FLT_MAX.
/// @param ids index of the triangle in the list plus one; may be NULL
void tdRasterize(const tdScreenTriangles* triangles, int firstRow, int endRow, float* depths, uint32_t* ids,
                 tdCoverFcn* isCovered, const void* context);

/// Weights of the original triangle's corners at the centre of a sample, with perspective.
tdVec3 tdGetCornerWeights(const tdScreenTriangles* triangles, const tdScreenTriangle* triangle, int x, int y);
/// Depth of a triangle at the centre of a sample.
float tdGetDepthAt(const tdScreenTriangle* triangle, int x, int y);
