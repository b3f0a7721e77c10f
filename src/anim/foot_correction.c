// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
#include "foot_correction.h"

tdVec3 tdBlendCorrections(tdFootCorrection left, tdFootCorrection right, float time, float duration)
{
    if (!(duration > 0.0f))
    {
        return right.offset;
    }
    float u = tdClampFloat(time / duration, 0.0f, 1.0f), cube = u * u * u;
    float h1 = cube * (u * (6.0f * u - 15.0f) + 10.0f);
    float v0 = u + cube * (u * (8.0f - 3.0f * u) - 6.0f), v1 = cube * (u * (7.0f - 3.0f * u) - 4.0f);
    tdVec3 offset = tdLerp(left.offset, right.offset, h1);
    offset = tdMulAdd(offset, v0 * duration, left.velocity);
    return tdMulAdd(offset, v1 * duration, right.velocity);
}
