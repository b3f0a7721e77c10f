// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The thread sleeps on a pipe, so it ends at once when the call does.
#include "ticker.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#define LEAST_PERIOD 5 // ms between two looks, when somebody wants to see everything
#define USUAL_PERIOD 100

Work GetLibraryWork(const void* progress)
{
    static const char* const names[] = {
        [TD_PROGRESS_NONE] = "preparing",     [TD_PROGRESS_READING] = "reading",
        [TD_PROGRESS_PARSING] = "parsing",    [TD_PROGRESS_COOKING] = "cooking",
        [TD_PROGRESS_BUILDING] = "preparing", [TD_PROGRESS_REDUCING] = "reducing keys of",
        [TD_PROGRESS_WRITING] = "writing",
    };
    tdProgressInfo info = tdProgress_Get(progress);
    const char* unit = info.stage == TD_PROGRESS_COOKING    ? "k triangles/s"
                       : info.stage == TD_PROGRESS_BUILDING ? "k objects/s"
                       : info.stage == TD_PROGRESS_REDUCING ? "k values/s"
                                                            : "MB/s";
    return (Work){names[info.stage], info.done, info.total, unit[0] == 'k' ? 1e-3 : 1e-6, unit};
}

static void DrawWork(const Ticker* ticker, const Work* work, double elapsed)
{
    double rate = elapsed > 0.0 ? work->done * work->scale / elapsed : 0.0;
    StartLine();
    fprintf(stderr, "%s %s ", work->what, ticker->name);
    if (work->total > 0.0)
    {
        DrawBar(work->done / work->total, rate, work->unit, elapsed);
    }
    else
    {
        fprintf(stderr, "… %.0f s", elapsed);
        if (work->done > 0.0)
        {
            fprintf(stderr, "  %.1f MB  %.1f %s", work->done * work->scale, rate, work->unit);
        }
    }
    fflush(stderr);
}

static void* RunTicker(void* context)
{
    Ticker* ticker = context;
    struct pollfd end = {.fd = ticker->wake[0], .events = POLLIN};
    double delay = GetProgressDelay(), begun = GetSeconds(), stageBegun = begun, looked = begun;
    int period = delay > 0.0 ? USUAL_PERIOD : LEAST_PERIOD;
    const char* stage = NULL;
    bool isShown = false, isOver = false;
    while (!isOver)
    {
        isOver = poll(&end, 1, period) != 0;
        double now = GetSeconds();
        Work work = ticker->getWork(ticker->context);
        // A stage that is seen for the first time began since the last look.
        stageBegun = work.what != stage && stage != NULL ? looked : stageBegun;
        stage = work.what;
        looked = now;
        if (now - begun >= delay)
        {
            DrawWork(ticker, &work, now - stageBegun);
            isShown = true;
        }
    }
    if (isShown)
    {
        StartLine();
        fflush(stderr);
    }
    return NULL;
}

void StartTicker(Ticker* ticker, const char* name, GetWorkFcn* getWork, const void* context, bool isAllowed)
{
    *ticker = (Ticker){.getWork = getWork, .context = context};
    if (!isAllowed || isatty(STDERR_FILENO) == 0 || pipe(ticker->wake) != 0)
    {
        return;
    }
    CleanText(ticker->name, sizeof ticker->name, name, 32);
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
    if (ticker->isOn)
    {
        close(ticker->wake[1]);
        pthread_join(ticker->thread, NULL);
        close(ticker->wake[0]);
        ticker->isOn = false;
    }
}
