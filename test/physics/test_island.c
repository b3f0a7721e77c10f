// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of islands against a flood fill over the touching contacts.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/data/world_data.h"

#define STEP (1.0f / 60.0f)
#define BODY_COUNT 60

static int FindRoot(int* parents, int i)
{
    while (parents[i] != i)
    {
        i = parents[i];
    }
    return i;
}

// Touching bodies are in one island; lists, counts and sleep states are consistent.
static int CheckIslands(const tdWorld* world)
{
    int parents[BODY_COUNT + 1];
    for (int i = 0; i < world->bodies.count; ++i)
    {
        parents[i] = i;
    }
    for (int i = 0; i < world->contacts.count; ++i)
    {
        const tdContact* contact = &world->contacts.data[i];
        int a = contact->edges[0].body, b = contact->edges[1].body;
        if (contact->kind == TD_CONTACT_TOUCHING && world->bodies.data[a].motion == TD_MOTION_DYNAMIC &&
            world->bodies.data[b].motion == TD_MOTION_DYNAMIC)
        {
            ENSURE_EQUAL_INT(world->bodies.data[a].island, world->bodies.data[b].island);
            parents[FindRoot(parents, a)] = FindRoot(parents, b);
        }
    }
    int listed = 0, components = 0;
    for (int i = 0; i < world->islands.count; ++i)
    {
        const tdIsland* island = &world->islands.data[i];
        int count = 0;
        for (int body = island->bodyCount > 0 ? island->firstBody : -1; body >= 0;
             body = world->bodies.data[body].islandNext)
        {
            ENSURE_EQUAL_INT(world->bodies.data[body].island, i);
            ENSURE((world->bodies.data[body].simIndex > 0) == island->isAwake);
            count += 1;
        }
        ENSURE_EQUAL_INT(count, island->bodyCount);
        listed += count;
    }
    int dynamic = 0;
    for (int i = 0; i < world->bodies.count; ++i)
    {
        if (world->bodies.data[i].motion == TD_MOTION_DYNAMIC)
        {
            dynamic += 1;
            components += FindRoot(parents, i) == i ? 1 : 0;
        }
    }
    ENSURE_EQUAL_INT(listed, dynamic);
    return components;
}

TEST(IslandsFollowTouching)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    tdCreateBox(world, tdCreateBody(world, &def), NULL, (tdVec3){40.0f, 0.02f, 40.0f});
    def.motion = TD_MOTION_DYNAMIC;
    tdBodyId bodies[BODY_COUNT];
    for (int i = 0; i < BODY_COUNT; ++i)
    {
        // Leaning columns that fall apart.
        def.transform.position =
            (tdVec3){2.0f * (float)(i % 10) + 0.12f * (float)(i / 10), 0.4f + 0.5f * (float)(i / 10), 0.0f};
        bodies[i] = tdCreateBody(world, &def);
        tdCreateBox(world, bodies[i], NULL, (tdVec3){0.5f, 0.5f, 0.5f});
    }
    int sleepers = 0;
    for (int step = 0; step < 400; ++step)
    {
        tdWorld_Step(world, STEP);
        if (step % 5 == 0)
        {
            int components = CheckIslands(world);
            tdStepStats stats = tdWorld_GetStats(world);
            ENSURE(stats.islandCount <= components); // may be too large, never too small
            sleepers = stats.bodyCount - 1 - stats.awakeBodyCount;
        }
        if (step == 250)
        {
            for (int i = 0; i < BODY_COUNT; i += 7)
            {
                tdDestroyBody(world, bodies[i]);
            }
            CheckIslands(world);
        }
    }
    ENSURE(sleepers > 10);
    tdDestroyWorld(world);
}

// Two stacked cubes are one island; separated, the island is split, because the lower cube is ready to sleep.
TEST(LongestRestingIslandIsSplit)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    tdCreateBox(world, tdCreateBody(world, &def), NULL, (tdVec3){40.0f, 0.02f, 40.0f});
    def.motion = TD_MOTION_DYNAMIC;
    tdBodyId bodies[2];
    for (int i = 0; i < 2; ++i)
    {
        def.transform.position = (tdVec3){0.0f, 0.51f + (float)i, 0.0f};
        bodies[i] = tdCreateBody(world, &def);
        tdCreateBox(world, bodies[i], NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    }
    tdWorld_Step(world, STEP);
    tdWorld_Step(world, STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, 1);
    // The upper one is moved away and keeps moving.
    tdBody_SetTransform(world, bodies[1], (tdTransform){{8.0f, 100.0f, 0.0f}, tdQuat_identity});
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, 2);
    ENSURE(!tdBody_IsAwake(world, bodies[0]));
    ENSURE(tdBody_IsAwake(world, bodies[1]));
    tdDestroyWorld(world);
}

// Pairs that touch at the start and slide apart: all are candidates for a split at the same time, and none
// waits long.
TEST(ManySeparatedPairsSleepSoon)
{
    enum
    {
        PAIRS = 150
    };
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    tdCreateBox(world, tdCreateBody(world, &def), NULL, (tdVec3){400.0f, 0.02f, 400.0f});
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 2 * PAIRS; ++i)
    {
        float side = i % 2 == 0 ? -1.0f : 1.0f;
        def.transform.position =
            (tdVec3){4.0f * (float)(i / 2 % 15) + 0.249f * side, 0.26f, 4.0f * (float)(i / 30)};
        def.linearVelocity = (tdVec3){side, 0.0f, 0.0f};
        tdCreateBox(world, tdCreateBody(world, &def), NULL, (tdVec3){0.5f, 0.5f, 0.5f});
    }
    tdWorld_Step(world, STEP);
    tdWorld_Step(world, STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, PAIRS);
    int steps = 0, rested = -1;
    for (; steps < 240 && tdWorld_GetStats(world).awakeBodyCount > 0; ++steps)
    {
        tdWorld_Step(world, STEP);
        bool isReady = true;
        for (int i = 1; i < world->awakeCount; ++i)
        {
            isReady = isReady && world->sims[i].sleepTime >= 0.5f;
        }
        rested = isReady && rested < 0 ? steps : rested;
    }
    // 256 bodies are split per step, and the parts may sleep in the next one.
    ENSURE(rested >= 0 && steps <= rested + 2 * PAIRS / 256 + 3);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, 2 * PAIRS);
    tdDestroyWorld(world);
}

TEST(StaticAndKinematicBodiesDoNotJoinIslands)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_KINEMATIC;
    tdCreateBox(world, tdCreateBody(world, &def), NULL, (tdVec3){40.0f, 0.02f, 40.0f});
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 10; ++i)
    {
        def.transform.position = (tdVec3){2.0f * (float)i, 0.26f, 0.0f};
        tdCreateSphere(world, tdCreateBody(world, &def), NULL, 0.25f);
    }
    tdWorld_Step(world, STEP);
    tdWorld_Step(world, STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 10);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, 10);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(IslandsFollowTouching) RUN(LongestRestingIslandIsSplit) RUN(ManySeparatedPairsSleepSoon)
              RUN(StaticAndKinematicBodiesDoNotJoinIslands))
