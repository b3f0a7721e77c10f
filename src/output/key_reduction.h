// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fewer keys for a sampled curve: the subset that linear (rotations: spherical linear) interpolation needs to
// stay within a tolerance of every sample. First and last sample are always kept exactly.
#pragma once

#include "math/vecmath.h"

typedef enum tdCurveKind
{
    TD_CURVE_VECTOR,   // `width` floats per sample; distance = Euclidean
    TD_CURVE_ROTATION, // unit quaternions, neighbours on the short way; distance = angle in rad
    TD_CURVE_WEIGHTS,  // `width` floats per sample; distance = largest component
} tdCurveKind;

/// Sampled values of one property. Sample i lies at times[i]; times increase strictly.
typedef struct tdCurve
{
    tdCurveKind kind;
    int width;
    int count;
    const float* times;
    const float* values;
} tdCurve;

/// What interpolating between samples `first` and `last` gives at sample `index`, in the curve's distance
/// from the sample itself.
float tdCurve_ComputeError(const tdCurve* curve, int first, int last, int index);

/// Picks the samples to keep: ascending indices into `kept` (room for curve->count). Every sample lies within
/// `tolerance` of the result. Greedy: each piece is stretched by galloping and bisection, O(n log n).
/// @return how many are kept: 1 when all samples are equal, else at least 2; 0 for an empty curve
int tdReduceKeys(const tdCurve* curve, float tolerance, int* kept);
