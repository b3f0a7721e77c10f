// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of two boxes.
#pragma once

#include "physics/data/manifold_data.h"

/// Box against box. Frame and result: that of box A.
int tdCollideBoxes(tdVec3 halfA, tdVec3 halfB, tdTransform bInA, float margin, tdManifoldCache* cache,
                   tdManifold* manifold);
