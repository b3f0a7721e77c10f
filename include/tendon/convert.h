// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// convert.h: physics from one dialect to another.
#pragma once

#include "asset.h"

typedef enum tdPhysicsTarget
{
    TD_PHYSICS_KHR,       // KHR_physics_rigid_bodies + KHR_implicit_shapes, release candidate
    TD_PHYSICS_KHR_DRAFT, // KHR_physics_rigid_bodies + KHR_collision_shapes, March 2024
    TD_PHYSICS_OMI,       // OMI_physics_body + OMI_physics_shape + OMI_physics_joint, current
    TD_PHYSICS_OMI_EARLY, // OMI_physics_body + OMI_collider + OMI_physics_joint, early 2023
} tdPhysicsTarget;

/// The asset with all physics of its active scene written in one dialect, whatever dialect it is in. Defaults
/// that differ are made explicit. What the target cannot express is reported (CONVERT_APPROXIMATED) with the
/// nearest expression taken. Members that no draft defines are carried along; everything else in the file
/// stays as it is.
/// @return a new asset that borrows nothing; NULL when memory ran out
TD_API tdAsset* tdConvertAsset(const tdAsset* asset, tdPhysicsTarget target, tdReport* report);
