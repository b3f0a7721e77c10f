// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// With c = cos(x), sin(t x) / sin(x) is a power series in (c - 1):
//
//     f(t) = t sum a_i (c - 1)^i     a_i = a_(i-1) (t^2 / i - i) / (2 i + 1)     a_0 = 1
//
// (after D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", 2011.) Slerp is f(1 - t) a + f(t) b.
// For angles x up to 60 degrees (rotations up to 120) each term is at most a quarter of the one before it,
// and nine terms leave an error of 5e-7. Larger angles are halved first.
#include "slerp.h"

/// f(t) with x = c - 1, in Estrin's scheme, whose pairs are independent of each other.
static inline float ComputeWeight(float x, float t)
{
    float tt = t * t, a[9];
    a[0] = t;
    for (int i = 0; i < 8; ++i)
    {
        a[i + 1] = a[i] * (tdSeries_squares[i] * tt - tdSeries_constants[i]);
    }
    float x2 = x * x, x4 = x2 * x2;
    float low = (a[0] + a[1] * x) + (a[2] + a[3] * x) * x2;
    float high = (a[4] + a[5] * x) + (a[6] + a[7] * x) * x2 + a[8] * x4;
    return low + high * x4;
}

/// Slerp of two quaternions at most 60 degrees apart.
static inline tdQuat SlerpNear(tdQuat a, tdQuat b, float cosine, float t)
{
    float x = cosine - 1.0f;
    float wa = ComputeWeight(x, 1.0f - t), wb = ComputeWeight(x, t);
    return (tdQuat){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
}

tdQuat tdSlerpSeries(tdQuat a, tdQuat b, float t)
{
    float cosine = tdDotQuat(a, b);
    if (cosine < 0.0f)
    {
        cosine = -cosine;
        b = tdNegateQuat(b);
    }
    if (cosine > TD_SLERP_NEAR_COSINE)
    {
        return SlerpNear(a, b, cosine, t);
    }
    // The midpoint (a + b) / |a + b| is at half the angle from both; cos(x / 2)^2 = (1 + cos x) / 2.
    float half = sqrtf(0.5f + 0.5f * cosine), scale = 0.5f / half;
    tdQuat middle = {scale * (a.x + b.x), scale * (a.y + b.y), scale * (a.z + b.z), scale * (a.w + b.w)};
    return t < 0.5f ? SlerpNear(a, middle, half, 2.0f * t) : SlerpNear(middle, b, half, 2.0f * t - 1.0f);
}

tdQuat tdQuatPart(tdQuat rotation, float t)
{
    return tdSlerpSeries(tdQuat_identity, rotation, t);
}
