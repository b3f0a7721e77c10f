// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A line on stderr while one call that tells no progress takes longer than a second: what, and for how long.
#pragma once

#include <pthread.h>
#include <stdbool.h>

typedef struct Ticker
{
    bool isOn;
    bool isShown; // written by the thread, read after it ended
    int wake[2];  // a pipe: closing its second end ends the thread
    double started;
    char label[256];
    pthread_t thread;
} Ticker;

/// Nobody else may write to stderr until EndTicker. Off unless stderr is a terminal; without a thread nothing
/// is shown. The ticker must not move.
/// @param what "reading"
/// @param name of a file; control characters are made visible, a long one is cut
void StartTicker(Ticker* ticker, const char* what, const char* name, bool isAllowed);
/// Takes the line away.
void EndTicker(Ticker* ticker);
