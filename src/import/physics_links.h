// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints and compound triggers of the physics scene.
#pragma once

#include "physics_build.h"

/// Fills the joints. After bodies and colliders. False when memory ran out.
bool tdBuildJoints(tdPhysicsBuild* build);
/// Fills the compound triggers. After colliders. False when memory ran out.
bool tdBuildTriggers(tdPhysicsBuild* build);
