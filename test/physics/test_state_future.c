// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests that a run that is saved and restored after every step has the same future as the undisturbed run, in
// scenes of every kind, on one and on several workers and with every vector width.
//
// Labels: threads
#include "harness.h"

#include "scenes/setup.h"

#include "tendon/physics.h"

#include <stdlib.h>

// A world of a setup, and the block that its states are saved to.
typedef struct SavedRun
{
    tdSetupWorld instance;
    void* block;
    size_t size, capacity;
} SavedRun;

static SavedRun BeginRun(const tdSetup* setup, tdSimd simd, const tdTasks* tasks)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.simd = simd;
    def.tasks = tasks;
    return (SavedRun){.instance = tdInstantiateSetup(setup, &def)};
}

static void EndRun(SavedRun* run)
{
    free(run->block);
    tdDestroySetupWorld(&run->instance);
}

static void Save(SavedRun* run)
{
    run->size = tdWorld_SaveState(run->instance.world, run->block, run->capacity);
    if (run->size > run->capacity)
    {
        run->capacity = run->size + run->size / 2;
        run->block = realloc(run->block, run->capacity);
        ENSURE(run->block != NULL);
        ENSURE(tdWorld_SaveState(run->instance.world, run->block, run->capacity) == run->size);
    }
}

// Every step is taken, undone and taken again.
static void TestFuture(const char* name, int stepCount)
{
    tdSetup* setup = tdCreateSetup(name);
    if (!ENSURE(setup != NULL))
    {
        return;
    }
    const tdTasks* threads = tdCreateThreads(3);
    SavedRun plain = BeginRun(setup, TD_SIMD_AUTO, NULL), undone = BeginRun(setup, TD_SIMD_AUTO, NULL);
    SavedRun other = BeginRun(setup, TD_SIMD_SCALAR, threads);
    for (int i = 0; i < stepCount; ++i)
    {
        tdSetupWorld_Step(&plain.instance);
        tdSetupWorld_Step(&undone.instance);
        uint64_t hash = tdWorld_GetStateHash(plain.instance.world);
        if (!ENSURE(tdWorld_GetStateHash(undone.instance.world) == hash))
        {
            printf("%s: step %d differs\n", name, i);
            break;
        }
        Save(&undone);
        tdSetupWorld_Step(&undone.instance);
        if (!ENSURE(tdWorld_LoadState(undone.instance.world, undone.block, undone.size)) ||
            !ENSURE(tdWorld_GetStateHash(undone.instance.world) == hash))
        {
            printf("%s: the state after step %d is not restored\n", name, i);
            break;
        }
        // A second save of the restored state gives the same bytes.
        if (i % 16 == 7)
        {
            size_t size = undone.size;
            void* before = malloc(size);
            memcpy(before, undone.block, size);
            Save(&undone);
            ENSURE(undone.size == size && memcmp(before, undone.block, size) == 0);
            free(before);
        }
        // Another world goes on from here with another width and worker count.
        if (i == stepCount / 3)
        {
            ENSURE(tdWorld_LoadState(other.instance.world, undone.block, undone.size));
        }
        else if (i > stepCount / 3)
        {
            tdSetupWorld_Step(&other.instance);
            if (!ENSURE(tdWorld_GetStateHash(other.instance.world) == hash))
            {
                printf("%s: step %d of the other world differs\n", name, i);
                break;
            }
        }
    }
    EndRun(&plain);
    EndRun(&undone);
    EndRun(&other);
    tdDestroyThreads(threads);
    tdDestroySetup(setup);
}

TEST(SmallScenesHaveTheSameFuture)
{
    for (const tdSetupEntry* entry = tdSmallSetups; entry->name != NULL; ++entry)
    {
        tdSetup* setup = tdCreateSetup(entry->name);
        int stepCount = setup != NULL ? setup->stepCount : 0;
        tdDestroySetup(setup);
        TestFuture(entry->name, stepCount < 400 ? stepCount : 400);
    }
}

TEST(LargeScenesHaveTheSameFuture)
{
    TestFuture("pyramid", 30);
    TestFuture("pile", 45);
    TestFuture("jointgrid", 20);
    TestFuture("ragdolls", 60);
    TestFuture("washer", 40);
}

TEST(CompoundsHaveTheSameFuture)
{
    TestFuture("compounds10", 60);
    TestFuture("hulls12", 40);
}

TEST_MAIN(RUN(SmallScenesHaveTheSameFuture) RUN(LargeScenesHaveTheSameFuture) RUN(CompoundsHaveTheSameFuture))
