// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
#include "easing.h"

#include "math/vecmath.h"

#include <string.h>

float tdFadeIn(float t)
{
    t = tdClampFloat(t, 0.0f, 1.0f);
    return t * t * t * (t * (6.0f * t - 15.0f) + 10.0f);
}

float tdRaiseAboveZero(float x, float range)
{
    if (x >= range || !(range > 0.0f))
    {
        return x;
    }
    return x <= -range ? 0.0f : (x + range) * (x + range) / (4.0f * range);
}

void tdSmoothPeaks(float* values, float* scratch, int count, int half)
{
    for (int i = 0; i < count; ++i)
    {
        float largest = 0.0f;
        for (int k = tdMaxInt(i - 2 * half, 0); k <= tdMinInt(i + 2 * half, count - 1); ++k)
        {
            largest = tdMaxFloat(largest, values[k]);
        }
        scratch[i] = largest;
    }
    for (int pass = 0; pass < 2; ++pass)
    {
        const float* from = pass == 0 ? scratch : values;
        float* to = pass == 0 ? values : scratch;
        for (int i = 0; i < count; ++i)
        {
            float sum = 0.0f;
            for (int k = i - half; k <= i + half; ++k)
            {
                sum += from[tdMinInt(tdMaxInt(k, 0), count - 1)];
            }
            to[i] = sum / (float)(2 * half + 1);
        }
    }
    memcpy(values, scratch, (size_t)count * sizeof(float));
}
