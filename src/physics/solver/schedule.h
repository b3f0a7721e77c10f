// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: what the workers do in a step, as one list. A stage is a range of items cut into blocks. Each
// worker owns a share of the blocks, always the same one for the same range, so that the rows it worked on in
// the last pass are still in its cache. Taking a block of somebody else means to fetch its rows from his
// cache, which takes longer than solving them; so blocks are taken only from workers that are not there: that
// have not come yet, or let the others wait for long because the system gave their processor away.
//
// A stage whose shares are given (tdStages_Split) is cut where the workers' loads are even: by the cost of
// its items and by how long each worker had to wait for the others in the last steps. In other stages a
// worker that is through with its share takes blocks of anybody.
//
// A stage begins when the one before it is done. Stages that do not depend on each other may be run together:
// then nobody waits between them.
#pragma once

#include "physics/solver/contact_rows.h"

#include <stdatomic.h>

typedef struct tdStage
{
    tdKernelFcn* run;
    int start, end, blockSize, blockCount;
    const int* shares; // NULL: as many blocks for each. Else of worker w: [shares[w], shares[w + 1])
    int waitFrom;      // at its end, wait for the stages [waitFrom, this one]; -1: do not wait
    _Alignas(64) atomic_int finished; // blocks; what is only read should not be where everybody writes
} tdStage;

typedef struct tdStageWorker
{
    _Alignas(64) atomic_int isPresent; // looks after its share
    int waited;                        // rounds of waiting in this step
    float weight;                      // share of the work it should have; all together: 1
} tdStageWorker;

typedef struct tdStageList
{
    tdStage* stages;
    int count, capacity;
    atomic_int* claims; // blocks taken of a worker's share, [worker * claimStride + stage]
    int claimCapacity, claimStride;
    tdStageWorker* workers;
    int workerCount, workerCapacity;
    const tdSolverStep* step;
} tdStageList;

/// Room for so many stages. False: out of memory, nothing changed.
bool tdStages_Reserve(tdStageList* list, tdWorld* world, int stageCount);
void tdStages_Free(tdStageList* list, const tdAllocator* allocator);

void tdStages_Begin(tdStageList* list, const tdSolverStep* step);
/// An empty range adds nothing.
void tdStages_Add(tdStageList* list, tdKernelFcn* run, int start, int end, int blockSize);
/// Cut a range by the workers' weights.
/// @param costs NULL: all items are alike. Else costs[i] is the sum of the costs of the items before i
/// @param shares takes workerCount + 1 numbers; must live until the end of the step
void tdStages_Split(const tdStageList* list, int start, int end, const int* costs, int* shares);
/// A stage with given shares.
void tdStages_AddShares(tdStageList* list, tdKernelFcn* run, const int* shares, int blockSize);
/// The stages from index `first` to the last one added do not depend on each other.
void tdStages_RunTogether(tdStageList* list, int first);
/// Everything, on this thread or on all workers.
void tdStages_Run(tdStageList* list, const tdTasks* tasks);
