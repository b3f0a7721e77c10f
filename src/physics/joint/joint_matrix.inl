// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Block Cholesky factorisation of the matrix of a joint tree by columns of six doubles. Included once per vector
// width after a definition of Six and its functions; GET_MATRIX_KERNELS is the name of the function that returns the
// kernels. Every element is computed by the same operations in the same order for all widths.
//
// Of the blocks on the diagonal only the lower triangle is used. Factored, they are the inverse of L by rows.

static void AddProducts(double* block, const double* const* a, const double* const* b, int count)
{
    for (int c = 0; c < 6; ++c)
    {
        Six sum = LoadSix(block + 6 * c);
        for (int r = 0; r < count; ++r)
        {
            sum = MulAddSix(sum, LoadSix(a[r]), b[r][c]);
        }
        StoreSix(block + 6 * c, sum);
    }
}

static double GetInverseRoot(double pivot)
{
    return 1.0 / sqrt(pivot > 1.0 ? pivot : 1.0);
}

/// Replaces a diagonal block D = L L^T by L^-1, row by row. With the inverse, the elements of a solution do not wait
/// for each other. The loops are unrolled to keep columns in registers.
static void InvertDiagonal(double* d)
{
    static const double units[6][6] = {{1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0, 0.0, 0.0},
                                       {0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0, 0.0, 0.0},
                                       {0.0, 0.0, 0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}};
    Six c0 = LoadSix(d), c1 = LoadSix(d + 6), c2 = LoadSix(d + 12);
    Six c3 = LoadSix(d + 18), c4 = LoadSix(d + 24), c5 = LoadSix(d + 30);
    double r0 = GetInverseRoot(d[0]);
    c0 = ScaleSix(c0, r0);
    StoreSix(d, c0);
    c1 = MulSubSix(c1, c0, d[1]);
    c2 = MulSubSix(c2, c0, d[2]);
    c3 = MulSubSix(c3, c0, d[3]);
    c4 = MulSubSix(c4, c0, d[4]);
    c5 = MulSubSix(c5, c0, d[5]);
    StoreSix(d + 6, c1);
    double r1 = GetInverseRoot(d[7]);
    c1 = ScaleSix(c1, r1);
    StoreSix(d + 6, c1);
    c2 = MulSubSix(c2, c1, d[8]);
    c3 = MulSubSix(c3, c1, d[9]);
    c4 = MulSubSix(c4, c1, d[10]);
    c5 = MulSubSix(c5, c1, d[11]);
    StoreSix(d + 12, c2);
    double r2 = GetInverseRoot(d[14]);
    c2 = ScaleSix(c2, r2);
    StoreSix(d + 12, c2);
    c3 = MulSubSix(c3, c2, d[15]);
    c4 = MulSubSix(c4, c2, d[16]);
    c5 = MulSubSix(c5, c2, d[17]);
    StoreSix(d + 18, c3);
    double r3 = GetInverseRoot(d[21]);
    c3 = ScaleSix(c3, r3);
    StoreSix(d + 18, c3);
    c4 = MulSubSix(c4, c3, d[22]);
    c5 = MulSubSix(c5, c3, d[23]);
    StoreSix(d + 24, c4);
    double r4 = GetInverseRoot(d[28]);
    c4 = ScaleSix(c4, r4);
    StoreSix(d + 24, c4);
    c5 = MulSubSix(c5, c4, d[29]);
    StoreSix(d + 30, c5);
    double r5 = GetInverseRoot(d[35]);
    // Row r of the inverse: (e_r - sum of L_rk row k) / L_rr.
    Six i0 = LoadSix(units[0]);
    i0 = ScaleSix(i0, r0);
    Six i1 = LoadSix(units[1]);
    i1 = MulSubSix(i1, i0, d[1]);
    i1 = ScaleSix(i1, r1);
    Six i2 = LoadSix(units[2]);
    i2 = MulSubSix(i2, i0, d[2]);
    i2 = MulSubSix(i2, i1, d[8]);
    i2 = ScaleSix(i2, r2);
    Six i3 = LoadSix(units[3]);
    i3 = MulSubSix(i3, i0, d[3]);
    i3 = MulSubSix(i3, i1, d[9]);
    i3 = MulSubSix(i3, i2, d[15]);
    i3 = ScaleSix(i3, r3);
    Six i4 = LoadSix(units[4]);
    i4 = MulSubSix(i4, i0, d[4]);
    i4 = MulSubSix(i4, i1, d[10]);
    i4 = MulSubSix(i4, i2, d[16]);
    i4 = MulSubSix(i4, i3, d[22]);
    i4 = ScaleSix(i4, r4);
    Six i5 = LoadSix(units[5]);
    i5 = MulSubSix(i5, i0, d[5]);
    i5 = MulSubSix(i5, i1, d[11]);
    i5 = MulSubSix(i5, i2, d[17]);
    i5 = MulSubSix(i5, i3, d[23]);
    i5 = MulSubSix(i5, i4, d[29]);
    i5 = ScaleSix(i5, r5);
    StoreSix(d, i0);
    StoreSix(d + 6, i1);
    StoreSix(d + 12, i2);
    StoreSix(d + 18, i3);
    StoreSix(d + 24, i4);
    StoreSix(d + 30, i5);
}

/// block = block L^-T; column c of it is the sum of column k times L^-1_ck.
static void MulByInverse(double* block, const double* inverse)
{
    Six a0 = LoadSix(block), a1 = LoadSix(block + 6), a2 = LoadSix(block + 12);
    Six a3 = LoadSix(block + 18), a4 = LoadSix(block + 24), a5 = LoadSix(block + 30);
    const double* i = inverse;
    StoreSix(block, ScaleSix(a0, i[0]));
    StoreSix(block + 6, MulAddSix(ScaleSix(a0, i[6]), a1, i[7]));
    StoreSix(block + 12, MulAddSix(MulAddSix(ScaleSix(a0, i[12]), a1, i[13]), a2, i[14]));
    Six x = MulAddSix(MulAddSix(ScaleSix(a0, i[18]), a1, i[19]), a2, i[20]);
    StoreSix(block + 18, MulAddSix(x, a3, i[21]));
    x = MulAddSix(MulAddSix(ScaleSix(a0, i[24]), a1, i[25]), a2, i[26]);
    StoreSix(block + 24, MulAddSix(MulAddSix(x, a3, i[27]), a4, i[28]));
    x = MulAddSix(MulAddSix(ScaleSix(a0, i[30]), a1, i[31]), a2, i[32]);
    StoreSix(block + 30, MulAddSix(MulAddSix(MulAddSix(x, a3, i[33]), a4, i[34]), a5, i[35]));
}

/// target -= a b^T
static void SubtractProduct(double* target, const double* a, const double* b)
{
    Six a0 = LoadSix(a), a1 = LoadSix(a + 6), a2 = LoadSix(a + 12);
    Six a3 = LoadSix(a + 18), a4 = LoadSix(a + 24), a5 = LoadSix(a + 30);
    for (int c = 0; c < 6; ++c)
    {
        Six sum = MulSubSix(LoadSix(target + 6 * c), a0, b[c]);
        sum = MulSubSix(sum, a1, b[6 + c]);
        sum = MulSubSix(sum, a2, b[12 + c]);
        sum = MulSubSix(sum, a3, b[18 + c]);
        sum = MulSubSix(sum, a4, b[24 + c]);
        StoreSix(target + 6 * c, MulSubSix(sum, a5, b[30 + c]));
    }
}

static void FactorJointMatrix(const tdJointMatrix* matrix)
{
    const int* product = matrix->products;
    for (int j = 0; j < matrix->size; ++j)
    {
        double* diagonal = matrix->diagonal + j * TD_BLOCK_SIZE;
        int start = matrix->starts[j], end = matrix->starts[j + 1];
        InvertDiagonal(diagonal);
        for (int a = start; a < end; ++a)
        {
            double* block = matrix->below + (size_t)a * TD_BLOCK_SIZE;
            MulByInverse(block, diagonal);
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

static void SolveJointMatrix(const tdJointMatrix* matrix, double* x)
{
    for (int j = 0; j < matrix->size; ++j)
    {
        const double* inverse = matrix->diagonal + j * TD_BLOCK_SIZE;
        Six old = LoadSix(x + 6 * j);
        double own[6];
        for (int c = 0; c < 6; ++c)
        {
            own[c] = DotSix(LoadSix(inverse + 6 * c), old);
        }
        StoreSix(x + 6 * j, LoadSix(own));
        for (int a = matrix->starts[j]; a < matrix->starts[j + 1]; ++a)
        {
            const double* block = matrix->below + (size_t)a * TD_BLOCK_SIZE;
            double* other = x + 6 * matrix->lines[a];
            Six sum = MulSubSix(LoadSix(other), LoadSix(block), own[0]);
            Six more = ScaleSix(LoadSix(block + 6), own[1]);
            sum = MulSubSix(sum, LoadSix(block + 12), own[2]);
            more = MulAddSix(more, LoadSix(block + 18), own[3]);
            sum = MulSubSix(sum, LoadSix(block + 24), own[4]);
            more = MulAddSix(more, LoadSix(block + 30), own[5]);
            StoreSix(other, MulSubSix(sum, more, 1.0));
        }
    }
    for (int j = matrix->size - 1; j >= 0; --j)
    {
        const double* inverse = matrix->diagonal + j * TD_BLOCK_SIZE;
        double own[6];
        StoreSix(own, LoadSix(x + 6 * j));
        for (int a = matrix->starts[j]; a < matrix->starts[j + 1]; ++a)
        {
            const double* block = matrix->below + (size_t)a * TD_BLOCK_SIZE;
            Six other = LoadSix(x + 6 * matrix->lines[a]);
            for (int c = 0; c < 6; ++c)
            {
                own[c] -= DotSix(LoadSix(block + 6 * c), other);
            }
        }
        Six sum = ScaleSix(LoadSix(inverse), own[0]);
        Six more = ScaleSix(LoadSix(inverse + 6), own[1]);
        sum = MulAddSix(sum, LoadSix(inverse + 12), own[2]);
        more = MulAddSix(more, LoadSix(inverse + 18), own[3]);
        sum = MulAddSix(sum, LoadSix(inverse + 24), own[4]);
        more = MulAddSix(more, LoadSix(inverse + 30), own[5]);
        StoreSix(x + 6 * j, MulAddSix(sum, more, 1.0));
    }
}

const tdJointMatrixKernels* GET_MATRIX_KERNELS(void)
{
    static const tdJointMatrixKernels kernels = {AddProducts, FactorJointMatrix, SolveJointMatrix};
    return &kernels;
}
