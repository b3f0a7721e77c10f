// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: how the workers share a step. See stage.h.
#include "physics/solver/schedule.h"

#include "base/cpu.h"
#include "physics/solver/solver_data.h"

/// Claims of two workers never share a cache line: that many lie in one.
#define CLAIMS_PER_LINE 16
/// A worker that lets the others wait for so many rounds is taken for absent: some twenty microseconds.
#define PATIENCE 150
/// How fast weights follow, and how far apart they may get.
#define WEIGHT_STEP 0.005f
#define MOST_WEIGHT 1.6f

static int RoundUpToLine(int count)
{
    return (count + CLAIMS_PER_LINE - 1) / CLAIMS_PER_LINE * CLAIMS_PER_LINE;
}

bool tdStages_Reserve(tdStageList* list, tdWorld* world, int stageCount)
{
    int workerCount = world->workerCount;
    list->workerCount = workerCount;
    if (!tdSolver_Grow(world, (void**)&list->stages, &list->capacity, 0, stageCount, sizeof(tdStage)))
    {
        return false;
    }
    if (list->workerCapacity < workerCount)
    {
        if (!tdSolver_Grow(world, (void**)&list->workers, &list->workerCapacity, 0, workerCount,
                           sizeof(tdStageWorker)))
        {
            return false;
        }
        for (int i = 0; i < workerCount; ++i)
        {
            list->workers[i] = (tdStageWorker){.weight = 1.0f / (float)workerCount};
        }
    }
    int claims = workerCount > 1 ? workerCount * RoundUpToLine(list->capacity) : 0;
    return tdSolver_Grow(world, (void**)&list->claims, &list->claimCapacity, 0, claims, sizeof(atomic_int));
}

void tdStages_Free(tdStageList* list, const tdAllocator* allocator)
{
    tdRelease(allocator, list->stages, (size_t)list->capacity * sizeof(tdStage));
    tdRelease(allocator, list->claims, (size_t)list->claimCapacity * sizeof(atomic_int));
    tdRelease(allocator, list->workers, (size_t)list->workerCapacity * sizeof(tdStageWorker));
    *list = (tdStageList){0};
}

void tdStages_Begin(tdStageList* list, const tdSolverStep* step)
{
    list->count = 0;
    list->step = step;
}

static void AddStage(tdStageList* list, tdKernelFcn* run, const int* shares, int start, int end,
                     int blockSize, int blockCount)
{
    if (start >= end)
    {
        return;
    }
    TD_ASSERT(list->count < list->capacity && blockSize > 0);
    tdStage* stage = list->stages + list->count;
    stage->run = run;
    stage->shares = shares;
    stage->start = start;
    stage->end = end;
    stage->blockSize = blockSize;
    stage->blockCount = blockCount;
    stage->waitFrom = list->count;
    atomic_init(&stage->finished, 0);
    list->count += 1;
}

void tdStages_Add(tdStageList* list, tdKernelFcn* run, int start, int end, int blockSize)
{
    AddStage(list, run, NULL, start, end, blockSize, (end - start + blockSize - 1) / blockSize);
}

void tdStages_Split(const tdStageList* list, int start, int end, const int* costs, int* shares)
{
    int64_t first = costs != NULL ? costs[start] : start, last = costs != NULL ? costs[end] : end;
    float before = 0.0f;
    int at = start;
    shares[0] = start;
    for (int w = 1; w < list->workerCount; ++w)
    {
        before += list->workers[w - 1].weight;
        int64_t goal = first + (int64_t)(before * (float)(last - first));
        if (costs == NULL)
        {
            at = tdMaxInt(at, (int)goal);
        }
        while (costs != NULL && at < end && costs[at] + costs[at + 1] <= 2 * goal)
        {
            at += 1;
        }
        shares[w] = at = tdMinInt(at, end);
    }
    shares[list->workerCount] = end;
}

void tdStages_AddShares(tdStageList* list, tdKernelFcn* run, const int* shares, int blockSize)
{
    int blockCount = 0;
    for (int w = 0; w < list->workerCount; ++w)
    {
        blockCount += (shares[w + 1] - shares[w] + blockSize - 1) / blockSize;
    }
    AddStage(list, run, shares, shares[0], shares[list->workerCount], blockSize, blockCount);
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

/// The items of a worker.
static void GetShare(const tdStage* stage, int worker, int workerCount, int* start, int* end)
{
    if (stage->shares != NULL)
    {
        *start = stage->shares[worker];
        *end = stage->shares[worker + 1];
        return;
    }
    int64_t blocks = stage->blockCount;
    int first = (int)((blocks * worker + workerCount - 1) / workerCount);
    int next = (int)((blocks * (worker + 1) + workerCount - 1) / workerCount);
    *start = stage->start + first * stage->blockSize;
    *end = tdMinInt(stage->start + next * stage->blockSize, stage->end);
}

/// Runs what is left of the share of `owner`.
static void RunShare(tdStageList* list, int index, int owner)
{
    tdStage* stage = list->stages + index;
    int start, end, done = 0, taken;
    GetShare(stage, owner, list->workerCount, &start, &end);
    int count = (end - start + stage->blockSize - 1) / stage->blockSize;
    atomic_int* claim = list->claims + owner * list->claimStride + index;
    if (atomic_load_explicit(claim, memory_order_relaxed) >= count)
    {
        return;
    }
    while ((taken = atomic_fetch_add_explicit(claim, 1, memory_order_relaxed)) < count)
    {
        int first = start + taken * stage->blockSize;
        stage->run(list->step, first, tdMinInt(first + stage->blockSize, end));
        done += 1;
    }
    if (done > 0)
    {
        atomic_fetch_add_explicit(&stage->finished, done, memory_order_release);
    }
}

static bool IsFinished(const tdStage* stage)
{
    return atomic_load_explicit(&stage->finished, memory_order_acquire) >= stage->blockCount;
}

/// Does the work of those who are absent.
static void Rescue(tdStageList* list, int index, int worker)
{
    for (int i = 0; i < list->workerCount; ++i)
    {
        if (i != worker && atomic_load_explicit(&list->workers[i].isPresent, memory_order_relaxed) == 0)
        {
            RunShare(list, index, i);
        }
    }
}

static void Await(tdStageList* list, int index, int worker)
{
    const tdStage* stage = list->stages + index;
    int rounds = 0;
    while (!IsFinished(stage))
    {
        rounds += 1;
        for (int i = 0; rounds % PATIENCE == 0 && i < list->workerCount; ++i)
        {
            atomic_store_explicit(&list->workers[i].isPresent, i == worker, memory_order_relaxed);
        }
        Rescue(list, index, worker);
        tdCpu_Pause(rounds);
    }
    list->workers[worker].waited += rounds;
}

static void RunList(void* task, int startIndex, int endIndex, int worker)
{
    (void)startIndex;
    (void)endIndex;
    tdStageList* list = task;
    atomic_int* isPresent = &list->workers[worker].isPresent;
    for (int s = 0; s < list->count; ++s)
    {
        if (atomic_load_explicit(isPresent, memory_order_relaxed) == 0)
        {
            atomic_store_explicit(isPresent, 1, memory_order_relaxed);
        }
        RunShare(list, s, worker);
        for (int i = 1; list->stages[s].shares == NULL && i < list->workerCount; ++i)
        {
            RunShare(list, s, worker + i < list->workerCount ? worker + i : worker + i - list->workerCount);
        }
        for (int i = list->stages[s].waitFrom; i >= 0 && i <= s; ++i)
        {
            Await(list, i, worker);
        }
    }
}

/// Who waited longer than the others gets a little more to do.
static void UpdateWeights(tdStageList* list)
{
    int64_t total = 0;
    float sum = 0.0f;
    for (int i = 0; i < list->workerCount; ++i)
    {
        total += list->workers[i].waited;
    }
    float count = (float)list->workerCount, mean = (float)total / count;
    for (int i = 0; i < list->workerCount; ++i)
    {
        tdStageWorker* worker = &list->workers[i];
        float more = (float)worker->waited > mean ? WEIGHT_STEP : -WEIGHT_STEP;
        float weight = worker->weight * (1.0f + more);
        worker->weight = tdMaxFloat(tdMinFloat(weight, MOST_WEIGHT / count), 1.0f / (MOST_WEIGHT * count));
        sum += worker->weight;
    }
    for (int i = 0; i < list->workerCount; ++i)
    {
        list->workers[i].weight /= sum;
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
    for (int i = 0; i < list->workerCount; ++i)
    {
        atomic_init(&list->workers[i].isPresent, 0);
        list->workers[i].waited = 0;
    }
    tdTasks_For(tasks, RunList, list, list->workerCount, 1);
    UpdateWeights(list);
}
