// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Soft constraints: damped springs as coefficients of velocity constraints.
#pragma once

#include "tendon/base.h"

/// A damped spring as the coefficients of an implicit velocity constraint; softness.c has the derivation.
typedef struct tdSoftness
{
    float biasRate, massScale, impulseScale;
} tdSoftness;

/// @param hertz frequency of the spring; 0: a hard constraint without position correction
/// @param timeStep s
tdSoftness tdMakeSoftness(float hertz, float dampingRatio, float timeStep);
/// Displacement of a spring at rest under an impulse of mass 1 per time step, s; 0 for a hard constraint.
float tdSoftness_GetCompliance(const tdSoftness* softness);
