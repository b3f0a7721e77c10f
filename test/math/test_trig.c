// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the trigonometry functions against libm in double, and pinned hashes of a sweep: the bits must not
// depend on the compiler.
#include "harness.h"

#include "base/hash.h"
#include "math/trig.h"

#include <float.h>

static uint32_t randomState;

static uint32_t NextRandom(void)
{
    randomState ^= randomState << 13;
    randomState ^= randomState >> 17;
    randomState ^= randomState << 5;
    return randomState;
}

static float FloatOfBits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/// Uniform in [low, high].
static float NextFloat(float low, float high)
{
    return low + (high - low) * ((float)(NextRandom() >> 8) / 16777216.0f);
}

/// Error in units of the float spacing at the true value.
static double ErrorInUlps(float value, double truth)
{
    double size = fabs(truth);
    int exponent;
    frexp(size, &exponent);
    double ulp = ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
    return fabs((double)value - truth) / ulp;
}

TEST(SinAndCosAreWithinHalfAnUlp)
{
    randomState = 1u;
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i)
    {
        float angle = i < 100000 ? NextFloat(-7.0f, 7.0f) : NextFloat(-1048576.0f, 1048576.0f);
        tdSinCos result = tdComputeSinCos(angle);
        worst = fmax(worst, ErrorInUlps(result.sine, sin((double)angle)));
        worst = fmax(worst, ErrorInUlps(result.cosine, cos((double)angle)));
    }
    // 0.5 from rounding to float, the rest from the double arithmetic before it. The documented limit is 2.
    ENSURE(worst <= 0.51);
    ENSURE(worst > 0.4);
}

/// Whether sin and cos of the C library are exact enough to compare with.
static bool IsReduced(float angle)
{
#if defined(_WIN32)
    return fabsf(angle) < 1e6f; // its reduction of larger angles has too few digits of pi
#else
    return isfinite(angle);
#endif
}

TEST(SinAndCosHoldForEveryFiniteFloat)
{
    randomState = 2u;
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i)
    {
        float angle = FloatOfBits(NextRandom());
        if (!IsReduced(angle))
        {
            continue;
        }
        worst = fmax(worst, ErrorInUlps(tdSin(angle), sin((double)angle)));
        worst = fmax(worst, ErrorInUlps(tdCos(angle), cos((double)angle)));
    }
    // Floats next to multiples of pi/2, small and huge, where the reduction cancels most.
    for (int i = 1; i < 50000; ++i)
    {
        float angle =
            (float)(1.5707963267948966 * (double)i * (i % 7 == 0 ? 1e5 : (i % 11 == 0 ? 1e30 : 1.0)));
        if (!IsReduced(angle))
        {
            continue;
        }
        worst = fmax(worst, ErrorInUlps(tdSin(angle), sin((double)angle)));
        worst = fmax(worst, ErrorInUlps(tdCos(-angle), cos((double)angle)));
    }
    if (IsReduced(FLT_MAX))
    {
        worst = fmax(worst, ErrorInUlps(tdSin(FLT_MAX), sin((double)FLT_MAX)));
        worst = fmax(worst, ErrorInUlps(tdCos(1048576.0f), cos(1048576.0)));
        worst = fmax(worst, ErrorInUlps(tdSin(-1048576.0f), sin(-1048576.0)));
    }
    ENSURE(worst <= 0.51);
}

TEST(SinAndCosOfSpecialAngles)
{
    ENSURE(tdSin(0.0f) == 0.0f && !signbit(tdSin(0.0f)));
    ENSURE(tdSin(-0.0f) == 0.0f && signbit(tdSin(-0.0f)));
    ENSURE(tdCos(0.0f) == 1.0f);
    ENSURE(tdSin(FLT_TRUE_MIN) == FLT_TRUE_MIN);
    ENSURE(isnan(tdSin(INFINITY)) && isnan(tdCos(-INFINITY)) && isnan(tdSin(NAN)));
    randomState = 3u;
    for (int i = 0; i < 10000; ++i)
    {
        float angle = FloatOfBits(NextRandom() & 0x7effffffu);
        ENSURE(tdSin(-angle) == -tdSin(angle) && tdCos(-angle) == tdCos(angle));
    }
}

TEST(Atan2IsWithinHalfAnUlp)
{
    randomState = 4u;
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i)
    {
        float x = i % 2 == 0 ? NextFloat(-1.0f, 1.0f) : FloatOfBits(NextRandom());
        float y = i % 2 == 0 ? NextFloat(-1.0f, 1.0f) : FloatOfBits(NextRandom());
        if (isnan(x) || isnan(y))
        {
            continue;
        }
        worst = fmax(worst, ErrorInUlps(tdAtan2(y, x), atan2((double)y, (double)x)));
    }
    ENSURE(worst <= 0.51);
    ENSURE(worst > 0.4);
}

TEST(Atan2FollowsTheStandardAtSpecialPoints)
{
    const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, FLT_TRUE_MIN, -FLT_MAX};
    for (int i = 0; i < 8; ++i)
    {
        for (int j = 0; j < 8; ++j)
        {
            float own = tdAtan2(values[i], values[j]);
            float truth = (float)atan2((double)values[i], (double)values[j]);
            ENSURE(own == truth && !signbit(own) == !signbit(truth));
        }
    }
    ENSURE(isnan(tdAtan2(NAN, 1.0f)) && isnan(tdAtan2(1.0f, NAN)));
}

TEST(AcosAndAsinAreWithinHalfAnUlp)
{
    randomState = 5u;
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i)
    {
        float x = NextFloat(-1.0f, 1.0f);
        if (i % 3 == 1)
        {
            x = 1.0f - FloatOfBits(0x33000000u + NextRandom() % 0x0c000000u); // near 1
        }
        else if (i % 3 == 2)
        {
            x = FloatOfBits(NextRandom() % 0x3f800000u); // any size
        }
        worst = fmax(worst, ErrorInUlps(tdAcos(x), acos((double)x)));
        worst = fmax(worst, ErrorInUlps(tdAsin(-x), asin(-(double)x)));
    }
    ENSURE(worst <= 0.51);
    ENSURE(tdAcos(2.0f) == 0.0f && tdAcos(-1.5f) == (float)acos(-1.0) && tdAsin(3.0f) == (float)asin(1.0));
    ENSURE(isnan(tdAcos(NAN)) && isnan(tdAsin(NAN)));
}

/// Sweeps every function over all magnitudes. The pinned hash holds for gcc and clang, every -O level, native
/// and WebAssembly: the functions use + - * / and sqrt of IEEE doubles in a fixed order.
TEST(BitsAreTheSameEverywhere)
{
    uint64_t hash = TD_HASH_INIT;
    randomState = 6u;
    for (int i = 0; i < 100000; ++i)
    {
        float a = FloatOfBits(NextRandom()), b = FloatOfBits(NextRandom());
        float c = NextFloat(-1.0f, 1.0f), d = NextFloat(-10.0f, 10.0f);
        if (isnan(a) || isnan(b) || isinf(a))
        {
            continue;
        }
        tdSinCos far = tdComputeSinCos(a), near = tdComputeSinCos(d);
        float values[8] = {far.sine,      far.cosine,    near.sine, near.cosine,
                           tdAtan2(a, b), tdAtan2(c, d), tdAcos(c), tdAsin(c)};
        hash = tdHash(hash, values, sizeof(values));
    }
    ENSURE_EQUAL_INT(hash, UINT64_C(0x2916ea0409a5ccf3));
}

TEST_MAIN(RUN(SinAndCosAreWithinHalfAnUlp) RUN(SinAndCosHoldForEveryFiniteFloat) RUN(SinAndCosOfSpecialAngles)
              RUN(Atan2IsWithinHalfAnUlp) RUN(Atan2FollowsTheStandardAtSpecialPoints)
                  RUN(AcosAndAsinAreWithinHalfAnUlp) RUN(BitsAreTheSameEverywhere))
