// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tdTasks for platforms without threads: the calling thread is the only worker. The build takes this file
// instead of threads.c there.
#include "tendon/base.h"

static void* RunSerially(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange)
{
    (void)context;
    (void)minRange;
    run(task, 0, itemCount, 0);
    return NULL; // no handle: the loop is done
}

static void FinishSerially(void* context, void* handle)
{
    (void)context;
    (void)handle;
}

static const tdTasks serialTasks = {.workerCount = 1, .enqueue = RunSerially, .finish = FinishSerially};

const tdTasks* tdCreateThreads(int workerCount)
{
    (void)workerCount;
    return &serialTasks;
}

void tdDestroyThreads(const tdTasks* threads)
{
    (void)threads;
}
