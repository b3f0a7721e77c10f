// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writers store total 0 before the new stage and the new total after it, so that a reader never sees a stage
// with the total of the stage before it. The counter itself needs no order.
#include "progress.h"

#include "compiler.h"

enum
{
    PROGRESS_STAGE,
    PROGRESS_DONE,
    PROGRESS_TOTAL,
};

static void StoreWord(tdProgress* progress, int word, uint64_t value)
{
    tdStoreRelease(&progress->words[word], value);
}

static uint64_t LoadWord(const tdProgress* progress, int word)
{
    return tdLoadAcquire(&progress->words[word]);
}

void tdProgress_Start(tdProgress* progress, tdProgressStage stage, uint64_t total)
{
    if (progress != NULL)
    {
        StoreWord(progress, PROGRESS_TOTAL, 0);
        StoreWord(progress, PROGRESS_DONE, 0);
        StoreWord(progress, PROGRESS_STAGE, (uint64_t)stage);
        StoreWord(progress, PROGRESS_TOTAL, total);
    }
}

void tdProgress_Add(tdProgress* progress, uint64_t amount)
{
    if (progress != NULL)
    {
        tdAddRelaxed(&progress->words[PROGRESS_DONE], amount);
    }
}

bool tdProgress_Update(tdProgress* progress, uint64_t done)
{
    if (progress == NULL)
    {
        return true;
    }
    StoreWord(progress, PROGRESS_DONE, done);
    return progress->update == NULL || progress->update(progress->context, tdProgress_Get(progress));
}

tdProgressInfo tdProgress_Get(const tdProgress* progress)
{
    tdProgressStage stage = (tdProgressStage)LoadWord(progress, PROGRESS_STAGE);
    double done = (double)LoadWord(progress, PROGRESS_DONE);
    double total = (double)LoadWord(progress, PROGRESS_TOTAL);
    double unit = stage == TD_PROGRESS_COOKING      ? TD_PROGRESS_TRIANGLE
                  : stage == TD_PROGRESS_SIMULATING ? TD_PROGRESS_SECOND
                                                    : 1.0;
    // The total is an estimate: the counter can exceed it.
    return (tdProgressInfo){stage, (total > 0.0 && done > total ? total : done) / unit, total / unit};
}
