// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A segment [first, last] is valid if every sample inside it is within the tolerance of the straight line
// between its ends. A segment grows by doubling, then bisection finds its longest valid end. Validity is not
// monotone in the length, so the result may have more keys than necessary, but every segment is checked
// sample by sample.
#include "key_reduction.h"

#include "base/assert.h"

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

static bool IsGood(const tdCurve* curve, int first, int last, float tolerance)
{
    // Starting in the middle would fail sooner; the plain order is fast enough and reads memory in order.
    for (int i = first + 1; i < last; ++i)
    {
        if (!(tdCurve_ComputeError(curve, first, last, i) <= tolerance))
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
