// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The progress line of a library call that takes longer than a second: activity, bar, rate, remaining time. A
// thread polls the progress of the call, so that calls without progress, such as reading a pipe, at least
// show their duration.
#pragma once

#include "platform.h"
#include "terminal.h"

#include "tendon/base.h"

/// Progress of a call.
typedef struct Work
{
    const char* what;   // "reading"; a different pointer marks a new stage
    double done, total; // total 0: not known
    double scale;       // from counted to shown units
    const char* unit;   // "MB/s"; NULL: nothing is counted
} Work;

/// Called from the thread of the progress line.
typedef Work GetWorkFcn(const void* context);

typedef struct ProgressLine
{
    GetWorkFcn* getWork;
    const void* context;
    char name[200];
    Background* background; // NULL: not shown
} ProgressLine;

/// Starts the line; nothing else may write to stderr until EndProgressLine. Shows nothing unless stderr is a
/// terminal. The struct must stay at its address.
/// @param name of a file; control characters are replaced, long names are cut
void StartProgressLine(ProgressLine* line, const char* name, GetWorkFcn* getWork, const void* context,
                       bool isAllowed);
/// Stops the thread and erases the line.
void EndProgressLine(ProgressLine* line);

/// A GetWorkFcn; the context is a tdProgress.
Work GetLibraryWork(const void* progress);
