// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The matrix of a joint tree, compiled for pairs of doubles: SSE2 where the target has it, else plain C.
#include "base/simd_pair.h"
#include "physics/joint/joint_matrix.h"

#include <math.h>

typedef struct Six
{
    tdDouble2 a, b, c;
} Six;

static inline Six LoadSix(const double* p)
{
    return (Six){tdLoad2(p), tdLoad2(p + 2), tdLoad2(p + 4)};
}

static inline void StoreSix(double* p, Six x)
{
    tdStore2(p, x.a);
    tdStore2(p + 2, x.b);
    tdStore2(p + 4, x.c);
}

static inline Six ScaleSix(Six x, double s)
{
    tdDouble2 f = tdSplat2(s);
    return (Six){tdMul2(x.a, f), tdMul2(x.b, f), tdMul2(x.c, f)};
}

static inline Six MulAddSix(Six sum, Six x, double s)
{
    tdDouble2 f = tdSplat2(s);
    return (Six){tdAdd2(sum.a, tdMul2(x.a, f)), tdAdd2(sum.b, tdMul2(x.b, f)), tdAdd2(sum.c, tdMul2(x.c, f))};
}

static inline Six MulSubSix(Six sum, Six x, double s)
{
    tdDouble2 f = tdSplat2(s);
    return (Six){tdSub2(sum.a, tdMul2(x.a, f)), tdSub2(sum.b, tdMul2(x.b, f)), tdSub2(sum.c, tdMul2(x.c, f))};
}

static inline double DotSix(Six x, Six y)
{
    return tdSum2(tdAdd2(tdAdd2(tdMul2(x.a, y.a), tdMul2(x.b, y.b)), tdMul2(x.c, y.c)));
}

#define GET_MATRIX_KERNELS tdGetJointMatrixSse2
#include "physics/joint/joint_matrix.inl"
