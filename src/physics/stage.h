// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: what the workers do in a step, as one list. A stage is a range of items cut into blocks. Each
// worker owns a share of the blocks, always the same one for the same range, so that the rows it worked on in
// the last pass are still in its cache; when it is through with its share it takes blocks of the others. A
// worker that comes late, or never, is simply one whose share others do.
//
// A stage begins when the one before it is done. Stages that do not depend on each other may be run together:
// then nobody waits between them.
#pragma once

#include "contact_rows.h"

#include <stdatomic.h>

typedef struct tdStage
{
    tdKernelFcn* run;
    int start, end, blockSize, blockCount;
    int waitFrom;        // at its end, wait for the stages [waitFrom, this one]; -1: do not wait
    atomic_int finished; // blocks
} tdStage;

typedef struct tdStageList
{
    tdStage* stages;
    int count, capacity;
    atomic_int* claims; // blocks taken of a worker's share, [worker * claimStride + stage]
    int claimCapacity, claimStride;
    int workerCount;
    const tdSolverStep* step;
} tdStageList;

/// Room for so many stages. False: out of memory, nothing changed.
bool tdStages_Reserve(tdStageList* list, tdWorld* world, int stageCount);
void tdStages_Free(tdStageList* list, const tdAllocator* allocator);

void tdStages_Begin(tdStageList* list, const tdSolverStep* step);
/// An empty range adds nothing.
void tdStages_Add(tdStageList* list, tdKernelFcn* run, int start, int end, int blockSize);
/// The stages from index `first` to the last one added do not depend on each other.
void tdStages_RunTogether(tdStageList* list, int first);
/// Everything, on this thread or on all workers.
void tdStages_Run(tdStageList* list, const tdTasks* tasks);
