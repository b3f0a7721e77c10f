// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of sleep: bodies that go to sleep, causes of waking, and no cost of sleeping bodies.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/physics.h"

#define STEP (1.0f / 60.0f)

static tdBodyId MakeBox(tdWorld* world, tdMotion motion, tdVec3 position, tdVec3 size)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = motion;
    def.transform.position = position;
    tdBodyId body = tdCreateBody(world, &def);
    tdCreateBox(world, body, NULL, size);
    return body;
}

static const tdVec3 cube = {1.0f, 1.0f, 1.0f};

// A floor, and a sleeping stack of three cubes.
static tdWorld* MakeSleepingStack(tdBodyId* bodies, tdBodyId* floorBody)
{
    tdWorld* world = tdCreateWorld(NULL);
    *floorBody = MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){30.0f, 1.0f, 30.0f});
    for (int i = 0; i < 3; ++i)
    {
        bodies[i] = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.5f + (float)i, 0.0f}, cube);
    }
    for (int i = 0; i < 180; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(!tdBody_IsAwake(world, bodies[i]));
    }
    return world;
}

static bool AllAwake(const tdWorld* world, const tdBodyId* bodies)
{
    return tdBody_IsAwake(world, bodies[0]) && tdBody_IsAwake(world, bodies[1]) &&
           tdBody_IsAwake(world, bodies[2]);
}

TEST(RestingStackSleepsAsOne)
{
    tdBodyId bodies[3], floorBody;
    tdWorld* world = MakeSleepingStack(bodies, &floorBody);
    tdStepStats stats = tdWorld_GetStats(world);
    ENSURE_EQUAL_INT(stats.awakeBodyCount, 0);
    ENSURE_EQUAL_INT(stats.islandCount, 1);
    ENSURE_EQUAL_INT(stats.awakeIslandCount, 0);
    int moved;
    tdWorld_Step(world, STEP);
    tdWorld_GetMovedBodies(world, &moved);
    ENSURE_EQUAL_INT(moved, 0);
    tdDestroyWorld(world);
}

TEST(ForceWakesTheIsland)
{
    tdBodyId bodies[3], floorBody;
    tdWorld* world = MakeSleepingStack(bodies, &floorBody);
    tdBody_ApplyForceToCenter(world, bodies[2], tdVec3_zero);
    ENSURE(!tdBody_IsAwake(world, bodies[2])); // no force, no reason to wake
    tdBody_ApplyForceToCenter(world, bodies[2], (tdVec3){1.0f, 0.0f, 0.0f});
    ENSURE(AllAwake(world, bodies));
    tdDestroyWorld(world);
}

TEST(ContactWakesTheIsland)
{
    tdBodyId bodies[3], floorBody;
    tdWorld* world = MakeSleepingStack(bodies, &floorBody);
    tdBodyId falling = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 4.6f, 0.0f}, cube);
    bool slept = true;
    for (int i = 0; i < 60 && tdBody_GetTransform(world, falling).position.y > 3.6f; ++i)
    {
        slept = slept && !tdBody_IsAwake(world, bodies[0]);
        tdWorld_Step(world, STEP);
    }
    ENSURE(slept);              // not before the contact
    for (int i = 0; i < 3; ++i) // 10 cm at 4 m/s
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(AllAwake(world, bodies));
    tdDestroyWorld(world);
}

TEST(RemovedSupportWakes)
{
    tdBodyId bodies[3], floorBody;
    tdWorld* world = MakeSleepingStack(bodies, &floorBody);
    tdDestroyBody(world, bodies[0]);
    ENSURE(tdBody_IsAwake(world, bodies[1]) && tdBody_IsAwake(world, bodies[2]));
    for (int i = 0; i < 200; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, bodies[1]).position.y, 0.5f, 0.006f);
    ENSURE(!tdBody_IsAwake(world, bodies[1]));
    tdDestroyBody(world, floorBody);
    ENSURE(tdBody_IsAwake(world, bodies[1]) && tdBody_IsAwake(world, bodies[2]));
    for (int i = 0; i < 30; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(tdBody_GetTransform(world, bodies[2]).position.y < 1.0f);
    tdDestroyWorld(world);
}

TEST(KinematicSupportWakesWhenItMoves)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId lift =
        MakeBox(world, TD_MOTION_KINEMATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){4.0f, 1.0f, 4.0f});
    tdBodyId box = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.5f, 0.0f}, cube);
    for (int i = 0; i < 180; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(!tdBody_IsAwake(world, box) && !tdBody_IsAwake(world, lift));
    tdBody_SetLinearVelocity(world, lift, (tdVec3){0.0f, 0.5f, 0.0f});
    for (int i = 0; i < 120; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(tdBody_IsAwake(world, box)); // slow, but carried by a moving body
    ENSURE_NEAR(tdBody_GetTransform(world, box).position.y, 1.5f, 0.01f);
    tdDestroyWorld(world);
}

TEST(MovedStaticSupportWakes)
{
    tdBodyId bodies[3], floorBody;
    tdWorld* world = MakeSleepingStack(bodies, &floorBody);
    tdBody_SetTransform(world, floorBody, (tdTransform){{0.0f, -2.5f, 0.0f}, tdQuat_identity});
    ENSURE(tdBody_IsAwake(world, bodies[0]));
    for (int i = 0; i < 120; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, bodies[0]).position.y, -1.5f, 0.006f);
    tdDestroyWorld(world);
}

TEST(SleepCanBeForbidden)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.enableSleep = false;
    tdWorld* world = tdCreateWorld(&def);
    MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){30.0f, 1.0f, 30.0f});
    tdBodyId box = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.5f, 0.0f}, cube);
    tdBodyId other = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){5.0f, 0.5f, 0.0f}, cube);
    tdBody_EnableSleep(world, other, false);
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(tdBody_IsAwake(world, box));
    tdWorld_EnableSleep(world, true);
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(!tdBody_IsAwake(world, box));
    ENSURE(tdBody_IsAwake(world, other)); // the body's own switch
    tdBody_SetAwake(world, box, true);
    ENSURE(tdBody_IsAwake(world, box));
    tdBody_SetAwake(world, box, false);
    ENSURE(!tdBody_IsAwake(world, box));
    tdDestroyWorld(world);
}

TEST(LastMovedRecordReportsSleep)
{
    tdWorld* world = tdCreateWorld(NULL);
    MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){30.0f, 1.0f, 30.0f});
    tdBodyId box = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.5f, 0.0f}, cube);
    tdBody_SetUserData(world, box, 77);
    int reports = 0, asleep = 0;
    for (int i = 0; i < 120; ++i)
    {
        tdWorld_Step(world, STEP);
        int count;
        const tdMovedBody* moved = tdWorld_GetMovedBodies(world, &count);
        ENSURE(count <= 1);
        for (int j = 0; j < count; ++j)
        {
            reports += 1;
            asleep += moved[j].fellAsleep ? 1 : 0;
            ENSURE_EQUAL_INT(moved[j].userData, 77);
            ENSURE_EQUAL_INT(moved[j].body.index1, box.index1);
            tdTransform now = tdBody_GetTransform(world, box);
            ENSURE(memcmp(&now, &moved[j].transform, sizeof(now)) == 0);
        }
    }
    ENSURE(reports > 20 && reports < 120);
    ENSURE_EQUAL_INT(asleep, 1);
    tdDestroyWorld(world);
}

TEST(TravellingBodiesStayAwake)
{
    // Slightly faster than the sleep threshold, 5 cm/s, without friction or gravity: a cube that translates,
    // and one that rotates in place. Only bodies that stay in place may go to sleep despite jitter.
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = tdVec3_zero;
    tdWorld* world = tdCreateWorld(&def);
    tdBodyId goes = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.0f, 0.0f}, cube);
    tdBodyId turns = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 5.0f, 0.0f}, cube);
    tdBodyId rests = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 10.0f, 0.0f}, cube);
    tdBody_SetLinearVelocity(world, goes, (tdVec3){0.06f, 0.0f, 0.0f});
    tdBody_SetAngularVelocity(world, turns, (tdVec3){0.0f, 0.07f, 0.0f}); // 6 cm/s at the corners, r = 0.87
    for (int i = 0; i < 300; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(tdBody_IsAwake(world, goes));
    ENSURE(tdBody_IsAwake(world, turns));
    ENSURE(!tdBody_IsAwake(world, rests));
    ENSURE_NEAR(tdBody_GetTransform(world, goes).position.x, 0.3f, 1.0e-4f);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(RestingStackSleepsAsOne) RUN(ForceWakesTheIsland) RUN(ContactWakesTheIsland)
              RUN(RemovedSupportWakes) RUN(KinematicSupportWakesWhenItMoves) RUN(MovedStaticSupportWakes)
                  RUN(SleepCanBeForbidden) RUN(LastMovedRecordReportsSleep) RUN(TravellingBodiesStayAwake))
