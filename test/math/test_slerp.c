// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the slerp series against slerp in double with libm, over all angles.
#include "harness.h"

#include "base/cpu.h"
#include "math/slerp.h"
#include "runtime/double_math.h"

TEST(AgreesWithSlerpAtEveryAngle)
{
    double worst = 0, worstLength = 0;
    for (int angleStep = 0; angleStep <= 720; ++angleStep)
    {
        // Rotations by up to a full turn, so that the shorter arc matters; 360 degrees of rotation are 180
        // degrees here.
        double half = angleStep * 0.25 * 3.14159265358979 / 180.0;
        double axis[3] = {0.48, -0.6, 0.64};
        tdQuat a = {0.5f, -0.5f, 0.5f, 0.5f};
        tdQuat turn = {(float)(axis[0] * sin(half)), (float)(axis[1] * sin(half)),
                       (float)(axis[2] * sin(half)), (float)cos(half)};
        tdQuat b = tdNormalizeQuat(tdMulQuat(a, turn));
        if (fabs(cos(half)) < 1e-4)
        {
            continue; // opposite: rounding decides which arc is shorter
        }
        for (int i = 0; i <= 20; ++i)
        {
            float t = (float)i / 20.0f;
            tdQuat q = tdSlerpSeries(a, b, t);
            double angle =
                dAngle(dFromQuat(q), dSlerp(dFromQuat(a), dNormalizeQuat(dFromQuat(b)), (double)t));
            worst = angle > worst ? angle : worst;
            double length = fabs(sqrt(dDotQuat(dFromQuat(q), dFromQuat(q))) - 1.0);
            worstLength = length > worstLength ? length : worstLength;
        }
    }
    ENSURE_NEAR(worst, 0.0, 1e-6);
    ENSURE_NEAR(worstLength, 0.0, 1e-6);
}

TEST(EndsAreTheEnds)
{
    tdQuat a = tdNormalizeQuat((tdQuat){1, 2, 3, 4}), b = tdNormalizeQuat((tdQuat){-2, 1, 0.5f, 1});
    ENSURE_NEAR(tdAngleBetween(tdSlerpSeries(a, b, 0.0f), a), 0.0, 3e-7);
    ENSURE_NEAR(tdAngleBetween(tdSlerpSeries(a, b, 1.0f), b), 0.0, 3e-7);
    ENSURE_NEAR(tdAngleBetween(tdQuatPart(b, 0.3f), tdSlerp(tdQuat_identity, b, 0.3f)), 0.0, 5e-7);
}

static double RandomNumber(uint64_t* state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static tdQuat RandomRotation(uint64_t* state)
{
    tdQuat q;
    q.x = (float)(2.0 * RandomNumber(state) - 1.0);
    q.y = (float)(2.0 * RandomNumber(state) - 1.0);
    q.z = (float)(2.0 * RandomNumber(state) - 1.0);
    q.w = (float)(2.0 * RandomNumber(state) - 1.0);
    return tdNormalizeQuat(q);
}

TEST(ManyAtOnceAreTheSameBits)
{
    uint64_t seed = 21;
    tdSlerpManyFcn* kernels[2] = {tdGetSlerpQuad(),
                                  tdCpu_GetSimd() == TD_SIMD_AVX2 ? tdGetSlerpAvx2() : NULL};
    for (int round = 0; round < 2000; ++round)
    {
        tdQuat pairs[8][2], out[8];
        const float* pointers[8];
        float t = round % 10 == 0 ? 0.5f : (float)RandomNumber(&seed);
        for (int i = 0; i < 8; ++i)
        {
            pairs[i][0] = RandomRotation(&seed);
            pairs[i][1] = i % 3 == 0 ? pairs[i][0] : RandomRotation(&seed);
            pointers[i] = &pairs[i][0].x;
        }
        for (int k = 0; k < 2; ++k)
        {
            for (int i = 0; kernels[k] != NULL && i < 8; i += k == 0 ? 4 : 8)
            {
                kernels[k](pointers + i, t, out + i);
            }
            for (int i = 0; kernels[k] != NULL && i < 8; ++i)
            {
                tdQuat one = tdSlerpSeries(pairs[i][0], pairs[i][1], t);
                ENSURE(memcmp(&one, &out[i], sizeof(one)) == 0);
            }
        }
    }
}

TEST_MAIN(RUN(ManyAtOnceAreTheSameBits) RUN(AgreesWithSlerpAtEveryAngle) RUN(EndsAreTheEnds))
