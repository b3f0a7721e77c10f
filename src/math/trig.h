// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Own trigonometry out of basic operations: the same bits on every compiler, platform and vector width.
// Results are within 2 ulp of the true value over the stated ranges (tested against libm in double).
#pragma once

#include "tendon/base.h"

typedef struct tdSinCos
{
    float sine, cosine;
} tdSinCos;

/// Any finite angle. The error bound holds for |angle| <= 2^20; beyond, the reduction loses precision
/// gracefully.
tdSinCos tdComputeSinCos(float angle);
float tdSin(float angle);
float tdCos(float angle);
float tdAtan2(float y, float x);
/// The argument is clamped to [-1, 1].
float tdAcos(float x);
float tdAsin(float x);

/// IEEE square root, correctly rounded everywhere.
float tdSqrt(float x);
