// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact manifolds between two shapes, as the narrow phase computes them.
#pragma once

#include "geometry/shape.h"

/// Four points carry a face contact; more add cost and no stability.
#define TD_MAX_MANIFOLD_POINTS 4
/// Radius of the core of a shape, a ball about its centre, relative to the inner radius. Contacts and
/// continuous collision keep the core out of other shapes (docs/decisions/053).
#define TD_CORE_SHARE 0.5f
/// Feature id of the contact of a core.
#define TD_CORE_FEATURE 0x50000000u

typedef struct tdManifoldPoint
{
    tdVec3 position;  // midway between the two surfaces, in the frame of shape A's body
    float separation; // m, negative: overlap
    uint32_t feature; // id, stable from step to step while the same features touch
} tdManifoldPoint;

typedef struct tdManifold
{
    tdVec3 normal; // unit, from A to B, in the frame of shape A's body
    int pointCount;
    tdManifoldPoint points[TD_MAX_MANIFOLD_POINTS];
} tdManifold;

/// Results of the last test of a pair that speed up the next one: separating axis, features. Plain data, zero
/// at first.
typedef struct tdManifoldCache
{
    uint32_t words[8];
    float separation; // m, set when there is no manifold: lower bound of the distance, at least the margin
} tdManifoldCache;
