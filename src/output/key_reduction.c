// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A segment [first, last] is valid if every sample inside it is within the tolerance of the straight line
// between its ends. A segment grows by doubling, then bisection finds its longest valid end. Validity is not
// monotone in the length, so the result may have more keys than necessary, but every segment is checked
// sample by sample.
#include "key_reduction.h"

#include "base/assert.h"
#include "math/slerp.h"

#include <string.h>

static tdQuat QuatAt(const tdCurve* curve, int index)
{
    const float* v = curve->values + 4 * (size_t)index;
    return (tdQuat){v[0], v[1], v[2], v[3]};
}

float tdCurve_ComputeError(const tdCurve* curve, int first, int last, int index)
{
    float span = curve->times[last] - curve->times[first];
    float t = span > 0.0f ? (curve->times[index] - curve->times[first]) / span : 0.0f;
    if (curve->kind == TD_CURVE_ROTATION)
    {
        return tdAngleBetween(tdSlerp(QuatAt(curve, first), QuatAt(curve, last), t), QuatAt(curve, index));
    }

    size_t width = (size_t)curve->width;
    const float* a = curve->values + width * (size_t)first;
    const float* b = curve->values + width * (size_t)last;
    const float* v = curve->values + width * (size_t)index;
    float sum = 0.0f, largest = 0.0f;
    for (size_t i = 0; i < width; ++i)
    {
        float difference = a[i] + t * (b[i] - a[i]) - v[i];
        sum += difference * difference;
        largest = tdMaxFloat(largest, tdAbsFloat(difference));
    }
    return curve->kind == TD_CURVE_WEIGHTS ? largest : sqrtf(sum);
}

/// Error of the estimate below in rad: rounding of both slerps and of quaternions that are not exactly unit.
#define ESTIMATE_ERROR 5.0e-6f
/// The same relative to the angle: the chord of an angle up to MAX_ESTIMATE is shorter by less than this.
#define ESTIMATE_SLACK 2.0e-3f
/// Tolerances in rad beyond which chords and angles differ too much.
#define MAX_ESTIMATE 0.1f

typedef enum Verdict
{
    VERDICT_UNKNOWN,
    VERDICT_GOOD,
    VERDICT_BAD,
} Verdict;

/// Weight of one end of a slerp: the first terms of the series of math/slerp.c, with x = cosine - 1.
static float ComputeNearWeight(float x, float t)
{
    float tt = t * t;
    float a1 = (tt - 1.0f) * (1.0f / 3.0f), a2 = a1 * (0.5f * tt - 2.0f) * 0.2f;
    float a3 = a2 * (tt * (1.0f / 3.0f) - 3.0f) * (1.0f / 7.0f);
    return t * (1.0f + x * (a1 + x * (a2 + x * a3)));
}

/// Cosine above which the terms beyond ComputeNearWeight are below 1e-8. Neighbouring keys are that close.
#define NEAR_COSINE 0.98f

static tdQuat SlerpBetween(tdQuat a, tdQuat b, float t)
{
    float cosine = tdDotQuat(a, b);
    if (!(cosine > NEAR_COSINE))
    {
        return tdSlerpSeries(a, b, t);
    }
    float wa = ComputeNearWeight(cosine - 1.0f, 1.0f - t), wb = ComputeNearWeight(cosine - 1.0f, t);
    return (tdQuat){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
}

/// Judges one sample of a rotation without trigonometry. The verdict is that of tdCurve_ComputeError, or
/// unknown where the error is close to the tolerance.
static Verdict EstimateRotation(const tdCurve* curve, int first, int last, int index, float tolerance)
{
    float span = curve->times[last] - curve->times[first];
    float t = span > 0.0f ? (curve->times[index] - curve->times[first]) / span : 0.0f;
    tdQuat a = SlerpBetween(QuatAt(curve, first), QuatAt(curve, last), t), b = QuatAt(curve, index);
    b = tdDotQuat(a, b) < 0.0f ? tdNegateQuat(b) : b;
    tdQuat d = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    float squared = 4.0f * tdDotQuat(d, d); // of the angle between the rotations, nearly
    float least = (1.0f - ESTIMATE_SLACK) * tolerance - ESTIMATE_ERROR;
    float most = (1.0f + ESTIMATE_SLACK) * tolerance + ESTIMATE_ERROR;
    return least > 0.0f && squared < least * least ? VERDICT_GOOD
           : squared > most * most                 ? VERDICT_BAD
                                                   : VERDICT_UNKNOWN;
}

static bool IsWithin(const tdCurve* curve, int first, int last, int index, float tolerance)
{
    bool canEstimate = curve->kind == TD_CURVE_ROTATION && tolerance <= MAX_ESTIMATE;
    Verdict verdict = canEstimate ? EstimateRotation(curve, first, last, index, tolerance) : VERDICT_UNKNOWN;
    return verdict == VERDICT_GOOD ||
           (verdict == VERDICT_UNKNOWN && tdCurve_ComputeError(curve, first, last, index) <= tolerance);
}

static bool IsGood(const tdCurve* curve, int first, int last, float tolerance)
{
    // The sample in the middle is the farthest from the line on most segments that are not valid.
    int middle = first + (last - first) / 2;
    if (middle > first && !IsWithin(curve, first, last, middle, tolerance))
    {
        return false;
    }
    for (int i = first + 1; i < last; ++i)
    {
        if (i != middle && !IsWithin(curve, first, last, i, tolerance))
        {
            return false;
        }
    }
    return true;
}

/// The end of the longest valid segment found from `first`.
static int StretchPiece(const tdCurve* curve, int first, float tolerance)
{
    int last = curve->count - 1;
    int good = first + 1;
    int length = 2;
    while (first + length <= last && IsGood(curve, first, first + length, tolerance))
    {
        good = first + length;
        length *= 2;
    }
    int bad = first + length;
    if (bad > last)
    {
        if (IsGood(curve, first, last, tolerance))
        {
            return last;
        }
        bad = last;
    }
    while (bad - good > 1)
    {
        int middle = good + (bad - good) / 2;
        if (IsGood(curve, first, middle, tolerance))
        {
            good = middle;
        }
        else
        {
            bad = middle;
        }
    }
    return good;
}

static bool IsConstant(const tdCurve* curve)
{
    size_t size = sizeof(float) * (size_t)curve->width;
    for (int i = 1; i < curve->count; ++i)
    {
        if (memcmp(curve->values, curve->values + (size_t)i * (size_t)curve->width, size) != 0)
        {
            return false;
        }
    }
    return true;
}

int tdReduceKeys(const tdCurve* curve, float tolerance, int* kept)
{
    TD_ASSERT(curve->kind != TD_CURVE_ROTATION || curve->width == 4);
    if (curve->count <= 0)
    {
        return 0;
    }
    int count = 0;
    kept[count++] = 0;
    if (IsConstant(curve))
    {
        return count;
    }
    for (int first = 0; first < curve->count - 1;)
    {
        first = StretchPiece(curve, first, tolerance);
        kept[count++] = first;
    }
    return count;
}
