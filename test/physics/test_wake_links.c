// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of waking by links: a sleeping body that is linked to an awake one in any way wakes with its whole
// island.
#include "harness.h"

#include "physics/joints.h"

/// A box on the ground with another one on top, both asleep.
static void AddSleepers(tdWorld* world, tdBodyId* bottom, tdBodyId* top)
{
    AddSlope(world, 0, plain);
    *bottom = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5, 0), noTurn, V(1, 1, 1), plain);
    *top = AddBox(world, TD_MOTION_DYNAMIC, V(0, 1.5, 0), noTurn, V(1, 1, 1), plain);
    StepFor(world, 2);
    ENSURE(!tdBody_IsAwake(world, *bottom) && !tdBody_IsAwake(world, *top));
}

TEST(BodiesThatBecomeDynamicWakeTheirPartners)
{
    static const tdMotion motions[2] = {TD_MOTION_STATIC, TD_MOTION_KINEMATIC};
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        tdBodyId anchor = AddBody(world, motions[i], V(3, 3, 0), noTurn);
        tdShapeDef def = MakeShapeDef(plain);
        tdCreateSphere(world, anchor, &def, 0.2f);
        tdBodyId bottom, top;
        AddSleepers(world, &bottom, &top);
        // A slack rope has no effect while the anchor stays.
        const tdJointLimit rope = tdMakeLinearLimit(TD_AXIS_ALL, 0, 10);
        JoinAt(world, anchor, bottom, V(0, 0.5, 0), noTurn, &rope, 1, NULL, 0);
        StepFor(world, 2);
        ENSURE(!tdBody_IsAwake(world, bottom) && !tdBody_IsAwake(world, top));
        int before = tdWorld_GetStats(world).islandCount;
        ENSURE(tdBody_SetMotion(world, anchor, TD_MOTION_DYNAMIC));
        ENSURE(tdBody_IsAwake(world, anchor));
        ENSURE(tdBody_IsAwake(world, bottom));
        ENSURE(tdBody_IsAwake(world, top));
        ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, before); // one island contains all three
        tdDestroyWorld(world);
    }
}

TEST(NewJointsWakeTheSleepingSide)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId bottom, top;
    AddSleepers(world, &bottom, &top);
    tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 4, 0), 0.2, plain);
    const tdJointLimit rope = tdMakeLinearLimit(TD_AXIS_ALL, 0, 10);
    JoinAt(world, ball, top, V(0, 2, 0), noTurn, &rope, 1, NULL, 0);
    ENSURE(tdBody_IsAwake(world, top) && tdBody_IsAwake(world, bottom));
    tdWorld_Step(world, (float)STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, 1);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).awakeBodyCount, 3);
    tdDestroyWorld(world);
}

TEST(TouchedIslandsWakeCompletely)
{
    // The ball touches the bottom box from the side; the box on top wakes with it, and the counts agree.
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId bottom, top;
    AddSleepers(world, &bottom, &top);
    tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(1.5, 0.2, 0), 0.2, plain);
    tdBody_SetLinearVelocity(world, ball, V(-3, 0, 0));
    for (int i = 0; i < 60 && !tdBody_IsAwake(world, bottom); ++i)
    {
        tdWorld_Step(world, (float)STEP);
    }
    ENSURE(tdBody_IsAwake(world, bottom) && tdBody_IsAwake(world, top));
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).islandCount, 1);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).awakeBodyCount, 3);
    tdDestroyWorld(world);
}

TEST(IslandsStayAwakeWhileABodyMoves)
{
    // A block rests on the ground for seconds while a pendulum attached to it swings: neither sleeps, and the
    // pendulum keeps its period of 2 pi sqrt(l / g).
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    AddSlope(world, 0, plain);
    tdBodyId block = AddBox(world, TD_MOTION_DYNAMIC, V(0, 1, 0), noTurn, V(4, 2, 4), plain);
    const double length = 0.5, swing = 0.2;
    tdBodyId bob = AddBallMass(world, V(2.2 + length * sin(swing), 1.5 - length * cos(swing), 0), 0.5, 0.01);
    JoinHinge(world, block, bob, V(2.2, 1.5, 0), -PI, PI);
    int crossings = 0;
    double last = 1;
    for (int i = 0; i < 300; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        ENSURE(tdBody_IsAwake(world, block) && tdBody_IsAwake(world, bob));
        double offset = (double)Position(world, bob).x - 2.2;
        crossings += offset * last < 0 ? 1 : 0;
        last = offset;
    }
    ENSURE_NEAR(crossings, 5 / (PI * sqrt(length / GRAVITY)), 1); // two per period
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(BodiesThatBecomeDynamicWakeTheirPartners) RUN(NewJointsWakeTheSleepingSide)
              RUN(TouchedIslandsWakeCompletely) RUN(IslandsStayAwakeWhileABodyMoves))
