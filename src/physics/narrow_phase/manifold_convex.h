// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of two convex shapes from their closest features.
#pragma once

#include "geometry/distance.h"
#include "geometry/support.h"
#include "physics/data/manifold_data.h"

/// Builds the manifold from the features of two convex sets that face each other along the normal of
/// `nearest`. Points with a separation above `margin` are left out.
/// @return number of points
int tdBuildManifold(const tdConvex* a, const tdConvex* b, const tdDistanceResult* nearest, float margin,
                    tdManifold* manifold);
/// Separation along the unit vector `normal` from A to B, radii included.
float tdGetSeparationAlong(const tdConvex* a, const tdConvex* b, tdVec3 normal);
