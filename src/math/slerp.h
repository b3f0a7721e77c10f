// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Slerp for the inner loops of animation: the same rotation as tdSlerp to 1e-6 rad, without trigonometry.
#pragma once

#include "vecmath.h"

/// The short way from a to b, both of unit length; t from 0 to 1. The result has unit length to 1e-6.
tdQuat tdSlerpSeries(tdQuat a, tdQuat b, float t);
/// The same from the identity: a part of a rotation.
tdQuat tdQuatPart(tdQuat rotation, float t);

/// tdSlerpSeries of 4 or 8 pairs at once, with the same bits.
/// @param pairs first of eight floats: a, then b
typedef void tdSlerpManyFcn(const float* const* pairs, float t, tdQuat* out);
tdSlerpManyFcn* tdGetSlerpQuad(void); // four
tdSlerpManyFcn* tdGetSlerpAvx2(void); // eight; NULL where this build has none

// The factors of the series, for kernels that run it on several rotations at once: 1 / (i (2 i + 1)) and
// i / (2 i + 1) for i from 1.
static const float tdSeries_squares[8] = {1.0f / 3.0f,  1.0f / 10.0f, 1.0f / 21.0f,  1.0f / 36.0f,
                                          1.0f / 55.0f, 1.0f / 78.0f, 1.0f / 105.0f, 1.0f / 136.0f};
static const float tdSeries_constants[8] = {1.0f / 3.0f,  2.0f / 5.0f,  3.0f / 7.0f,  4.0f / 9.0f,
                                            5.0f / 11.0f, 6.0f / 13.0f, 7.0f / 15.0f, 8.0f / 17.0f};
