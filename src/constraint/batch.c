// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Which kernel runs a batch.
#include "batch.h"

#include "base/assert.h"

void tdRunConstraintPlan(const tdConstraintList* list, const float* weights, tdNodePose* pose, int width)
{
    TD_ASSERT(width == 4 || width == 8);
    tdBatchFcn* runFour = tdGetBatchQuad();
    tdBatchFcn* runEight = width == 8 ? tdGetBatchAvx2() : NULL;
    const tdConstraintPlan* plan = list->plan;
    for (int i = 0; i < plan->count; ++i)
    {
        const tdConstraintBatch* batch = &plan->batches[i];
        if (batch->width == 8 && runEight != NULL)
        {
            runEight(batch, 0, weights, pose);
        }
        else if (batch->width > 1)
        {
            for (int lane = 0; lane < batch->count; lane += 4)
            {
                runFour(batch, lane, weights, pose);
            }
        }
        else if (batch->kind == TD_BATCH_REFRESH)
        {
            tdNodePose_Refresh(pose, batch->numbers, batch->length);
        }
        else
        {
            int place = batch->numbers[TD_ROW_PLACE];
            tdRunConstraint(&list->steps[place], weights[place], pose);
        }
    }
    for (int word = 0; word < pose->wordCount && list->refreshCount > 0; ++word)
    {
        pose->fresh[word] |= list->refreshBits[word];
    }
}
