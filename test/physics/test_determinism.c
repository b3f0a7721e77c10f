// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of determinism: state hashes of the small scenes are equal for every number of workers and every
// vector width, for rebuilt worlds, and equal to the pinned ones, which hold for every compiler and
// optimisation level (tools/determinism_matrix builds this program with all of them).
//
// Labels: threads
#include "harness.h"

#include "scenes/setup.h"

#include <inttypes.h>
#include <stdlib.h>

// An intended change of motion changes these hashes; a failing run prints the new lines.
static const struct
{
    const char* name;
    uint64_t hash;
} pinned[] = {
#include "determinism_hashes.inc"
};

// Short runs are enough for comparisons between runs: bits that differ once stay different.
enum
{
    SHORT_RUN = 45
};

static uint64_t RunWith(const tdSetup* setup, tdSimd simd, int workers)
{
    tdWorldDef def = tdDefaultWorldDef();
    const tdTasks* threads = workers > 1 ? tdCreateThreads(workers) : NULL;
    def.simd = simd;
    def.tasks = threads;
    uint64_t hash = tdRunSetup(setup, &def);
    if (threads != NULL)
    {
        tdDestroyThreads(threads);
    }
    return hash;
}

TEST(HashesArePinned)
{
    int count = 0;
    for (const tdSetupEntry* entry = tdSmallSetups; entry->name != NULL; ++entry, ++count)
    {
        tdSetup* setup = tdCreateSetup(entry->name);
        uint64_t hash = RunWith(setup, TD_SIMD_AUTO, 1), expected = 0;
        for (size_t i = 0; i < sizeof(pinned) / sizeof(pinned[0]); ++i)
        {
            expected = strcmp(pinned[i].name, entry->name) == 0 ? pinned[i].hash : expected;
        }
        if (!ENSURE(hash == expected))
        {
            printf("    {\"%s\", UINT64_C(0x%016" PRIx64 ")},\n", entry->name, hash);
        }
        tdDestroySetup(setup);
    }
    ENSURE_EQUAL_INT(count, sizeof(pinned) / sizeof(pinned[0]));
}

TEST(EveryVectorWidthGivesTheSameBits)
{
    for (const tdSetupEntry* entry = tdSmallSetups; entry->name != NULL; ++entry)
    {
        tdSetup* setup = tdCreateSetup(entry->name);
        setup->stepCount = SHORT_RUN;
        uint64_t scalar = RunWith(setup, TD_SIMD_SCALAR, 1);
        bool same = scalar == RunWith(setup, TD_SIMD_SSE2, 1) && scalar == RunWith(setup, TD_SIMD_AVX2, 1);
        if (!ENSURE(same))
        {
            printf("    in scene %s\n", entry->name);
        }
        tdDestroySetup(setup);
    }
}

TEST(EveryNumberOfWorkersGivesTheSameBits)
{
    for (const tdSetupEntry* entry = tdSmallSetups; entry->name != NULL; ++entry)
    {
        tdSetup* setup = tdCreateSetup(entry->name);
        setup->stepCount = SHORT_RUN;
        uint64_t one = RunWith(setup, TD_SIMD_AUTO, 1);
        bool same = one == RunWith(setup, TD_SIMD_AUTO, 2) && one == RunWith(setup, TD_SIMD_AUTO, 4);
        if (!ENSURE(same))
        {
            printf("    in scene %s\n", entry->name);
        }
        tdDestroySetup(setup);
    }
}

TEST(BigScenesAreSplitTheSameWay)
{
    // Large enough that every pass of a step is split among several workers.
    const struct
    {
        const char* name;
        int steps;
    } scenes[] = {{"pyramid", 6}, {"jointgrid", 4}, {"washer", 8}};
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); ++i)
    {
        tdSetup* setup = tdCreateSetup(scenes[i].name);
        setup->stepCount = scenes[i].steps;
        uint64_t one = RunWith(setup, TD_SIMD_AUTO, 1);
        ENSURE(RunWith(setup, TD_SIMD_AUTO, 2) == one);
        ENSURE(RunWith(setup, TD_SIMD_AUTO, 4) == one);
        tdDestroySetup(setup);
    }
}

TEST(RebuildingRepeatsTheMotion)
{
    for (const tdSetupEntry* entry = tdSmallSetups; entry->name != NULL; ++entry)
    {
        tdSetup* setup = tdCreateSetup(entry->name);
        setup->stepCount = SHORT_RUN;
        uint64_t first = tdRunSetup(setup, NULL);
        ENSURE(tdRunSetup(setup, NULL) == first);
        tdDestroySetup(setup);
    }
}

TEST(HashCoversEveryBody)
{
    tdSetup* setup = tdCreateSetup("stack");
    tdSetupWorld a = tdInstantiateSetup(setup, NULL), b = tdInstantiateSetup(setup, NULL);
    ENSURE(tdWorld_GetStateHash(a.world) == tdWorld_GetStateHash(b.world));
    for (int i = 1; i < setup->bodyCount; ++i)
    {
        uint64_t before = tdWorld_GetStateHash(b.world);
        tdVec3 v = tdBody_GetLinearVelocity(b.world, b.bodies[i]);
        v.x += 1e-6f;
        tdBody_SetLinearVelocity(b.world, b.bodies[i], v);
        ENSURE(tdWorld_GetStateHash(b.world) != before);
    }
    tdDestroySetupWorld(&a);
    tdDestroySetupWorld(&b);
    tdDestroySetup(setup);
}

TEST_MAIN(RUN(HashesArePinned) RUN(EveryVectorWidthGivesTheSameBits) RUN(EveryNumberOfWorkersGivesTheSameBits)
              RUN(BigScenesAreSplitTheSameWay) RUN(RebuildingRepeatsTheMotion) RUN(HashCoversEveryBody))
