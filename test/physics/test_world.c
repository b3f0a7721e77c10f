// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the world: no allocation in warm steps, bit-identical results on any number of workers, rebuilt
// worlds.
//
// Labels: threads
#include "harness.h"

#include "base/memory.h"
#include "math/vecmath.h"

#include "tendon/physics.h"

#include <string.h>

#define STEP (1.0f / 60.0f)

// Mixed shapes in the air.
static void FillBodies(tdWorld* world, int count)
{
    tdBodyDef bodyDef = tdDefaultBodyDef();
    tdShapeDef shapeDef = tdDefaultShapeDef();
    bodyDef.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < count; ++i)
    {
        bodyDef.transform.position = (tdVec3){0.55f * (float)(i % 5) - 1.1f, 1.0f + 0.6f * (float)(i / 25),
                                              0.55f * (float)(i / 5 % 5) - 1.1f};
        bodyDef.transform.rotation = tdQuatFromAxisAngle((tdVec3){0.6f, 0.0f, 0.8f}, 0.3f * (float)i);
        tdBodyId body = tdCreateBody(world, &bodyDef);
        if (body.index1 == 0)
        {
            return; // out of memory; the caller handles it
        }
        switch (i % 4)
        {
        case 0:
            tdCreateSphere(world, body, &shapeDef, 0.25f);
            break;
        case 1:
            tdCreateBox(world, body, &shapeDef, (tdVec3){0.5f, 0.4f, 0.3f});
            break;
        case 2:
            tdCreateCapsule(world, body, &shapeDef, 0.3f, 0.15f, 0.15f);
            break;
        default:
            tdCreateCylinder(world, body, &shapeDef, 0.4f, 0.2f, 0.2f);
            break;
        }
    }
}

// A pile of mixed shapes over a floor with walls, a trigger and a rotating kinematic bar.
static void FillWorld(tdWorld* world, int count)
{
    tdBodyDef bodyDef = tdDefaultBodyDef();
    tdShapeDef shapeDef = tdDefaultShapeDef();
    tdBodyId ground = tdCreateBody(world, &bodyDef);
    shapeDef.local.position.y = -0.5f;
    tdCreateBox(world, ground, &shapeDef, (tdVec3){40.0f, 1.0f, 40.0f});
    shapeDef.local.position = (tdVec3){0.0f, 1.0f, 0.0f};
    shapeDef.isTrigger = true;
    tdCreateBox(world, ground, &shapeDef, (tdVec3){3.0f, 1.0f, 3.0f});
    shapeDef = tdDefaultShapeDef();
    bodyDef.motion = TD_MOTION_KINEMATIC;
    bodyDef.transform.position = (tdVec3){0.0f, 0.3f, 0.0f};
    bodyDef.angularVelocity = (tdVec3){0.0f, 1.0f, 0.0f};
    tdCreateBox(world, tdCreateBody(world, &bodyDef), &shapeDef, (tdVec3){4.0f, 0.3f, 0.3f});
    FillBodies(world, count);
}

TEST(WarmStepsAllocateNothing)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdWorldDef def = tdDefaultWorldDef();
    def.allocator = &allocator;
    def.enableSleep = false;
    tdWorld* world = tdCreateWorld(&def);
    FillWorld(world, 50);
    for (int i = 0; i < 150; ++i)
    {
        ENSURE(tdWorld_Step(world, STEP));
    }
    int64_t before = state.count;
    for (int i = 0; i < 60; ++i)
    {
        ENSURE(tdWorld_Step(world, STEP));
    }
    ENSURE_EQUAL_INT(state.count - before, 0);
    tdDestroyWorld(world);
    ENSURE_EQUAL_INT(state.liveBlocks, 0);
    ENSURE_EQUAL_INT(state.liveBytes, 0);
}

// Waves of triangles: manifolds are created and destroyed in blocks of different sizes, which must be reused.
static tdGeometry* MakeWaves(void)
{
    enum
    {
        SIDE = 24
    };
    tdVec3 positions[(SIDE + 1) * (SIDE + 1)];
    uint32_t indices[6 * SIDE * SIDE];
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
    {
        int x = i % (SIDE + 1), z = i / (SIDE + 1);
        positions[i] = (tdVec3){0.4f * (float)(x - SIDE / 2), 0.1f * (float)((x * x + 3 * z) % 4),
                                0.4f * (float)(z - SIDE / 2)};
    }
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        uint32_t a = (uint32_t)(i / SIDE * (SIDE + 1) + i % SIDE), c = a + SIDE + 1;
        uint32_t quad[6] = {a, c, a + 1, a + 1, c, c + 1};
        memcpy(indices + (size_t)6 * (size_t)i, quad, sizeof(quad));
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = (SIDE + 1) * (SIDE + 1);
    def.indices = indices;
    def.indexCount = 6 * SIDE * SIDE;
    return tdCreateMeshGeometry(&def, NULL);
}

TEST(WarmStepsOnMeshesAllocateNothing)
{
    tdGeometry* waves = MakeWaves();
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdWorldDef def = tdDefaultWorldDef();
    def.allocator = &allocator;
    def.enableSleep = false;
    def.bodyCapacity = 80;
    def.contactCapacity = 1200; // more than the pile needs
    tdWorld* world = tdCreateWorld(&def);
    tdBodyDef bodyDef = tdDefaultBodyDef();
    tdBodyId ground = tdCreateBody(world, &bodyDef);
    tdCreateMesh(world, ground, NULL, waves);
    for (int i = 0; i < 4; ++i)
    {
        tdShapeDef wall = tdDefaultShapeDef();
        float side = i < 2 ? -4.5f : 4.5f;
        wall.local.position = i % 2 == 0 ? (tdVec3){side, 1.0f, 0.0f} : (tdVec3){0.0f, 1.0f, side};
        tdCreateBox(world, ground, &wall,
                    i % 2 == 0 ? (tdVec3){0.5f, 4.0f, 9.0f} : (tdVec3){9.0f, 4.0f, 0.5f});
    }
    FillBodies(world, 60);
    ENSURE(tdWorld_Step(world, STEP));
    int64_t before = state.count;
    for (int i = 0; i < 200; ++i)
    {
        ENSURE(tdWorld_Step(world, STEP));
        // The pile slides from one side to the other and back.
        tdWorld_SetGravity(world, (tdVec3){i / 40 % 2 == 0 ? 4.0f : -4.0f, -9.81f, 0.0f});
    }
    ENSURE_EQUAL_INT(state.count - before, 0);
    tdDestroyWorld(world);
    ENSURE_EQUAL_INT(state.liveBytes, 0);
    tdDestroyGeometry(waves);
}

static uint64_t RunOn(int workerCount, uint64_t* events)
{
    const tdTasks* tasks = workerCount > 1 ? tdCreateThreads(workerCount) : NULL;
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = tasks;
    tdWorld* world = tdCreateWorld(&def);
    FillWorld(world, 150);
    uint64_t hash = 0;
    *events = 0;
    for (int i = 0; i < 50; ++i)
    {
        tdWorld_Step(world, STEP);
        hash = hash * 31 + tdWorld_GetStateHash(world);
        tdWorldEvents list = tdWorld_GetEvents(world);
        for (int j = 0; j < list.contactCount; ++j)
        {
            const tdWorldContactEvent* event = &list.contacts[j];
            *events = *events * 31 + event->shapeA.index1 * 7 + event->shapeB.index1 + (event->began ? 3 : 5);
        }
        for (int j = 0; j < list.triggerCount; ++j)
        {
            *events = *events * 37 + list.triggers[j].visitor.index1 + (list.triggers[j].entered ? 3 : 5);
        }
    }
    tdDestroyWorld(world);
    if (tasks != NULL)
    {
        tdDestroyThreads(tasks);
    }
    return hash;
}

TEST(WorkersChangeNoBit)
{
    uint64_t events1, events2, events4;
    uint64_t one = RunOn(1, &events1), two = RunOn(2, &events2), four = RunOn(4, &events4);
    ENSURE(one == two && two == four);
    ENSURE(events1 == events2 && events2 == events4);
    ENSURE(events1 != 0);
}

TEST(RebuiltWorldRepeats)
{
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = tdCreateWorld(NULL);
        FillWorld(world, 50);
        for (int j = 0; j < 60; ++j)
        {
            tdWorld_Step(world, STEP);
        }
        hashes[i] = tdWorld_GetStateHash(world);
        tdDestroyWorld(world);
    }
    ENSURE(hashes[0] == hashes[1]);
}

TEST(CapacityHintsChangeNothing)
{
    tdWorldDef def = tdDefaultWorldDef();
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i)
    {
        def.bodyCapacity = i * 500;
        def.contactCapacity = i * 5000;
        tdWorld* world = tdCreateWorld(&def);
        FillWorld(world, 30);
        for (int j = 0; j < 40; ++j)
        {
            tdWorld_Step(world, STEP);
        }
        hashes[i] = tdWorld_GetStateHash(world);
        tdDestroyWorld(world);
    }
    ENSURE(hashes[0] == hashes[1]);
}

TEST(EmptyWorldSteps)
{
    tdWorld* world = tdCreateWorld(NULL);
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE(tdWorld_Step(world, 0.0f));
    int count;
    tdWorld_GetMovedBodies(world, &count);
    ENSURE_EQUAL_INT(count, 0);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).bodyCount, 0);
    tdDestroyWorld(world);
    tdDestroyWorld(NULL);
}

TEST(GravityChangeWakes)
{
    tdWorld* world = tdCreateWorld(NULL);
    FillWorld(world, 1);
    tdWorld_SetGravity(world, (tdVec3){0.0f, 1.0f, 0.0f});
    ENSURE_NEAR(tdWorld_GetGravity(world).y, 1.0f, 0.0f);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(WarmStepsAllocateNothing) RUN(WarmStepsOnMeshesAllocateNothing) RUN(WorkersChangeNoBit)
              RUN(RebuiltWorldRepeats) RUN(CapacityHintsChangeNothing) RUN(EmptyWorldSteps)
                  RUN(GravityChangeWakes))
