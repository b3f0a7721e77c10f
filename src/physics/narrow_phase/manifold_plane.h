// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of an unbounded plane and a convex shape.
#pragma once

#include "geometry/support.h"
#include "physics/data/manifold_data.h"

/// Manifold of an unbounded plane and a convex set, in the frame of the plane.
/// @return number of points
int tdCollidePlane(const tdShapeGeometry* plane, const tdConvex* b, float margin, tdManifold* manifold);
