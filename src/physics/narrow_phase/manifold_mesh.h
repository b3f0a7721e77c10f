// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of a mesh or sheet and a convex shape.
#pragma once

#include "physics/data/manifold_data.h"

/// Manifolds of a mesh or sheet and a convex shape, in the frame of the mesh. Normals point from the mesh to
/// the convex shape.
/// @param pose of the convex shape's body in the frame of the mesh
/// @return number of manifolds, at most `capacity`
int tdCollideMesh(const tdShapeGeometry* mesh, const tdShapeGeometry* convex, tdTransform pose, float margin,
                  tdManifold* manifolds, int capacity);
