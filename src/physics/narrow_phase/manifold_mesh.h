// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of a mesh or sheet and a convex shape.
#pragma once

#include "physics/data/manifold_data.h"

/// Mesh or sheet against convex, in the frame of the mesh; normals point from mesh to convex.
/// @param pose of the convex shape's body in the frame of the mesh
int tdCollideMesh(const tdShapeGeometry* mesh, const tdShapeGeometry* convex, tdTransform pose, float margin,
                  tdVec3 velocity, tdManifold* manifolds, int capacity);
