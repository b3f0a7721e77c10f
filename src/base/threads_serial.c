// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Threads on platforms that have none: one worker, the caller. Built instead of threads.c there.
#include "tendon/base.h"

static void* RunAtOnce(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange)
{
    (void)context;
    (void)minRange;
    run(task, 0, itemCount, 0);
    return NULL; // nothing to wait for
}

static void Finish(void* context, void* handle)
{
    (void)context;
    (void)handle;
}

static const tdTasks serial = {.workerCount = 1, .enqueue = RunAtOnce, .finish = Finish};

const tdTasks* tdCreateThreads(int workerCount)
{
    (void)workerCount;
    return &serial;
}

void tdDestroyThreads(const tdTasks* threads)
{
    (void)threads;
}
