// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Chooses the kernel of a pose group. All kernels give the same bits.
#include "pose_group.h"

#include "base/assert.h"

int tdPoseGroup_GetWidth(const tdConstraintList* list, const tdNodeTree* nodes, tdSimd simd)
{
    // Kernels read transforms, but a sheared node at rest has a matrix instead.
    if (list == NULL || list->count == 0 || list->isWide || nodes->isSheared != NULL ||
        simd == TD_SIMD_SCALAR)
    {
        return 1;
    }
    if (simd == TD_SIMD_AVX2 && tdGetPoseGroupAvx2() != NULL)
    {
        return 8;
    }
    return tdGetPoseGroupQuad() != NULL ? 4 : 1;
}

size_t tdPoseGroup_GetScratchSize(const tdConstraintList* list, int width)
{
    return (size_t)list->refreshCount * 12 * (size_t)width * sizeof(float);
}

void tdPoseGroup_Run(const tdPoseGroup* group, int width)
{
    TD_ASSERT(width == 4 || width == 8);
    tdPoseGroupFcn* run = width == 8 ? tdGetPoseGroupAvx2() : tdGetPoseGroupQuad();
    run(group);
}
