// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The matrix of a joint tree, compiled for AVX2: four and two doubles.
#include "physics/joint/joint_matrix.h"

#include <stddef.h>

#if defined(__AVX2__)

#include <immintrin.h>
#include <math.h>

typedef struct Six
{
    __m256d head;
    __m128d tail;
} Six;

static inline Six LoadSix(const double* p)
{
    return (Six){_mm256_loadu_pd(p), _mm_loadu_pd(p + 4)};
}

static inline void StoreSix(double* p, Six a)
{
    _mm256_storeu_pd(p, a.head);
    _mm_storeu_pd(p + 4, a.tail);
}

static inline Six ScaleSix(Six a, double s)
{
    return (Six){_mm256_mul_pd(a.head, _mm256_set1_pd(s)), _mm_mul_pd(a.tail, _mm_set1_pd(s))};
}

static inline Six MulAddSix(Six sum, Six a, double s)
{
    return (Six){_mm256_add_pd(sum.head, _mm256_mul_pd(a.head, _mm256_set1_pd(s))),
                 _mm_add_pd(sum.tail, _mm_mul_pd(a.tail, _mm_set1_pd(s)))};
}

static inline Six MulSubSix(Six sum, Six a, double s)
{
    return (Six){_mm256_sub_pd(sum.head, _mm256_mul_pd(a.head, _mm256_set1_pd(s))),
                 _mm_sub_pd(sum.tail, _mm_mul_pd(a.tail, _mm_set1_pd(s)))};
}

static inline double DotSix(Six a, Six b)
{
    __m256d p = _mm256_mul_pd(a.head, b.head);
    __m128d sum = _mm_add_pd(_mm_add_pd(_mm256_castpd256_pd128(p), _mm256_extractf128_pd(p, 1)),
                             _mm_mul_pd(a.tail, b.tail));
    return _mm_cvtsd_f64(sum) + _mm_cvtsd_f64(_mm_unpackhi_pd(sum, sum));
}

#define GET_MATRIX_KERNELS tdGetJointMatrixAvx2
#include "physics/joint/joint_matrix.inl"

#else

const tdJointMatrixKernels* tdGetJointMatrixAvx2(void)
{
    return NULL;
}

#endif
