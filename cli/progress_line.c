// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The thread waits for its end, so that it ends at once when the call does.
#include "progress_line.h"

#define LEAST_PERIOD 5 // ms between updates for $TENDON_PROGRESS_AFTER=0
#define USUAL_PERIOD 100

Work GetLibraryWork(const void* progress)
{
    static const char* const names[] = {
        [TD_PROGRESS_NONE] = "preparing",
        [TD_PROGRESS_READING] = "reading",
        [TD_PROGRESS_PARSING] = "parsing",
        [TD_PROGRESS_COOKING] = "cooking",
        [TD_PROGRESS_BUILDING] = "preparing",
        [TD_PROGRESS_SIMULATING] = "simulating",
        [TD_PROGRESS_REDUCING] = "reducing keys of",
        [TD_PROGRESS_WRITING] = "writing",
    };
    tdProgressInfo info = tdProgress_Get(progress);
    const char* unit = info.stage == TD_PROGRESS_COOKING    ? "k triangles/s"
                       : info.stage == TD_PROGRESS_BUILDING ? "k objects/s"
                       : info.stage == TD_PROGRESS_REDUCING ? "k values/s"
                                                            : "MB/s";
    return (Work){names[info.stage], info.done, info.total, unit[0] == 'k' ? 1e-3 : 1e-6, unit};
}

static void DrawWork(const ProgressLine* line, const Work* work, double elapsed)
{
    double rate = elapsed > 0.0 ? work->done * work->scale / elapsed : 0.0;
    StartLine();
    fprintf(stderr, "%s %s ", work->what, line->name);
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

static void RunProgressLine(Background* background, void* context)
{
    ProgressLine* line = context;
    double delay = GetProgressDelay(), begun = GetMonotonicSeconds(), stageBegun = begun, looked = begun;
    int period = delay > 0.0 ? USUAL_PERIOD : LEAST_PERIOD;
    const char* stage = NULL;
    bool isShown = false, isOver = false;
    while (!isOver)
    {
        isOver = WaitForEnd(background, period);
        double now = GetMonotonicSeconds();
        Work work = line->getWork(line->context);
        // A new stage began after the previous update.
        stageBegun = work.what != stage && stage != NULL ? looked : stageBegun;
        stage = work.what;
        looked = now;
        if (now - begun >= delay)
        {
            DrawWork(line, &work, now - stageBegun);
            isShown = true;
        }
    }
    if (isShown)
    {
        StartLine();
        fflush(stderr);
    }
}

void StartProgressLine(ProgressLine* line, const char* name, GetWorkFcn* getWork, const void* context,
                       bool isAllowed)
{
    *line = (ProgressLine){.getWork = getWork, .context = context};
    if (isAllowed && IsTerminal(stderr))
    {
        CleanText(line->name, sizeof line->name, name, 32);
        line->background = StartBackground(RunProgressLine, line);
    }
}

void EndProgressLine(ProgressLine* line)
{
    EndBackground(line->background);
    line->background = NULL;
}
