// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A tdTasks backed by threads of the system, for physics steps: hundreds of short parallel loops with short
// serial gaps.
// Workers spin for some microseconds before they sleep, a loop allocates nothing, and the thread that waits
// for a loop runs blocks of it too. Decision: docs/decisions/012-threads.md.
//
// A loop occupies one of SLOT_COUNT slots. Its ticket is one word: generation, number of blocks, next block.
// The thread that increments the ticket owns that block. The slot is free again when all blocks are done and
// tdTasks.finish has returned.
//   1. The fields of a slot change only between claiming the slot and publishing its ticket.
//   2. The thread that claims the last block clears the slot's bit of `active` before it runs that block,
//      hence never after the slot is claimed again.
//   3. Worker 0 is the thread outside the pool that holds `guest`; workers 1 to workerCount - 1 are threads
//      of the pool.
//   4. A waiting thread runs only blocks of the loop it waits for, so nested loops cannot deadlock.
#include "compiler.h"
#include "cpu.h"
#include "memory.h"
#include "platform.h"

#define SLOT_COUNT 64 // concurrent loops; one bit each in ThreadPool.active
#define MAX_WORKERS 256
#define BLOCKS_PER_WORKER 16 // balances uneven blocks; more blocks cost more ticket operations
#define SPIN_COUNT 2000 // pauses before yielding: some ten microseconds, longer than a serial gap of a step
#define YIELD_COUNT 16  // yields before sleeping

typedef struct ThreadPool ThreadPool;

typedef struct LoopSlot
{
    _Alignas(64) _Atomic uint64_t ticket; // generation << 32 | blocks << 16 | next block
    atomic_int done;                      // blocks that have been run
    atomic_bool taken;
    tdTaskFcn* run;
    void* task;
    int itemCount, blockCount;
} LoopSlot;

typedef struct Worker
{
    tdThread thread;
    ThreadPool* pool;
    int index;
    _Atomic uintptr_t identity; // see GetIdentity
} Worker;

struct ThreadPool
{
    tdTasks tasks;                        // the public handle; first, so that both have the same address
    _Alignas(64) _Atomic uint64_t active; // slots with blocks left, by bit
    _Alignas(64) LoopSlot slots[SLOT_COUNT];
    _Alignas(64) _Atomic uintptr_t guest; // thread outside the pool that is worker 0, 0: none
    atomic_int sleepers;                  // workers that sleep or are about to sleep
    atomic_int waiters;                   // threads in tdTasks.finish that sleep or are about to sleep
    atomic_bool stop;
    int spinCount;
    int threadCount; // workerCount - 1
    tdMutex mutex;
    tdCondition workArrived;
    tdCondition waitEnded; // a loop has ended, or the guest has left
    Worker workers[MAX_WORKERS];
};

/// A number that is unique among the living threads.
static uintptr_t GetIdentity(void)
{
    static _Thread_local char mark;
    return (uintptr_t)&mark;
}

/// Worker index of the calling thread: 0 for the guest, -1 for any other thread outside the pool.
static int FindWorker(ThreadPool* pool)
{
    uintptr_t identity = GetIdentity();
    for (int i = 0; i < pool->threadCount; ++i)
    {
        if (atomic_load_explicit(&pool->workers[i].identity, memory_order_relaxed) == identity)
        {
            return pool->workers[i].index;
        }
    }
    return atomic_load_explicit(&pool->guest, memory_order_relaxed) == identity ? 0 : -1;
}

static bool BecomeGuest(ThreadPool* pool)
{
    uintptr_t nobody = 0;
    return atomic_compare_exchange_strong(&pool->guest, &nobody, GetIdentity());
}

static void WakeWaiters(ThreadPool* pool)
{
    if (atomic_load(&pool->waiters) > 0)
    {
        tdMutex_Lock(&pool->mutex);
        tdCondition_Broadcast(&pool->waitEnded);
        tdMutex_Unlock(&pool->mutex);
    }
}

static void ReleaseGuest(ThreadPool* pool)
{
    atomic_store(&pool->guest, 0);
    WakeWaiters(pool);
}

/// Runs one block of a slot. False: no block is left.
static bool RunBlock(ThreadPool* pool, int slotIndex, int worker)
{
    LoopSlot* slot = &pool->slots[slotIndex];
    uint64_t ticket = atomic_load_explicit(&slot->ticket, memory_order_acquire);
    int next, blockCount;
    do
    {
        next = (int)(ticket & 0xffff);
        blockCount = (int)((ticket >> 16) & 0xffff);
        if (next >= blockCount)
        {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&slot->ticket, &ticket, ticket + 1, memory_order_acq_rel,
                                                    memory_order_acquire));
    if (next == blockCount - 1)
    {
        atomic_fetch_and(&pool->active, ~(UINT64_C(1) << slotIndex));
    }
    int start = (int)((int64_t)slot->itemCount * next / blockCount);
    int end = (int)((int64_t)slot->itemCount * (next + 1) / blockCount);
    slot->run(slot->task, start, end, worker);
    if (atomic_fetch_add(&slot->done, 1) == blockCount - 1)
    {
        WakeWaiters(pool); // from here on the slot may belong to another loop
    }
    return true;
}

static bool RunAnyBlock(ThreadPool* pool, int worker)
{
    uint64_t active = atomic_load_explicit(&pool->active, memory_order_acquire);
    for (int i = 0; active != 0; ++i, active >>= 1)
    {
        if ((active & 1) != 0 && RunBlock(pool, i, worker))
        {
            return true;
        }
    }
    return false;
}

/// Waits until a slot has work. False: the pool is being destroyed.
static bool WaitForWork(ThreadPool* pool)
{
    for (int i = 0; i < pool->spinCount + YIELD_COUNT; ++i)
    {
        if (atomic_load_explicit(&pool->active, memory_order_relaxed) != 0)
        {
            return true;
        }
        if (atomic_load_explicit(&pool->stop, memory_order_relaxed))
        {
            return false;
        }
        if (i < pool->spinCount)
        {
            tdCpu_Pause(0); // the loop yields by itself
        }
        else
        {
            tdPlatform_Yield();
        }
    }
    tdMutex_Lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->active) == 0 && !atomic_load(&pool->stop))
    {
        tdCondition_Wait(&pool->workArrived, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    tdMutex_Unlock(&pool->mutex);
    return !atomic_load(&pool->stop);
}

static void RunWorker(void* argument)
{
    Worker* worker = argument;
    atomic_store_explicit(&worker->identity, GetIdentity(), memory_order_relaxed);
    do
    {
        while (RunAnyBlock(worker->pool, worker->index))
        {
        }
    } while (WaitForWork(worker->pool));
}

static void WakeWorkers(ThreadPool* pool, int blockCount)
{
    int sleepers = atomic_load(&pool->sleepers);
    if (sleepers == 0)
    {
        return;
    }
    tdMutex_Lock(&pool->mutex);
    if (blockCount > sleepers)
    {
        tdCondition_Broadcast(&pool->workArrived);
    }
    else
    {
        // The thread that finishes the loop runs one of the blocks.
        for (int i = 1; i < blockCount; ++i)
        {
            tdCondition_Signal(&pool->workArrived);
        }
    }
    tdMutex_Unlock(&pool->mutex);
}

static bool IsLoopDone(LoopSlot* slot)
{
    return atomic_load(&slot->done) == slot->blockCount;
}

/// Waits until `slot` (may be NULL) is done or, with wantsGuest, until the calling thread is the guest.
/// @return true if the calling thread is the guest
static bool WaitForEnd(ThreadPool* pool, LoopSlot* slot, bool wantsGuest)
{
    for (int i = 0; i < pool->spinCount + YIELD_COUNT; ++i)
    {
        if (slot != NULL && IsLoopDone(slot))
        {
            return false;
        }
        if (wantsGuest && BecomeGuest(pool))
        {
            return true;
        }
        if (i < pool->spinCount)
        {
            tdCpu_Pause(0); // the loop yields by itself
        }
        else
        {
            tdPlatform_Yield();
        }
    }
    bool isGuest = false;
    tdMutex_Lock(&pool->mutex);
    atomic_fetch_add(&pool->waiters, 1);
    while (!(slot != NULL && IsLoopDone(slot)) && !(wantsGuest && (isGuest = BecomeGuest(pool))))
    {
        tdCondition_Wait(&pool->waitEnded, &pool->mutex);
    }
    atomic_fetch_sub(&pool->waiters, 1);
    tdMutex_Unlock(&pool->mutex);
    return isGuest;
}

static void RunInline(ThreadPool* pool, tdTaskFcn* run, void* task, int itemCount)
{
    int worker = FindWorker(pool);
    bool wasGuest = worker < 0;
    if (wasGuest)
    {
        WaitForEnd(pool, NULL, true);
        worker = 0;
    }
    run(task, 0, itemCount, worker);
    if (wasGuest)
    {
        ReleaseGuest(pool);
    }
}

static int ClaimSlot(ThreadPool* pool)
{
    for (int i = 0; i < SLOT_COUNT; ++i)
    {
        bool expected = false;
        if (!atomic_load_explicit(&pool->slots[i].taken, memory_order_relaxed) &&
            atomic_compare_exchange_strong(&pool->slots[i].taken, &expected, true))
        {
            return i;
        }
    }
    return -1;
}

static void* EnqueueLoop(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange)
{
    ThreadPool* pool = context;
    if (itemCount <= 0)
    {
        return NULL;
    }
    int blockCount = itemCount / (minRange > 1 ? minRange : 1);
    int maxBlocks = pool->tasks.workerCount * BLOCKS_PER_WORKER;
    blockCount = blockCount > maxBlocks ? maxBlocks : blockCount;
    int index = blockCount > 1 && pool->threadCount > 0 ? ClaimSlot(pool) : -1;
    if (index < 0)
    {
        RunInline(pool, run, task, itemCount);
        return NULL;
    }
    LoopSlot* slot = &pool->slots[index];
    slot->run = run;
    slot->task = task;
    slot->itemCount = itemCount;
    slot->blockCount = blockCount;
    atomic_store_explicit(&slot->done, 0, memory_order_relaxed);
    uint64_t generation = (atomic_load_explicit(&slot->ticket, memory_order_relaxed) >> 32) + 1;
    atomic_store_explicit(&slot->ticket, generation << 32 | (uint64_t)blockCount << 16, memory_order_release);
    atomic_fetch_or(&pool->active, UINT64_C(1) << index);
    WakeWorkers(pool, blockCount);
    return slot;
}

static void FinishLoop(void* context, void* handle)
{
    ThreadPool* pool = context;
    LoopSlot* slot = handle;
    if (slot == NULL)
    {
        return;
    }
    int worker = FindWorker(pool);
    bool wasGuest = false;
    if (worker < 0)
    {
        wasGuest = BecomeGuest(pool) || WaitForEnd(pool, slot, true);
        worker = wasGuest ? 0 : -1;
    }
    if (worker >= 0)
    {
        while (RunBlock(pool, (int)(slot - pool->slots), worker))
        {
        }
        if (wasGuest)
        {
            ReleaseGuest(pool);
        }
        WaitForEnd(pool, slot, false);
    }
    atomic_store_explicit(&slot->taken, false, memory_order_release);
}

static int CountProcessors(void)
{
    int count = tdPlatform_CountProcessors();
    return count > MAX_WORKERS ? MAX_WORKERS : count;
}

const tdTasks* tdCreateThreads(int workerCount)
{
    int processors = CountProcessors();
    workerCount = workerCount < 1 ? processors : (workerCount > MAX_WORKERS ? MAX_WORKERS : workerCount);
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    ThreadPool* pool = tdAllocateZeroed(&allocator, sizeof(ThreadPool), 64);
    if (pool == NULL)
    {
        return NULL;
    }
    // With more workers than processors a spinning thread would occupy the processor of a working one.
    pool->spinCount = workerCount <= processors ? SPIN_COUNT : 0;
    tdMutex_Init(&pool->mutex);
    tdCondition_Init(&pool->workArrived);
    tdCondition_Init(&pool->waitEnded);
    while (pool->threadCount < workerCount - 1)
    {
        Worker* worker = &pool->workers[pool->threadCount];
        worker->pool = pool;
        worker->index = pool->threadCount + 1;
        if (!tdThread_Start(&worker->thread, RunWorker, worker))
        {
            break; // the pool works with fewer threads
        }
        pool->threadCount += 1;
    }
    pool->tasks = (tdTasks){pool->threadCount + 1, EnqueueLoop, FinishLoop, pool};
    return &pool->tasks;
}

void tdDestroyThreads(const tdTasks* threads)
{
    if (threads == NULL)
    {
        return;
    }
    ThreadPool* pool = threads->context;
    tdMutex_Lock(&pool->mutex);
    atomic_store(&pool->stop, true);
    tdCondition_Broadcast(&pool->workArrived);
    tdMutex_Unlock(&pool->mutex);
    for (int i = 0; i < pool->threadCount; ++i)
    {
        tdThread_Join(&pool->workers[i].thread);
    }
    tdCondition_Destroy(&pool->waitEnded);
    tdCondition_Destroy(&pool->workArrived);
    tdMutex_Destroy(&pool->mutex);
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdRelease(&allocator, pool, sizeof(ThreadPool));
}
