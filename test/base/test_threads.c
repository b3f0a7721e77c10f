// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the thread pool: every item runs once, worker numbers are unique, nesting, many loops, several
// callers.
// Labels: threads
#include "harness.h"

#include "base/platform.h"
#include "base/tasks.h"

#include <stdatomic.h>

#define ITEM_COUNT 5000

typedef struct Count
{
    unsigned char seen[ITEM_COUNT];
    atomic_int inUse[64]; // by worker number
    atomic_int clashes, blocks, shortBlocks;
    int workerCount, minRange;
} Count;

static void CountItems(void* task, int startIndex, int endIndex, int worker)
{
    Count* count = task;
    if (worker < 0 || worker >= count->workerCount || atomic_exchange(&count->inUse[worker], 1) != 0)
    {
        atomic_fetch_add(&count->clashes, 1);
    }
    atomic_fetch_add(&count->blocks, 1);
    if (endIndex - startIndex < count->minRange)
    {
        atomic_fetch_add(&count->shortBlocks, 1);
    }
    for (int i = startIndex; i < endIndex; ++i)
    {
        count->seen[i] += 1;
    }
    atomic_store(&count->inUse[worker], 0);
}

static void EnsureCounted(const Count* count, int itemCount)
{
    int wrong = 0;
    for (int i = 0; i < ITEM_COUNT; ++i)
    {
        wrong += count->seen[i] != (i < itemCount ? 1 : 0);
    }
    ENSURE_EQUAL_INT(wrong, 0);
    ENSURE_EQUAL_INT(count->clashes, 0);
    ENSURE_EQUAL_INT(count->shortBlocks, 0);
}

TEST(EveryItemRunsOnce)
{
    for (int workers = 1; workers <= 5; ++workers)
    {
        const tdTasks* threads = tdCreateThreads(workers);
        ENSURE_EQUAL_INT(threads->workerCount, workers);
        const int counts[] = {0, 1, 2, 7, 63, 64, 65, 1000, ITEM_COUNT};
        for (int i = 0; i < 9; ++i)
        {
            for (int minRange = 1; minRange <= 100; minRange *= 10)
            {
                Count count = {.workerCount = workers,
                               .minRange = counts[i] < minRange ? counts[i] : minRange};
                tdTasks_For(threads, CountItems, &count, counts[i], minRange);
                EnsureCounted(&count, counts[i]);
            }
        }
        tdDestroyThreads(threads);
    }
    tdDestroyThreads(NULL);
}

TEST(DefaultIsOneWorkerPerProcessor)
{
    const tdTasks* threads = tdCreateThreads(0);
    ENSURE(threads->workerCount >= 1);
    Count count = {.workerCount = threads->workerCount, .minRange = 1};
    tdTasks_For(threads, CountItems, &count, ITEM_COUNT, 1);
    EnsureCounted(&count, ITEM_COUNT);
    tdDestroyThreads(threads);
}

TEST(ManyLoopsInARow)
{
    const tdTasks* threads = tdCreateThreads(3);
    static Count counts[4];
    for (int round = 0; round < 2000; ++round)
    {
        Count* count = &counts[round & 3];
        *count = (Count){.workerCount = 3, .minRange = 1};
        int items = 1 + round % 97;
        tdTasks_For(threads, CountItems, count, items, 1);
        int sum = 0;
        for (int i = 0; i < items; ++i)
        {
            sum += count->seen[i];
        }
        ENSURE(sum == items && count->clashes == 0);
    }
    tdDestroyThreads(threads);
}

TEST(MoreLoopsInFlightThanSlots)
{
    const tdTasks* threads = tdCreateThreads(3);
    static Count counts[100];
    void* handles[100];
    for (int i = 0; i < 100; ++i)
    {
        counts[i] = (Count){.workerCount = 3, .minRange = 1};
        handles[i] = threads->enqueue(threads->context, CountItems, &counts[i], 50 + i, 1);
    }
    // The loops finish in a different order from their start.
    for (int i = 99; i >= 0; --i)
    {
        threads->finish(threads->context, handles[i]);
        EnsureCounted(&counts[i], 50 + i);
    }
    tdDestroyThreads(threads);
}

typedef struct Nest
{
    const tdTasks* threads;
    atomic_int leaves;
} Nest;

typedef struct Branch
{
    Nest* nest;
    int depth;
} Branch;

static void RunBranch(void* task, int startIndex, int endIndex, int worker)
{
    Branch* branch = task;
    (void)worker;
    for (int i = startIndex; i < endIndex; ++i)
    {
        if (branch->depth == 0)
        {
            atomic_fetch_add(&branch->nest->leaves, 1);
            continue;
        }
        Branch inner = {branch->nest, branch->depth - 1};
        tdTasks_For(branch->nest->threads, RunBranch, &inner, 6, 1);
    }
}

TEST(LoopsInsideLoops)
{
    for (int workers = 2; workers <= 4; ++workers)
    {
        const tdTasks* threads = tdCreateThreads(workers);
        Nest nest = {.threads = threads};
        Branch root = {&nest, 3};
        tdTasks_For(threads, RunBranch, &root, 6, 1);
        ENSURE_EQUAL_INT(nest.leaves, 6 * 6 * 6 * 6);
        tdDestroyThreads(threads);
    }
}

static void NoteWorker(void* task, int startIndex, int endIndex, int worker)
{
    (void)startIndex;
    (void)endIndex;
    *(int*)task = worker;
}

typedef struct Outer
{
    const tdTasks* threads;
    atomic_int wrong, blocks;
} Outer;

static void RunShortLoop(void* task, int startIndex, int endIndex, int worker)
{
    Outer* outer = task;
    for (int i = startIndex; i < endIndex; ++i)
    {
        int inner = -1;
        tdTasks_For(outer->threads, NoteWorker, &inner, 3, 10);
        atomic_fetch_add(&outer->wrong, inner != worker);
        atomic_fetch_add(&outer->blocks, 1);
    }
}

TEST(ShortLoopsKeepTheWorkersNumber)
{
    // A loop too short to split runs on the calling thread, so it must see that thread's worker number.
    const tdTasks* threads = tdCreateThreads(4);
    Outer outer = {.threads = threads};
    for (int round = 0; round < 50; ++round)
    {
        tdTasks_For(threads, RunShortLoop, &outer, 64, 1);
    }
    ENSURE_EQUAL_INT(outer.blocks, 50 * 64);
    ENSURE_EQUAL_INT(outer.wrong, 0);
    tdDestroyThreads(threads);
}

typedef struct Caller
{
    const tdTasks* threads;
    atomic_int* inUse;
    atomic_int* clashes;
    int sum;
} Caller;

typedef struct Sum
{
    Caller* caller;
    atomic_int value;
} Sum;

static void AddUp(void* task, int startIndex, int endIndex, int worker)
{
    Sum* sum = task;
    if (atomic_exchange(&sum->caller->inUse[worker], 1) != 0)
    {
        atomic_fetch_add(sum->caller->clashes, 1);
    }
    int total = 0;
    for (int i = startIndex; i < endIndex; ++i)
    {
        total += i;
    }
    atomic_fetch_add(&sum->value, total);
    atomic_store(&sum->caller->inUse[worker], 0);
}

static void RunCaller(void* argument)
{
    Caller* caller = argument;
    for (int i = 0; i < 300; ++i)
    {
        Sum sum = {caller, 0};
        tdTasks_For(caller->threads, AddUp, &sum, 100, i % 2 == 0 ? 1 : 60);
        caller->sum += sum.value == 4950;
    }
}

TEST(SeveralCallersShareOnePool)
{
    const tdTasks* threads = tdCreateThreads(3);
    atomic_int inUse[3] = {0}, clashes = 0;
    Caller callers[4];
    tdThread handles[4];
    for (int i = 0; i < 4; ++i)
    {
        callers[i] = (Caller){threads, inUse, &clashes, 0};
        ENSURE(tdThread_Start(&handles[i], RunCaller, &callers[i]));
    }
    for (int i = 0; i < 4; ++i)
    {
        tdThread_Join(&handles[i]);
        ENSURE_EQUAL_INT(callers[i].sum, 300);
    }
    ENSURE_EQUAL_INT(clashes, 0);
    tdDestroyThreads(threads);
}

static void RecordBlocks(void* task, int startIndex, int endIndex, int worker)
{
    (void)worker;
    int* ends = task;
    ends[startIndex] = endIndex;
}

TEST(BlocksDependOnCountsOnly)
{
    static int first[ITEM_COUNT], again[ITEM_COUNT];
    const tdTasks* a = tdCreateThreads(4);
    const tdTasks* b = tdCreateThreads(4);
    tdTasks_For(a, RecordBlocks, first, 1234, 10);
    for (int round = 0; round < 20; ++round)
    {
        memset(again, 0, sizeof(again));
        tdTasks_For(round % 2 == 0 ? b : a, RecordBlocks, again, 1234, 10);
        ENSURE(memcmp(first, again, sizeof(first)) == 0);
    }
    tdDestroyThreads(a);
    tdDestroyThreads(b);
}

TEST_MAIN(RUN(EveryItemRunsOnce) RUN(DefaultIsOneWorkerPerProcessor) RUN(ManyLoopsInARow)
              RUN(MoreLoopsInFlightThanSlots) RUN(LoopsInsideLoops) RUN(ShortLoopsKeepTheWorkersNumber)
                  RUN(SeveralCallersShareOnePool) RUN(BlocksDependOnCountsOnly))
