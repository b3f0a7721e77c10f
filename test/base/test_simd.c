// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the vector layer: on every width each operation gives the bits of plain C, special values
// included.
#include "harness.h"
#include "simd_probe.h"

#include "base/cpu.h"

static uint32_t randomState;

static float RandomFloat(void)
{
    static const float special[] = {0.0f,      -0.0f,    1.0f,     -1.0f,   INFINITY,
                                    -INFINITY, 1.0e-42f, -3.0e38f, 1.5e-38f};
    randomState = randomState * 1664525u + 1013904223u;
    uint32_t bits = randomState >> 8;
    if (bits % 7u == 0)
    {
        return special[bits / 7u % (sizeof(special) / sizeof(special[0]))];
    }
    return ((float)bits / 16777216.0f - 0.5f) * (bits % 5u == 0 ? 1.0e20f : 4.0f);
}

// Equal bits, or both NaN: IEEE 754 leaves only the sign and payload of a NaN unspecified.
static bool SameBits(const float* a, const float* b, int count)
{
    for (int i = 0; i < count; ++i)
    {
        uint32_t x, y;
        memcpy(&x, &a[i], 4);
        memcpy(&y, &b[i], 4);
        if (x != y && !(isnan(a[i]) && isnan(b[i])))
        {
            printf("float %d: %08x and %08x\n", i, x, y);
            return false;
        }
    }
    return true;
}

static void CompareWith(ProbeFcn* probe)
{
    randomState = 7;
    for (int round = 0; round < 500; ++round)
    {
        float in[3][8], states[2][16 * 12], out[2][8 * PROBE_VECTORS];
        unsigned bits[2][2];
        int32_t index[8];
        for (int i = 0; i < 8; ++i)
        {
            in[0][i] = RandomFloat();
            in[1][i] = i % 3 == 0 ? in[0][i] : RandomFloat();
            in[2][i] = RandomFloat();
            index[i] = (i * 5 + round) % 12;
        }
        for (int i = 0; i < 16 * 12; ++i)
        {
            states[0][i] = states[1][i] = RandomFloat();
        }
        unsigned lanes = (unsigned)round % 256u;
        ProbeScalar(in[0], in[1], in[2], states[0], index, lanes, out[0], bits[0]);
        probe(in[0], in[1], in[2], states[1], index, lanes, out[1], bits[1]);
        ENSURE(SameBits(out[0], out[1], 8 * PROBE_VECTORS));
        ENSURE(SameBits(states[0], states[1], 16 * 12));
        ENSURE(bits[0][0] == bits[1][0] && bits[0][1] == bits[1][1]);
    }
}

TEST(ScalarIsPlainC)
{
    randomState = 99;
    for (int round = 0; round < 200; ++round)
    {
        float a[8], b[8], c[8], states[16 * 8] = {0}, out[8 * PROBE_VECTORS];
        unsigned bits[2];
        int32_t index[8] = {7, 6, 5, 4, 3, 2, 1, 0};
        for (int i = 0; i < 8; ++i)
        {
            a[i] = RandomFloat();
            b[i] = RandomFloat();
            c[i] = RandomFloat();
        }
        for (int i = 0; i < 16 * 8; ++i)
        {
            states[i] = (float)i;
        }
        ProbeScalar(a, b, c, states, index, 0x0fu, out, bits);
        for (int i = 0; i < 8; ++i)
        {
            float expected[13] = {a[i] + b[i],
                                  a[i] - b[i],
                                  a[i] * b[i],
                                  a[i] / b[i],
                                  sqrtf(fabsf(a[i])),
                                  -a[i],
                                  fabsf(a[i]),
                                  a[i] < b[i] ? a[i] : b[i],
                                  a[i] > b[i] ? a[i] : b[i],
                                  a[i] < b[i] ? c[i] : b[i],
                                  a[i] <= b[i] ? c[i] : b[i],
                                  a[i] < b[i] && b[i] < c[i] ? a[i] : c[i],
                                  a[i] < b[i] || b[i] < c[i] ? a[i] : c[i]};
            for (int k = 0; k < 13; ++k)
            {
                ENSURE(SameBits(&out[8 * k + i], &expected[k], 1));
            }
            ENSURE((bits[0] >> i & 1u) == (a[i] < b[i] ? 1u : 0u));
            ENSURE((bits[1] >> i & 1u) == (b[i] <= c[i] ? 1u : 0u));
            for (int k = 0; k < 4; ++k)
            {
                float gathered = (float)(16 * index[i] + 4 + k);
                ENSURE(out[8 * (15 + k) + i] == gathered);
                float kept = (float)(16 * index[i] + 8 + k), added = gathered + a[i];
                ENSURE(SameBits(&states[16 * index[i] + 8 + k], i < 4 ? &added : &kept, 1));
                float row = (float)(16 * index[i] + k), taken = row - b[i];
                ENSURE(out[8 * (19 + k) + i] == row);
                ENSURE(SameBits(&states[16 * index[i] + 12 + k], &taken, 1));
            }
        }
    }
}

// The widths of WebAssembly: four lanes with SIMD, one lane without.
TEST(NarrowPassesEqualScalar)
{
    CompareWith(ProbeQuad);
    CompareWith(ProbeSingle);
}

TEST(Sse2EqualsScalar)
{
    CompareWith(ProbeSse2);
}

TEST(Avx2EqualsScalar)
{
    if (tdCpu_GetSimd() >= TD_SIMD_AVX2)
    {
        CompareWith(ProbeAvx2);
    }
    ENSURE(tdCpu_ResolveSimd(TD_SIMD_SCALAR) == TD_SIMD_SCALAR);
}

TEST(UnsupportedWidthsFallBack)
{
    tdSimd best = tdCpu_GetSimd();
    ENSURE(best != TD_SIMD_AUTO);
    ENSURE(tdCpu_ResolveSimd(TD_SIMD_AUTO) == best);
    ENSURE(tdCpu_ResolveSimd(TD_SIMD_AVX2) <= best);
    ENSURE_EQUAL_TEXT(tdSimd_GetName(TD_SIMD_SSE2), "sse2");
}

TEST_MAIN(RUN(ScalarIsPlainC) RUN(NarrowPassesEqualScalar) RUN(Sse2EqualsScalar) RUN(Avx2EqualsScalar)
              RUN(UnsupportedWidthsFallBack))
