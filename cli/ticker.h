// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A line on stderr while a call takes longer than a second: what, a bar, the rate and how long it will take.
// A thread of its own looks at what the call tells about itself, so that calls that tell nothing, or wait for
// a pipe, show at least for how long.
#pragma once

#include "terminal.h"

#include "tendon/base.h"

#include <pthread.h>

/// What a call is at.
typedef struct Work
{
    const char* what;   // "reading"; the next stage has another pointer
    double done, total; // total 0: not known
    double scale;       // from what is counted to what is shown
    const char* unit;   // "MB/s"; NULL: nothing is counted
} Work;

/// Called from the ticker's thread.
typedef Work GetWorkFcn(const void* context);

typedef struct Ticker
{
    bool isOn;
    int wake[2]; // a pipe: closing its second end ends the thread
    GetWorkFcn* getWork;
    const void* context;
    char name[200];
    pthread_t thread;
} Ticker;

/// Nobody else may write to stderr until EndTicker. Off unless stderr is a terminal; without a thread nothing
/// is shown. The ticker must not move.
/// @param name of a file; control characters are made visible, a long one is cut
void StartTicker(Ticker* ticker, const char* name, GetWorkFcn* getWork, const void* context, bool isAllowed);
/// Takes the line away.
void EndTicker(Ticker* ticker);

/// A GetWorkFcn; the context is a tdProgress.
Work GetLibraryWork(const void* progress);
