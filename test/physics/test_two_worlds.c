// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of independent worlds: two threads that each create, step and destroy a world at the same time get
// the hashes of a sequential run, without a data race for the thread sanitizer.
//
// Labels: threads
#include "harness.h"

#include "base/platform.h"
#include "scenes/setup.h"

typedef struct Run
{
    tdSetup* setup;
    int workers; // of the world's own pool; 1: none
    uint64_t hash;
} Run;

static void RunAlone(void* data)
{
    Run* run = data;
    const tdTasks* tasks = run->workers > 1 ? tdCreateThreads(run->workers) : NULL;
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = tasks;
    run->hash = tdRunSetup(run->setup, &def);
    if (tasks != NULL)
    {
        tdDestroyThreads(tasks);
    }
}

static void CompareTogether(const char* first, const char* second, int workers)
{
    Run runs[2] = {{tdCreateSetup(first), workers, 0}, {tdCreateSetup(second), workers, 0}};
    uint64_t alone[2];
    for (int i = 0; i < 2; ++i)
    {
        if (!ENSURE(runs[i].setup != NULL))
        {
            return;
        }
        runs[i].setup->stepCount = 40;
        RunAlone(&runs[i]);
        alone[i] = runs[i].hash;
        runs[i].hash = 0;
    }
    tdThread threads[2];
    for (int i = 0; i < 2; ++i)
    {
        ENSURE(tdThread_Start(&threads[i], RunAlone, &runs[i]));
    }
    for (int i = 0; i < 2; ++i)
    {
        tdThread_Join(&threads[i]);
        ENSURE(runs[i].hash == alone[i]);
        tdDestroySetup(runs[i].setup);
    }
    ENSURE(alone[0] != alone[1] || strcmp(first, second) == 0);
}

TEST(DifferentWorldsOnTwoThreads)
{
    CompareTogether(tdSmallSetups[0].name, tdSmallSetups[1].name, 1);
    CompareTogether(tdSmallSetups[2].name, tdSmallSetups[3].name, 1);
}

TEST(EqualWorldsOnTwoThreads)
{
    CompareTogether(tdSmallSetups[0].name, tdSmallSetups[0].name, 1);
}

TEST(WorldsWithWorkersOnTwoThreads)
{
    CompareTogether(tdSmallSetups[0].name, tdSmallSetups[1].name, 2);
}

TEST_MAIN(RUN(DifferentWorldsOnTwoThreads) RUN(EqualWorldsOnTwoThreads) RUN(WorldsWithWorkersOnTwoThreads))
