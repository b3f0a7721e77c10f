// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The difference between the goal of a foot in contact and its motion without contacts, and its fading.
#pragma once

#include "math/vecmath.h"

typedef struct tdFootCorrection
{
    tdVec3 offset, velocity; // m, m/s
} tdFootCorrection;

/// Quintic between two corrections, with their velocities and no acceleration at the ends: the foot leaves
/// and reaches the ground without a jolt.
/// @param time since the first one, s
/// @param duration between both, s
tdVec3 tdBlendCorrections(tdFootCorrection left, tdFootCorrection right, float time, float duration);
