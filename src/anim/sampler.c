// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Channel sampling. Times are compared in double: clip time is a double, and a key time converts exactly.
#include "sampler.h"

#include "math/slerp.h"

#include <string.h>

int tdFindKey(const float* times, int keyCount, double time, int cursor)
{
    if (cursor < 0 || cursor >= keyCount)
    {
        cursor = 0;
    }
    int low = 0, high = keyCount; // times[low] <= time < times[high], where the ends are open
    if ((double)times[cursor] <= time)
    {
        // Forward playback: this interval or the next one.
        for (int next = cursor + 1; next <= cursor + 2; ++next)
        {
            if (next >= keyCount || time < (double)times[next])
            {
                return tdMinInt(next, keyCount) - 1;
            }
        }
        low = cursor + 2;
    }
    else
    {
        high = cursor;
    }
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if ((double)times[middle] <= time)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

static tdQuat LoadQuat(const float* v)
{
    return (tdQuat){v[0], v[1], v[2], v[3]};
}

static void StoreQuat(float* out, tdQuat q)
{
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

// Hermite spline between two keys (glTF 2.0, Appendix C.5): tangents are per second, so they are multiplied
// by the length of the interval.
static void SampleSpline(const tdChannel* channel, int key, float u, float interval, float* out)
{
    int width = channel->width;
    const float* start = channel->values + (size_t)key * 3 * (size_t)width;
    const float* value0 = start + width;
    const float* outTangent = start + 2 * width;
    const float* inTangent = start + 3 * width;
    const float* value1 = start + 4 * width;
    float u2 = u * u, u3 = u2 * u;
    float a = 2.0f * u3 - 3.0f * u2 + 1.0f;
    float b = interval * (u3 - 2.0f * u2 + u);
    float c = 3.0f * u2 - 2.0f * u3;
    float d = interval * (u3 - u2);
    for (int i = 0; i < width; ++i)
    {
        out[i] = a * value0[i] + b * outTangent[i] + c * value1[i] + d * inTangent[i];
    }
}

void tdSampleChannel(const tdChannel* channel, double time, int* cursor, float* out)
{
    int key = tdFindKey(channel->times, channel->keyCount, time, *cursor);
    *cursor = key;
    size_t width = (size_t)channel->width;
    bool isSpline = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE;
    const float* value = channel->values + (isSpline ? ((size_t)key * 3 + 1) * width : (size_t)key * width);
    double start = (double)channel->times[key];

    if (time <= start || key + 1 == channel->keyCount || channel->interpolation == TD_INTERPOLATION_STEP)
    {
        memcpy(out, value, width * sizeof(float));
        if (channel->isRotation)
        {
            StoreQuat(out, tdNormalizeQuat(LoadQuat(out)));
        }
        return;
    }

    double interval = (double)channel->times[key + 1] - start;
    float u = (float)((time - start) / interval);
    if (isSpline)
    {
        SampleSpline(channel, key, u, (float)interval, out);
        if (channel->isRotation)
        {
            StoreQuat(out, tdNormalizeQuat(LoadQuat(out)));
        }
    }
    else if (channel->isRotation)
    {
        StoreQuat(out, tdSlerpSeries(LoadQuat(value), LoadQuat(value + 4), u));
    }
    else
    {
        for (size_t i = 0; i < width; ++i)
        {
            out[i] = value[i] + u * (value[width + i] - value[i]);
        }
    }
}
