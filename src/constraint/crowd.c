// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Which kernel runs a crowd. All give the same bits, so this decides nothing but speed.
#include "crowd.h"

#include "base/assert.h"

int tdCrowd_GetWidth(const tdConstraintList* list, const tdNodeTree* nodes, tdSimd simd)
{
    // A sheared node at rest has the file's matrix instead of a transform.
    if (list == NULL || list->count == 0 || list->isWide || nodes->isSheared != NULL ||
        simd == TD_SIMD_SCALAR)
    {
        return 1;
    }
    if (simd == TD_SIMD_AVX2 && tdGetCrowdAvx2() != NULL)
    {
        return 8;
    }
    return tdGetCrowdQuad() != NULL ? 4 : 1;
}

size_t tdCrowd_GetScratchSize(const tdConstraintList* list, int width)
{
    return (size_t)list->refreshCount * 12 * (size_t)width * sizeof(float);
}

void tdCrowd_Run(const tdCrowd* crowd, int width)
{
    TD_ASSERT(width == 4 || width == 8);
    tdCrowdFcn* run = width == 8 ? tdGetCrowdAvx2() : tdGetCrowdQuad();
    run(crowd);
}
