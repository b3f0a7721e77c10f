// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colliders of the physics scene.
#pragma once

#include "physics_build.h"

/// False for a node whose position or scale in the world is beyond TD_MAX_COORDINATE or not a number.
bool tdPhysicsBuild_IsInRange(const tdPhysicsBuild* build, int node);
/// Fills colliders and triggers, with shapes placed and scaled and geometry cooked. After bodies. False when
/// memory ran out.
bool tdBuildColliders(tdPhysicsBuild* build);
