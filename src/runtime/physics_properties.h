// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Animated properties of materials, joints, motions and shapes. See docs/spec/physics.md, section 11, and
// docs/decisions/092.
#pragma once

#include "physics_binding.h"

/// Allocates everything that the asset's clips need to animate physics.
/// @return false when memory ran out
bool tdPhysicsProperties_Prepare(tdActor* actor);
/// The file's value of an animated property, to be blended with clips of less than full weight.
/// @return false when the file gives no finite value
bool tdPhysicsProperties_GetRestValue(const tdActor* actor, tdProperty property, float values[4]);
/// Stores a sampled property; tdPhysicsProperties_Apply of the same step hands it to the engine.
void tdPhysicsProperties_Set(tdActor* actor, tdProperty property, const float* values);
/// Hands the properties sampled for this step to the engine and restores those that no clip drives any more.
/// Serial, before the world steps. The actor has physics.
void tdPhysicsProperties_Apply(tdActor* actor);
/// Computes the mass properties of a body whose colliders changed their size. A given mass and given moments
/// of inertia stay; computed ones follow, and so do the centre of mass and animated properties.
void tdPhysicsProperties_UpdateMass(tdActor* actor, tdBoundBody* body);
