// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every operation of the vector layer on given inputs, written to memory. Included once per width.

void PROBE(const float* a, const float* b, const float* c, float* states, const int32_t* index,
           unsigned lanes, float* out, unsigned* bits)
{
    tdFloat8 x = tdLoad8(a), y = tdLoad8(b), z = tdLoad8(c);
    int k = 0;
    tdStore8(out + 8 * k++, tdAdd8(x, y));
    tdStore8(out + 8 * k++, tdSub8(x, y));
    tdStore8(out + 8 * k++, tdMul8(x, y));
    tdStore8(out + 8 * k++, tdDiv8(x, y));
    tdStore8(out + 8 * k++, tdSqrt8(tdAbs8(x)));
    tdStore8(out + 8 * k++, tdNegate8(x));
    tdStore8(out + 8 * k++, tdAbs8(x));
    tdStore8(out + 8 * k++, tdMin8(x, y));
    tdStore8(out + 8 * k++, tdMax8(x, y));
    tdStore8(out + 8 * k++, tdSelect8(tdLess8(x, y), z, y));
    tdStore8(out + 8 * k++, tdSelect8(tdLessEqual8(x, y), z, y));
    tdStore8(out + 8 * k++, tdSelect8(tdAndMask8(tdLess8(x, y), tdLess8(y, z)), x, z));
    tdStore8(out + 8 * k++, tdSelect8(tdOrMask8(tdLess8(x, y), tdLess8(y, z)), x, z));
    tdStore8(out + 8 * k++, tdSplat8(a[3]));
    tdStore8(out + 8 * k++, tdZero8());
    tdFloat8 g[4];
    tdGather4x8(states, index, 4, g);
    for (int i = 0; i < 4; ++i)
    {
        tdStore8(out + 8 * k++, g[i]);
        g[i] = tdAdd8(g[i], x);
    }
    tdScatter4x8(states, index, 8, g, lanes);
    bits[0] = tdMaskBits8(tdLess8(x, y));
    bits[1] = tdMaskBits8(tdLessEqual8(y, z));
}
