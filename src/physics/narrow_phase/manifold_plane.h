// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of an unbounded plane and a convex shape.
#pragma once

#include "geometry/support.h"
#include "physics/data/manifold_data.h"

/// Plane A (half-space, or double-sided and unbounded) against convex B, in the frame of the plane.
int tdCollidePlane(const tdShapeGeometry* plane, const tdConvex* b, float margin, tdManifold* manifold);
