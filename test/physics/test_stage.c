// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: every item is run once, no stage begins before the one it depends on is done, whatever the number
// of workers.
//
// Labels: threads
#include "harness.h"

#include "physics/bodies.h"
#include "physics/solver_data.h"

#define ITEMS 1000

static atomic_int runs[3][ITEMS];
static atomic_int tooEarly;

static int CountRuns(int stage)
{
    int count = 0;
    for (int i = 0; i < ITEMS; ++i)
    {
        count += atomic_load(&runs[stage][i]);
    }
    return count;
}

static void RunFirst(const tdSolverStep* step, int start, int end)
{
    (void)step;
    for (int i = start; i < end; ++i)
    {
        atomic_fetch_add(&runs[0][i], 1);
    }
}

static void RunSecond(const tdSolverStep* step, int start, int end)
{
    (void)step;
    atomic_fetch_add(&tooEarly, CountRuns(0) != ITEMS);
    for (int i = start; i < end; ++i)
    {
        atomic_fetch_add(&runs[1][i], 1);
    }
}

static void RunThird(const tdSolverStep* step, int start, int end)
{
    (void)step;
    atomic_fetch_add(&tooEarly, CountRuns(0) != ITEMS);
    for (int i = start; i < end; ++i)
    {
        atomic_fetch_add(&runs[2][i], 1);
    }
}

static void RunLast(const tdSolverStep* step, int start, int end)
{
    (void)step;
    (void)start;
    (void)end;
    atomic_fetch_add(&tooEarly, CountRuns(1) != ITEMS || CountRuns(2) != ITEMS);
}

TEST(StagesRunInOrder)
{
    for (int workers = 1; workers <= 4; ++workers)
    {
        const tdTasks* tasks = workers > 1 ? tdCreateThreads(workers) : NULL;
        tdWorldDef def = tdDefaultWorldDef();
        def.tasks = tasks;
        tdWorld* world = tdCreateWorld(&def);
        tdStageList list = {0};
        ENSURE(tdStages_Reserve(&list, world, 8));
        for (int repetition = 0; repetition < 10; ++repetition)
        {
            for (int i = 0; i < 3 * ITEMS; ++i)
            {
                atomic_store(&runs[i / ITEMS][i % ITEMS], 0);
            }
            tdStages_Begin(&list, NULL);
            tdStages_Add(&list, RunFirst, 0, ITEMS, 1 + 97 * repetition);
            tdStages_Add(&list, RunFirst, 5, 5, 1); // empty: no stage
            int first = list.count;
            tdStages_Add(&list, RunSecond, 0, ITEMS, 64);
            tdStages_Add(&list, RunThird, 0, ITEMS, 7 + repetition);
            tdStages_RunTogether(&list, first);
            tdStages_Add(&list, RunLast, 0, 3, 1);
            ENSURE_EQUAL_INT(list.count, 4);
            tdStages_Run(&list, tasks);
            for (int i = 0; i < 3 * ITEMS; ++i)
            {
                ENSURE_EQUAL_INT(atomic_load(&runs[i / ITEMS][i % ITEMS]), 1);
            }
        }
        tdStages_Free(&list, &world->allocator);
        tdDestroyWorld(world);
        tdDestroyThreads(tasks);
    }
    ENSURE_EQUAL_INT(atomic_load(&tooEarly), 0);
}

// Workers that never come: one thread alone walks all shares.
static void* EnqueueAlone(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange)
{
    (void)minRange;
    run(task, 0, itemCount, *(int*)context);
    return NULL;
}

static void FinishAlone(void* context, void* handle)
{
    (void)context;
    (void)handle;
}

TEST(OneOfManyWorkersDoesItAll)
{
    int worker = 2;
    tdTasks tasks = {5, EnqueueAlone, FinishAlone, &worker};
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = &tasks;
    tdWorld* world = tdCreateWorld(&def);
    tdStageList list = {0};
    ENSURE(tdStages_Reserve(&list, world, 4));
    for (int i = 0; i < ITEMS; ++i)
    {
        atomic_store(&runs[0][i], 0);
    }
    tdStages_Begin(&list, NULL);
    tdStages_Add(&list, RunFirst, 0, ITEMS, 3);
    tdStages_Run(&list, &tasks);
    for (int i = 0; i < ITEMS; ++i)
    {
        ENSURE_EQUAL_INT(atomic_load(&runs[0][i]), 1);
    }
    tdStages_Free(&list, &world->allocator);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(StagesRunInOrder) RUN(OneOfManyWorkersDoesItAll))
