// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parallel loops with a serial fallback.
#include "tasks.h"

void tdTasks_For(const tdTasks* tasks, tdTaskFcn* run, void* task, int itemCount, int minRange)
{
    if (itemCount <= 0)
    {
        return;
    }
    if (tasks == NULL || tasks->workerCount <= 1)
    {
        run(task, 0, itemCount, 0);
        return;
    }
    // Short loops go to the scheduler too, because only it knows the worker index of the calling thread.
    void* handle = tasks->enqueue(tasks->context, run, task, itemCount, minRange);
    if (handle != NULL)
    {
        tasks->finish(tasks->context, handle);
    }
}

int tdTasks_GetWorkerCount(const tdTasks* tasks)
{
    return tasks != NULL && tasks->workerCount > 1 ? tasks->workerCount : 1;
}
