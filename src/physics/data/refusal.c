// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Refusal of calls whose numbers are not finite.
#include "physics/data/refusal.h"

#include "base/assert.h"
#include "physics/data/world_data.h"

bool tdWorld_RefuseNumbers(tdWorld* world, const char* condition, const char* file, int line)
{
    world->status = TD_STATUS_INVALID_NUMBER;
#if TD_ENABLE_ASSERT
    if (!world->refusesQuietly)
    {
        tdAssertFailed(condition, file, line);
    }
#else
    (void)condition;
    (void)file;
    (void)line;
#endif
    return false;
}
