// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Trigonometry of floats, computed in double with + - * / and sqrt in a fixed order. The polynomials have an
// error of about 1e-11, so results are correctly rounded floats except for rare near-ties (error below 0.51
// ulp).
#include "trig.h"

#include <math.h>
#include <string.h>

#define HALF_PI 1.5707963267948966
#define FULL_PI 3.141592653589793

// Half pi as a sum. The first part has 33 bits, so that its product with an integer below 2^20 is exact.
#define HALF_PI_HIGH 1.5707963267341256
#define HALF_PI_LOW 6.077100506506192e-11

// Angles from this magnitude on, 2^20 rad, are reduced with integers.
#define LARGE_ANGLE 1048576.0f

/// Bits of 2/pi after the binary point, after 64 zero bits.
static const uint64_t twoOverPi[5] = {
    0,
    UINT64_C(0xa2f9836e4e441529),
    UINT64_C(0xfc2757d1f534ddc0),
    UINT64_C(0xdb6295993c439041),
    UINT64_C(0xfe5163abdebbc561),
};

typedef struct ReducedAngle
{
    double rest;  // radians, in [-pi/4, pi/4] up to rounding
    int quadrant; // 0 to 3
} ReducedAngle;

/// Payne-Hanek reduction of a finite angle m 2^e of at least LARGE_ANGLE: multiplies m by those bits of 2/pi
/// that affect m 2^e 2/pi modulo 4.
static ReducedAngle ReduceLargeAngle(float angle)
{
    uint32_t bits;
    memcpy(&bits, &angle, sizeof(bits));
    uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
    int exponent = (int)((bits >> 23) & 0xffu) - 150;
    int position = 62 + exponent; // first bit of twoOverPi whose product is below four quarter turns
    int word = position >> 6, shift = position & 63;
    uint64_t high = twoOverPi[word], low = twoOverPi[word + 1];
    if (shift != 0)
    {
        high = (high << shift) | (low >> (64 - shift));
        low = (low << shift) | (twoOverPi[word + 2] >> (64 - shift));
    }
    uint64_t product = high * mantissa + (((low >> 32) * mantissa) >> 32);
    uint64_t quadrant = (product + (UINT64_C(1) << 61)) >> 62;
    uint64_t fraction = product - (quadrant << 62);
    // Interpreted as a signed number of 2^-62 quarter turns in [-2^61, 2^61).
    double signedFraction = fraction < (UINT64_C(1) << 63) ? (double)fraction : -(double)(0 - fraction);
    double rest = signedFraction * (HALF_PI / 4611686018427387904.0);
    if (angle < 0.0f)
    {
        return (ReducedAngle){-rest, (int)((4 - (quadrant & 3)) & 3)};
    }
    return (ReducedAngle){rest, (int)(quadrant & 3)};
}

static ReducedAngle ReduceAngle(float angle)
{
    if (!(angle > -LARGE_ANGLE && angle < LARGE_ANGLE))
    {
        return ReduceLargeAngle(angle);
    }
    double x = (double)angle;
    double scaled = x * (1.0 / HALF_PI);
    int quarters = (int)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
    double rest = (x - (double)quarters * HALF_PI_HIGH) - (double)quarters * HALF_PI_LOW;
    return (ReducedAngle){rest, quarters & 3};
}

/// Taylor polynomial; on [-pi/4, pi/4] the first omitted term is below 1e-11 of the result.
static double EvaluateSin(double x)
{
    double s = x * x;
    double p = 2.7557319223985893e-06 + s * -2.505210838544172e-08;
    p = -0.0001984126984126984 + s * p;
    p = 0.008333333333333333 + s * p;
    p = -0.16666666666666666 + s * p;
    return x * (1.0 + s * p);
}

/// Taylor polynomial, with the error of EvaluateSin.
static double EvaluateCos(double x)
{
    double s = x * x;
    double p = -2.755731922398589e-07 + s * 2.08767569878681e-09;
    p = 2.48015873015873e-05 + s * p;
    p = -0.001388888888888889 + s * p;
    p = 0.041666666666666664 + s * p;
    p = -0.5 + s * p;
    return 1.0 + s * p;
}

tdSinCos tdComputeSinCos(float angle)
{
    if (!(angle - angle == 0.0f))
    {
        return (tdSinCos){angle - angle, angle - angle}; // NaN for infinity and NaN
    }
    ReducedAngle reduced = ReduceAngle(angle);
    float s = (float)EvaluateSin(reduced.rest);
    float c = (float)EvaluateCos(reduced.rest);
    switch (reduced.quadrant)
    {
    case 0:
        return (tdSinCos){s, c};
    case 1:
        return (tdSinCos){c, -s};
    case 2:
        return (tdSinCos){-s, -c};
    default:
        return (tdSinCos){-c, s};
    }
}

float tdSin(float angle)
{
    return tdComputeSinCos(angle).sine;
}

float tdCos(float angle)
{
    return tdComputeSinCos(angle).cosine;
}

/// atan(smaller / larger) for 0 <= smaller <= larger and larger > 0, in [0, pi/4]. Subtracts the nearest of
/// five angles whose tangents are multiples of 1/4, which leaves a short series.
static double ComputeAtanOfRatio(double smaller, double larger)
{
    static const double angles[5] = {0.0, 0.24497866312686414, 0.4636476090008061, 0.6435011087932844,
                                     0.7853981633974483};
    double eighths = 8.0 * smaller;
    int k = (eighths >= larger) + (eighths >= 3.0 * larger) + (eighths >= 5.0 * larger) +
            (eighths >= 7.0 * larger);
    double tangent = 0.25 * (double)k;
    double u = (smaller - tangent * larger) / (larger + tangent * smaller);
    double s = u * u;
    double p = 0.1111111111111111 + s * -0.09090909090909091;
    p = -0.14285714285714285 + s * p;
    p = 0.2 + s * p;
    p = -0.3333333333333333 + s * p;
    return angles[k] + (u + u * (s * p));
}

/// atan2 of the C standard, with signed zeros and infinities. Neither argument is NaN.
static double ComputeAtan2(double y, double x)
{
    double absoluteX = fabs(x), absoluteY = fabs(y);
    double angle;
    if (absoluteX == absoluteY)
    {
        angle = absoluteX == 0.0 ? 0.0 : 0.5 * HALF_PI; // also both infinite
    }
    else if (absoluteY < absoluteX)
    {
        angle = isinf(absoluteX) ? 0.0 : ComputeAtanOfRatio(absoluteY, absoluteX);
    }
    else
    {
        angle = HALF_PI - (isinf(absoluteY) ? 0.0 : ComputeAtanOfRatio(absoluteX, absoluteY));
    }
    if (signbit(x))
    {
        angle = FULL_PI - angle;
    }
    return signbit(y) ? -angle : angle;
}

float tdAtan2(float y, float x)
{
    if (x != x || y != y)
    {
        return x + y;
    }
    return (float)ComputeAtan2((double)y, (double)x);
}

float tdAcos(float x)
{
    x = x < -1.0f ? -1.0f : (x > 1.0f ? 1.0f : x);
    if (x != x)
    {
        return x;
    }
    double cosine = (double)x;
    return (float)ComputeAtan2(sqrt((1.0 - cosine) * (1.0 + cosine)), cosine);
}

float tdAsin(float x)
{
    x = x < -1.0f ? -1.0f : (x > 1.0f ? 1.0f : x);
    if (x != x)
    {
        return x;
    }
    double sine = (double)x;
    return (float)ComputeAtan2(sine, sqrt((1.0 - sine) * (1.0 + sine)));
}

float tdSqrt(float x)
{
    return sqrtf(x);
}
