// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Batches of eight, for AVX2.
#if defined(__AVX2__)

#define WIDTH 8
#define GET_BATCH tdGetBatchAvx2
#include "batch_kernels.inl"

#else

#include "batch.h"

tdBatchFcn* tdGetBatchAvx2(void)
{
    return NULL;
}

#endif
