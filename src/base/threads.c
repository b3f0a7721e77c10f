// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A tdTasks backed by pthreads, made for a physics step: hundreds of short parallel loops with short serial
// gaps. Workers spin for some microseconds before they sleep, a loop costs no allocation, and the thread that
// finishes a loop works on it too.
//
// A loop lives in one of SLOT_COUNT slots. Its ticket is one word: generation, number of blocks, next block.
// Whoever raises the ticket by one owns that block. The slot is free again when all blocks are done and the
// loop was finished.
//   1. Fields of a slot are written only between taking the slot and publishing its ticket.
//   2. A bit of `active` is cleared by the thread that claims the last block, before it runs that block:
//      never after the slot was taken anew.
//   3. Worker 0 is whichever thread outside the pool holds `guest`; 1 to workerCount - 1 are the pool's own.
//   4. A waiting thread runs blocks of the loop it waits for and of no other, so nesting cannot lock up.
#include "memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define SLOT_COUNT 64
#define MAX_WORKERS 256
#define BLOCKS_PER_WORKER 16
#define SPIN_COUNT 2000
#define YIELD_COUNT 16

typedef struct Pool Pool;

typedef struct Slot
{
    _Alignas(64) _Atomic uint64_t ticket; // generation << 32 | blocks << 16 | next block
    atomic_int done;                      // blocks that have been run
    atomic_bool taken;
    tdTaskFcn* run;
    void* task;
    int itemCount, blockCount;
} Slot;

typedef struct Worker
{
    pthread_t thread;
    Pool* pool;
    int index;
    _Atomic uintptr_t identity; // see GetIdentity
} Worker;

struct Pool
{
    tdTasks tasks;                        // what the application sees; first, so that one pointer serves
    _Alignas(64) _Atomic uint64_t active; // slots with blocks left, by bit
    _Alignas(64) Slot slots[SLOT_COUNT];
    _Alignas(64) _Atomic uintptr_t guest; // thread outside the pool that is worker 0 now, 0: none
    atomic_int sleepers;                  // workers asleep or about to be
    atomic_int waiters;                   // threads in tdTasks.finish asleep or about to be
    atomic_bool stop;
    int spinCount;
    int threadCount; // workerCount - 1
    pthread_mutex_t mutex;
    pthread_cond_t workArrived;
    pthread_cond_t somethingEnded; // a loop, or a guest's stay
    Worker workers[MAX_WORKERS];
};

/// Different for any two living threads.
static uintptr_t GetIdentity(void)
{
    static _Thread_local char mark;
    return (uintptr_t)&mark;
}

static void Pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Index of the calling thread in the pool, 0 for the guest, -1 for any other thread.
static int FindWorker(Pool* pool)
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

static bool BecomeGuest(Pool* pool)
{
    uintptr_t nobody = 0;
    return atomic_compare_exchange_strong(&pool->guest, &nobody, GetIdentity());
}

static void WakeWaiters(Pool* pool)
{
    if (atomic_load(&pool->waiters) > 0)
    {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->somethingEnded);
        pthread_mutex_unlock(&pool->mutex);
    }
}

static void EndStay(Pool* pool)
{
    atomic_store(&pool->guest, 0);
    WakeWaiters(pool);
}

/// Runs one block of a slot. False when none was left.
static bool RunBlock(Pool* pool, int slotIndex, int worker)
{
    Slot* slot = &pool->slots[slotIndex];
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
        WakeWaiters(pool); // the slot may belong to another loop by now
    }
    return true;
}

static bool RunAnyBlock(Pool* pool, int worker)
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

/// Waits until a slot has work. False: the pool ends.
static bool WaitForWork(Pool* pool)
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
            Pause();
        }
        else
        {
            sched_yield();
        }
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->active) == 0 && !atomic_load(&pool->stop))
    {
        pthread_cond_wait(&pool->workArrived, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
    return !atomic_load(&pool->stop);
}

static void* WorkerMain(void* argument)
{
    Worker* worker = argument;
    atomic_store_explicit(&worker->identity, GetIdentity(), memory_order_relaxed);
    do
    {
        while (RunAnyBlock(worker->pool, worker->index))
        {
        }
    } while (WaitForWork(worker->pool));
    return NULL;
}

static void WakeWorkers(Pool* pool, int blockCount)
{
    int sleepers = atomic_load(&pool->sleepers);
    if (sleepers == 0)
    {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    if (blockCount > sleepers)
    {
        pthread_cond_broadcast(&pool->workArrived);
    }
    else
    {
        // One block is for the thread that will finish the loop.
        for (int i = 1; i < blockCount; ++i)
        {
            pthread_cond_signal(&pool->workArrived);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
}

static bool IsDone(Slot* slot)
{
    return atomic_load(&slot->done) == slot->blockCount;
}

/// Waits until `slot` (may be NULL) is done or, with wantStay, until the calling thread became the guest.
/// @return true if it became the guest
static bool WaitForEnd(Pool* pool, Slot* slot, bool wantStay)
{
    for (int i = 0; i < pool->spinCount + YIELD_COUNT; ++i)
    {
        if (slot != NULL && IsDone(slot))
        {
            return false;
        }
        if (wantStay && BecomeGuest(pool))
        {
            return true;
        }
        if (i < pool->spinCount)
        {
            Pause();
        }
        else
        {
            sched_yield();
        }
    }
    bool isGuest = false;
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->waiters, 1);
    while (!(slot != NULL && IsDone(slot)) && !(wantStay && (isGuest = BecomeGuest(pool))))
    {
        pthread_cond_wait(&pool->somethingEnded, &pool->mutex);
    }
    atomic_fetch_sub(&pool->waiters, 1);
    pthread_mutex_unlock(&pool->mutex);
    return isGuest;
}

static void RunInline(Pool* pool, tdTaskFcn* run, void* task, int itemCount)
{
    int worker = FindWorker(pool);
    bool stays = worker < 0;
    if (stays)
    {
        WaitForEnd(pool, NULL, true);
        worker = 0;
    }
    run(task, 0, itemCount, worker);
    if (stays)
    {
        EndStay(pool);
    }
}

static int TakeSlot(Pool* pool)
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

static void* Enqueue(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange)
{
    Pool* pool = context;
    if (itemCount <= 0)
    {
        return NULL;
    }
    int blockCount = itemCount / (minRange > 1 ? minRange : 1);
    int most = pool->tasks.workerCount * BLOCKS_PER_WORKER;
    blockCount = blockCount > most ? most : blockCount;
    int index = blockCount > 1 && pool->threadCount > 0 ? TakeSlot(pool) : -1;
    if (index < 0)
    {
        RunInline(pool, run, task, itemCount);
        return NULL;
    }
    Slot* slot = &pool->slots[index];
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

static void Finish(void* context, void* handle)
{
    Pool* pool = context;
    Slot* slot = handle;
    if (slot == NULL)
    {
        return;
    }
    int worker = FindWorker(pool);
    bool stays = false;
    if (worker < 0)
    {
        stays = BecomeGuest(pool) || WaitForEnd(pool, slot, true);
        worker = stays ? 0 : -1;
    }
    if (worker >= 0)
    {
        while (RunBlock(pool, (int)(slot - pool->slots), worker))
        {
        }
        if (stays)
        {
            EndStay(pool);
        }
        WaitForEnd(pool, slot, false);
    }
    atomic_store_explicit(&slot->taken, false, memory_order_release);
}

static int CountProcessors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (count > MAX_WORKERS ? MAX_WORKERS : (int)count);
}

const tdTasks* tdCreateThreads(int workerCount)
{
    int processors = CountProcessors();
    workerCount = workerCount < 1 ? processors : (workerCount > MAX_WORKERS ? MAX_WORKERS : workerCount);
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    Pool* pool = tdAllocateZeroed(&allocator, sizeof(Pool), 64);
    if (pool == NULL)
    {
        return NULL;
    }
    // With more workers than processors a spinning thread only keeps a working one from running.
    pool->spinCount = workerCount <= processors ? SPIN_COUNT : 0;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->workArrived, NULL);
    pthread_cond_init(&pool->somethingEnded, NULL);
    while (pool->threadCount < workerCount - 1)
    {
        Worker* worker = &pool->workers[pool->threadCount];
        worker->pool = pool;
        worker->index = pool->threadCount + 1;
        if (pthread_create(&worker->thread, NULL, WorkerMain, worker) != 0)
        {
            break; // fewer threads do the same work
        }
        pool->threadCount += 1;
    }
    pool->tasks = (tdTasks){pool->threadCount + 1, Enqueue, Finish, pool};
    return &pool->tasks;
}

void tdDestroyThreads(const tdTasks* threads)
{
    if (threads == NULL)
    {
        return;
    }
    Pool* pool = threads->context;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->stop, true);
    pthread_cond_broadcast(&pool->workArrived);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->threadCount; ++i)
    {
        pthread_join(pool->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&pool->somethingEnded);
    pthread_cond_destroy(&pool->workArrived);
    pthread_mutex_destroy(&pool->mutex);
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdRelease(&allocator, pool, sizeof(Pool));
}
