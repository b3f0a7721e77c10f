// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Relaxed atomics: readers want a number, not an order. The stage is written last but one, so that a new
// stage is never seen with the old one's total.
#include "progress.h"

enum
{
    STAGE,
    DONE,
    TOTAL,
};

static void Store(tdProgress* progress, int word, uint64_t value)
{
    __atomic_store_n(&progress->words[word], value, __ATOMIC_RELEASE);
}

static uint64_t Load(const tdProgress* progress, int word)
{
    return __atomic_load_n(&progress->words[word], __ATOMIC_ACQUIRE);
}

void tdProgress_Start(tdProgress* progress, tdProgressStage stage, uint64_t total)
{
    if (progress != NULL)
    {
        Store(progress, TOTAL, 0);
        Store(progress, DONE, 0);
        Store(progress, STAGE, (uint64_t)stage);
        Store(progress, TOTAL, total);
    }
}

void tdProgress_Add(tdProgress* progress, uint64_t amount)
{
    if (progress != NULL)
    {
        __atomic_fetch_add(&progress->words[DONE], amount, __ATOMIC_RELAXED);
    }
}

tdProgressInfo tdProgress_Get(const tdProgress* progress)
{
    tdProgressStage stage = (tdProgressStage)Load(progress, STAGE);
    double done = (double)Load(progress, DONE), total = (double)Load(progress, TOTAL);
    double unit = stage == TD_PROGRESS_COOKING ? TD_PROGRESS_TRIANGLE : 1.0;
    // What is counted on the way may be more than was expected.
    return (tdProgressInfo){stage, (total > 0.0 && done > total ? total : done) / unit, total / unit};
}
