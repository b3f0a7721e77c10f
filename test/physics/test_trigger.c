// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of triggers: enter and exit on moving and static bodies, against static bodies, not against triggers
// or the own body.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/physics.h"

#define STEP (1.0f / 60.0f)

static tdBodyId MakeBody(tdWorld* world, tdMotion motion, tdVec3 position, tdVec3 velocity)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = motion;
    def.transform.position = position;
    def.linearVelocity = velocity;
    def.gravityFactor = 0.0f;
    return tdCreateBody(world, &def);
}

static tdShapeId MakeTrigger(tdWorld* world, tdBodyId body, float radius)
{
    tdShapeDef def = tdDefaultShapeDef();
    def.isTrigger = true;
    def.userData = 9;
    return tdCreateSphere(world, body, &def, radius);
}

TEST(BallFliesThrough)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdShapeId trigger = MakeTrigger(world, MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero), 1.0f);
    tdBodyId ball =
        MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){-3.0f, 0.0f, 0.0f}, (tdVec3){3.0f, 0.0f, 0.0f});
    tdShapeId shape = tdCreateSphere(world, ball, NULL, 0.25f);
    int entered = -1, left = -1;
    for (int i = 1; i <= 150; ++i)
    {
        tdWorld_Step(world, STEP);
        tdWorldEvents events = tdWorld_GetEvents(world);
        for (int j = 0; j < events.triggerCount; ++j)
        {
            ENSURE_EQUAL_INT(events.triggers[j].trigger.index1, trigger.index1);
            ENSURE_EQUAL_INT(events.triggers[j].visitor.index1, shape.index1);
            ENSURE_EQUAL_INT(events.triggers[j].visitorBody.index1, ball.index1);
            ENSURE_EQUAL_INT(events.triggers[j].triggerUserData, 9);
            *(events.triggers[j].entered ? &entered : &left) = i;
        }
        ENSURE_EQUAL_INT(events.contactCount, 0);
    }
    // Surfaces meet when |x| = 1.25, with x = -3 + 3 t. The step that ends at or after that time reports it.
    ENSURE_NEAR((float)entered * STEP, (3.0f - 1.25f) / 3.0f, 1.01f * STEP);
    ENSURE_NEAR((float)left * STEP, (3.0f + 1.25f) / 3.0f, 1.01f * STEP);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, ball).x, 3.0f, 1e-6); // nothing pushed it
    tdDestroyWorld(world);
}

static int CountTriggers(tdWorld* world, int steps, bool entered)
{
    int count = 0;
    for (int i = 0; i < steps; ++i)
    {
        tdWorld_Step(world, STEP);
        tdWorldEvents events = tdWorld_GetEvents(world);
        for (int j = 0; j < events.triggerCount; ++j)
        {
            count += events.triggers[j].entered == entered ? 1 : 0;
        }
    }
    return count;
}

TEST(MovingTriggerReportsStaticBodies)
{
    tdMotion motions[2] = {TD_MOTION_KINEMATIC, TD_MOTION_DYNAMIC};
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = tdCreateWorld(NULL);
        tdBodyId wall = MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero);
        tdCreateBox(world, wall, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
        tdBodyId probe = MakeBody(world, motions[i], (tdVec3){-2.0f, 0.0f, 0.0f}, (tdVec3){2.0f, 0.0f, 0.0f});
        MakeTrigger(world, probe, 0.3f);
        ENSURE_EQUAL_INT(CountTriggers(world, 60, true), 1);
        ENSURE_EQUAL_INT(CountTriggers(world, 90, false), 1);
        tdDestroyWorld(world);
    }
}

TEST(StaticTriggerReportsStaticCollider)
{
    for (int order = 0; order < 2; ++order)
    {
        tdWorld* world = tdCreateWorld(NULL);
        tdBodyId a = MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero);
        tdBodyId b = MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero);
        if (order == 0)
        {
            MakeTrigger(world, a, 1.0f);
            tdCreateSphere(world, b, NULL, 0.5f);
        }
        else
        {
            tdCreateSphere(world, b, NULL, 0.5f);
            MakeTrigger(world, a, 1.0f);
        }
        ENSURE_EQUAL_INT(CountTriggers(world, 10, true), 1);
        tdBody_SetTransform(world, b, (tdTransform){{5.0f, 0.0f, 0.0f}, tdQuat_identity});
        ENSURE_EQUAL_INT(CountTriggers(world, 10, false), 1);
        tdDestroyWorld(world);
    }
}

TEST(TriggersIgnoreTriggersAndTheirOwnBody)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId a = MakeBody(world, TD_MOTION_DYNAMIC, tdVec3_zero, (tdVec3){0.1f, 0.0f, 0.0f});
    MakeTrigger(world, a, 1.0f);
    tdCreateSphere(world, a, NULL, 0.5f);
    tdBodyId b = MakeBody(world, TD_MOTION_KINEMATIC, (tdVec3){0.0f, 1.2f, 0.0f}, tdVec3_zero);
    MakeTrigger(world, b, 0.5f);
    // b's trigger does not reach a's ball (0.5 + 0.5 < 1.2), and a's trigger must not report b's trigger.
    ENSURE_EQUAL_INT(CountTriggers(world, 20, true), 0);
    tdDestroyWorld(world);
}

TEST(DestructionAndSleepInside)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId ground = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, tdVec3_zero);
    tdCreateBox(world, ground, NULL, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyId zone = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.0f, 2.0f, 0.0f}, tdVec3_zero);
    MakeTrigger(world, zone, 1.8f);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position.y = 0.5f;
    tdBodyId box = tdCreateBody(world, &def);
    tdCreateBox(world, box, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    ENSURE_EQUAL_INT(CountTriggers(world, 5, true), 1);
    ENSURE_EQUAL_INT(CountTriggers(world, 120, false), 0); // asleep inside: still overlapping
    ENSURE(!tdBody_IsAwake(world, box));
    tdDestroyBody(world, box);
    ENSURE_EQUAL_INT(CountTriggers(world, 1, false), 1);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(BallFliesThrough) RUN(MovingTriggerReportsStaticBodies) RUN(StaticTriggerReportsStaticCollider)
              RUN(TriggersIgnoreTriggersAndTheirOwnBody) RUN(DestructionAndSleepInside))
