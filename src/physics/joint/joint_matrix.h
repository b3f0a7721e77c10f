// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The matrix of a joint tree: sparse, symmetric, positive definite, in blocks of 6 x 6, one line and column per
// body in the order of elimination (docs/decisions/072-joint-trees.md).
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
    double* diagonal;    // blocks; factored: lower triangle, 1 / L on the diagonal
    double* below;       // blocks below the diagonal
} tdJointMatrix;

tdJointMatrix tdJointForest_GetMatrix(const tdJointForest* forest, const tdJointTree* tree);
/// Sets the matrix to the identity.
void tdJointMatrix_Clear(const tdJointMatrix* matrix);
/// Adds the sum of a b^T over `count` vectors of six to a block.
void tdJointMatrix_AddProducts(double* block, const double* const* a, const double* const* b, int count);
/// The same with b = a, for a block on the diagonal.
void tdJointMatrix_AddSquares(double* block, const double* const* a, int count);
/// Factors the matrix as L L^T, in place. Every pivot of an identity plus a positive semidefinite matrix is at
/// least 1; smaller ones are rounding errors and raised.
void tdJointMatrix_Factor(const tdJointMatrix* matrix);
/// Solves with the factored matrix in place.
/// @param x six per body
void tdJointMatrix_Solve(const tdJointMatrix* matrix, double* x);
