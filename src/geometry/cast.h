// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shape casts: a shape moves along a straight line without rotating.
#pragma once

#include "raycast.h"

/// Casts `moving`, of any kind, at `target`, of any kind. Two planes never hit each other.
/// @param movingPose of the moving shape's body at the start, in the frame of the target's body
/// @return false: no hit; then only `hit->triangle` may have changed
bool tdCastShape(const tdShapeGeometry* moving, tdTransform movingPose, tdVec3 translation, float maxFraction,
                 const tdShapeGeometry* target, tdCastHit* hit);
