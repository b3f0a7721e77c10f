// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// convert.h: conversion between physics dialects.
#pragma once

#include "asset.h"

/// Physics dialect to write.
typedef enum tdPhysicsTarget
{
    TD_PHYSICS_KHR,       // KHR_physics_rigid_bodies + KHR_implicit_shapes, release candidate
    TD_PHYSICS_KHR_DRAFT, // KHR_physics_rigid_bodies + KHR_collision_shapes, March 2024
    TD_PHYSICS_OMI,       // OMI_physics_body + OMI_physics_shape + OMI_physics_joint, current
    TD_PHYSICS_OMI_EARLY, // OMI_physics_body + OMI_collider + OMI_physics_joint, early 2023
} tdPhysicsTarget;

/// Write all physics of the active scene in one dialect, whatever dialect the asset uses. Defaults that
/// differ between dialects become explicit. Properties that the target cannot express are approximated and
/// reported (CONVERT_APPROXIMATED). Unknown members and the rest of the file stay as they are.
/// @param report receives the findings; may be NULL
/// @return a new asset, to be freed with tdDestroyAsset, independent of `asset`; NULL if memory ran out
TD_API tdAsset* tdConvertAsset(const tdAsset* asset, tdPhysicsTarget target, tdReport* report);
