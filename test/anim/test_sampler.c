// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Sampling against the formulas of glTF 2.0 in double, and key search against a linear one.
#include "harness.h"

#include "anim/sampler.h"
#include "runtime/builder.h"
#include "runtime/double_math.h"

TEST(FindsTheSameKeyAsALinearSearch)
{
    uint64_t seed = 1;
    for (int round = 0; round < 60; ++round)
    {
        float times[40];
        int count = 1 + (int)(tdRandom(&seed) * 39);
        times[0] = (float)tdRandom(&seed);
        for (int i = 1; i < count; ++i)
        {
            times[i] = times[i - 1] + 0.01f + (float)tdRandom(&seed);
        }
        for (int i = 0; i < 60; ++i)
        {
            double time = tdRandom(&seed) * (double)(times[count - 1] + 1.0f) - 0.2;
            time = i % 5 == 0 ? (double)times[i % count] : time; // exactly on a key
            int expected = 0;
            for (int k = 0; k < count; ++k)
            {
                expected = (double)times[k] <= time ? k : expected;
            }
            int cursor = (int)(tdRandom(&seed) * count);
            if (!ENSURE_EQUAL_INT(tdFindKey(times, count, time, cursor), expected))
            {
                return;
            }
        }
    }
    float one = 0.5f;
    ENSURE_EQUAL_INT(tdFindKey(&one, 1, 0.0, 7), 0); // a cursor out of range is no error
}

static const float keyTimes[4] = {0.25f, 0.5f, 1.0f, 3.0f};

TEST(HoldsFirstAndLastKey)
{
    const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    tdChannel channel = {
        {TD_PROPERTY_TRANSLATION, 0, -1}, TD_INTERPOLATION_LINEAR, false, 3, 4, keyTimes, values, 0};
    float out[3];
    int cursor = 0;
    tdSampleChannel(&channel, -5.0, &cursor, out);
    ENSURE_NEAR(out[0], 1.0, 0);
    tdSampleChannel(&channel, 0.0, &cursor, out);
    ENSURE_NEAR(out[2], 3.0, 0);
    tdSampleChannel(&channel, 3.0, &cursor, out);
    ENSURE_NEAR(out[0], 10.0, 0);
    tdSampleChannel(&channel, 1e9, &cursor, out);
    ENSURE_NEAR(out[2], 12.0, 0);
}

TEST(StepAndLinearFollowTheirFormulas)
{
    const float values[] = {1, -2, 3, 4, 5, -6, 7, 80, 9, 10, 11, 12};
    tdChannel channel = {
        {TD_PROPERTY_TRANSLATION, 0, -1}, TD_INTERPOLATION_STEP, false, 3, 4, keyTimes, values, 0};
    float out[3];
    int cursor = 0;
    tdSampleChannel(&channel, 0.999, &cursor, out);
    ENSURE_NEAR(out[1], 5.0, 0);
    tdSampleChannel(&channel, 1.0, &cursor, out);
    ENSURE_NEAR(out[1], 80.0, 0);
    channel.interpolation = TD_INTERPOLATION_LINEAR;
    for (double time = 0.25; time < 3.0; time += 0.037)
    {
        int key = time < 0.5 ? 0 : (time < 1.0 ? 1 : 2);
        double u = (time - (double)keyTimes[key]) / (double)(keyTimes[key + 1] - keyTimes[key]);
        tdSampleChannel(&channel, time, &cursor, out);
        for (int i = 0; i < 3; ++i)
        {
            double a = (double)values[3 * key + i], b = (double)values[3 * key + 3 + i];
            ENSURE_NEAR(out[i], a + u * (b - a), 1e-5); // values up to 80, float has 6e-8 of that
        }
    }
}

// Cubic Hermite spline in double, glTF 2.0 Appendix C.5.
static void Spline(const float* v, int width, int key, double u, double interval, double* out)
{
    const float* start = v + (size_t)(3 * key * width);
    for (int i = 0; i < width; ++i)
    {
        double v0 = (double)start[width + i], b0 = (double)start[2 * width + i];
        double a1 = (double)start[3 * width + i], v1 = (double)start[4 * width + i];
        out[i] = (2 * u * u * u - 3 * u * u + 1) * v0 + interval * (u * u * u - 2 * u * u + u) * b0 +
                 (-2 * u * u * u + 3 * u * u) * v1 + interval * (u * u * u - u * u) * a1;
    }
}

TEST(SplinesFollowTheFormula)
{
    uint64_t seed = 5;
    float values[4 * 3 * 4];
    for (int i = 0; i < 48; ++i)
    {
        values[i] = (float)(2 * tdRandom(&seed) - 1);
    }
    for (int rotation = 0; rotation < 2; ++rotation)
    {
        tdChannel channel = {{TD_PROPERTY_WEIGHTS, 0, -1},
                             TD_INTERPOLATION_CUBICSPLINE,
                             rotation == 1,
                             4,
                             4,
                             keyTimes,
                             values,
                             0};
        int cursor = 0;
        for (double time = 0.26; time < 3.0; time += 0.041)
        {
            int key = time < 0.5 ? 0 : (time < 1.0 ? 1 : 2);
            double interval = (double)(keyTimes[key + 1] - keyTimes[key]);
            double expected[4], length = 0;
            float out[4];
            Spline(values, 4, key, (time - (double)keyTimes[key]) / interval, interval, expected);
            for (int i = 0; i < 4; ++i)
            {
                length += expected[i] * expected[i];
            }
            length = rotation == 1 ? sqrt(length) : 1.0;
            tdSampleChannel(&channel, time, &cursor, out);
            for (int i = 0; i < 4; ++i)
            {
                ENSURE_NEAR(out[i], expected[i] / length,
                            2e-6 / length); // a dozen roundings of numbers near 1
            }
        }
    }
}

TEST(RotationsGoTheShortWay)
{
    uint64_t seed = 9;
    for (int round = 0; round < 100; ++round)
    {
        tdQuat keys[2] = {tdRandomQuat(&seed), tdRandomQuat(&seed)};
        const float times[2] = {0.0f, 2.0f};
        tdChannel channel = {
            {TD_PROPERTY_ROTATION, 0, -1}, TD_INTERPOLATION_LINEAR, true, 4, 2, times, &keys[0].x, 0};
        double time = 2.0 * tdRandom(&seed);
        tdQuat out;
        int cursor = 0;
        tdSampleChannel(&channel, time, &cursor, &out.x);
        dQuat expected = dSlerp(dFromQuat(keys[0]), dFromQuat(keys[1]), time / 2.0);
        ENSURE_NEAR(dAngle(dFromQuat(out), expected), 0.0, 3e-6); // tdAcos and tdComputeSinCos: 2 ulp each
        ENSURE_NEAR(tdDotQuat(out, out), 1.0, 1e-6);
    }
}

// Tangents of a hostile file can take a spline beyond the range of floats.
TEST(RotationsHaveUnitLengthWhateverTheTangents)
{
    static const float wild[] = {0.0f, 1e-38f, -1e-20f, 1e-8f, 0.6f, 1.0f, 1e10f, -3e19f, 1e30f, 3.4e38f};
    uint64_t seed = 5;
    for (int round = 0; round < 3000; ++round)
    {
        float values[4][3][4] = {0};
        for (int i = 0; i < 4; ++i)
        {
            values[i][1][(round + i) % 4] = 1.0f;
            for (int k = 0; k < 4; ++k)
            {
                values[i][0][k] = wild[(int)(tdRandom(&seed) * (1 + round % 10))];
                values[i][2][k] = wild[(int)(tdRandom(&seed) * (1 + round % 10))];
            }
        }
        tdChannel channel = {{TD_PROPERTY_ROTATION, 0, -1},
                             TD_INTERPOLATION_CUBICSPLINE,
                             true,
                             4,
                             4,
                             keyTimes,
                             &values[0][0][0],
                             0};
        float q[4];
        int cursor = 0;
        tdSampleChannel(&channel, tdRandom(&seed) * 4.0, &cursor, q);
        double squared = 0.0;
        for (int i = 0; i < 4; ++i)
        {
            squared += (double)q[i] * (double)q[i];
        }
        if (!ENSURE_NEAR(squared, 1.0, 1e-6))
        {
            return;
        }
    }
}

TEST_MAIN(RUN(FindsTheSameKeyAsALinearSearch) RUN(HoldsFirstAndLastKey) RUN(StepAndLinearFollowTheirFormulas)
              RUN(SplinesFollowTheFormula) RUN(RotationsGoTheShortWay)
                  RUN(RotationsHaveUnitLengthWhateverTheTangents))
