// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Polygon clipping, and the reduction of points to a manifold.
#pragma once

#include "physics/data/manifold_data.h"

#define TD_MAX_CLIP_POINTS 80

typedef struct tdClipPoint
{
    tdVec3 position;
    float separation;
    uint32_t id;
} tdClipPoint;

/// Cut a convex polygon (or, with two points, a segment) by the plane: dot(normal, p) <= offset stays.
/// @param tag number of the plane, goes into the ids of new points
/// @return number of points in `out`
int tdClipPolygon(const tdClipPoint* in, int count, tdVec3 normal, float offset, uint32_t tag,
                  tdClipPoint* out);
/// Keep at most 4 points: the deepest, and those that span the largest area. In place, `count` up to
/// TD_MAX_CLIP_POINTS.
int tdReducePoints(tdClipPoint* points, int count, tdVec3 normal);
/// Cut the incident polygon (or segment) to the prism over the reference polygon.
/// @param reference counter-clockwise seen against `faceNormal`, at least 3 points
/// @param points in: incident points with ids; out: the rest, their separation from the reference plane along
/// `faceNormal`. Room for TD_MAX_CLIP_POINTS.
int tdClipToPrism(const tdVec3* reference, const uint32_t* referenceIds, int referenceCount,
                  tdVec3 faceNormal, tdClipPoint* points, int count);
/// Reduce and copy. Positions become those of `points`.
void tdFillManifold(tdManifold* manifold, tdVec3 normal, tdClipPoint* points, int count);
