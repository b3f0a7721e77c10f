// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Trigonometry from basic operations, with the same bits on every compiler and platform. Results are within 2
// ulp of the true value (test_trig compares them with libm in double). Angles are in radians.
#pragma once

#include "tendon/base.h"

typedef struct tdSinCos
{
    float sine, cosine;
} tdSinCos;

/// Sine and cosine of any finite angle. Infinity and NaN give NaN.
tdSinCos tdComputeSinCos(float angle);
float tdSin(float angle);
float tdCos(float angle);
/// As atan2f of the C library, with signed zeros.
float tdAtan2(float y, float x);
/// Arc cosine and arc sine; the argument is clamped to [-1, 1].
float tdAcos(float x);
float tdAsin(float x);

/// IEEE square root, correctly rounded.
float tdSqrt(float x);
