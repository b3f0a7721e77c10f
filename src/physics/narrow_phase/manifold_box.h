// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of two boxes.
#pragma once

#include "physics/data/manifold_data.h"

/// Manifold of two boxes, in the frame of box A.
/// @param cache may be NULL
/// @return number of points
int tdCollideBoxes(tdVec3 halfA, tdVec3 halfB, tdTransform bInA, float margin, tdManifoldCache* cache,
                   tdManifold* manifold);
