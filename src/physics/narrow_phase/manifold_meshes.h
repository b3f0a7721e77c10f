// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of two meshes or sheets.
#pragma once

#include "physics/data/manifold_data.h"

/// Manifolds of two meshes, or of a mesh and a sheet or unbounded plane, in the frame of shape A. Two planes
/// have none.
/// @param bInA transform from the frame of shape B to the frame of shape A
/// @param cache memory of the side (tdSideMemory), in the frame of the larger shape; NULL: none
/// @return number of manifolds, at most `capacity`
int tdCollideMeshes(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, float margin,
                    tdManifoldCache* cache, tdManifold* manifolds, int capacity);
