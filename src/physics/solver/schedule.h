// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: what the workers do in a step, as one list. A stage is a range of items cut into blocks. Each
// worker owns a share of the blocks, always the same one for the same range, so that the rows it worked on in
// the last pass are still in its cache. Taking a block of somebody else means to fetch its rows from his
// cache, which takes longer than solving them; so blocks are taken only from workers that are not there: that
// have not come yet, or let the others wait for long because the system gave their processor away.
//
// A stage whose shares are given (tdSchedule_SplitRange) is cut where the workers' loads are even: by the
// cost of its items and by how long each worker had to wait for the others in the last steps. In other stages
// a worker that is through with its share takes blocks of anybody.
//
// A stage begins when the one before it is done. Stages that do not depend on each other may be run together:
// then nobody waits between them.
#pragma once

#include "physics/solver/kernels.h"

#include <stdatomic.h>

typedef struct tdPass
{
    tdKernelFcn* run;
    int start, end, blockSize, blockCount;
    const int* ranges; // NULL: as many blocks for each. Else of worker w: [shares[w], shares[w + 1])
    int waitFrom;      // at its end, wait for the stages [waitFrom, this one]; -1: do not wait
    _Alignas(64) atomic_int finished; // blocks; what is only read should not be where everybody writes
} tdPass;

typedef struct tdScheduleWorker
{
    _Alignas(64) atomic_int isPresent; // looks after its share
    int waited;                        // rounds of waiting in this step
    float weight;                      // share of the work it should have; all together: 1
} tdScheduleWorker;

typedef struct tdSchedule
{
    tdPass* passes;
    int count, capacity;
    atomic_int* claims; // blocks taken of a worker's share, [worker * claimStride + stage]
    int claimCapacity, claimStride;
    tdScheduleWorker* workers;
    int workerCount, workerCapacity;
    const tdSolverStep* step;
} tdSchedule;

/// Room for so many stages. False: out of memory, nothing changed.
bool tdSchedule_Reserve(tdSchedule* schedule, tdWorld* world, int passCount);
void tdSchedule_Free(tdSchedule* schedule, const tdAllocator* allocator);

void tdSchedule_Begin(tdSchedule* schedule, const tdSolverStep* step);
/// An empty range adds nothing.
void tdSchedule_AddPass(tdSchedule* schedule, tdKernelFcn* run, int start, int end, int blockSize);
/// Cut a range by the workers' weights.
/// @param costs NULL: all items are alike. Else costs[i] is the sum of the costs of the items before i
/// @param shares takes workerCount + 1 numbers; must live until the end of the step
void tdSchedule_SplitRange(const tdSchedule* schedule, int start, int end, const int* costs, int* ranges);
/// A stage with given shares.
void tdSchedule_AddSplitPass(tdSchedule* schedule, tdKernelFcn* run, const int* ranges, int blockSize);
/// The stages from index `first` to the last one added do not depend on each other.
void tdSchedule_RunTogether(tdSchedule* schedule, int first);
/// Everything, on this thread or on all workers.
void tdSchedule_Run(tdSchedule* schedule, const tdTasks* tasks);
