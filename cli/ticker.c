// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The thread sleeps on a pipe, so it ends at once when the call does.
#include "ticker.h"

#include "terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum
{
    FIRST_WAIT = 1000, // ms
    NEXT_WAIT = 500,
};

static void* RunTicker(void* context)
{
    Ticker* ticker = context;
    struct pollfd end = {.fd = ticker->wake[0], .events = POLLIN};
    for (int wait = FIRST_WAIT; poll(&end, 1, wait) == 0; wait = NEXT_WAIT)
    {
        fprintf(stderr, "\r\033[K%s … %.0f s", ticker->label, GetSeconds() - ticker->started);
        fflush(stderr);
        ticker->isShown = true;
    }
    return NULL;
}

void StartTicker(Ticker* ticker, const char* what, const char* name, bool isAllowed)
{
    *ticker = (Ticker){.started = GetSeconds()};
    if (!isAllowed || isatty(STDERR_FILENO) == 0 || pipe(ticker->wake) != 0)
    {
        return;
    }
    char clean[200];
    CleanText(clean, sizeof clean, name, 48);
    snprintf(ticker->label, sizeof ticker->label, "%s %s", what, clean);
    // Signals are for the thread that works.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ticker->isOn = pthread_create(&ticker->thread, NULL, RunTicker, ticker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!ticker->isOn)
    {
        close(ticker->wake[0]);
        close(ticker->wake[1]);
    }
}

void EndTicker(Ticker* ticker)
{
    if (!ticker->isOn)
    {
        return;
    }
    close(ticker->wake[1]);
    pthread_join(ticker->thread, NULL);
    close(ticker->wake[0]);
    if (ticker->isShown)
    {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
    ticker->isOn = false;
}
