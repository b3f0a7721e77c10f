// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Soft constraints.
#pragma once

#include "tendon/base.h"

/// A spring of a given frequency and damping ratio as the coefficients of an implicit velocity constraint,
/// see tdMakeSoftness.
typedef struct tdSoftness
{
    float biasRate, massScale, impulseScale;
} tdSoftness;

tdSoftness tdMakeSoftness(float hertz, float dampingRatio, float timeStep);
