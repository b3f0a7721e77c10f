// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact manifolds of two shapes. The functions are pure: they use no world, allocate nothing, and any
// worker may call them.
#pragma once

#include "physics/data/manifold_data.h"

/// Computes the manifolds of a pair. Points with a separation above `margin` (m) are left out. A convex pair
/// has at most one manifold, a mesh one per distinct normal.
/// @param bodyBInA pose of B's body in the frame of A's body; each shape has its own pose in its body
/// @param cache may be NULL
/// @return number of manifolds, at most `capacity`; when more exist the deepest are kept
int tdComputeManifolds(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA, float margin,
                       tdManifoldCache* cache, tdManifold* manifolds, int capacity);
/// True if the two shapes overlap or touch; used for triggers. Sets cache->separation to a lower bound of the
/// distance if they do not.
/// @param cache may be NULL
bool tdTestOverlap(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                   tdManifoldCache* cache);
