// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Block Cholesky factorisation of the matrix of a joint tree, in pairs of doubles. Of the blocks on the diagonal
// only the lower triangle is used; pairs that begin above it are computed as well.
#include "physics/joint/joint_matrix.h"

#include "base/simd_pair.h"
#include "physics/data/joint_data.h"

#include <math.h>
#include <string.h>

tdJointMatrix tdJointForest_GetMatrix(const tdJointForest* forest, const tdJointTree* tree)
{
    double* blocks = forest->blocks + (size_t)tree->firstBlock * TD_BLOCK_SIZE;
    return (tdJointMatrix){
        .size = tree->bodyCount,
        .starts = forest->starts + tree->firstStart,
        .lines = forest->lines + tree->firstLine,
        .products = forest->products + tree->firstProduct,
        .diagonal = blocks,
        .below = blocks + (size_t)tree->bodyCount * TD_BLOCK_SIZE,
    };
}

void tdJointMatrix_Clear(const tdJointMatrix* matrix)
{
    size_t blocks = (size_t)matrix->size + (size_t)matrix->starts[matrix->size];
    memset(matrix->diagonal, 0, blocks * TD_BLOCK_SIZE * sizeof(double));
    for (int i = 0; i < matrix->size; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            matrix->diagonal[i * TD_BLOCK_SIZE + 7 * k] = 1.0;
        }
    }
}

void tdJointMatrix_AddProducts(double* block, const double* const* a, const double* const* b, int count)
{
    for (int c = 0; c < 6; ++c)
    {
        double* column = block + 6 * c;
        tdDouble2 s0 = tdLoad2(column), s1 = tdLoad2(column + 2), s2 = tdLoad2(column + 4);
        for (int r = 0; r < count; ++r)
        {
            tdDouble2 factor = tdSplat2(b[r][c]);
            s0 = tdAdd2(s0, tdMul2(tdLoad2(a[r]), factor));
            s1 = tdAdd2(s1, tdMul2(tdLoad2(a[r] + 2), factor));
            s2 = tdAdd2(s2, tdMul2(tdLoad2(a[r] + 4), factor));
        }
        tdStore2(column, s0);
        tdStore2(column + 2, s1);
        tdStore2(column + 4, s2);
    }
}

void tdJointMatrix_AddSquares(double* block, const double* const* a, int count)
{
    for (int c = 0; c < 6; ++c)
    {
        for (int i = c & ~1; i < 6; i += 2)
        {
            tdDouble2 sum = tdLoad2(block + 6 * c + i);
            for (int r = 0; r < count; ++r)
            {
                sum = tdAdd2(sum, tdMul2(tdLoad2(a[r] + i), tdSplat2(a[r][c])));
            }
            tdStore2(block + 6 * c + i, sum);
        }
    }
}

static void FactorDiagonal(double* d)
{
    for (int c = 0; c < 6; ++c)
    {
        double pivot = d[7 * c];
        double inverse = 1.0 / sqrt(pivot > 1.0 ? pivot : 1.0);
        for (int r = c + 1; r < 6; ++r)
        {
            d[6 * c + r] *= inverse;
        }
        d[7 * c] = inverse;
        for (int k = c + 1; k < 6; ++k)
        {
            tdDouble2 factor = tdSplat2(d[6 * c + k]);
            for (int r = k & ~1; r < 6; r += 2)
            {
                double* at = d + 6 * k + r;
                tdStore2(at, tdSub2(tdLoad2(at), tdMul2(tdLoad2(d + 6 * c + r), factor)));
            }
        }
    }
}

/// block = block L^-T with L the factor of the diagonal block of its column.
static void DivideByDiagonal(double* block, const double* d)
{
    for (int i = 0; i < 6; i += 2)
    {
        tdDouble2 x[6];
        for (int c = 0; c < 6; ++c)
        {
            tdDouble2 sum = tdLoad2(block + 6 * c + i);
            for (int k = 0; k < c; ++k)
            {
                sum = tdSub2(sum, tdMul2(x[k], tdSplat2(d[6 * k + c])));
            }
            x[c] = tdMul2(sum, tdSplat2(d[7 * c]));
            tdStore2(block + 6 * c + i, x[c]);
        }
    }
}

/// target -= a b^T
static void SubtractProduct(double* restrict target, const double* restrict a, const double* restrict b)
{
    for (int i = 0; i < 6; i += 2)
    {
        tdDouble2 x0 = tdLoad2(a + i), x1 = tdLoad2(a + 6 + i), x2 = tdLoad2(a + 12 + i);
        tdDouble2 x3 = tdLoad2(a + 18 + i), x4 = tdLoad2(a + 24 + i), x5 = tdLoad2(a + 30 + i);
        for (int c = 0; c < 6; ++c)
        {
            double* at = target + 6 * c + i;
            tdDouble2 p0 = tdAdd2(tdMul2(x0, tdSplat2(b[c])), tdMul2(x1, tdSplat2(b[6 + c])));
            tdDouble2 p1 = tdAdd2(tdMul2(x2, tdSplat2(b[12 + c])), tdMul2(x3, tdSplat2(b[18 + c])));
            tdDouble2 p2 = tdAdd2(tdMul2(x4, tdSplat2(b[24 + c])), tdMul2(x5, tdSplat2(b[30 + c])));
            tdStore2(at, tdSub2(tdLoad2(at), tdAdd2(tdAdd2(p0, p1), p2)));
        }
    }
}

/// target -= a a^T, lower triangle
static void SubtractSquare(double* restrict target, const double* restrict a)
{
    for (int i = 0; i < 6; i += 2)
    {
        tdDouble2 x0 = tdLoad2(a + i), x1 = tdLoad2(a + 6 + i), x2 = tdLoad2(a + 12 + i);
        tdDouble2 x3 = tdLoad2(a + 18 + i), x4 = tdLoad2(a + 24 + i), x5 = tdLoad2(a + 30 + i);
        for (int c = 0; c < i + 2; ++c)
        {
            double* at = target + 6 * c + i;
            tdDouble2 p0 = tdAdd2(tdMul2(x0, tdSplat2(a[c])), tdMul2(x1, tdSplat2(a[6 + c])));
            tdDouble2 p1 = tdAdd2(tdMul2(x2, tdSplat2(a[12 + c])), tdMul2(x3, tdSplat2(a[18 + c])));
            tdDouble2 p2 = tdAdd2(tdMul2(x4, tdSplat2(a[24 + c])), tdMul2(x5, tdSplat2(a[30 + c])));
            tdStore2(at, tdSub2(tdLoad2(at), tdAdd2(tdAdd2(p0, p1), p2)));
        }
    }
}

void tdJointMatrix_Factor(const tdJointMatrix* matrix)
{
    const int* product = matrix->products;
    for (int j = 0; j < matrix->size; ++j)
    {
        double* diagonal = matrix->diagonal + j * TD_BLOCK_SIZE;
        int start = matrix->starts[j], end = matrix->starts[j + 1];
        FactorDiagonal(diagonal);
        for (int a = start; a < end; ++a)
        {
            double* block = matrix->below + (size_t)a * TD_BLOCK_SIZE;
            DivideByDiagonal(block, diagonal);
            for (int b = start; b < a; ++b)
            {
                SubtractProduct(matrix->below + (size_t)*product * TD_BLOCK_SIZE, block,
                                matrix->below + (size_t)b * TD_BLOCK_SIZE);
                product += 1;
            }
            SubtractSquare(matrix->diagonal + (size_t)matrix->lines[a] * TD_BLOCK_SIZE, block);
        }
    }
}

void tdJointMatrix_Solve(const tdJointMatrix* matrix, double* x)
{
    for (int j = 0; j < matrix->size; ++j)
    {
        const double* d = matrix->diagonal + j * TD_BLOCK_SIZE;
        double* own = x + 6 * j;
        for (int c = 0; c < 6; ++c)
        {
            own[c] *= d[7 * c];
            for (int r = c + 1; r < 6; ++r)
            {
                own[r] -= d[6 * c + r] * own[c];
            }
        }
        for (int a = matrix->starts[j]; a < matrix->starts[j + 1]; ++a)
        {
            const double* block = matrix->below + (size_t)a * TD_BLOCK_SIZE;
            double* other = x + 6 * matrix->lines[a];
            for (int i = 0; i < 6; i += 2)
            {
                tdDouble2 sum = tdMul2(tdLoad2(block + i), tdSplat2(own[0]));
                for (int c = 1; c < 6; ++c)
                {
                    sum = tdAdd2(sum, tdMul2(tdLoad2(block + 6 * c + i), tdSplat2(own[c])));
                }
                tdStore2(other + i, tdSub2(tdLoad2(other + i), sum));
            }
        }
    }
    for (int j = matrix->size - 1; j >= 0; --j)
    {
        const double* d = matrix->diagonal + j * TD_BLOCK_SIZE;
        double* own = x + 6 * j;
        for (int a = matrix->starts[j]; a < matrix->starts[j + 1]; ++a)
        {
            const double* block = matrix->below + (size_t)a * TD_BLOCK_SIZE;
            const double* other = x + 6 * matrix->lines[a];
            for (int c = 0; c < 6; ++c)
            {
                own[c] -= tdDot6(block + 6 * c, other);
            }
        }
        for (int c = 5; c >= 0; --c)
        {
            for (int r = c + 1; r < 6; ++r)
            {
                own[c] -= d[6 * c + r] * own[r];
            }
            own[c] *= d[7 * c];
        }
    }
}
