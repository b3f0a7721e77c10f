// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests that sleeping bodies cost nothing, measured by the work counters of a step and not by time.
#include "harness.h"

#include "physics/bodies.h"

static long CountWork(tdStepStats stats)
{
    return (long)stats.awakeBodyCount + stats.pairsTested + stats.manifoldsMade + stats.manifoldsKept +
           stats.movedProxyCount + stats.continuousCount + stats.awakeIslandCount;
}

TEST(SleepingStacksDoNoWork)
{
    enum
    {
        STACKS = 60,
        HEIGHT = 4
    };
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(500, 2, 500), plain);
    tdBodyId top = {0, 0};
    for (int i = 0; i < STACKS; ++i)
    {
        for (int k = 0; k < HEIGHT; ++k)
        {
            top = AddBox(world, TD_MOTION_DYNAMIC, V(3 * i - 90, 0.5 + 1.005 * k, 0), noTurn, V(1, 1, 1),
                         plain);
        }
    }
    StepFor(world, 0.2);
    long awake = CountWork(tdWorld_GetStats(world));
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).awakeBodyCount, STACKS * HEIGHT);
    ENSURE(awake >= 2 * STACKS * HEIGHT); // bodies and their contacts
    StepFor(world, 5);
    tdStepStats stats = tdWorld_GetStats(world);
    ENSURE_EQUAL_INT(stats.awakeBodyCount, 0);
    ENSURE(CountWork(stats) * 100 < awake); // less than one percent, in fact zero
    ENSURE_EQUAL_INT(stats.bodyCount, STACKS * HEIGHT + 1);
    int moved = -1;
    tdWorld_GetMovedBodies(world, &moved);
    ENSURE_EQUAL_INT(moved, 0);

    // An impulse wakes one stack and no other.
    tdBody_ApplyImpulseToCenter(world, top, V(100, 0, 0));
    tdWorld_Step(world, (float)STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).awakeBodyCount, HEIGHT);
    ENSURE(CountWork(tdWorld_GetStats(world)) < 20 * HEIGHT);
    tdDestroyWorld(world);
}

TEST(RemovingTheSupportWakes)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId table = AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(10, 2, 10), plain);
    tdBodyId lower = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5, 0), noTurn, V(1, 1, 1), plain);
    tdBodyId upper = AddBox(world, TD_MOTION_DYNAMIC, V(0, 1.5, 0), noTurn, V(1, 1, 1), plain);
    StepFor(world, 4);
    ENSURE(!tdBody_IsAwake(world, lower) && !tdBody_IsAwake(world, upper));
    tdDestroyBody(world, table);
    StepFor(world, 1);
    ENSURE(tdBody_IsAwake(world, upper));
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, upper).y, -GRAVITY, 0.02 * GRAVITY);
    tdDestroyWorld(world);
}

TEST(MovingKinematicBodyWakesTouchingBodies)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId lift = AddBox(world, TD_MOTION_KINEMATIC, V(0, -0.1, 0), noTurn, V(4, 0.2, 4), plain);
    tdBodyId box = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5, 0), noTurn, V(1, 1, 1), plain);
    StepFor(world, 4);
    ENSURE(!tdBody_IsAwake(world, box));
    tdBody_SetLinearVelocity(world, lift, V(0, 1, 0));
    StepFor(world, 1);
    ENSURE(tdBody_IsAwake(world, box));
    ENSURE_NEAR(Position(world, box).y, 1.5, 0.01);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(SleepingStacksDoNoWork) RUN(RemovingTheSupportWakes)
              RUN(MovingKinematicBodyWakesTouchingBodies))
