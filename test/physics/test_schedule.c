// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of schedules: every item runs once, and no pass begins before its predecessor is done, for any number
// of workers.
//
// Labels: threads
#include "harness.h"

#include "physics/bodies.h"
#include "physics/data/world_data.h"
#include "physics/solver/kernels.h"
#include "physics/solver/schedule.h"
#include "physics/solver/solver_data.h"

#define ITEMS 1000

static atomic_int runs[3][ITEMS];
static atomic_int tooEarly;

static int CountRuns(int pass)
{
    int count = 0;
    for (int i = 0; i < ITEMS; ++i)
    {
        count += atomic_load(&runs[pass][i]);
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

TEST(PassesRunInOrder)
{
    for (int workers = 1; workers <= 4; ++workers)
    {
        const tdTasks* tasks = workers > 1 ? tdCreateThreads(workers) : NULL;
        tdWorldDef def = tdDefaultWorldDef();
        def.tasks = tasks;
        tdWorld* world = tdCreateWorld(&def);
        tdSchedule schedule = {0};
        ENSURE(tdSchedule_Reserve(&schedule, world, 8));
        for (int repetition = 0; repetition < 10; ++repetition)
        {
            for (int i = 0; i < 3 * ITEMS; ++i)
            {
                atomic_store(&runs[i / ITEMS][i % ITEMS], 0);
            }
            tdSchedule_Begin(&schedule, NULL);
            tdSchedule_AddPass(&schedule, RunFirst, 0, ITEMS, 1 + 97 * repetition);
            tdSchedule_AddPass(&schedule, RunFirst, 5, 5, 1); // empty: no pass
            int first = schedule.count;
            int ranges[5];
            tdSchedule_SplitRange(&schedule, 0, ITEMS, NULL, ranges);
            tdSchedule_AddSplitPass(&schedule, RunSecond, ranges, 64);
            tdSchedule_AddPass(&schedule, RunThird, 0, ITEMS, 7 + repetition);
            tdSchedule_RunTogether(&schedule, first);
            tdSchedule_AddPass(&schedule, RunLast, 0, 3, 1);
            ENSURE_EQUAL_INT(schedule.count, 4);
            tdSchedule_Run(&schedule, tasks);
            for (int i = 0; i < 3 * ITEMS; ++i)
            {
                ENSURE_EQUAL_INT(atomic_load(&runs[i / ITEMS][i % ITEMS]), 1);
            }
        }
        tdSchedule_Free(&schedule, &world->allocator);
        tdDestroyWorld(world);
        tdDestroyThreads(tasks);
    }
    ENSURE_EQUAL_INT(atomic_load(&tooEarly), 0);
}

// Without other workers one thread walks all work ranges.
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

TEST(OneOfManyWorkersRunsAllPasses)
{
    int worker = 2;
    tdTasks tasks = {5, EnqueueAlone, FinishAlone, &worker};
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = &tasks;
    tdWorld* world = tdCreateWorld(&def);
    tdSchedule schedule = {0};
    ENSURE(tdSchedule_Reserve(&schedule, world, 4));
    for (int i = 0; i < ITEMS; ++i)
    {
        atomic_store(&runs[0][i], 0);
    }
    tdSchedule_Begin(&schedule, NULL);
    int ranges[6];
    tdSchedule_SplitRange(&schedule, 0, ITEMS, NULL, ranges);
    tdSchedule_AddPass(&schedule, RunFirst, 0, ITEMS, 3);
    tdSchedule_AddSplitPass(&schedule, RunFirst, ranges, 7);
    tdSchedule_Run(&schedule, &tasks);
    for (int i = 0; i < ITEMS; ++i)
    {
        ENSURE_EQUAL_INT(atomic_load(&runs[0][i]), 2);
    }
    tdSchedule_Free(&schedule, &world->allocator);
    tdDestroyWorld(world);
}

// Work ranges have the costs given by the weights, up to half of the items at their borders.
TEST(WorkRangesFollowCostsAndWeights)
{
    int worker = 0, costs[ITEMS + 1], ranges[5];
    tdTasks tasks = {4, EnqueueAlone, FinishAlone, &worker};
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = &tasks;
    tdWorld* world = tdCreateWorld(&def);
    tdSchedule schedule = {0};
    ENSURE(tdSchedule_Reserve(&schedule, world, 4));
    for (int w = 0; w < 4; ++w)
    {
        ENSURE_NEAR((double)schedule.workers[w].weight, 0.25, 1e-7);
    }
    costs[0] = 0;
    for (int i = 0; i < ITEMS; ++i)
    {
        costs[i + 1] = costs[i] + 1 + i % 13 + (i > 700 ? 40 : 0);
    }
    for (int round = 0; round < 20; ++round)
    {
        const int* prefix = round % 2 == 0 ? costs : NULL;
        int start = 17 * round, end = ITEMS - 11 * round;
        float sum = 0.0f;
        for (int w = 0; w < 4; ++w)
        {
            schedule.workers[w].weight = 1.0f + 0.2f * (float)((w * 7 + round) % 4);
            sum += schedule.workers[w].weight;
        }
        for (int w = 0; w < 4; ++w)
        {
            schedule.workers[w].weight /= sum;
        }
        tdSchedule_SplitRange(&schedule, start, end, prefix, ranges);
        ENSURE_EQUAL_INT(ranges[0], start);
        ENSURE_EQUAL_INT(ranges[4], end);
        for (int w = 0; w < 4; ++w)
        {
            int cost = prefix != NULL ? costs[ranges[w + 1]] - costs[ranges[w]] : ranges[w + 1] - ranges[w];
            int total = prefix != NULL ? costs[end] - costs[start] : end - start;
            ENSURE_NEAR((double)cost, (double)schedule.workers[w].weight * total,
                        prefix != NULL ? 55.0 : 2.0);
        }
    }
    // Fewer items than workers, and no items.
    tdSchedule_SplitRange(&schedule, 5, 6, costs, ranges);
    ENSURE(ranges[0] == 5 && ranges[4] == 6 && ranges[1] <= ranges[2] && ranges[2] <= ranges[3]);
    tdSchedule_SplitRange(&schedule, 8, 8, NULL, ranges);
    int count = schedule.count;
    tdSchedule_AddSplitPass(&schedule, RunFirst, ranges, 4);
    ENSURE_EQUAL_INT(schedule.count, count);
    tdSchedule_Free(&schedule, &world->allocator);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(PassesRunInOrder) RUN(OneOfManyWorkersRunsAllPasses) RUN(WorkRangesFollowCostsAndWeights))
