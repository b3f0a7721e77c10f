// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of bodies: ids, mass from shapes and overrides, forces and impulses, teleport, kinematic targets,
// changes of motion type.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/physics.h"

#define STEP (1.0f / 60.0f)

static tdWorld* MakeWeightlessWorld(void)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = tdVec3_zero;
    return tdCreateWorld(&def);
}

static tdBodyId MakeBody(tdWorld* world, tdMotion motion, tdVec3 position)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = motion;
    def.transform.position = position;
    return tdCreateBody(world, &def);
}

TEST(StaleIdsAreDetected)
{
    tdWorld* world = tdCreateWorld(NULL);
    ENSURE(!tdBody_IsValid(world, (tdBodyId){0}));
    tdBodyId ids[50];
    for (int round = 0; round < 3; ++round)
    {
        for (int i = 0; i < 50; ++i)
        {
            ids[i] = MakeBody(world, (tdMotion)(i % 3), (tdVec3){(float)i, 0.0f, 0.0f});
            tdCreateSphere(world, ids[i], NULL, 0.6f);
        }
        tdWorld_Step(world, STEP);
        for (int i = 0; i < 50; ++i)
        {
            int victim = (i * 17) % 50; // arbitrary order
            ENSURE(tdBody_IsValid(world, ids[victim]));
            tdDestroyBody(world, ids[victim]);
            ENSURE(!tdBody_IsValid(world, ids[victim]));
            if (i % 10 == 0)
            {
                tdWorld_Step(world, STEP);
            }
        }
    }
    tdStepStats stats = tdWorld_GetStats(world);
    ENSURE_EQUAL_INT(stats.bodyCount, 0);
    ENSURE_EQUAL_INT(stats.shapeCount, 0);
    ENSURE_EQUAL_INT(stats.contactCount, 0);
    ENSURE_EQUAL_INT(stats.islandCount, 0);
    tdDestroyWorld(world);
}

TEST(MassComesFromShapes)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId body = MakeBody(world, TD_MOTION_DYNAMIC, tdVec3_zero);
    // A body without volume gets 1 kg and 1 kg m^2.
    tdBodyMass mass = tdBody_GetMass(world, body);
    ENSURE_NEAR(mass.mass, 1.0f, 1e-6);
    ENSURE_NEAR(mass.inertiaDiagonal.x, 1.0f, 1e-6);
    // Two adjacent boxes equal one of twice the length.
    tdShapeDef def = tdDefaultShapeDef();
    def.density = 500.0f;
    def.local.position.x = -0.5f;
    tdShapeId left = tdCreateBox(world, body, &def, (tdVec3){1.0f, 1.0f, 1.0f});
    def.local.position.x = 0.5f;
    tdCreateBox(world, body, &def, (tdVec3){1.0f, 1.0f, 1.0f});
    mass = tdBody_GetMass(world, body);
    ENSURE_NEAR(mass.mass, 1000.0f, 1e-2);
    ENSURE_NEAR(mass.centerOfMass.x, 0.0f, 1e-6);
    float sum = mass.inertiaDiagonal.x + mass.inertiaDiagonal.y + mass.inertiaDiagonal.z;
    // m/12 (b^2 + c^2) about each axis of a 2 x 1 x 1 box: 2/12 m once and 5/12 m twice.
    ENSURE_NEAR(sum, 1000.0f * 12.0f / 12.0f, 1e-1);
    // Triggers have no mass; removing a shape removes its mass.
    def.isTrigger = true;
    tdCreateSphere(world, body, &def, 3.0f);
    ENSURE_NEAR(tdBody_GetMass(world, body).mass, 1000.0f, 1e-2);
    tdDestroyShape(world, left);
    mass = tdBody_GetMass(world, body);
    ENSURE_NEAR(mass.mass, 500.0f, 1e-2);
    ENSURE_NEAR(mass.centerOfMass.x, 0.5f, 1e-6);
    tdDestroyWorld(world);
}

TEST(OverridesFollowTheSpecification)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    // Given mass: the tensor is scaled. Given centre: the tensor is not shifted.
    def.mass = 3.0f;
    def.hasCenterOfMass = true;
    def.centerOfMass = (tdVec3){0.0f, -1.0f, 0.0f};
    tdBodyId body = tdCreateBody(world, &def);
    tdCreateBox(world, body, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    tdBodyMass mass = tdBody_GetMass(world, body);
    ENSURE_NEAR(mass.mass, 3.0f, 1e-6);
    ENSURE_NEAR(mass.centerOfMass.y, -1.0f, 1e-6);
    ENSURE_NEAR(mass.inertiaDiagonal.y, 3.0f / 6.0f, 1e-5);
    // Given inertia, one locked axis; infinite mass.
    def.mass = INFINITY;
    def.hasCenterOfMass = false;
    def.inertiaDiagonal = (tdVec3){INFINITY, 2.0f, 3.0f};
    body = tdCreateBody(world, &def);
    tdCreateBox(world, body, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    mass = tdBody_GetMass(world, body);
    ENSURE(isinf(mass.mass) && isinf(mass.inertiaDiagonal.x));
    ENSURE_NEAR(mass.inertiaDiagonal.y, 2.0f, 1e-6);
    ENSURE_NEAR(mass.inertiaDiagonal.z, 3.0f, 1e-6);
    tdDestroyWorld(world);
}

TEST(InfiniteMassStillTurns)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.mass = INFINITY;
    def.inertiaDiagonal = (tdVec3){INFINITY, 2.0f, 4.0f};
    tdBodyId body = tdCreateBody(world, &def);
    tdBody_ApplyForceToCenter(world, body, (tdVec3){100.0f, 0.0f, 0.0f});
    tdBody_ApplyTorque(world, body, (tdVec3){1.0f, 1.0f, 0.0f});
    tdWorld_Step(world, STEP);
    tdVec3 v = tdBody_GetLinearVelocity(world, body), w = tdBody_GetAngularVelocity(world, body);
    ENSURE(v.x == 0.0f && v.y == 0.0f && v.z == 0.0f); // no gravity either
    ENSURE(w.x == 0.0f);
    ENSURE_NEAR(w.y, 0.5f * STEP, 1e-6);
    // Forces last for one step.
    tdWorld_Step(world, STEP);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).y, 0.5f * STEP, 1e-6);
    tdDestroyWorld(world);
}

TEST(ForcesAndImpulsesFollowNewton)
{
    tdWorld* world = MakeWeightlessWorld();
    tdBodyId body = MakeBody(world, TD_MOTION_DYNAMIC, tdVec3_zero);
    tdCreateSphere(world, body, NULL, 0.5f);
    tdBodyMass mass = tdBody_GetMass(world, body);
    float m = mass.mass, i = mass.inertiaDiagonal.x;
    ENSURE_NEAR(i, 0.4f * m * 0.25f, 1e-3f * i);
    tdBody_ApplyImpulse(world, body, (tdVec3){0.0f, m, 0.0f}, (tdVec3){0.3f, 0.0f, 0.0f});
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).y, 1.0f, 1e-6);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).z, 0.3f * m / i, 1e-4);
    tdVec3 point = tdBody_GetPointVelocity(world, body, (tdVec3){0.3f, 0.0f, 0.0f});
    ENSURE_NEAR(point.y, 1.0f + 0.3f * 0.3f * m / i, 1e-4);
    tdBody_SetLinearVelocity(world, body, tdVec3_zero);
    tdBody_SetAngularVelocity(world, body, tdVec3_zero);
    tdBody_ApplyForce(world, body, (tdVec3){0.0f, 0.0f, 60.0f * m}, (tdVec3){0.0f, 0.2f, 0.0f});
    tdWorld_Step(world, STEP);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).z, 1.0f, 1e-5);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).x, 0.2f * m / i, 1e-4);
    tdBody_ApplyAngularImpulse(world, body, (tdVec3){-0.2f * m, 0.0f, 0.0f});
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).x, 0.0f, 1e-4);
    tdDestroyWorld(world);
}

TEST(GravityFactorScales)
{
    tdWorld* world = tdCreateWorld(NULL);
    float factors[3] = {0.0f, 1.0f, -2.0f};
    tdBodyId bodies[3];
    for (int i = 0; i < 3; ++i)
    {
        bodies[i] = MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){5.0f * (float)i, 0.0f, 0.0f});
        tdCreateSphere(world, bodies[i], NULL, 0.5f);
        tdBody_SetGravityFactor(world, bodies[i], factors[i]);
    }
    for (int i = 0; i < 60; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    for (int i = 0; i < 3; ++i)
    {
        ENSURE_NEAR(tdBody_GetLinearVelocity(world, bodies[i]).y, -9.81f * factors[i], 1e-4);
    }
    tdDestroyWorld(world);
}

TEST(TargetIsReachedExactlyAndPushes)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId ground = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f});
    tdCreateBox(world, ground, NULL, (tdVec3){40.0f, 1.0f, 40.0f});
    tdBodyId pusher = MakeBody(world, TD_MOTION_KINEMATIC, (tdVec3){-2.0f, 0.5f, 0.0f});
    tdCreateBox(world, pusher, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    tdBodyId box = MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){-0.9f, 0.5f, 0.0f});
    tdCreateBox(world, box, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    float angle = 0.02f;
    for (int i = 1; i <= 60; ++i)
    {
        tdTransform target = {{-2.0f + 0.03f * (float)i, 0.5f, 0.0f},
                              tdQuatFromAxisAngle((tdVec3){0.0f, 0.0f, 1.0f}, i == 60 ? angle : 0.0f)};
        tdBody_SetTarget(world, pusher, target);
        tdWorld_Step(world, STEP);
        tdTransform now = tdBody_GetTransform(world, pusher);
        ENSURE(memcmp(&now.position, &target.position, sizeof(tdVec3)) == 0);
    }
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, pusher).x, 0.03f * 60.0f, 1e-3);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, pusher).z, 60.0f * angle, 1e-3);
    // It pushed the box: faces touch, within the slop and a small rotation.
    float gap = tdBody_GetTransform(world, box).position.x - tdBody_GetTransform(world, pusher).position.x;
    ENSURE_NEAR(gap, 1.0f, 0.03f);
    // Without a new target it rests at the last target.
    tdTransform before = tdBody_GetTransform(world, pusher);
    tdWorld_Step(world, STEP);
    tdWorld_Step(world, STEP);
    tdTransform after = tdBody_GetTransform(world, pusher);
    ENSURE(memcmp(&before, &after, sizeof(before)) == 0);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, pusher).x, 0.0f, 0.0f);
    tdDestroyWorld(world);
}

TEST(KinematicKeepsItsVelocity)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId body = MakeBody(world, TD_MOTION_KINEMATIC, tdVec3_zero);
    tdCreateBox(world, body, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    tdBody_SetLinearVelocity(world, body, (tdVec3){1.0f, 0.0f, 0.0f});
    tdBody_SetAngularVelocity(world, body, (tdVec3){0.0f, 0.5f, 0.0f});
    for (int i = 0; i < 120; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    tdTransform now = tdBody_GetTransform(world, body);
    ENSURE_NEAR(now.position.x, 2.0f, 1e-4);
    // 1 rad about y; the sub-steps rotate by the tangent, an error of (w h)^3 / 12 each.
    ENSURE_NEAR(2.0f * atan2f(now.rotation.y, now.rotation.w), 1.0, 1e-4);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).x, 1.0f, 0.0f);
    tdDestroyWorld(world);
}

TEST(TeleportLeavesNothingBehind)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId ground = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f});
    tdCreateBox(world, ground, NULL, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyId box = MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.5f, 0.0f});
    tdCreateBox(world, box, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(!tdBody_IsAwake(world, box));
    tdTransform away = {{100.0f, 50.0f, 0.0f}, tdQuat_identity};
    tdBody_SetTransform(world, box, away);
    ENSURE(tdBody_IsAwake(world, box));
    tdWorld_Step(world, STEP);
    tdWorld_Step(world, STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 0);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, box).y, -9.81f * 2.0f * STEP, 1e-5);
    // Back on the ground, it collides again.
    tdBody_SetTransform(world, box, (tdTransform){{0.0f, 0.6f, 0.0f}, tdQuat_identity});
    tdBody_SetLinearVelocity(world, box, tdVec3_zero);
    for (int i = 0; i < 60; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, box).position.y, 0.5f, 0.006f); // the slop is 5 mm
    tdDestroyWorld(world);
}

TEST(MotionMayChange)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId ground = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f});
    tdCreateBox(world, ground, NULL, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyId box = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.0f, 3.0f, 0.0f});
    tdCreateBox(world, box, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    tdWorld_Step(world, STEP);
    ENSURE_NEAR(tdBody_GetTransform(world, box).position.y, 3.0f, 0.0f);
    ENSURE(tdBody_SetMotion(world, box, TD_MOTION_KINEMATIC));
    tdBody_SetLinearVelocity(world, box, (tdVec3){0.0f, -1.0f, 0.0f});
    tdWorld_Step(world, STEP);
    ENSURE_NEAR(tdBody_GetTransform(world, box).position.y, 3.0f - STEP, 1e-6);
    ENSURE(tdBody_SetMotion(world, box, TD_MOTION_DYNAMIC));
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, box).y, -1.0f, 0.0f); // keeps its velocity
    for (int i = 0; i < 120; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, box).position.y, 0.5f, 0.006f);
    ENSURE_NEAR(tdBody_GetMass(world, box).mass, 1000.0f, 0.1f);
    ENSURE(tdBody_SetMotion(world, box, TD_MOTION_STATIC));
    ENSURE(isinf(tdBody_GetMass(world, box).mass));
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(StaleIdsAreDetected) RUN(MassComesFromShapes) RUN(OverridesFollowTheSpecification)
              RUN(InfiniteMassStillTurns) RUN(ForcesAndImpulsesFollowNewton) RUN(GravityFactorScales)
                  RUN(TargetIsReachedExactlyAndPushes) RUN(KinematicKeepsItsVelocity)
                      RUN(TeleportLeavesNothingBehind) RUN(MotionMayChange))
