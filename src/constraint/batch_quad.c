// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Batches of four: SSE2 and simd128.
#if defined(__SSE2__) || defined(__wasm_simd128__)

#define WIDTH 4
#define GET_BATCH tdGetBatchQuad
#include "batch_kernels.inl"

#else

#include "batch.h"

tdBatchFcn* tdGetBatchQuad(void)
{
    return NULL;
}

#endif
