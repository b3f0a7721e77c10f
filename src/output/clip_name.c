// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The first free name.
#include "clip_name.h"

#include <string.h>

bool tdFindFreeName(const tdScene* scene, const char* wanted, tdText* name)
{
    for (int number = 1;; ++number)
    {
        tdText_Clear(name);
        tdText_AppendString(name, wanted);
        if (number > 1)
        {
            tdText_AppendFormat(name, " %d", number);
        }
        bool isTaken = false;
        for (int i = 0; i < scene->animationCount && !name->failed; ++i)
        {
            isTaken = isTaken || strcmp(scene->animations[i].name, name->data) == 0;
        }
        if (!isTaken)
        {
            return !name->failed;
        }
    }
}
