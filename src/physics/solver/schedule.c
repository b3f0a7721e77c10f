// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The schedule of passes. schedule.h describes it.
#include "physics/solver/schedule.h"

#include "base/cpu.h"
#include "physics/data/scratch.h"
#include "physics/data/world_data.h"
#include "physics/solver/kernels.h"

/// Claim counters per cache line: those of two workers are never in the same line.
#define CLAIMS_PER_LINE 16
/// Iterations after which a waiting worker regards the others as pre-empted: about 20 microseconds. Found by
/// trial; results do not depend on it.
#define MAX_WAIT_ITERATIONS 150
/// Change of a weight per step, and limit of a weight relative to the mean. Found by trial; results do not
/// depend on them.
#define WEIGHT_STEP 0.005f
#define MAX_WEIGHT 1.6f

static int RoundUpToCacheLine(int count)
{
    return (count + CLAIMS_PER_LINE - 1) / CLAIMS_PER_LINE * CLAIMS_PER_LINE;
}

bool tdSchedule_Reserve(tdSchedule* schedule, tdWorld* world, int passCount)
{
    int workerCount = world->workerCount;
    schedule->workerCount = workerCount;
    if (!tdWorld_GrowScratch(world, (void**)&schedule->passes, &schedule->capacity, 0, passCount,
                             sizeof(tdPass)))
    {
        return false;
    }
    if (schedule->workerCapacity < workerCount)
    {
        if (!tdWorld_GrowScratch(world, (void**)&schedule->workers, &schedule->workerCapacity, 0, workerCount,
                                 sizeof(tdScheduleWorker)))
        {
            return false;
        }
        for (int i = 0; i < workerCount; ++i)
        {
            schedule->workers[i] = (tdScheduleWorker){.weight = 1.0f / (float)workerCount};
        }
    }
    int claims = workerCount > 1 ? workerCount * RoundUpToCacheLine(schedule->capacity) : 0;
    return tdWorld_GrowScratch(world, (void**)&schedule->claims, &schedule->claimCapacity, 0, claims,
                               sizeof(atomic_int));
}

void tdSchedule_Free(tdSchedule* schedule, const tdAllocator* allocator)
{
    tdRelease(allocator, schedule->passes, (size_t)schedule->capacity * sizeof(tdPass));
    tdRelease(allocator, schedule->claims, (size_t)schedule->claimCapacity * sizeof(atomic_int));
    tdRelease(allocator, schedule->workers, (size_t)schedule->workerCapacity * sizeof(tdScheduleWorker));
    *schedule = (tdSchedule){0};
}

void tdSchedule_Begin(tdSchedule* schedule, const tdSolverStep* step)
{
    schedule->count = 0;
    schedule->step = step;
}

static void AppendPass(tdSchedule* schedule, tdKernelFcn* run, const int* ranges, int start, int end,
                       int blockSize, int blockCount)
{
    if (start >= end)
    {
        return;
    }
    TD_ASSERT(schedule->count < schedule->capacity && blockSize > 0);
    tdPass* pass = schedule->passes + schedule->count;
    pass->run = run;
    pass->ranges = ranges;
    pass->start = start;
    pass->end = end;
    pass->blockSize = blockSize;
    pass->blockCount = blockCount;
    pass->waitFrom = schedule->count;
    atomic_init(&pass->finished, 0);
    schedule->count += 1;
}

void tdSchedule_AddPass(tdSchedule* schedule, tdKernelFcn* run, int start, int end, int blockSize)
{
    AppendPass(schedule, run, NULL, start, end, blockSize, (end - start + blockSize - 1) / blockSize);
}

void tdSchedule_SplitRange(const tdSchedule* schedule, int start, int end, const int* costs, int* ranges)
{
    int64_t first = costs != NULL ? costs[start] : start, last = costs != NULL ? costs[end] : end;
    float before = 0.0f;
    int at = start;
    ranges[0] = start;
    for (int w = 1; w < schedule->workerCount; ++w)
    {
        before += schedule->workers[w - 1].weight;
        int64_t goal = first + (int64_t)(before * (float)(last - first));
        if (costs == NULL)
        {
            at = tdMaxInt(at, (int)goal);
        }
        while (costs != NULL && at < end && costs[at] + costs[at + 1] <= 2 * goal)
        {
            at += 1;
        }
        ranges[w] = at = tdMinInt(at, end);
    }
    ranges[schedule->workerCount] = end;
}

void tdSchedule_AddSplitPass(tdSchedule* schedule, tdKernelFcn* run, const int* ranges, int blockSize)
{
    int blockCount = 0;
    for (int w = 0; w < schedule->workerCount; ++w)
    {
        blockCount += (ranges[w + 1] - ranges[w] + blockSize - 1) / blockSize;
    }
    AppendPass(schedule, run, ranges, ranges[0], ranges[schedule->workerCount], blockSize, blockCount);
}

void tdSchedule_RunTogether(tdSchedule* schedule, int first)
{
    for (int i = first; i + 1 < schedule->count; ++i)
    {
        schedule->passes[i].waitFrom = -1;
    }
    if (first < schedule->count)
    {
        schedule->passes[schedule->count - 1].waitFrom = first;
    }
}

/// The work range of a worker.
static void GetWorkRange(const tdPass* pass, int worker, int workerCount, int* start, int* end)
{
    if (pass->ranges != NULL)
    {
        *start = pass->ranges[worker];
        *end = pass->ranges[worker + 1];
        return;
    }
    int64_t blocks = pass->blockCount;
    int first = (int)((blocks * worker + workerCount - 1) / workerCount);
    int next = (int)((blocks * (worker + 1) + workerCount - 1) / workerCount);
    *start = pass->start + first * pass->blockSize;
    *end = tdMinInt(pass->start + next * pass->blockSize, pass->end);
}

/// Run the remaining blocks of the work range of `owner`.
static void RunWorkRange(tdSchedule* schedule, int index, int owner)
{
    tdPass* pass = schedule->passes + index;
    int start, end, done = 0, taken;
    GetWorkRange(pass, owner, schedule->workerCount, &start, &end);
    int count = (end - start + pass->blockSize - 1) / pass->blockSize;
    atomic_int* claim = schedule->claims + owner * schedule->claimStride + index;
    if (atomic_load_explicit(claim, memory_order_relaxed) >= count)
    {
        return;
    }
    while ((taken = atomic_fetch_add_explicit(claim, 1, memory_order_relaxed)) < count)
    {
        int first = start + taken * pass->blockSize;
        pass->run(schedule->step, first, tdMinInt(first + pass->blockSize, end));
        done += 1;
    }
    if (done > 0)
    {
        atomic_fetch_add_explicit(&pass->finished, done, memory_order_release);
    }
}

static bool IsPassFinished(const tdPass* pass)
{
    return atomic_load_explicit(&pass->finished, memory_order_acquire) >= pass->blockCount;
}

/// Run the work ranges of absent workers.
static void RunAbsentRanges(tdSchedule* schedule, int index, int worker)
{
    for (int i = 0; i < schedule->workerCount; ++i)
    {
        if (i != worker && atomic_load_explicit(&schedule->workers[i].isPresent, memory_order_relaxed) == 0)
        {
            RunWorkRange(schedule, index, i);
        }
    }
}

static void WaitForPass(tdSchedule* schedule, int index, int worker)
{
    const tdPass* pass = schedule->passes + index;
    int iterations = 0;
    while (!IsPassFinished(pass))
    {
        iterations += 1;
        for (int i = 0; iterations % MAX_WAIT_ITERATIONS == 0 && i < schedule->workerCount; ++i)
        {
            atomic_store_explicit(&schedule->workers[i].isPresent, i == worker, memory_order_relaxed);
        }
        RunAbsentRanges(schedule, index, worker);
        tdCpu_Pause(iterations);
    }
    schedule->workers[worker].waited += iterations;
}

static void RunPasses(void* task, int startIndex, int endIndex, int worker)
{
    (void)startIndex;
    (void)endIndex;
    tdSchedule* schedule = task;
    atomic_int* isPresent = &schedule->workers[worker].isPresent;
    for (int s = 0; s < schedule->count; ++s)
    {
        if (atomic_load_explicit(isPresent, memory_order_relaxed) == 0)
        {
            atomic_store_explicit(isPresent, 1, memory_order_relaxed);
        }
        RunWorkRange(schedule, s, worker);
        for (int i = 1; schedule->passes[s].ranges == NULL && i < schedule->workerCount; ++i)
        {
            RunWorkRange(schedule, s,
                         worker + i < schedule->workerCount ? worker + i
                                                            : worker + i - schedule->workerCount);
        }
        for (int i = schedule->passes[s].waitFrom; i >= 0 && i <= s; ++i)
        {
            WaitForPass(schedule, i, worker);
        }
    }
}

/// Increase the weights of workers that waited longer than the mean.
static void UpdateWeights(tdSchedule* schedule)
{
    int64_t total = 0;
    float sum = 0.0f;
    for (int i = 0; i < schedule->workerCount; ++i)
    {
        total += schedule->workers[i].waited;
    }
    float count = (float)schedule->workerCount, mean = (float)total / count;
    for (int i = 0; i < schedule->workerCount; ++i)
    {
        tdScheduleWorker* worker = &schedule->workers[i];
        float more = (float)worker->waited > mean ? WEIGHT_STEP : -WEIGHT_STEP;
        float weight = worker->weight * (1.0f + more);
        worker->weight = tdMaxFloat(tdMinFloat(weight, MAX_WEIGHT / count), 1.0f / (MAX_WEIGHT * count));
        sum += worker->weight;
    }
    for (int i = 0; i < schedule->workerCount; ++i)
    {
        schedule->workers[i].weight /= sum;
    }
}

void tdSchedule_Run(tdSchedule* schedule, const tdTasks* tasks)
{
    if (schedule->workerCount == 1 || tasks == NULL)
    {
        for (int s = 0; s < schedule->count; ++s)
        {
            const tdPass* pass = schedule->passes + s;
            pass->run(schedule->step, pass->start, pass->end);
        }
        return;
    }
    schedule->claimStride = RoundUpToCacheLine(schedule->count);
    for (int i = 0; i < schedule->workerCount * schedule->claimStride; ++i)
    {
        atomic_init(&schedule->claims[i], 0);
    }
    for (int i = 0; i < schedule->workerCount; ++i)
    {
        atomic_init(&schedule->workers[i].isPresent, 0);
        schedule->workers[i].waited = 0;
    }
    tdTasks_For(tasks, RunPasses, schedule, schedule->workerCount, 1);
    UpdateWeights(schedule);
}
