// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies of the physics scene.
#pragma once

#include "physics_build.h"

/// Pose of a node in the world, without scale.
tdTransform tdPhysicsBuild_GetFrame(const tdPhysicsBuild* build, int node);
/// Fills the bodies, and the body each node belongs to. False when memory ran out.
bool tdBuildBodies(tdPhysicsBuild* build);
/// Computes mass, centre and inertia of every body from its colliders and the values of the file. After
/// colliders. False when memory ran out.
bool tdBuildMasses(tdPhysicsBuild* build);
/// Fills a path in place: its parts point at each other.
void tdNodePath_Init(tdNodePath* path, int node, const char* extension);
