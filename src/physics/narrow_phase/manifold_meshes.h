// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of two meshes or sheets.
#pragma once

#include "physics/data/manifold_data.h"

/// Mesh or sheet against mesh or sheet, in the frame of A; `bInA` places B's own frame.
int tdCollideMeshes(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, float margin,
                    tdManifold* manifolds, int capacity);
