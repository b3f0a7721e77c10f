// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of key reduction: the result is compared with every sample by a second interpolation in double.
#include "harness.h"

#include "math/trig.h"
#include "output/key_reduction.h"

#define MAX_SAMPLES 2000

static float times[MAX_SAMPLES];
static float values[4 * MAX_SAMPLES];
static int kept[MAX_SAMPLES];

static void FillTimes(int count, float rate)
{
    for (int i = 0; i < count; ++i)
    {
        times[i] = (float)i / rate;
    }
}

static double VectorError(int width, int first, int last, int index)
{
    double t = ((double)times[index] - (double)times[first]) / ((double)times[last] - (double)times[first]);
    double sum = 0.0;
    for (int k = 0; k < width; ++k)
    {
        double a = (double)values[width * first + k], b = (double)values[width * last + k];
        double d = a + t * (b - a) - (double)values[width * index + k];
        sum += d * d;
    }
    return sqrt(sum);
}

static double RotationError(int first, int last, int index)
{
    double t = ((double)times[index] - (double)times[first]) / ((double)times[last] - (double)times[first]);
    double a[4], b[4], v[4], dot = 0.0;
    for (int k = 0; k < 4; ++k)
    {
        a[k] = (double)values[4 * first + k];
        b[k] = (double)values[4 * last + k];
        v[k] = (double)values[4 * index + k];
        dot += a[k] * b[k];
    }
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double angle = acos(fmin(1.0, fabs(dot)));
    double wa = angle < 1e-6 ? 1.0 - t : sin((1.0 - t) * angle) / sin(angle);
    double wb = angle < 1e-6 ? t : sin(t * angle) / sin(angle);
    double difference = 0.0, sum = 0.0;
    for (int k = 0; k < 4; ++k)
    {
        double q = wa * a[k] + sign * wb * b[k];
        difference += (q - v[k]) * (q - v[k]);
        sum += (q + v[k]) * (q + v[k]);
    }
    return 4.0 * asin(fmin(1.0, 0.5 * sqrt(fmin(difference, sum))));
}

static double WorstError(tdCurveKind kind, int width, int keptCount)
{
    double worst = 0.0;
    for (int piece = 0; piece + 1 < keptCount; ++piece)
    {
        for (int i = kept[piece] + 1; i < kept[piece + 1]; ++i)
        {
            double error = kind == TD_CURVE_ROTATION ? RotationError(kept[piece], kept[piece + 1], i)
                                                     : VectorError(width, kept[piece], kept[piece + 1], i);
            worst = error > worst ? error : worst;
        }
    }
    return worst;
}

static uint32_t randomState;
static float Random(void)
{
    randomState = randomState * 1664525u + 1013904223u;
    return (float)(randomState >> 8) / 16777216.0f;
}

TEST(ConstantCurveKeepsOneKey)
{
    FillTimes(100, 30.0f);
    for (int i = 0; i < 100; ++i)
    {
        values[3 * i] = 1.0f;
        values[3 * i + 1] = -2.0f;
        values[3 * i + 2] = 0.1f;
    }
    tdCurve curve = {TD_CURVE_VECTOR, 3, 100, times, values};
    ENSURE_EQUAL_INT(tdReduceKeys(&curve, 1e-4f, kept), 1);
    curve.count = 0;
    ENSURE_EQUAL_INT(tdReduceKeys(&curve, 1e-4f, kept), 0);
    curve.count = 1;
    ENSURE_EQUAL_INT(tdReduceKeys(&curve, 1e-4f, kept), 1);
}

TEST(StraightLineKeepsItsEnds)
{
    FillTimes(MAX_SAMPLES, 60.0f);
    for (int i = 0; i < MAX_SAMPLES; ++i)
    {
        values[i] = 3.0f * times[i] - 1.0f;
    }
    tdCurve curve = {TD_CURVE_VECTOR, 1, MAX_SAMPLES, times, values};
    ENSURE_EQUAL_INT(tdReduceKeys(&curve, 1e-4f, kept), 2);
    ENSURE_EQUAL_INT(kept[0], 0);
    ENSURE_EQUAL_INT(kept[1], MAX_SAMPLES - 1);
}

TEST(ParabolaKeysMatchItsCurvature)
{
    // A chord over a time h of x = g t^2 / 2 has an error of g h^2 / 8 in its middle, so segments may last h
    // = sqrt(8 tolerance / g), and a fall of T seconds needs T / h of them.
    const float rate = 600.0f, gravity = 9.81f, tolerance = 1e-3f;
    const int count = 1201;
    FillTimes(count, rate);
    for (int i = 0; i < count; ++i)
    {
        values[i] = -0.5f * gravity * times[i] * times[i];
    }
    tdCurve curve = {TD_CURVE_VECTOR, 1, count, times, values};
    int keptCount = tdReduceKeys(&curve, tolerance, kept);
    double pieces = 2.0 / sqrt(8.0 * (double)tolerance / (double)gravity);
    ENSURE(keptCount - 1 >= (int)pieces);
    ENSURE(keptCount - 1 <=
           (int)(pieces * 1.1) + 1); // samples are discrete: a segment ends up to one sample early
    ENSURE(WorstError(TD_CURVE_VECTOR, 1, keptCount) <= (double)tolerance + 2e-6); // float32 rounding at 20 m
}

TEST(RandomWalksStayWithinTolerance)
{
    randomState = 5;
    for (int round = 0; round < 40; ++round)
    {
        const int count = 50 + 7 * round;
        const float tolerance = round % 2 == 0 ? 1e-2f : 1e-4f;
        FillTimes(count, 30.0f);
        float position[3] = {0};
        for (int i = 0; i < count; ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                position[k] += (i / 20) % 2 == 0 ? 0.02f * (Random() - 0.5f) : 0.01f;
                values[3 * i + k] = position[k];
            }
        }
        tdCurve curve = {TD_CURVE_VECTOR, 3, count, times, values};
        int keptCount = tdReduceKeys(&curve, tolerance, kept);
        ENSURE_EQUAL_INT(kept[0], 0);
        ENSURE_EQUAL_INT(kept[keptCount - 1], count - 1);
        ENSURE(WorstError(TD_CURVE_VECTOR, 3, keptCount) <= (double)tolerance + 1e-6);
        for (int i = 1; i < keptCount; ++i)
        {
            ENSURE(kept[i] > kept[i - 1]);
        }
    }
}

TEST(RotationsStayWithinTolerance)
{
    randomState = 11;
    for (int round = 0; round < 20; ++round)
    {
        const int count = 300;
        FillTimes(count, 30.0f);
        tdQuat q = tdQuat_identity;
        for (int i = 0; i < count; ++i)
        {
            tdVec3 axis = tdNormalize((tdVec3){Random() - 0.5f, 1.0f, Random() - 0.5f});
            q = tdNormalizeQuat(tdMulQuat(tdQuatFromAxisAngle(axis, 0.2f * Random()), q));
            memcpy(values + 4 * i, &q, sizeof(q));
        }
        tdCurve curve = {TD_CURVE_ROTATION, 4, count, times, values};
        int keptCount = tdReduceKeys(&curve, 0.01f, kept);
        ENSURE(keptCount >= 2 && keptCount <= count);
        ENSURE(WorstError(TD_CURVE_ROTATION, 4, keptCount) <= 0.01 + 2e-6);
    }
}

TEST(SteadySpinNeedsFewKeys)
{
    // Spherical interpolation follows a steady spin exactly while a segment stays below half a turn.
    const int count = 601;
    FillTimes(count, 60.0f);
    for (int i = 0; i < count; ++i)
    {
        tdQuat q =
            tdQuatFromAxisAngle((tdVec3){0.0f, 1.0f, 0.0f}, 2.0f * TD_PI * times[i]); // one turn a second
        memcpy(values + 4 * i, &q, sizeof(q));
    }
    tdCurve curve = {TD_CURVE_ROTATION, 4, count, times, values};
    int keptCount = tdReduceKeys(&curve, 1e-3f, kept);
    ENSURE(keptCount >= 21); // ten turns are twenty half turns
    ENSURE(keptCount <= 24);
    ENSURE(WorstError(TD_CURVE_ROTATION, 4, keptCount) <= 1e-3 + 2e-6);
}

TEST_MAIN(RUN(ConstantCurveKeepsOneKey) RUN(StraightLineKeepsItsEnds) RUN(ParabolaKeysMatchItsCurvature)
              RUN(RandomWalksStayWithinTolerance) RUN(RotationsStayWithinTolerance)
                  RUN(SteadySpinNeedsFewKeys))
