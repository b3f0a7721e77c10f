// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The matrix of a joint tree: sparse, symmetric, positive definite, in blocks of 6 x 6, one line and column
// per body in the order of elimination (docs/decisions/028-joint-nets.md).
#pragma once

#include "physics/data/joint_data.h"

/// Doubles of a block.
#define TD_BLOCK_SIZE 36

/// Views of the arrays of a tree in its forest. Blocks are stored by columns: element (r, c) is [6 c + r].
typedef struct tdJointMatrix
{
    int size;            // bodies
    const int* starts;   // per column, size + 1: its first line
    const int* lines;    // body of each block below the diagonal, ascending in each column
    const int* products; // per pair of lines of a column: the block that their product is subtracted from
    double* diagonal;    // blocks; factored: the inverse of L by rows
    double* below;       // blocks below the diagonal
} tdJointMatrix;

tdJointMatrix tdJointForest_GetMatrix(const tdJointForest* forest, const tdJointTree* tree);
/// Sets the matrix to the identity.
void tdJointMatrix_Clear(const tdJointMatrix* matrix);

/// The arithmetic of the matrix, compiled once per vector width with equal bits.
typedef struct tdJointMatrixKernels
{
    /// Adds the sum of a b^T over `count` vectors of six to a block.
    void (*addProducts)(double* block, const double* const* a, const double* const* b, int count);
    /// Factors the matrix as L L^T, in place. Every pivot of an identity plus a positive semidefinite matrix
    /// is at least 1; smaller ones are rounding errors and raised.
    void (*factor)(const tdJointMatrix* matrix);
    /// Solves with the factored matrix in place. x has six elements per body.
    void (*solve)(const tdJointMatrix* matrix, double* x);
} tdJointMatrixKernels;

/// The kernels of a vector width that tdCpu_ResolveSimd returned.
const tdJointMatrixKernels* tdGetJointMatrixKernels(tdSimd simd);
/// Of one width; that of AVX2 is NULL where the target has none.
const tdJointMatrixKernels* tdGetJointMatrixSse2(void);
const tdJointMatrixKernels* tdGetJointMatrixAvx2(void);
