// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Numbers from outside: calls with a NaN or an infinity are refused, and speeds beyond the bounds of
// physics.h are clamped, with the same bits for all vector widths and thread counts.
// Labels: threads
#include "assert_count.h"
#include "harness.h"
#include "joints.h"

#include <stdlib.h>

typedef struct Stand
{
    tdWorld* world;
    tdBodyId body, kinematic;
    tdShapeId shape;
    tdJointId joint;
} Stand;

static Stand MakeStand(void)
{
    Stand stand = {.world = MakeWorld(V(0, -GRAVITY, 0), true)};
    stand.body = AddSphere(stand.world, TD_MOTION_DYNAMIC, V(0, 3, 0), 0.5, plain);
    stand.kinematic = AddSphere(stand.world, TD_MOTION_KINEMATIC, V(9, 3, 0), 0.5, plain);
    tdBodyId other = AddSphere(stand.world, TD_MOTION_DYNAMIC, V(2, 3, 0), 0.5, plain);
    tdBody_GetShapes(stand.world, stand.body, &stand.shape, 1);
    tdJointDrive drive = tdDefaultJointDrive();
    tdJointDef def = tdMakeHingeJointDef(stand.world, stand.body, other, V(1, 3, 0), V(0, 0, 1), -1.0f, 1.0f);
    def.drives = &drive;
    def.driveCount = 1;
    stand.joint = tdCreateJoint(stand.world, &def);
    tdWorld_Step(stand.world, (float)STEP);
    return stand;
}

typedef void CallFcn(const Stand* stand, float bad);

static void CallLinearVelocity(const Stand* s, float bad)
{
    tdBody_SetLinearVelocity(s->world, s->body, (tdVec3){0.0f, bad, 0.0f});
}

static void CallAngularVelocity(const Stand* s, float bad)
{
    tdBody_SetAngularVelocity(s->world, s->body, (tdVec3){0.0f, 0.0f, bad});
}

static void CallForce(const Stand* s, float bad)
{
    tdBody_ApplyForce(s->world, s->body, (tdVec3){bad, 0.0f, 0.0f}, tdVec3_zero);
}

static void CallForcePoint(const Stand* s, float bad)
{
    tdBody_ApplyForce(s->world, s->body, (tdVec3){1.0f, 0.0f, 0.0f}, (tdVec3){0.0f, bad, 0.0f});
}

static void CallForceToCenter(const Stand* s, float bad)
{
    tdBody_ApplyForceToCenter(s->world, s->body, (tdVec3){bad, 0.0f, 0.0f});
}

static void CallTorque(const Stand* s, float bad)
{
    tdBody_ApplyTorque(s->world, s->body, (tdVec3){bad, 0.0f, 0.0f});
}

static void CallImpulse(const Stand* s, float bad)
{
    tdBody_ApplyImpulse(s->world, s->body, (tdVec3){0.0f, 0.0f, bad}, tdVec3_zero);
}

static void CallImpulsePoint(const Stand* s, float bad)
{
    tdBody_ApplyImpulse(s->world, s->body, (tdVec3){0.0f, 0.0f, 1.0f}, (tdVec3){bad, 0.0f, 0.0f});
}

static void CallImpulseToCenter(const Stand* s, float bad)
{
    tdBody_ApplyImpulseToCenter(s->world, s->body, (tdVec3){0.0f, bad, 0.0f});
}

static void CallAngularImpulse(const Stand* s, float bad)
{
    tdBody_ApplyAngularImpulse(s->world, s->body, (tdVec3){0.0f, bad, 0.0f});
}

static void CallPosition(const Stand* s, float bad)
{
    tdBody_SetTransform(s->world, s->body, (tdTransform){{bad, 0.0f, 0.0f}, noTurn});
}

static void CallRotation(const Stand* s, float bad)
{
    tdBody_SetTransform(s->world, s->body, (tdTransform){tdVec3_zero, {0.0f, bad, 0.0f, 1.0f}});
}

static void CallTarget(const Stand* s, float bad)
{
    tdBody_SetTarget(s->world, s->kinematic, (tdTransform){{0.0f, 0.0f, bad}, noTurn});
}

static void CallMass(const Stand* s, float bad)
{
    tdBodyMass mass = tdBody_GetMass(s->world, s->body);
    mass.centerOfMass.x = bad;
    tdBody_SetMass(s->world, s->body, mass);
}

static void CallGravityFactor(const Stand* s, float bad)
{
    tdBody_SetGravityFactor(s->world, s->body, bad);
}

static void CallGravity(const Stand* s, float bad)
{
    tdWorld_SetGravity(s->world, (tdVec3){bad, 0.0f, 0.0f});
}

static void CallStep(const Stand* s, float bad)
{
    ENSURE(!tdWorld_Step(s->world, bad));
}

static void CallShapeLocal(const Stand* s, float bad)
{
    tdShape_SetLocal(s->world, s->shape, (tdTransform){{bad, 0.0f, 0.0f}, noTurn});
}

static void CallMaterial(const Stand* s, float bad)
{
    tdShapeMaterial material = tdShape_GetMaterial(s->world, s->shape);
    material.dynamicFriction = bad;
    tdShape_SetMaterial(s->world, s->shape, material);
}

static void CallDrive(const Stand* s, float bad)
{
    tdJointDrive drive = tdJoint_GetDrive(s->world, s->joint, 0);
    drive.velocityTarget = bad;
    tdJoint_SetDrive(s->world, s->joint, 0, drive);
}

static void CallLimit(const Stand* s, float bad)
{
    tdJointLimit limit = tdJoint_GetLimit(s->world, s->joint, 2);
    limit.damping = bad;
    tdJoint_SetLimit(s->world, s->joint, 2, limit);
}

static void CallCreateBody(const Stand* s, float bad)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.angularVelocity.y = bad;
    ENSURE(tdCreateBody(s->world, &def).index1 == 0);
}

static void CallCreateSphere(const Stand* s, float bad)
{
    ENSURE(tdCreateSphere(s->world, s->body, NULL, bad).index1 == 0);
}

static void CallCreateBox(const Stand* s, float bad)
{
    ENSURE(tdCreateBox(s->world, s->body, NULL, (tdVec3){1.0f, bad, 1.0f}).index1 == 0);
}

static void CallCreateCylinder(const Stand* s, float bad)
{
    ENSURE(tdCreateCylinder(s->world, s->body, NULL, 1.0f, 1.0f, bad).index1 == 0);
}

static void CallCreateShape(const Stand* s, float bad)
{
    tdShapeDef def = tdDefaultShapeDef();
    def.density = bad;
    ENSURE(tdCreateSphere(s->world, s->body, &def, 1.0f).index1 == 0);
}

static void CallCreateJoint(const Stand* s, float bad)
{
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = s->body;
    def.frameB.position.x = bad;
    ENSURE(tdCreateJoint(s->world, &def).index1 == 0);
}

// Calls that refuse a NaN and both infinities.
static CallFcn* const calls[] = {
    CallLinearVelocity,
    CallAngularVelocity,
    CallForce,
    CallForcePoint,
    CallForceToCenter,
    CallTorque,
    CallImpulse,
    CallImpulsePoint,
    CallImpulseToCenter,
    CallAngularImpulse,
    CallPosition,
    CallRotation,
    CallTarget,
    CallMass,
    CallGravityFactor,
    CallGravity,
    CallStep,
    CallShapeLocal,
    CallMaterial,
    CallDrive,
    CallLimit,
    CallCreateBody,
    CallCreateSphere,
    CallCreateBox,
    CallCreateCylinder,
    CallCreateShape,
    CallCreateJoint,
};

TEST(CallsWithInvalidNumbersChangeNothing)
{
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            Stand stand = MakeStand(), control = MakeStand();
            StartCountingAsserts();
            calls[i](&stand, bad[k]);
            ENSURE(StopCountingAsserts(""));
            ENSURE_EQUAL_INT(tdWorld_GetStatus(stand.world), TD_STATUS_INVALID_NUMBER);
            StepFor(stand.world, 0.5);
            StepFor(control.world, 0.5);
            ENSURE_EQUAL_INT(tdWorld_GetStatus(stand.world), TD_STATUS_OK);
            ENSURE(tdWorld_GetStateHash(stand.world) == tdWorld_GetStateHash(control.world));
            tdDestroyWorld(stand.world);
            tdDestroyWorld(control.world);
        }
    }
}

// Infinity has a meaning in these; a NaN has none.
TEST(NansAreRefusedWhereInfinityIsValid)
{
    Stand stand = MakeStand();
    tdBodyMass mass = tdBody_GetMass(stand.world, stand.body);
    StartCountingAsserts();
    mass.mass = NAN;
    tdBody_SetMass(stand.world, stand.body, mass);
    mass.mass = 1.0f;
    mass.inertiaDiagonal.y = NAN;
    tdBody_SetMass(stand.world, stand.body, mass);
    tdJointLimit limit = tdJoint_GetLimit(stand.world, stand.joint, 2);
    limit.max = NAN;
    tdJoint_SetLimit(stand.world, stand.joint, 2, limit);
    tdJoint_SetBreakLimits(stand.world, stand.joint, NAN, INFINITY);
    ENSURE(tdCreatePlane(stand.world, stand.body, NULL, NAN, 1.0f, true).index1 == 0);
    ENSURE(StopCountingAsserts(""));
#if TD_ENABLE_ASSERT
    ENSURE_EQUAL_INT(assertCount, 5);
#endif
    ENSURE_EQUAL_INT(tdWorld_GetStatus(stand.world), TD_STATUS_INVALID_NUMBER);
    ENSURE(tdBody_GetMass(stand.world, stand.body).mass > 100.0f);
    ENSURE(tdJoint_GetLimit(stand.world, stand.joint, 2).max == 1.0f);
    ENSURE(isinf(tdJoint_GetBreakForce(stand.world, stand.joint)));
    tdWorld_Step(stand.world, (float)STEP);
    mass = tdBody_GetMass(stand.world, stand.body);
    mass.mass = INFINITY;
    tdBody_SetMass(stand.world, stand.body, mass);
    limit.max = INFINITY;
    tdJoint_SetLimit(stand.world, stand.joint, 2, limit);
    ENSURE_EQUAL_INT(tdWorld_GetStatus(stand.world), TD_STATUS_OK);
    tdDestroyWorld(stand.world);
}

TEST(WorldsNeedFiniteGravity)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity.y = NAN;
    StartCountingAsserts();
    ENSURE(tdCreateWorld(&def) == NULL);
    ENSURE(StopCountingAsserts("gravity"));
}

TEST(QueriesWithInvalidNumbersFindNothing)
{
    Stand stand = MakeStand();
    tdBodyId ground = AddBody(stand.world, TD_MOTION_STATIC, V(0, 0, 0), noTurn);
    tdCreatePlane(stand.world, ground, NULL, INFINITY, INFINITY, false);
    tdQueryHit hit;
    tdQueryPoint closest;
    tdQueryShape sphere = tdMakeSphereQuery(9.0f);
    StartCountingAsserts();
    ENSURE(!tdWorld_CastRay(stand.world, (tdRay){{0.0f, 9.0f, 0.0f}, {NAN, -20.0f, 0.0f}}, NULL, &hit));
    ENSURE(tdWorld_CastRayAll(stand.world, (tdRay){{0.0f, INFINITY, 0.0f}, {0.0f, -20.0f, 0.0f}}, NULL, &hit,
                              1) == 0);
    ENSURE(!tdWorld_CastShape(stand.world, &sphere,
                              (tdTransform){{0.0f, 9.0f, 0.0f}, {NAN, 0.0f, 0.0f, 1.0f}}, V(0, -20, 0), NULL,
                              &hit));
    ENSURE(tdWorld_OverlapShape(stand.world, &sphere, (tdTransform){{NAN, 0.0f, 0.0f}, noTurn}, NULL, NULL,
                                0) == 0);
    ENSURE(!tdWorld_FindClosestPoint(stand.world, (tdVec3){NAN, 0.0f, 0.0f}, 9.0f, NULL, &closest));
    ENSURE(!tdWorld_FindClosestPoint(stand.world, tdVec3_zero, NAN, NULL, &closest));
    ENSURE(StopCountingAsserts("inite"));
#if TD_ENABLE_ASSERT
    ENSURE_EQUAL_INT(assertCount, 6);
#endif
    tdDestroyWorld(stand.world);
}

// Finite numbers whose sum or product overflows.
TEST(OverflowingForcesAreRefused)
{
    Stand stand = MakeStand();
    tdVec3 huge = {3.0e38f, 0.0f, 0.0f};
    tdBodyMass mass = tdBody_GetMass(stand.world, stand.body);
    mass.mass = 0.001f;
    tdBody_SetMass(stand.world, stand.body, mass);
    tdBody_ApplyForceToCenter(stand.world, stand.body, huge);
    StartCountingAsserts();
    tdBody_ApplyForceToCenter(stand.world, stand.body, huge);
    tdBody_ApplyImpulseToCenter(stand.world, stand.body, huge);
    ENSURE(StopCountingAsserts("tdIsFiniteVec3"));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(stand.world), TD_STATUS_INVALID_NUMBER);
    StepFor(stand.world, 0.1);
    ENSURE(isfinite(Length(Position(stand.world, stand.body))));
    ENSURE(Length(tdBody_GetLinearVelocity(stand.world, stand.body)) <= (double)TD_MAX_LINEAR_SPEED);
    tdDestroyWorld(stand.world);
}

TEST(SpeedsBeyondTheBoundsAreClamped)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId fast = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 0, 0), 0.5, plain);
    tdBodyId spinning = AddBox(world, TD_MOTION_DYNAMIC, V(0, 9, 0), noTurn, V(1, 2, 3), plain);
    tdBodyId below = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 20, 0), 0.5, plain);
    double linear = (double)TD_MAX_LINEAR_SPEED, angular = (double)TD_MAX_ANGULAR_SPEED;
    ENSURE(linear > 10.0 * 3000.0);
    tdBody_SetLinearVelocity(world, fast, V(3.0 * linear, 4.0 * linear, 0));
    tdBody_SetAngularVelocity(world, spinning, V(0, 1e37, 0));
    tdBody_SetLinearVelocity(world, below, V(0.99 * linear, 0, 0));
    tdBody_SetAngularVelocity(world, below, V(0, 0, 0.99 * angular));
    tdWorld_Step(world, (float)STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).clampedCount, 2);
    tdVec3 v = tdBody_GetLinearVelocity(world, fast);
    ENSURE_NEAR(v.x, 0.6 * linear, 1e-5 * linear);
    ENSURE_NEAR(v.y, 0.8 * linear, 1e-5 * linear);
    ENSURE_NEAR(Position(world, fast).y, 0.8 * linear * STEP, 1e-4 * linear * STEP);
    ENSURE_NEAR(Length(tdBody_GetAngularVelocity(world, spinning)), angular, 1e-5 * angular);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, below).x, 0.99 * linear, 0.1);
    tdWorld_Step(world, (float)STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).clampedCount, 0); // within the bounds from there on
    tdDestroyWorld(world);
}

// A kinematic body reaches a far target, whatever the speed that contacts see.
TEST(TargetsBeyondTheBoundAreReached)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId body = AddSphere(world, TD_MOTION_KINEMATIC, V(0, 0, 0), 0.5, plain);
    tdBody_SetTarget(world, body, (tdTransform){{1.0e5f, 0.0f, 0.0f}, noTurn});
    tdWorld_Step(world, (float)STEP);
    ENSURE_NEAR(Position(world, body).x, 1.0e5, 0);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).clampedCount, 1);
    tdDestroyWorld(world);
}

// Boxes that start deep inside each other with extreme velocities, masses and a net of joints.
static tdWorld* MakeBlowUp(tdSimd simd, const tdTasks* tasks)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.simd = simd;
    worldDef.tasks = tasks;
    tdWorld* world = tdCreateWorld(&worldDef);
    AddSlope(world, 0.0, plain);
    uint32_t random = 12345;
    tdBodyId last = {0};
    for (int i = 0; i < 600; ++i)
    {
        double r[8];
        for (int k = 0; k < 8; ++k)
        {
            random = random * 1664525u + 1013904223u;
            r[k] = (double)(random >> 8) / 8388608.0 - 1.0;
        }
        tdBodyDef def = tdDefaultBodyDef();
        def.motion = TD_MOTION_DYNAMIC;
        def.transform.position = V(4 * r[0], 4 + 4 * r[1], 4 * r[2]);
        def.mass = (float)pow(10.0, 5.0 * r[3]);
        def.linearVelocity = V(1e6 * r[4], 1e6 * r[5], 1e30 * r[6]);
        def.angularVelocity = V(1e9 * r[5], 1e4 * r[6], 1e20 * r[7]);
        tdBodyId body = tdCreateBody(world, &def);
        tdShapeDef shape = tdDefaultShapeDef();
        shape.restitution = 1.0f;
        i % 3 == 0 ? tdCreateSphere(world, body, &shape, 0.5f) : tdCreateBox(world, body, &shape, V(1, 1, 1));
        if (i % 4 == 3)
        {
            tdJointDef joint =
                tdMakeHingeJointDef(world, last, body, V(0, 4, 0), V(r[0], 1, r[2]), -0.1f, 0.1f);
            tdCreateJoint(world, &joint);
        }
        last = body;
    }
    return world;
}

TEST(BlownUpWorldsHaveEqualBits)
{
    const tdTasks* threads = tdCreateThreads(2);
    const tdSimd widths[3] = {TD_SIMD_SCALAR, TD_SIMD_SSE2, TD_SIMD_AVX2};
    uint64_t hashes[4];
    long long clamped[4] = {0};
    for (int i = 0; i < 4; ++i)
    {
        tdWorld* world = MakeBlowUp(widths[i < 3 ? i : 2], i == 3 ? threads : NULL);
        for (int step = 0; step < 60; ++step)
        {
            tdWorld_Step(world, (float)STEP);
            clamped[i] += tdWorld_GetStats(world).clampedCount;
        }
        int count = 0;
        const tdMovedBody* moved = tdWorld_GetMovedBodies(world, &count);
        for (int k = 0; k < count; ++k)
        {
            tdVec3 v = tdBody_GetLinearVelocity(world, moved[k].body);
            ENSURE(Length(v) <= (double)TD_MAX_LINEAR_SPEED);
            ENSURE(isfinite(Length(moved[k].transform.position)));
        }
        ENSURE(count > 0);
        hashes[i] = tdWorld_GetStateHash(world);
        tdDestroyWorld(world);
    }
    for (int i = 1; i < 4; ++i)
    {
        ENSURE(hashes[i] == hashes[0]);
        ENSURE_EQUAL_INT(clamped[i], clamped[0]);
    }
    ENSURE(clamped[0] >= 600);
    tdDestroyThreads(threads);
}

// Products of these masses overflow, so impulses of joints become infinite or not numbers.
static tdWorld* MakeExtremeChain(tdSimd simd, tdBodyId* bodies)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.simd = simd;
    tdWorld* world = tdCreateWorld(&worldDef);
    for (int i = 0; i < 24; ++i)
    {
        double mass = i % 2 == 0 ? 1.0e-25 : 1.0e25;
        bodies[i] = AddMass(world, V(i, 0, 0), mass, V(mass, 2 * mass, 3 * mass));
        tdBody_SetAngularVelocity(world, bodies[i], V(100 * i, 0, 50 * i));
        tdJointDef def = tdMakeHingeJointDef(world, i > 0 ? bodies[i - 1] : theWorld, bodies[i],
                                             V(i - 0.5, 0, 0), V(0, 0, 1), -0.5f, 0.5f);
        tdCreateJoint(world, &def);
        if (i > 3) // a loop
        {
            tdJointDef loop = tdMakeBallJointDef(world, bodies[i - 3], bodies[i], V(i, 1, 0));
            tdCreateJoint(world, &loop);
        }
    }
    return world;
}

TEST(ExtremeMassesHaveEqualBits)
{
    tdBodyId bodies[24];
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeExtremeChain(i == 0 ? TD_SIMD_SCALAR : TD_SIMD_AVX2, bodies);
        StepFor(world, 1.0);
        hashes[i] = tdWorld_GetStateHash(world);
        for (int k = 0; k < 24; ++k)
        {
            ENSURE(isfinite(Length(Position(world, bodies[k]))));
            ENSURE(Length(tdBody_GetLinearVelocity(world, bodies[k])) <= (double)TD_MAX_LINEAR_SPEED);
        }
        tdDestroyWorld(world);
    }
    ENSURE(hashes[0] == hashes[1]);
}

// Squares of such momenta underflow.
TEST(TinySpinsStayNumbers)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId bodies[40];
    for (int i = 0; i < 40; ++i)
    {
        bodies[i] = AddBox(world, TD_MOTION_DYNAMIC, V(4 * i, 0, 0), noTurn, V(1, 2, 3), plain);
        tdBody_SetAngularVelocity(world, bodies[i], V(pow(10.0, -i), 2 * pow(10.0, -i), 3 * pow(10.0, -i)));
    }
    for (int step = 0; step < 60; ++step)
    {
        tdWorld_Step(world, (float)STEP);
        ENSURE_EQUAL_INT(tdWorld_GetStats(world).clampedCount, 0);
    }
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(CallsWithInvalidNumbersChangeNothing) RUN(NansAreRefusedWhereInfinityIsValid)
              RUN(WorldsNeedFiniteGravity) RUN(QueriesWithInvalidNumbersFindNothing)
                  RUN(OverflowingForcesAreRefused) RUN(SpeedsBeyondTheBoundsAreClamped)
                      RUN(TargetsBeyondTheBoundAreReached) RUN(BlownUpWorldsHaveEqualBits)
                          RUN(ExtremeMassesHaveEqualBits) RUN(TinySpinsStayNumbers))
