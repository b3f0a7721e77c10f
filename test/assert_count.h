// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Counts failed asserts, for tests of calls that checked builds refuse. The failed call continues, so
// a test passes arguments that it survives.
#pragma once

#include "tendon/base.h"

#include <stdio.h>
#include <string.h>

static int assertCount;
static char firstCondition[200];

static bool CountAssert(const char* condition, const char* file, int line)
{
    (void)file;
    (void)line;
    if (assertCount++ == 0)
    {
        snprintf(firstCondition, sizeof(firstCondition), "%s", condition);
    }
    return false;
}

static void StartCountingAsserts(void)
{
    assertCount = 0;
    firstCondition[0] = 0;
    tdSetAssertHandler(CountAssert);
}

/// True if the first failed condition contains the word; in builds without asserts, if none failed.
static bool StopCountingAsserts(const char* word)
{
    tdSetAssertHandler(NULL);
#if TD_ENABLE_ASSERT
    return assertCount > 0 && strstr(firstCondition, word) != NULL;
#else
    (void)word;
    return assertCount == 0;
#endif
}
