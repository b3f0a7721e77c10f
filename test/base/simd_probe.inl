// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs every operation of the vector layer on given inputs and writes the results to memory. Included once
// per width.

void PROBE(const float* a, const float* b, const float* c, float* states, const int32_t* index,
           unsigned lanes, float* out, unsigned* bits)
{
    bits[0] = bits[1] = 0;
    for (int lane = 0; lane < 8; lane += TD_SIMD_WIDTH)
    {
        tdFloat8 x = tdLoad8(a + lane), y = tdLoad8(b + lane), z = tdLoad8(c + lane);
        float* vectors = out + lane;
        int k = 0;
        tdStore8(vectors + 8 * k++, tdAdd8(x, y));
        tdStore8(vectors + 8 * k++, tdSub8(x, y));
        tdStore8(vectors + 8 * k++, tdMul8(x, y));
        tdStore8(vectors + 8 * k++, tdDiv8(x, y));
        tdStore8(vectors + 8 * k++, tdSqrt8(tdAbs8(x)));
        tdStore8(vectors + 8 * k++, tdNegate8(x));
        tdStore8(vectors + 8 * k++, tdAbs8(x));
        tdStore8(vectors + 8 * k++, tdMin8(x, y));
        tdStore8(vectors + 8 * k++, tdMax8(x, y));
        tdStore8(vectors + 8 * k++, tdSelect8(tdLess8(x, y), z, y));
        tdStore8(vectors + 8 * k++, tdSelect8(tdLessEqual8(x, y), z, y));
        tdStore8(vectors + 8 * k++, tdSelect8(tdAndMask8(tdLess8(x, y), tdLess8(y, z)), x, z));
        tdStore8(vectors + 8 * k++, tdSelect8(tdOrMask8(tdLess8(x, y), tdLess8(y, z)), x, z));
        tdStore8(vectors + 8 * k++, tdSplat8(a[3]));
        tdStore8(vectors + 8 * k++, tdZero8());
        tdFloat8 g[4];
        tdGather4x8(states, index + lane, 4, g);
        for (int i = 0; i < 4; ++i)
        {
            tdStore8(vectors + 8 * k++, g[i]);
            g[i] = tdAdd8(g[i], x);
        }
        tdScatter4x8(states, index + lane, 8, g, lanes >> lane);
        float* rows[TD_SIMD_WIDTH];
        for (int i = 0; i < TD_SIMD_WIDTH; ++i)
        {
            rows[i] = states + 16 * index[lane + i];
        }
        tdGatherRows4x8((const float* const*)rows, 0, g);
        for (int i = 0; i < 4; ++i)
        {
            tdStore8(vectors + 8 * k++, g[i]);
            g[i] = tdSub8(g[i], y);
        }
        tdScatterRows4x8(rows, 12, g);
        bits[0] |= tdMaskBits8(tdLess8(x, y)) << lane;
        bits[1] |= tdMaskBits8(tdLessEqual8(y, z)) << lane;
    }
}
