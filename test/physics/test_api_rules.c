// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rules of the API that checked builds assert: ids of another world, defs without their defaults. And getters
// that give back what setters took.
#include "assert_count.h"
#include "harness.h"
#include "joints.h"

#include <stdlib.h>

typedef struct Twin
{
    tdWorld* world;
    tdBodyId a, b;
    tdShapeId shape;
    tdJointId joint;
    tdFilterId filter;
} Twin;

// Two of these have equal indices and generations everywhere.
static Twin MakeTwin(void)
{
    Twin twin = {.world = MakeWorld(V(0, -GRAVITY, 0), false)};
    uint32_t system = 7;
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    twin.a = tdCreateBody(twin.world, &def);
    def.transform.position = V(3, 0, 0);
    twin.b = tdCreateBody(twin.world, &def);
    twin.shape = tdCreateSphere(twin.world, twin.a, NULL, 0.5f);
    tdJointDef joint = tdMakeBallJointDef(twin.world, twin.a, twin.b, V(1, 0, 0));
    twin.joint = tdCreateJoint(twin.world, &joint);
    twin.filter =
        tdCreateFilter(twin.world, &(tdFilterDef){.collisionSystems = &system, .collisionSystemCount = 1});
    return twin;
}

TEST(IdsOfAnotherWorldAreInvalid)
{
    Twin one = MakeTwin(), two = MakeTwin();
    ENSURE_EQUAL_INT(one.a.index1, two.a.index1);
    ENSURE(tdBody_IsValid(one.world, one.a) && !tdBody_IsValid(one.world, two.a));
    ENSURE(tdShape_IsValid(two.world, two.shape) && !tdShape_IsValid(two.world, one.shape));
    ENSURE(tdJoint_IsValid(one.world, one.joint) && !tdJoint_IsValid(one.world, two.joint));
    tdDestroyWorld(one.world);
    tdDestroyWorld(two.world);
}

TEST(IdsOfAnotherWorldAssert)
{
    Twin one = MakeTwin(), two = MakeTwin();
    StartCountingAsserts();
    tdBody_GetTransform(one.world, two.a);
    ENSURE(StopCountingAsserts("OwnsGeneration"));
    StartCountingAsserts();
    tdShape_GetLocal(one.world, two.shape);
    ENSURE(StopCountingAsserts("OwnsGeneration"));
    StartCountingAsserts();
    tdJoint_GetFrameA(one.world, two.joint);
    ENSURE(StopCountingAsserts("OwnsGeneration"));
    StartCountingAsserts();
    tdShape_SetFilter(one.world, one.shape, two.filter);
    ENSURE(StopCountingAsserts("OwnsFilter"));
    StartCountingAsserts();
    tdWorld_TestFilters(two.world, one.filter, two.filter);
    ENSURE(StopCountingAsserts("OwnsFilter"));
    tdQueryFilter filter = tdDefaultQueryFilter();
    filter.ignoreBody = two.a;
    tdQueryHit hit;
    StartCountingAsserts();
    tdWorld_CastRay(one.world, (tdRay){V(-5, 0, 0), V(10, 0, 0)}, &filter, &hit);
    ENSURE(StopCountingAsserts("OwnsGeneration"));
    // Ids of the right world, and null ids where they are allowed, assert nothing.
    StartCountingAsserts();
    tdBody_GetTransform(one.world, one.a);
    tdShape_SetFilter(one.world, one.shape, one.filter);
    tdShape_SetFilter(one.world, one.shape, (tdFilterId){0});
    tdSetAssertHandler(NULL);
    ENSURE_EQUAL_INT(assertCount, 0);
    tdDestroyWorld(one.world);
    tdDestroyWorld(two.world);
}

// Ids in events that wait in a saved state become ids of the world that loads it.
TEST(LoadedEventsHaveIdsOfTheirWorld)
{
    Twin twins[2];
    tdBodyId floors[2];
    for (int i = 0; i < 2; ++i)
    {
        twins[i] = MakeTwin();
        tdDestroyJoint(twins[i].world, twins[i].joint);
        tdBodyDef def = tdDefaultBodyDef();
        def.transform.position = V(0, -0.75, 0);
        floors[i] = tdCreateBody(twins[i].world, &def);
        tdCreateBox(twins[i].world, floors[i], NULL, V(4, 0.5, 4));
        tdWorld_Step(twins[i].world, (float)STEP);
        tdWorld_Step(twins[i].world, (float)STEP);
    }
    tdDestroyShape(twins[0].world, twins[0].shape); // its end event waits for the next step
    size_t size = tdWorld_SaveState(twins[0].world, NULL, 0);
    void* block = malloc(size);
    ENSURE(block != NULL);
    tdWorld_SaveState(twins[0].world, block, size);
    ENSURE(tdWorld_LoadState(twins[1].world, block, size));
    tdWorld_Step(twins[1].world, (float)STEP);
    tdWorldEvents events = tdWorld_GetEvents(twins[1].world);
    ENSURE_EQUAL_INT(events.contactCount, 1);
    if (events.contactCount == 1)
    {
        ENSURE(tdBody_IsValid(twins[1].world, events.contacts[0].bodyA));
        ENSURE(tdBody_IsValid(twins[1].world, events.contacts[0].bodyB));
    }
    free(block);
    tdDestroyWorld(twins[0].world);
    tdDestroyWorld(twins[1].world);
}

TEST(DefsWithoutDefaultsAssert)
{
    // Zeros but for what the functions would otherwise stumble over.
    tdWorldDef worldDef = {.subStepCount = 4};
    StartCountingAsserts();
    tdDestroyWorld(tdCreateWorld(&worldDef));
    ENSURE(StopCountingAsserts("cookie"));
    Twin twin = MakeTwin();
    tdBodyDef bodyDef = {.transform = {{0.0f, 0.0f, 0.0f}, noTurn}, .inertiaOrientation = noTurn};
    StartCountingAsserts();
    tdCreateBody(twin.world, &bodyDef);
    ENSURE(StopCountingAsserts("cookie"));
    tdShapeDef shapeDef = {.local = {{0.0f, 0.0f, 0.0f}, noTurn}};
    StartCountingAsserts();
    tdCreateSphere(twin.world, twin.b, &shapeDef, 0.5f);
    ENSURE(StopCountingAsserts("cookie"));
    tdTransform identity = {{0.0f, 0.0f, 0.0f}, noTurn};
    tdJointDef jointDef = {.bodyA = twin.a, .bodyB = twin.b, .frameA = identity, .frameB = identity};
    StartCountingAsserts();
    tdCreateJoint(twin.world, &jointDef);
    ENSURE(StopCountingAsserts("cookie"));
    tdDestroyWorld(twin.world);
}

TEST(WorldGetters)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    ENSURE(tdWorld_IsSleepEnabled(world) && tdWorld_IsContinuousEnabled(world));
    tdWorld_EnableSleep(world, false);
    ENSURE(!tdWorld_IsSleepEnabled(world) && tdWorld_IsContinuousEnabled(world));
    tdWorld_EnableContinuous(world, false);
    tdWorld_EnableSleep(world, true);
    ENSURE(tdWorld_IsSleepEnabled(world) && !tdWorld_IsContinuousEnabled(world));
    tdDestroyWorld(world);
}

TEST(BodyGetters)
{
    Twin twin = MakeTwin();
    ENSURE(tdBody_IsSleepEnabled(twin.world, twin.a) && tdBody_IsContinuousEnabled(twin.world, twin.a));
    tdBody_EnableSleep(twin.world, twin.a, false);
    ENSURE(!tdBody_IsSleepEnabled(twin.world, twin.a) && tdBody_IsContinuousEnabled(twin.world, twin.a));
    tdBody_EnableContinuous(twin.world, twin.a, false);
    ENSURE(!tdBody_IsContinuousEnabled(twin.world, twin.a));
    ENSURE(tdBody_IsSleepEnabled(twin.world, twin.b) && tdBody_IsContinuousEnabled(twin.world, twin.b));
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_KINEMATIC;
    tdBodyId lift = tdCreateBody(twin.world, &def);
    tdTransform target = {{9.0f, 9.0f, 9.0f}, noTurn};
    ENSURE(!tdBody_GetTarget(twin.world, lift, &target));
    ENSURE_NEAR(target.position.x, 9.0, 0.0);
    tdBody_SetTarget(twin.world, lift, (tdTransform){{0.0f, 0.5f, 0.0f}, noTurn});
    ENSURE(tdBody_GetTarget(twin.world, lift, &target));
    ENSURE_NEAR(target.position.y, 0.5, 0.0);
    tdWorld_Step(twin.world, (float)STEP);
    ENSURE(!tdBody_GetTarget(twin.world, lift, &target));
    tdDestroyWorld(twin.world);
}

TEST(ShapeAndJointGetters)
{
    Twin twin = MakeTwin();
    tdShapeMaterial material = tdShape_GetMaterial(twin.world, twin.shape);
    ENSURE_NEAR(material.staticFriction, 0.6f, 0.0);
    ENSURE_EQUAL_INT(material.frictionCombine, TD_COMBINE_UNSPECIFIED);
    tdShapeMaterial ice = {.staticFriction = 0.05f,
                           .dynamicFriction = 0.02f,
                           .restitution = 0.25f,
                           .frictionCombine = TD_COMBINE_MINIMUM,
                           .restitutionCombine = TD_COMBINE_MULTIPLY};
    tdShape_SetMaterial(twin.world, twin.shape, ice);
    material = tdShape_GetMaterial(twin.world, twin.shape);
    ENSURE_NEAR(material.staticFriction, 0.05f, 0.0);
    ENSURE_NEAR(material.dynamicFriction, 0.02f, 0.0);
    ENSURE_NEAR(material.restitution, 0.25f, 0.0);
    ENSURE_EQUAL_INT(material.frictionCombine, TD_COMBINE_MINIMUM);
    ENSURE_EQUAL_INT(material.restitutionCombine, TD_COMBINE_MULTIPLY);
    ENSURE(isinf(tdJoint_GetBreakForce(twin.world, twin.joint)));
    tdJoint_SetBreakLimits(twin.world, twin.joint, 12.0f, 34.0f);
    ENSURE_NEAR(tdJoint_GetBreakForce(twin.world, twin.joint), 12.0, 0.0);
    ENSURE_NEAR(tdJoint_GetBreakTorque(twin.world, twin.joint), 34.0, 0.0);
    tdJoint_SetUserData(twin.world, twin.joint, 77);
    ENSURE_EQUAL_INT(tdJoint_GetUserData(twin.world, twin.joint), 77);
    tdShape_SetFilter(twin.world, twin.shape, twin.filter);
    ENSURE(tdWorld_TestFilters(twin.world, tdShape_GetFilter(twin.world, twin.shape), twin.filter));
    tdDestroyWorld(twin.world);
}

TEST_MAIN(RUN(IdsOfAnotherWorldAreInvalid) RUN(IdsOfAnotherWorldAssert) RUN(LoadedEventsHaveIdsOfTheirWorld)
              RUN(DefsWithoutDefaultsAssert) RUN(WorldGetters) RUN(BodyGetters) RUN(ShapeAndJointGetters))
