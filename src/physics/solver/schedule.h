// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The schedule of a step: a list of passes that all workers execute. A pass is a range of items, divided into
// blocks. Each worker owns a work range of the pass, the same one in every pass over the same items, so that
// its rows stay in its cache. Loading rows from the cache of another core takes longer than solving them.
// Workers therefore take blocks only from absent workers: those that have not started yet, or were
// pre-empted.
//
// The work ranges of a split pass (tdSchedule_SplitRange) balance the load: by the cost of items and by how
// long each worker waited in the last steps. In other passes a worker that finished its own range takes
// blocks of any worker.
//
// A pass starts when the one before is finished. Independent passes can be merged, so that no worker waits
// between them. See docs/decisions/063 and 066.
#pragma once

#include "base/compiler.h"
#include "physics/solver/kernels.h"

typedef struct tdPass
{
    tdKernelFcn* run;
    int start, end, blockSize, blockCount;
    const int* ranges; // work range of worker w: [ranges[w], ranges[w + 1]); NULL: equal numbers of blocks
    int waitFrom;      // at its end, wait for the passes [waitFrom, this one]; -1: do not wait
    _Alignas(64) atomic_int finished; // blocks; in its own cache line, because all workers write to it
} tdPass;

typedef struct tdScheduleWorker
{
    _Alignas(64) atomic_int isPresent; // works on its own range
    int waited;                        // iterations of waiting in this step
    float weight;                      // fraction of the work it gets; the sum of all workers is 1
} tdScheduleWorker;

typedef struct tdSchedule
{
    tdPass* passes;
    int count, capacity;
    atomic_int* claims; // blocks taken from a work range: [worker * claimStride + pass]
    int claimCapacity, claimStride;
    tdScheduleWorker* workers;
    int workerCount, workerCapacity;
    const tdSolverStep* step;
} tdSchedule;

/// Reserve memory for `passCount` passes.
/// @return false if memory ran out; nothing changed
bool tdSchedule_Reserve(tdSchedule* schedule, tdWorld* world, int passCount);
void tdSchedule_Free(tdSchedule* schedule, const tdAllocator* allocator);

/// Start an empty schedule.
void tdSchedule_Begin(tdSchedule* schedule, const tdSolverStep* step);
/// Add a pass over [start, end). An empty range adds nothing.
void tdSchedule_AddPass(tdSchedule* schedule, tdKernelFcn* run, int start, int end, int blockSize);
/// Divide a range into work ranges by the weights of the workers.
/// @param costs prefix sums of the costs of items; NULL: equal costs
/// @param ranges out: workerCount + 1 numbers; must stay valid until the end of the step
void tdSchedule_SplitRange(const tdSchedule* schedule, int start, int end, const int* costs, int* ranges);
/// Add a pass with given work ranges.
void tdSchedule_AddSplitPass(tdSchedule* schedule, tdKernelFcn* run, const int* ranges, int blockSize);
/// Declare the passes from index `first` to the last one as independent of each other.
void tdSchedule_RunTogether(tdSchedule* schedule, int first);
/// Run all passes.
/// @param tasks NULL: on this thread only
void tdSchedule_Run(tdSchedule* schedule, const tdTasks* tasks);
