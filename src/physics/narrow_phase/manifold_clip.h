// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Polygon clipping, and the reduction of points to a manifold.
#pragma once

#include "physics/data/manifold_data.h"

/// Points of the largest clipped polygon: a feature of TD_MAX_FEATURE_POINTS clipped by as many planes, each
/// of which adds at most one point, and some more for separate deepest points.
#define TD_MAX_CLIP_POINTS 80

/// A candidate contact point.
typedef struct tdClipPoint
{
    tdVec3 position;
    float separation; // m
    uint32_t id;      // feature id
} tdClipPoint;

/// Clips a convex polygon, or a segment if `count` is 2, to the half-space dot(normal, p) <= offset.
/// @param tag index of the plane; part of the ids of new points
/// @return number of points in `out`
int tdClipPolygon(const tdClipPoint* in, int count, tdVec3 normal, float offset, uint32_t tag,
                  tdClipPoint* out);
/// Reduces the points in place to at most 4: the deepest one and those that span the largest area.
/// @param count at most TD_MAX_CLIP_POINTS
/// @return number of points
int tdReducePoints(tdClipPoint* points, int count, tdVec3 normal);
/// Clips the incident polygon (or segment) to the prism over the reference polygon.
/// @param reference at least 3 points, counter-clockwise seen from outside
/// @param faceNormal direction of the prism
/// @param points array of TD_MAX_CLIP_POINTS; in: incident points with ids; out: the clipped points with
/// their separation from the plane through reference[0]
/// @return number of points
int tdClipToPrism(const tdVec3* reference, const uint32_t* referenceIds, int referenceCount,
                  tdVec3 faceNormal, tdClipPoint* points, int count);
/// Reduces the points (tdReducePoints) and copies them to the manifold.
void tdFillManifold(tdManifold* manifold, tdVec3 normal, tdClipPoint* points, int count);

/// Adds the contact of a core, a ball about the centre of a shape that overlaps another one deeply. It has no
/// lever arm about the centroid, so it supports a body however fast that body spins. It replaces the
/// shallowest point of a full manifold.
/// @param outward unit, out of the other shape
/// @param height of the centre above the surface of the other shape, m
void tdManifold_AddCore(tdManifold* manifold, tdVec3 center, tdVec3 outward, float height, float coreRadius);
