// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The assert handler, which is the only process-wide setting, and the version of the library.
#include "assert.h"

#include <stdlib.h>

#if !defined(TD_NO_STDIO)
#include <stdio.h>
#endif

/// The default handler.
static bool PrintAssert(const char* condition, const char* file, int line)
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

static tdAssertFcn* assertHandler = PrintAssert;

void tdSetAssertHandler(tdAssertFcn* handler)
{
    assertHandler = handler != NULL ? handler : PrintAssert;
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
