// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of spheres and capsules.
#pragma once

#include "geometry/support.h"
#include "physics/data/manifold_data.h"

/// Spheres and straight capsules (cores of one or two points).
int tdCollideRound(const tdConvex* a, const tdConvex* b, float margin, tdManifoldCache* cache,
                   tdManifold* manifold);
