// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of spheres and capsules.
#pragma once

#include "geometry/support.h"
#include "physics/data/manifold_data.h"

/// Manifold of two spheres or straight capsules (cores of one or two points).
/// @param cache may be NULL
/// @return number of points
int tdCollideRound(const tdConvex* a, const tdConvex* b, float margin, tdManifoldCache* cache,
                   tdManifold* manifold);
