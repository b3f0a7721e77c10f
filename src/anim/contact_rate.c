// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
#include "contact_rate.h"

#include <string.h>

/// Samples per second: the rate at which contacts are judged, and twice that for denser motions.
#define SAMPLE_RATE 60.0
/// Angular speed of a leg in rad/s that needs the double rate: between keys, a straight line of rotations
/// moves the foot by the square of the step.
#define FAST_LEG 3.0f

// Largest angular speed of a leg bone between two keys, rad/s.
static float FindFastestLeg(const tdContactDef* def)
{
    float fastest = 0.0f;
    const int* bones = def->source->asset->scene.humanoid->boneOfNode;
    for (int i = 0; i < def->sourceChannelCount; ++i)
    {
        const tdChannel* channel = &def->sourceChannels[i];
        bool isRotation = channel->target.kind == TD_PROPERTY_ROTATION &&
                          channel->interpolation != TD_INTERPOLATION_CUBICSPLINE;
        int bone = isRotation ? bones[channel->target.object] : TD_BONE_NONE;
        bool isLeg = bone >= TD_BONE_LEFT_UPPER_LEG && bone <= TD_BONE_RIGHT_FOOT;
        for (int k = 1; k < channel->keyCount && isLeg; ++k)
        {
            tdQuat a, b;
            memcpy(&a, channel->values + (size_t)4 * (size_t)(k - 1), sizeof(a));
            memcpy(&b, channel->values + (size_t)4 * (size_t)k, sizeof(b));
            fastest = tdMaxFloat(fastest, tdAngleBetween(a, b) / (channel->times[k] - channel->times[k - 1]));
        }
    }
    return fastest;
}

double tdChooseContactRate(const tdContactDef* def)
{
    int densest = 0;
    for (int i = 0; i < def->sourceChannelCount; ++i)
    {
        densest = tdMaxInt(densest, def->sourceChannels[i].keyCount);
    }
    bool isDense =
        (double)densest > 1.05 * SAMPLE_RATE * (double)def->duration + 2.0 || FindFastestLeg(def) > FAST_LEG;
    return isDense ? 2.0 * SAMPLE_RATE : SAMPLE_RATE;
}
