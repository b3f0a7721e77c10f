// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The assert hook, the one process-wide setting, and the library's version.
#include "assert.h"

#include <stdlib.h>

#if !defined(TD_NO_STDIO)
#include <stdio.h>
#endif

static bool PrintAndStop(const char* condition, const char* file, int line)
{
#if defined(TD_NO_STDIO)
    (void)condition;
    (void)file;
    (void)line;
#else
    fprintf(stderr, "tendon: assertion failed: %s (%s:%d)\n", condition, file, line);
#endif
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
