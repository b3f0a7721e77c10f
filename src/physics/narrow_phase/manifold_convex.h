// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of two convex shapes by their closest features.
#pragma once

#include "geometry/distance.h"
#include "geometry/support.h"
#include "physics/data/manifold_data.h"

/// The generic way: from the closest or deepest features of two convex sets to a manifold. Points beyond
/// `margin` are left out. @return number of points
int tdBuildManifold(const tdConvex* a, const tdConvex* b, const tdDistanceResult* nearest, float margin,
                    tdManifold* manifold);
/// How deep B's set reaches behind the plane of A's along unit `normal` (A to B): separation, radii included.
float tdSeparationAlong(const tdConvex* a, const tdConvex* b, tdVec3 normal);
