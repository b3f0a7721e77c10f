// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Limits of the direction of a spring joint (VRMC_springBone_limit, a draft without a published text; UniVRM
// defines the behaviour).
#pragma once

#include "math/vecmath.h"

#include "tendon/spring.h"

/// Rotation from the frame of a limit into the frame of the joint at rest: Y turns to the axis of the joint
/// by the shortest way, after the limit's own rotation.
tdQuat tdSpringLimit_GetFrame(const tdSpringLimit* limit, tdVec3 axis);
/// The nearest direction that the limit allows, in the limit's frame.
/// @param direction unit
tdVec3 tdSpringLimit_Apply(const tdSpringLimit* limit, tdVec3 direction);
