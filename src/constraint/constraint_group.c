// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Chooses the kernel of each constraint group.
#include "constraint_group.h"

#include "base/assert.h"

void tdRunConstraintPlan(const tdConstraintList* list, const float* weights, tdNodePose* pose, int width)
{
    TD_ASSERT(width == 4 || width == 8);
    tdConstraintGroupFcn* runFour = tdGetConstraintGroupQuad();
    tdConstraintGroupFcn* runEight = width == 8 ? tdGetConstraintGroupAvx2() : NULL;
    const tdConstraintPlan* plan = list->plan;
    for (int i = 0; i < plan->count; ++i)
    {
        const tdConstraintGroup* group = &plan->groups[i];
        if (group->width == 8 && runEight != NULL)
        {
            runEight(group, 0, weights, pose);
        }
        else if (group->width > 1)
        {
            for (int lane = 0; lane < group->count; lane += 4)
            {
                runFour(group, lane, weights, pose);
            }
        }
        else if (group->kind == TD_CONSTRAINT_GROUP_REFRESH)
        {
            tdNodePose_Refresh(pose, group->numbers, group->length);
        }
        else
        {
            int place = group->numbers[TD_ROW_PLACE];
            tdRunConstraint(&list->steps[place], weights[place], pose);
        }
    }
    for (int word = 0; word < pose->wordCount && list->refreshCount > 0; ++word)
    {
        pose->fresh[word] |= list->refreshBits[word];
    }
}
