// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Key reduction of a sampled curve: the subset that linear (rotations: spherical linear) interpolation needs
// to stay within a tolerance of every sample. The first and last sample are always kept.
#pragma once

#include "math/vecmath.h"

typedef enum tdCurveKind
{
    TD_CURVE_VECTOR,   // `width` floats per sample; distance = Euclidean
    TD_CURVE_ROTATION, // unit quaternions, neighbours in one hemisphere; distance = angle in rad
    TD_CURVE_WEIGHTS,  // `width` floats per sample; distance = largest component
} tdCurveKind;

/// Sampled values of one property. Sample i is at times[i]; times increase strictly.
typedef struct tdCurve
{
    tdCurveKind kind;
    int width;
    int count;
    const float* times;
    const float* values;
} tdCurve;

/// Distance between sample `index` and the interpolation of the samples `first` and `last`.
float tdCurve_ComputeError(const tdCurve* curve, int first, int last, int index);

/// Selects the samples to keep: ascending indices in `kept` (capacity curve->count). Every sample is within
/// `tolerance` of the result. Greedy with galloping and bisection, O(n log n).
/// @return the number of kept samples: 1 if all are equal, else at least 2; 0 for an empty curve
int tdReduceKeys(const tdCurve* curve, float tolerance, int* kept);
