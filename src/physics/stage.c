// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: how the workers share a step. See stage.h.
#include "stage.h"

#include "solver_data.h"

#include "base/cpu.h"

/// Claims of two workers never share a cache line: that many lie in one.
#define CLAIMS_PER_LINE 16

static int RoundUpToLine(int count)
{
    return (count + CLAIMS_PER_LINE - 1) / CLAIMS_PER_LINE * CLAIMS_PER_LINE;
}

bool tdStages_Reserve(tdStageList* list, tdWorld* world, int stageCount)
{
    list->workerCount = world->workerCount;
    if (!tdSolver_Grow(world, (void**)&list->stages, &list->capacity, 0, stageCount, sizeof(tdStage)))
    {
        return false;
    }
    int claims = world->workerCount > 1 ? world->workerCount * RoundUpToLine(list->capacity) : 0;
    return tdSolver_Grow(world, (void**)&list->claims, &list->claimCapacity, 0, claims, sizeof(atomic_int));
}

void tdStages_Free(tdStageList* list, const tdAllocator* allocator)
{
    tdRelease(allocator, list->stages, (size_t)list->capacity * sizeof(tdStage));
    tdRelease(allocator, list->claims, (size_t)list->claimCapacity * sizeof(atomic_int));
    *list = (tdStageList){0};
}

void tdStages_Begin(tdStageList* list, const tdSolverStep* step)
{
    list->count = 0;
    list->step = step;
}

void tdStages_Add(tdStageList* list, tdKernelFcn* run, int start, int end, int blockSize)
{
    if (start >= end)
    {
        return;
    }
    TD_ASSERT(list->count < list->capacity && blockSize > 0);
    tdStage* stage = list->stages + list->count;
    stage->run = run;
    stage->start = start;
    stage->end = end;
    stage->blockSize = blockSize;
    stage->blockCount = (end - start + blockSize - 1) / blockSize;
    stage->waitFrom = list->count;
    atomic_init(&stage->finished, 0);
    list->count += 1;
}

void tdStages_RunTogether(tdStageList* list, int first)
{
    for (int i = first; i + 1 < list->count; ++i)
    {
        list->stages[i].waitFrom = -1;
    }
    if (first < list->count)
    {
        list->stages[list->count - 1].waitFrom = first;
    }
}

/// First block of a worker's share.
static int ShareStart(const tdStage* stage, int worker, int workerCount)
{
    return (int)(((int64_t)stage->blockCount * worker + workerCount - 1) / workerCount);
}

static void RunStage(tdStageList* list, int index, int worker)
{
    tdStage* stage = list->stages + index;
    int workerCount = list->workerCount, done = 0;
    for (int i = 0; i < workerCount; ++i)
    {
        int owner = worker + i < workerCount ? worker + i : worker + i - workerCount;
        int first = ShareStart(stage, owner, workerCount);
        int count = ShareStart(stage, owner + 1, workerCount) - first;
        atomic_int* claim = list->claims + owner * list->claimStride + index;
        if (atomic_load_explicit(claim, memory_order_relaxed) >= count)
        {
            continue;
        }
        int taken;
        while ((taken = atomic_fetch_add_explicit(claim, 1, memory_order_relaxed)) < count)
        {
            int start = stage->start + (first + taken) * stage->blockSize;
            stage->run(list->step, start, tdMinInt(start + stage->blockSize, stage->end));
            done += 1;
        }
    }
    if (done > 0)
    {
        atomic_fetch_add_explicit(&stage->finished, done, memory_order_release);
    }
}

static void RunList(void* task, int startIndex, int endIndex, int worker)
{
    (void)startIndex;
    (void)endIndex;
    tdStageList* list = task;
    for (int s = 0; s < list->count; ++s)
    {
        RunStage(list, s, worker);
        for (int i = list->stages[s].waitFrom; i >= 0 && i <= s; ++i)
        {
            tdStage* stage = list->stages + i;
            for (int spins = 1;
                 atomic_load_explicit(&stage->finished, memory_order_acquire) < stage->blockCount; ++spins)
            {
                tdCpu_Pause(spins);
            }
        }
    }
}

void tdStages_Run(tdStageList* list, const tdTasks* tasks)
{
    if (list->workerCount == 1 || tasks == NULL)
    {
        for (int s = 0; s < list->count; ++s)
        {
            const tdStage* stage = list->stages + s;
            stage->run(list->step, stage->start, stage->end);
        }
        return;
    }
    list->claimStride = RoundUpToLine(list->count);
    for (int i = 0; i < list->workerCount * list->claimStride; ++i)
    {
        atomic_init(&list->claims[i], 0);
    }
    tdTasks_For(tasks, RunList, list, list->workerCount, 1);
}
