// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The assert hook, the one process-wide setting, and the library's version.
#include "assert.h"

#include <stdio.h>
#include <stdlib.h>

static bool PrintAndStop(const char* condition, const char* file, int line)
{
    fprintf(stderr, "tendon: assertion failed: %s (%s:%d)\n", condition, file, line);
    return true;
}

static tdAssertFcn* assertHandler = PrintAndStop;

void tdSetAssertHandler(tdAssertFcn* handler)
{
    assertHandler = handler != NULL ? handler : PrintAndStop;
}

void tdAssertFailed(const char* condition, const char* file, int line)
{
    if (assertHandler(condition, file, line))
    {
        abort();
    }
}

tdVersion tdGetVersion(void)
{
    return (tdVersion){TD_VERSION_MAJOR, TD_VERSION_MINOR, TD_VERSION_PATCH};
}
