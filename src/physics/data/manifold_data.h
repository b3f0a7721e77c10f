// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact manifolds between two shapes: the contract between narrow phase (geometry in, points out) and
// solver. Pure functions, no world, no allocation: callable from any worker.
#pragma once

#include "geometry/shape.h"

#define TD_MAX_MANIFOLD_POINTS 4

typedef struct tdManifoldPoint
{
    tdVec3 position;  // midway between the two surfaces, in the frame of shape A's body
    float separation; // negative when they overlap
    uint32_t feature; // stable from step to step while the same features touch
} tdManifoldPoint;

typedef struct tdManifold
{
    tdVec3 normal; // unit, from A to B, in the frame of shape A's body
    int pointCount;
    tdManifoldPoint points[TD_MAX_MANIFOLD_POINTS];
} tdManifold;

/// What a pair remembers between steps (last separating axis, last features). Zero at first. Plain data.
typedef struct tdManifoldCache
{
    uint32_t words[8];
    float separation; // out, when no manifold came back: lower bound of the distance; at least the margin
} tdManifoldCache;
