// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of saved states: a restored run is bit-identical, in the same world and in one built by the same
// calls; damaged blocks are refused.
#include "harness.h"

#include "base/hash.h"
#include "base/memory.h"
#include "math/vecmath.h"
#include "physics/data/id.h"
#include "physics/data/shape_data.h"
#include "physics/data/world_data.h"

#include "tendon/joint.h"
#include "tendon/physics.h"

#include <stddef.h>
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

// A block with everything in it: joints, triggers, filters, contacts of every kind, free records.
static tdWorld* MakeMixedWorld(const tdGeometry* hull, const tdAllocator* allocator)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.allocator = allocator;
    tdWorld* world = tdCreateWorld(&worldDef);
    tdBodyDef def = tdDefaultBodyDef();
    tdBodyId ground = tdCreateBody(world, &def);
    tdCreatePlane(world, ground, NULL, INFINITY, INFINITY, false);
    tdShapeDef trigger = tdDefaultShapeDef();
    trigger.isTrigger = true;
    tdCreateBox(world, ground, &trigger, (tdVec3){4.0f, 1.0f, 4.0f});
    def.motion = TD_MOTION_DYNAMIC;
    tdBodyId last = ground, gone = ground;
    for (int i = 0; i < 12; ++i)
    {
        def.transform.position = (tdVec3){0.5f * (float)(i % 3), 0.4f + 0.5f * (float)(i / 3), 0.0f};
        tdBodyId body = tdCreateBody(world, &def);
        if (i % 2 == 0)
        {
            tdCreateHull(world, body, NULL, hull);
        }
        else
        {
            tdCreateBox(world, body, NULL, (tdVec3){0.4f, 0.4f, 0.4f});
        }
        if (i > 8)
        {
            tdJointDef joint = tdMakeBallJointDef(world, last, body, def.transform.position);
            tdCreateJoint(world, &joint);
        }
        last = body;
        gone = i == 5 ? body : gone;
    }
    tdDestroyBody(world, gone);
    return world;
}

static void* SaveBlock(const tdWorld* world, size_t* size)
{
    *size = tdWorld_SaveState(world, NULL, 0);
    void* block = malloc(*size);
    tdWorld_SaveState(world, block, *size);
    return block;
}

TEST(BlocksOfOtherWorldsAreRefused)
{
    tdGeometry* hull = MakeHullGeometry();
    tdWorld *world = MakeHeap(hull), *other = MakeMixedWorld(hull, NULL), *empty = tdCreateWorld(NULL);
    Run(world, 3);
    size_t size;
    void* block = SaveBlock(world, &size);
    ENSURE(!tdWorld_LoadState(other, block, size));
    ENSURE(!tdWorld_LoadState(empty, block, size)); // has no geometry
    ENSURE(tdWorld_LoadState(world, block, size));
    free(block);
    tdDestroyWorld(world);
    tdDestroyWorld(other);
    tdDestroyWorld(empty);
    tdDestroyGeometry(hull);
}

// Mutated blocks with a correct checksum: whoever forges one gets past it, so the indices must hold.
TEST(ForgedBlocksAreHarmless)
{
    tdGeometry* hull = MakeHullGeometry();
    tdWorld* world = MakeMixedWorld(hull, NULL);
    Run(world, 20);
    size_t size, sizeAfter;
    char *block = SaveBlock(world, &size), *forged = malloc(size);
    const size_t header = 16 + 24 + 8 + 32; // the last 8 bytes are the checksum
    uint32_t random = 12345;
    int refused = 0, accepted = 0;
    for (int i = 0; i < 4000; ++i)
    {
        memcpy(forged, block, size);
        for (int k = 0; k <= i % 3; ++k)
        {
            random = random * 1664525u + 1013904223u;
            size_t at = header + (random >> 4) % ((size - header) / 4) * 4;
            random = random * 1664525u + 1013904223u;
            static const int32_t values[] = {-1, 0, 1, 2, 7, 100, 65535, INT32_MAX, INT32_MIN};
            int32_t value = values[random >> 8 & 7];
            memcpy(forged + at, &value, 4);
        }
        uint64_t checksum = tdHash(TD_HASH_INIT, forged + header, size - header);
        memcpy(forged + header - 8, &checksum, 8);
        if (tdWorld_LoadState(world, forged, size))
        {
            accepted += 1;
            ENSURE(tdWorld_LoadState(world, block, size));
            continue;
        }
        refused += 1;
        char* after = SaveBlock(world, &sizeAfter);
        ENSURE(sizeAfter == size && memcmp(after, block, size) == 0); // unchanged
        free(after);
    }
    ENSURE(refused > 400 && accepted > 0);
    free(forged);
    free(block);
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
}

// The bytes of a bool are 0 or 1; any other would be undefined behaviour when it is read.
TEST(FlagsAreNormal)
{
    tdGeometry* hull = MakeHullGeometry();
    tdWorld* world = MakeMixedWorld(hull, NULL);
    Run(world, 20);
    size_t size;
    char* block = SaveBlock(world, &size);
    const size_t header = 16 + 24 + 8 + 32;
    int found = 0;
    for (int i = 0; i < world->shapes.count; ++i)
    {
        const tdShape* shape = &world->shapes.data[i];
        for (size_t at = header; shape->body >= 0 && at + sizeof(tdShape) <= size; ++at)
        {
            if (shape->geometry.kind == TD_SHAPE_HULL || memcmp(block + at, shape, sizeof(tdShape)) != 0)
            {
                continue;
            }
            block[at + offsetof(tdShape, geometry.hasMatrix)] ^= 2;
            uint64_t checksum = tdHash(TD_HASH_INIT, block + header, size - header);
            memcpy(block + header - 8, &checksum, 8);
            ENSURE(!tdWorld_LoadState(world, block, size));
            block[at + offsetof(tdShape, geometry.hasMatrix)] ^= 2;
            found += 1;
            break;
        }
    }
    ENSURE(found > 3);
    free(block);
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
}

TEST(LoadingMayRunOutOfMemory)
{
    tdGeometry* hull = MakeHullGeometry();
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdWorld* world = MakeMixedWorld(hull, &allocator);
    Run(world, 10);
    size_t size, sizeAfter;
    char* early = SaveBlock(world, &size);
    Run(world, 10);
    char* late = SaveBlock(world, &sizeAfter);
    size_t lateSize = sizeAfter;
    bool isLoaded = false;
    for (int64_t failAt = 0; !isLoaded && failAt < 1000; ++failAt)
    {
        state.failAt = state.count + failAt;
        isLoaded = tdWorld_LoadState(world, early, size);
        state.failAt = -1;
        char* after = SaveBlock(world, &sizeAfter);
        bool isUnchanged = sizeAfter == lateSize && memcmp(after, late, lateSize) == 0;
        ENSURE(isLoaded || isUnchanged);
        free(after);
    }
    ENSURE(isLoaded);
    free(early);
    free(late);
    tdDestroyWorld(world);
    ENSURE_EQUAL_INT(state.liveBlocks, 0);
    tdDestroyGeometry(hull);
}

TEST_MAIN(RUN(ResumesBitIdentically) RUN(SleepingBodiesAreSaved) RUN(DamagedBlocksAreRefused)
              RUN(BlocksOfOtherWorldsAreRefused) RUN(ForgedBlocksAreHarmless) RUN(FlagsAreNormal)
                  RUN(LoadingMayRunOutOfMemory))
