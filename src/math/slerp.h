// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Slerp without trigonometry for the inner loops of animation. It differs from tdSlerp by at most 1e-6 rad.
#pragma once

#include "vecmath.h"

/// Slerp along the shorter arc between unit quaternions.
/// @param t 0 to 1
/// @return a quaternion of unit length to 1e-6
tdQuat tdSlerpSeries(tdQuat a, tdQuat b, float t);
/// Slerp from the identity to `rotation`.
tdQuat tdQuatPart(tdQuat rotation, float t);

/// tdSlerpSeries of 4 or 8 pairs at once, with the same bits.
/// @param pairs per pair: eight floats, a then b
typedef void tdSlerpManyFcn(const float* const* pairs, float t, tdQuat* out);
/// The kernel of four pairs; NULL where the build has no SSE2 or simd128.
tdSlerpManyFcn* tdGetSlerpQuad(void);
/// The kernel of eight pairs; NULL where the build has no AVX2.
tdSlerpManyFcn* tdGetSlerpAvx2(void);

/// Cosine of the angle above which the series converges fast enough without halving the angle. It is above
/// cos(60 degrees) = 0.5, so that rounding cannot leave the range of the series.
#define TD_SLERP_NEAR_COSINE 0.6f

// The factors of the series, shared with the kernels: 1 / (i (2 i + 1)) and i / (2 i + 1) for i from 1.
static const float tdSeries_squares[8] = {1.0f / 3.0f,  1.0f / 10.0f, 1.0f / 21.0f,  1.0f / 36.0f,
                                          1.0f / 55.0f, 1.0f / 78.0f, 1.0f / 105.0f, 1.0f / 136.0f};
static const float tdSeries_constants[8] = {1.0f / 3.0f,  2.0f / 5.0f,  3.0f / 7.0f,  4.0f / 9.0f,
                                            5.0f / 11.0f, 6.0f / 13.0f, 7.0f / 15.0f, 8.0f / 17.0f};
