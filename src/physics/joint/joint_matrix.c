// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The matrix of a joint tree: its place in the forest, and the selection of its kernels by vector width.
#include "physics/joint/joint_matrix.h"

#include "physics/data/joint_data.h"

#include <string.h>

const tdJointMatrixKernels* tdGetJointMatrixKernels(tdSimd simd)
{
    const tdJointMatrixKernels* kernels = simd == TD_SIMD_AVX2 ? tdGetJointMatrixAvx2() : NULL;
    return kernels != NULL ? kernels : tdGetJointMatrixSse2();
}

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
