// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Counts the pairs of joint and collider.
#include "spring_list.h"

int tdSpringList_CountPairs(tdSpringList* list)
{
    int64_t total = 0;
    int firstWithout = -1;
    for (int s = 0; s < list->springCount; ++s)
    {
        const tdSpring* spring = &list->springs[s];
        int64_t count = 0;
        for (int g = 0; g < spring->groupCount && count <= TD_MAX_SPRING_PAIRS; ++g)
        {
            count += list->groups[spring->groups[g]].colliderCount;
        }
        bool fits = total + count * spring->jointCount <= TD_MAX_SPRING_PAIRS;
        total += fits ? count * spring->jointCount : 0;
        firstWithout = fits || firstWithout >= 0 ? firstWithout : s;
        for (int i = 0; i < spring->jointCount; ++i)
        {
            list->joints[spring->firstJoint + i].colliderCount = fits ? (int)count : 0;
        }
    }
    return firstWithout;
}
