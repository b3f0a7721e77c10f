// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the large scenes on 1, 2 and 4 workers for some steps: bit-identical results, and no data race in
// partitions, colours, joints, meshes, kinematic bodies and events.
//
// Labels: threads
#include "harness.h"

#include "scenes/setup.h"

static void CompareWorkers(const char* name, int steps)
{
    tdSetup* setup = tdCreateSetup(name);
    setup->stepCount = steps;
    tdWorldDef def = tdDefaultWorldDef();
    uint64_t one = tdRunSetup(setup, &def);
    for (int workers = 2; workers <= 4; workers += 2)
    {
        const tdTasks* threads = tdCreateThreads(workers);
        def.tasks = threads;
        ENSURE(tdRunSetup(setup, &def) == one);
        tdDestroyThreads(threads);
    }
    tdDestroySetup(setup);
}

TEST(PyramidOnWorkers)
{
    CompareWorkers("pyramid", 2);
}

TEST(WasherOnWorkers)
{
    CompareWorkers("washer", 4);
}

TEST(JointsOnWorkers)
{
    CompareWorkers("jointgrid", 2);
    CompareWorkers("ragdolls", 2);
}

TEST(SleepersOnWorkers)
{
    CompareWorkers("sleepers", 1);
}

TEST_MAIN(RUN(PyramidOnWorkers) RUN(WasherOnWorkers) RUN(JointsOnWorkers) RUN(SleepersOnWorkers))
