// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Block Cholesky factorisation of the matrix of a joint tree. All loops run in a fixed order over elements that
// do not depend on each other, so a compiler can vectorise them without changing a bit of the result.
#include "physics/joint/joint_matrix.h"

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

void tdJointMatrix_AddProduct(double* block, const double* a, const double* b)
{
    for (int c = 0; c < 6; ++c)
    {
        for (int r = 0; r < 6; ++r)
        {
            block[6 * c + r] += a[r] * b[c];
        }
    }
}

static void FactorDiagonal(double* d)
{
    for (int c = 0; c < 6; ++c)
    {
        double pivot = d[7 * c];
        double inverse = 1.0 / sqrt(pivot > 1.0 ? pivot : 1.0);
        d[7 * c] = inverse;
        for (int r = c + 1; r < 6; ++r)
        {
            d[6 * c + r] *= inverse;
        }
        for (int k = c + 1; k < 6; ++k)
        {
            double factor = d[6 * c + k];
            for (int r = k; r < 6; ++r)
            {
                d[6 * k + r] -= d[6 * c + r] * factor;
            }
        }
    }
}

/// block = block L^-T with L the factor of the diagonal block of its column.
static void DivideByDiagonal(double* restrict block, const double* restrict d)
{
    for (int c = 0; c < 6; ++c)
    {
        double* column = block + 6 * c;
        for (int k = 0; k < c; ++k)
        {
            double factor = d[6 * k + c];
            for (int r = 0; r < 6; ++r)
            {
                column[r] -= block[6 * k + r] * factor;
            }
        }
        for (int r = 0; r < 6; ++r)
        {
            column[r] *= d[7 * c];
        }
    }
}

/// target -= a b^T
static void SubtractProduct(double* restrict target, const double* restrict a, const double* restrict b)
{
    for (int c = 0; c < 6; ++c)
    {
        double sum[6];
        memcpy(sum, target + 6 * c, sizeof(sum));
        for (int k = 0; k < 6; ++k)
        {
            double factor = b[6 * k + c];
            for (int r = 0; r < 6; ++r)
            {
                sum[r] -= a[6 * k + r] * factor;
            }
        }
        memcpy(target + 6 * c, sum, sizeof(sum));
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
            SubtractProduct(matrix->diagonal + (size_t)matrix->lines[a] * TD_BLOCK_SIZE, block, block);
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
            for (int c = 0; c < 6; ++c)
            {
                for (int r = 0; r < 6; ++r)
                {
                    other[r] -= block[6 * c + r] * own[c];
                }
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
                const double* b = block + 6 * c;
                own[c] -= ((b[0] * other[0] + b[1] * other[1]) + (b[2] * other[2] + b[3] * other[3])) +
                          (b[4] * other[4] + b[5] * other[5]);
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
