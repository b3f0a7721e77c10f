// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of saved states: a restored run is bit-identical, in the same world and in one built by the same
// calls; damaged blocks are refused.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/data/id.h"

#include "tendon/physics.h"

#include <stdlib.h>

#define STEP (1.0f / 60.0f)

static tdGeometry* MakeHullGeometry(void)
{
    tdVec3 points[6] = {{0.4f, 0.0f, 0.0f},  {-0.3f, 0.0f, 0.0f}, {0.0f, 0.3f, 0.0f},
                        {0.0f, -0.4f, 0.0f}, {0.0f, 0.0f, 0.3f},  {0.0f, 0.0f, -0.35f}};
    return tdCreateHullGeometry(points, 6, NULL, NULL);
}

static tdWorld* MakeHeap(const tdGeometry* hull)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    tdBodyId ground = tdCreateBody(world, &def);
    tdCreatePlane(world, ground, NULL, INFINITY, INFINITY, false);
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 40; ++i)
    {
        def.transform.position =
            (tdVec3){0.6f * (float)(i % 3), 0.5f + 0.6f * (float)(i / 9), 0.6f * (float)(i / 3 % 3)};
        tdBodyId body = tdCreateBody(world, &def);
        if (i % 3 == 0)
        {
            tdCreateHull(world, body, NULL, hull);
        }
        else if (i % 3 == 1)
        {
            tdCreateSphere(world, body, NULL, 0.25f);
        }
        else
        {
            tdCreateBox(world, body, NULL, (tdVec3){0.5f, 0.4f, 0.5f});
        }
    }
    return world;
}

static uint64_t Run(tdWorld* world, int steps)
{
    uint64_t hash = 0;
    for (int i = 0; i < steps; ++i)
    {
        tdWorld_Step(world, STEP);
        hash = hash * 31 + tdWorld_GetStateHash(world) + (uint64_t)tdWorld_GetEvents(world).contactCount;
    }
    return hash;
}

TEST(ResumesBitIdentically)
{
    tdGeometry* hull = MakeHullGeometry();
    tdWorld* world = MakeHeap(hull);
    Run(world, 40);
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* block = malloc(size);
    ENSURE_EQUAL_INT(tdWorld_SaveState(world, block, size), size);
    uint64_t before = tdWorld_GetStateHash(world);
    uint64_t first = Run(world, 60);
    // Disturb the world, then restore.
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 30; ++i)
    {
        tdCreateSphere(world, tdCreateBody(world, &def), NULL, 0.5f);
    }
    tdBodyId gone = tdWorld_MakeBodyId(world, 4);
    tdDestroyBody(world, gone);
    ENSURE(!tdBody_IsValid(world, gone));
    Run(world, 20);
    ENSURE(tdWorld_LoadState(world, block, size));
    ENSURE(tdWorld_GetStateHash(world) == before);
    ENSURE(tdBody_IsValid(world, gone));
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).bodyCount, 41);
    ENSURE(Run(world, 60) == first);
    // A second world that was built by the same calls accepts the state too.
    tdWorld* twin = MakeHeap(hull);
    ENSURE(tdWorld_LoadState(twin, block, size));
    ENSURE(Run(twin, 60) == first);
    tdDestroyWorld(twin);
    tdDestroyWorld(world);
    free(block);
    tdDestroyGeometry(hull);
}

TEST(SleepingBodiesAreSaved)
{
    tdGeometry* hull = MakeHullGeometry();
    tdWorld* world = MakeHeap(hull);
    for (int i = 0; i < 900 && tdWorld_GetStats(world).awakeBodyCount > 20; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(tdWorld_GetStats(world).awakeBodyCount <= 20); // some sleep
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* block = malloc(size);
    tdWorld_SaveState(world, block, size);
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i)
    {
        ENSURE(tdWorld_LoadState(world, block, size));
        tdWorld_SetGravity(world, (tdVec3){0.0f, -9.0f, 1.0f}); // wakes all
        Run(world, 1);
        ENSURE(tdWorld_GetStats(world).awakeBodyCount > 20);
        hashes[i] = Run(world, 29);
    }
    ENSURE(hashes[0] == hashes[1]);
    free(block);
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
}

TEST(DamagedBlocksAreRefused)
{
    tdGeometry* hull = MakeHullGeometry();
    tdWorld* world = MakeHeap(hull);
    Run(world, 5);
    size_t size = tdWorld_SaveState(world, NULL, 0);
    char* block = malloc(size);
    memset(block, 0x55, size);
    ENSURE_EQUAL_INT(tdWorld_SaveState(world, block, size - 1), size);
    ENSURE_EQUAL_INT(block[0], 0x55); // too small: nothing written
    ENSURE(!tdWorld_LoadState(world, block, size));
    tdWorld_SaveState(world, block, size);
    ENSURE(!tdWorld_LoadState(world, block, 3));
    block[0] ^= 1;
    ENSURE(!tdWorld_LoadState(world, block, size));
    // These refusals change nothing.
    Run(world, 5);
    free(block);
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
}

TEST_MAIN(RUN(ResumesBitIdentically) RUN(SleepingBodiesAreSaved) RUN(DamagedBlocksAreRefused))
