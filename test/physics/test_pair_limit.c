// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the bounds of pairs and contacts: the first pairs are kept, the same on any number of workers,
// and pairs return when there is room. Many filters, and triggers in one place, whose cost grows in
// proportion.
#include "harness.h"

#include "physics/data/world_data.h"

#include "tendon/physics.h"

#define STEP (1.0f / 60.0f)

static tdBodyId AddBall(tdWorld* world, tdMotion motion, tdVec3 position, bool isTrigger, tdFilterId filter)
{
    tdBodyDef bodyDef = tdDefaultBodyDef();
    bodyDef.motion = motion;
    bodyDef.transform.position = position;
    bodyDef.gravityFactor = 0.0f;
    tdBodyId body = tdCreateBody(world, &bodyDef);
    tdShapeDef shapeDef = tdDefaultShapeDef();
    shapeDef.isTrigger = isTrigger;
    shapeDef.filter = filter;
    tdCreateSphere(world, body, &shapeDef, 0.5f);
    return body;
}

static tdWorld* MakeCrowd(int count, int maxPairs, int maxContacts, const tdTasks* tasks)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.maxPairs = maxPairs;
    def.maxContacts = maxContacts;
    def.tasks = tasks;
    tdWorld* world = tdCreateWorld(&def);
    for (int i = 0; i < count; ++i)
    {
        AddBall(world, TD_MOTION_DYNAMIC, (tdVec3){0.001f * (float)i, 0.0f, 0.0f}, false, (tdFilterId){0});
    }
    return world;
}

TEST(KeepsTheFirstPairs)
{
    tdWorld* world = MakeCrowd(40, 100, 0, NULL);
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_PAIR_LIMIT);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 100);
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE(tdWorld_GetStats(world).contactCount <= 100);
    tdDestroyWorld(world);

    world = MakeCrowd(40, 40 * 39 / 2, 0, NULL);
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_OK);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 780);
    tdDestroyWorld(world);
}

// A search that exceeds the default of 65,536 pairs and 24 per shape keeps 16,384: bodies in one place stay
// within 25 MB whatever their number.
TEST(DefaultLimitKeepsFewPairs)
{
    tdWorld* world = MakeCrowd(600, 0, 0, NULL); // 179,700 pairs, limit 79,936
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_PAIR_LIMIT);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 16384);
    tdDestroyWorld(world);

    world = MakeCrowd(390, 0, 0, NULL); // 75,855 pairs, limit 74,896
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 16384);
    tdDestroyWorld(world);

    world = MakeCrowd(380, 0, 0, NULL); // 72,010 pairs, limit 74,656
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_OK);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 72010);
    tdDestroyWorld(world);
}

TEST(DoesNotDependOnWorkers)
{
    uint64_t hashes[2] = {0};
    for (int i = 0; i < 2; ++i)
    {
        const tdTasks* tasks = i == 1 ? tdCreateThreads(3) : NULL;
        tdWorld* world = MakeCrowd(300, 5000, 0, tasks);
        for (int step = 0; step < 20; ++step)
        {
            ENSURE(tdWorld_Step(world, STEP));
        }
        hashes[i] = tdWorld_GetStateHash(world);
        tdDestroyWorld(world);
        tdDestroyThreads(tasks);
    }
    ENSURE(hashes[0] == hashes[1]);
}

// Shapes that had no room collide once others are gone.
TEST(PairsReturn)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.maxPairs = 1;
    tdWorld* world = tdCreateWorld(&def);
    tdBodyId bodies[4];
    for (int i = 0; i < 4; ++i)
    {
        tdVec3 place = {10.0f * (float)(i / 2) + 0.9f * (float)(i % 2), 0.0f, 0.0f};
        bodies[i] = AddBall(world, TD_MOTION_DYNAMIC, place, false, (tdFilterId){0});
    }
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_PAIR_LIMIT);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).touchCount, 1);
    tdDestroyBody(world, bodies[0]);
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_OK);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).touchCount, 1);
    tdDestroyWorld(world);
}

TEST(BoundsContacts)
{
    tdWorld* world = MakeCrowd(10, 0, 7, NULL);
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_CONTACT_LIMIT);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).touchCount, 7);
    tdDestroyWorld(world);
}

// Bodies in one place whose filter refuses every pair: the search is spread over several steps.
TEST(BoundsVisits)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.maxPairs = 1;
    tdWorld* world = tdCreateWorld(&worldDef);
    uint32_t system = 1;
    tdFilterDef filterDef = {.collisionSystems = &system,
                             .collisionSystemCount = 1,
                             .notCollideWith = &system,
                             .notCollideWithCount = 1};
    tdFilterId filter = tdCreateFilter(world, &filterDef);
    for (int i = 0; i < 100; ++i)
    {
        AddBall(world, TD_MOTION_DYNAMIC, tdVec3_zero, false, filter);
    }
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_PAIR_LIMIT);
    for (int i = 0; i < 60; ++i)
    {
        ENSURE(tdWorld_Step(world, STEP));
    }
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_OK);
    tdDestroyWorld(world);
}

// The list comparison of late filters agrees with the matrix of early ones.
TEST(ManyFilters)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdFilterId filters[3000];
    for (uint32_t i = 0; i < 3000; ++i)
    {
        uint32_t own[2] = {i, i / 2 + 10000};
        uint32_t not [2] = {i / 2 + 10000, i / 3};
        tdFilterDef def = {.collisionSystems = own,
                           .collisionSystemCount = 2,
                           .notCollideWith = not,
                           .notCollideWithCount = 2};
        filters[i] = tdCreateFilter(world, &def);
        ENSURE_EQUAL_INT(filters[i].index1, i + 1);
        ENSURE_EQUAL_INT(tdCreateFilter(world, &def).index1, i + 1);
    }
    for (uint32_t i = 0; i < 3000; i += 7)
    {
        for (uint32_t j = 0; j < 3000; j += 5)
        {
            bool isRefused = i / 2 == j / 2 || j / 3 == i || i / 3 == j;
            ENSURE(tdWorld_TestFilters(world, filters[i], filters[j]) == !isRefused);
            ENSURE(tdWorld_TestFilters(world, filters[i], (tdFilterId){0, filters[i].world}));
        }
    }
    tdDestroyWorld(world);
}

// Triggers in one place do not visit each other, on any kind of body.
TEST(TriggersInOnePlace)
{
    tdMotion motions[] = {TD_MOTION_STATIC, TD_MOTION_KINEMATIC, TD_MOTION_DYNAMIC};
    for (int m = 0; m < 3; ++m)
    {
        tdWorldDef def = tdDefaultWorldDef();
        def.maxPairs = 200; // 256 visits a pair; 500 triggers have 124,750 pairs
        tdWorld* world = tdCreateWorld(&def);
        for (int i = 0; i < 500; ++i)
        {
            AddBall(world, motions[m], tdVec3_zero, true, (tdFilterId){0});
        }
        ENSURE(tdWorld_Step(world, STEP));
        ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_OK);
        ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 0);
        tdDestroyWorld(world);
    }
}

// 40 fast triggers meet 40 fast bodies, which pass each other within the step. The swept tests are bounded by
// the limit of pairs.
TEST(BoundsPassages)
{
    int limits[] = {10, 1000}, events[] = {0, 3200};
    for (int k = 0; k < 2; ++k)
    {
        tdWorldDef worldDef = tdDefaultWorldDef();
        worldDef.maxPairs = limits[k];
        tdWorld* world = tdCreateWorld(&worldDef);
        uint32_t system = 1;
        tdFilterDef filterDef = {.collisionSystems = &system,
                                 .collisionSystemCount = 1,
                                 .notCollideWith = &system,
                                 .notCollideWithCount = 1};
        tdFilterId filter = tdCreateFilter(world, &filterDef);
        for (int i = 0; i < 80; ++i)
        {
            float side = i % 2 == 0 ? 1.0f : -1.0f;
            tdBodyId body = AddBall(world, TD_MOTION_DYNAMIC, (tdVec3){5.0f * side, 0.0f, 0.0f}, i % 2 == 0,
                                    i % 2 == 0 ? (tdFilterId){0} : filter);
            tdBody_SetLinearVelocity(world, body, (tdVec3){-400.0f * side, 0.0f, 0.0f});
        }
        ENSURE(tdWorld_Step(world, STEP));
        ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 0);
        ENSURE_EQUAL_INT(tdWorld_GetStatus(world), k == 0 ? TD_STATUS_PAIR_LIMIT : TD_STATUS_OK);
        tdWorldEvents found = tdWorld_GetEvents(world);
        ENSURE(k == 0 ? found.triggerCount < 200 : found.triggerCount == events[k]);
        tdDestroyWorld(world);
    }
}

// Fast triggers in one place are not tested with each other.
TEST(FastTriggersInOnePlace)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.maxPairs = 500; // 128,000 visits; 500 triggers have 124,750 pairs
    tdWorld* world = tdCreateWorld(&def);
    for (int i = 0; i < 500; ++i)
    {
        tdBodyId body = AddBall(world, TD_MOTION_DYNAMIC, tdVec3_zero, true, (tdFilterId){0});
        tdBody_SetLinearVelocity(world, body, (tdVec3){-400.0f, 0.0f, 0.0f});
    }
    AddBall(world, TD_MOTION_STATIC, (tdVec3){0.0f, 10.0f, 0.0f}, false, (tdFilterId){0});
    ENSURE(tdWorld_Step(world, STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(world), TD_STATUS_OK);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(KeepsTheFirstPairs) RUN(DoesNotDependOnWorkers) RUN(PairsReturn) RUN(BoundsContacts)
              RUN(BoundsVisits) RUN(ManyFilters) RUN(TriggersInOnePlace) RUN(DefaultLimitKeepsFewPairs)
                  RUN(BoundsPassages) RUN(FastTriggersInOnePlace))
