// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of triggers: enter and exit on moving and static bodies, against static bodies, not against triggers
// or the own body; one enter and one exit per passage, however fast.
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

typedef struct Passage
{
    int entered, left;       // number of events
    int enterStep, exitStep; // of the last one
} Passage;

static Passage CountPassages(tdWorld* world, int steps)
{
    Passage passage = {0};
    for (int i = 1; i <= steps; ++i)
    {
        tdWorld_Step(world, STEP);
        tdWorldEvents events = tdWorld_GetEvents(world);
        for (int j = 0; j < events.triggerCount; ++j)
        {
            bool entered = events.triggers[j].entered;
            ENSURE(entered ? passage.entered == passage.left : passage.entered == passage.left + 1);
            *(entered ? &passage.entered : &passage.left) += 1;
            *(entered ? &passage.enterStep : &passage.exitStep) = i;
        }
    }
    return passage;
}

static tdShapeId MakeSheet(tdWorld* world, tdBodyId body, float thickness)
{
    tdShapeDef def = tdDefaultShapeDef();
    def.isTrigger = true;
    return tdCreateBox(world, body, &def, (tdVec3){thickness, 10.0f, 10.0f});
}

TEST(FastBodiesPassThinTriggers)
{
    const float speeds[] = {0.5f, 3.0f, 10.0f, 40.0f, 77.0f, 300.0f, 2000.0f};
    const float thicknesses[] = {0.001f, 0.02f, 0.4f};
    for (int i = 0; i < 7; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            for (int kind = 0; kind < 4; ++kind)
            {
                // Kinds: a dynamic ball, a kinematic one, a moving trigger at a sleeping ball, and a ball and
                // a trigger that both move.
                tdWorld* world = tdCreateWorld(NULL);
                float speed = speeds[i], start = -1.0f - 0.31f * speed * STEP;
                bool movesTrigger = kind >= 2, movesBall = kind != 2;
                float share = movesTrigger && movesBall ? 0.5f : 1.0f;
                tdBodyId sheet =
                    MakeBody(world, movesTrigger ? TD_MOTION_KINEMATIC : TD_MOTION_STATIC, tdVec3_zero,
                             (tdVec3){movesTrigger ? -share * speed : 0.0f, 0.0f, 0.0f});
                MakeSheet(world, sheet, thicknesses[k]);
                tdBodyId ball = MakeBody(world, kind == 1 ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC,
                                         (tdVec3){start, 0.0f, 0.0f},
                                         (tdVec3){movesBall ? share * speed : 0.0f, 0.0f, 0.0f});
                tdCreateSphere(world, ball, NULL, 0.05f);
                float reach = 0.05f + 0.5f * thicknesses[k];
                int steps = (int)((1.0f + 2.0f * reach) / speed / STEP) + 10;
                Passage passage = CountPassages(world, steps);
                ENSURE_EQUAL_INT(passage.entered, 1);
                ENSURE_EQUAL_INT(passage.left, 1);
                ENSURE_NEAR((float)passage.enterStep * STEP, (-start - reach) / speed, 1.02f * STEP);
                ENSURE_NEAR((float)passage.exitStep * STEP, (-start + reach) / speed, 1.02f * STEP);
                tdDestroyWorld(world);
            }
        }
    }
}

// A flat box of triangles whose faces a ball touches at the same time. At most speeds the ball is at both of
// them at the end of some step, and leaves one of them in the next before the other.
TEST(MeshTriggersArePassedOnce)
{
    static const tdVec3 corners[8] = {{-0.01f, -3, -3}, {-0.01f, -3, 3}, {-0.01f, 3, -3}, {-0.01f, 3, 3},
                                      {0.01f, -3, -3},  {0.01f, -3, 3},  {0.01f, 3, -3},  {0.01f, 3, 3}};
    static const uint32_t faces[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tdMeshGeometryDef mesh = tdDefaultMeshGeometryDef();
    mesh.positions = corners;
    mesh.positionCount = 8;
    mesh.indices = faces;
    mesh.indexCount = 36;
    tdGeometry* box = tdCreateMeshGeometry(&mesh, NULL);
    for (int i = 0; i < 200; ++i)
    {
        float speed = 2.0f + 0.7f * (float)i, start = -1.0f - 0.0037f * speed * (float)(i % 5);
        tdWorld* world = tdCreateWorld(NULL);
        tdBodyId trigger = MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero);
        tdShapeDef def = tdDefaultShapeDef();
        def.isTrigger = true;
        tdCreateMesh(world, trigger, &def, box);
        tdBodyId ball = MakeBody(world, i % 2 == 0 ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC,
                                 (tdVec3){start, 0.0f, 0.1f}, (tdVec3){speed, 0.0f, 0.0f});
        tdCreateSphere(world, ball, NULL, 0.1f);
        Passage passage = CountPassages(world, (int)(2.5f / speed / STEP) + 5);
        if (!ENSURE(passage.entered == 1 && passage.left == 1))
        {
            printf("    %g m/s: %d entered, %d left\n", (double)speed, passage.entered, passage.left);
        }
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(box);
}

static tdGeometry* MakeMeshBox(tdVec3 half)
{
    static const uint32_t faces[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] =
            (tdVec3){i < 4 ? -half.x : half.x, i % 4 < 2 ? -half.y : half.y, i % 2 == 0 ? -half.z : half.z};
    }
    tdMeshGeometryDef mesh = tdDefaultMeshGeometryDef();
    mesh.positions = corners;
    mesh.positionCount = 8;
    mesh.indices = faces;
    mesh.indexCount = 36;
    return tdCreateMeshGeometry(&mesh, NULL);
}

// A cube of triangles ends a step less than 1 mm before or behind the face of a mesh trigger whose box it had
// not met before.
TEST(MeshBodiesThatEndAtAMeshTriggerPassOnce)
{
    tdGeometry *cube = MakeMeshBox((tdVec3){0.1f, 0.1f, 0.1f}), *gate = MakeMeshBox((tdVec3){0.01f, 3, 3});
    for (int i = 0; i < 40; ++i)
    {
        float speed = 40.0f, front = -0.01f + 0.0001f * (float)(i - 20);
        tdWorld* world = tdCreateWorld(NULL);
        tdShapeDef def = tdDefaultShapeDef();
        def.isTrigger = true;
        tdCreateMesh(world, MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero), &def, gate);
        tdBodyId body = MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){front - 0.1f - 3.0f * speed * STEP, 0, 0},
                                 (tdVec3){speed, 0, 0});
        tdCreateMesh(world, body, NULL, cube);
        tdBody_SetGravityFactor(world, body, 0.0f);
        Passage passage = CountPassages(world, 8);
        if (!ENSURE(passage.entered == 1 && passage.left == 1))
        {
            printf("    front at %g m: %d entered, %d left\n", (double)front, passage.entered, passage.left);
        }
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(cube);
    tdDestroyGeometry(gate);
}

// A ball ends a step up to 0.2 mm before the face of a mesh trigger, which the sweep counts as reached. The
// next step decides, whether it ends inside or beyond.
TEST(BallsThatEndBeforeAMeshTriggerPassOnce)
{
    tdGeometry* gate = MakeMeshBox((tdVec3){0.01f, 3, 3});
    for (int i = 0; i < 80; ++i)
    {
        float speed = i % 2 == 0 ? 5.0f : 40.0f, front = -0.01f - 0.000005f * (float)(i / 2);
        tdWorld* world = tdCreateWorld(NULL);
        tdShapeDef def = tdDefaultShapeDef();
        def.isTrigger = true;
        tdCreateMesh(world, MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero), &def, gate);
        tdBodyId body = MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){front - 0.1f - 3.0f * speed * STEP, 0, 0},
                                 (tdVec3){speed, 0, 0});
        tdCreateSphere(world, body, NULL, 0.1f);
        tdBody_SetGravityFactor(world, body, 0.0f);
        Passage passage = CountPassages(world, 12);
        if (!ENSURE(passage.entered == 1 && passage.left == 1))
        {
            printf("    %g m/s, front at %g m: %d entered, %d left\n", (double)speed, (double)front,
                   passage.entered, passage.left);
        }
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(gate);
}

// A turning cube of triangles is inside of a solid trigger from its first touch to its last, however deep it
// is. The sphere is larger than the cube, the capsule narrower, the flat box thinner.
TEST(MeshBodiesPassTriggersOnce)
{
    tdGeometry* cube = MakeMeshBox((tdVec3){0.1f, 0.1f, 0.1f});
    for (int i = 0; i < 120; ++i)
    {
        float speed = 1.0f + 0.9f * (float)(i / 3), start = -1.5f - 0.0037f * speed * (float)(i % 5);
        tdWorld* world = tdCreateWorld(NULL);
        tdBodyId trigger = MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero);
        tdShapeDef def = tdDefaultShapeDef();
        def.isTrigger = true;
        if (i % 3 == 0)
        {
            tdCreateSphere(world, trigger, &def, 0.7f);
        }
        else if (i % 3 == 1)
        {
            tdCreateCapsule(world, trigger, &def, 2.0f, 0.03f, 0.03f);
        }
        else
        {
            tdCreateBox(world, trigger, &def, (tdVec3){0.01f, 4.0f, 4.0f});
        }
        tdBodyId body =
            MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){start, 0.02f, 0.01f}, (tdVec3){speed, 0.0f, 0.0f});
        tdCreateMesh(world, body, NULL, cube);
        tdBody_SetGravityFactor(world, body, 0.0f);
        tdBody_SetAngularVelocity(world, body, (tdVec3){0.3f, 1.0f, -2.0f});
        Passage passage = CountPassages(world, (int)(4.0f / speed / STEP) + 5);
        if (!ENSURE(passage.entered == 1 && passage.left == 1))
        {
            printf("    trigger %d, %g m/s: %d entered, %d left\n", i % 3, (double)speed, passage.entered,
                   passage.left);
        }
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(cube);
}

/// A body that starts inside a trigger and leaves it within its first step enters and leaves once: a new
/// body, a new trigger, and a body that is moved into the trigger.
TEST(BodiesThatLeaveInTheirFirstStepPassOnce)
{
    const float speeds[] = {0.0f, 1.0f, 8.0f, 40.0f, 500.0f};
    for (int i = 0; i < 5; ++i)
    {
        for (int kind = 0; kind < 4; ++kind)
        {
            // Kinds: a ball, a ball that arrives by a teleport, a trigger that moves, a ball that meets a
            // wall behind the trigger.
            tdWorld* world = tdCreateWorld(NULL);
            tdVec3 velocity = {speeds[i], 0.0f, 0.0f};
            bool movesTrigger = kind == 2;
            tdBodyId sheet = MakeBody(world, movesTrigger ? TD_MOTION_KINEMATIC : TD_MOTION_STATIC,
                                      tdVec3_zero, movesTrigger ? velocity : tdVec3_zero);
            MakeSheet(world, sheet, 0.01f);
            tdVec3 away = {-0.2f, 0.0f, 0.0f}; // near enough for a pair
            tdBodyId ball = MakeBody(world, TD_MOTION_DYNAMIC, kind == 1 ? away : tdVec3_zero, tdVec3_zero);
            tdCreateSphere(world, ball, NULL, 0.05f);
            if (kind == 1)
            {
                ENSURE_EQUAL_INT(CountPassages(world, 2).entered, 0);
                tdBody_SetTransform(world, ball, (tdTransform){tdVec3_zero, tdQuat_identity});
            }
            if (kind == 3)
            {
                tdBodyId wall = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.7f, 0.0f, 0.0f}, tdVec3_zero);
                tdCreateBox(world, wall, NULL, (tdVec3){1.0f, 10.0f, 10.0f});
            }
            tdBody_SetLinearVelocity(world, ball, movesTrigger ? tdVec3_zero : velocity);
            Passage passage = CountPassages(world, 30);
            ENSURE_EQUAL_INT(passage.entered, 1);
            ENSURE_EQUAL_INT(passage.enterStep, 1);
            ENSURE_EQUAL_INT(passage.left, speeds[i] > 0.0f ? 1 : 0);
            tdDestroyWorld(world);
        }
    }
}

TEST(FastBodiesThatMissReportNothing)
{
    tdWorld* world = tdCreateWorld(NULL);
    MakeSheet(world, MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero), 0.01f);
    tdBodyId ball =
        MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){-1.0f, 5.06f, 0.0f}, (tdVec3){200.0f, 0.0f, 0.0f});
    tdCreateSphere(world, ball, NULL, 0.05f);
    ENSURE_EQUAL_INT(CountPassages(world, 10).entered, 0); // passes 1 cm beside the edge
    tdDestroyWorld(world);
}

TEST(BouncesPassTwice)
{
    // A ball at 60 m/s passes a sheet 0.2 m before a wall, bounces within the same step, and passes it again.
    tdWorld* world = tdCreateWorld(NULL);
    tdShapeDef def = tdDefaultShapeDef();
    def.restitution = 1.0f;
    MakeSheet(world, MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero), 0.01f);
    tdBodyId wall = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.7f, 0.0f, 0.0f}, tdVec3_zero);
    tdCreateBox(world, wall, &def, (tdVec3){1.0f, 10.0f, 10.0f});
    tdBodyId ball =
        MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){-2.3f, 0.0f, 0.0f}, (tdVec3){60.0f, 0.0f, 0.0f});
    tdCreateSphere(world, ball, &def, 0.05f);
    Passage passage = CountPassages(world, 8);
    ENSURE_EQUAL_INT(passage.entered, 2);
    ENSURE_EQUAL_INT(passage.left, 2);
    ENSURE(tdBody_GetLinearVelocity(world, ball).x < -50.0f);
    tdDestroyWorld(world);
}

TEST(TeleportsPassNothing)
{
    tdWorld* world = tdCreateWorld(NULL);
    MakeSheet(world, MakeBody(world, TD_MOTION_STATIC, tdVec3_zero, tdVec3_zero), 0.01f);
    tdBodyId ball = MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){-1.0f, 0.0f, 0.0f}, tdVec3_zero);
    tdCreateSphere(world, ball, NULL, 0.05f);
    tdWorld_Step(world, STEP);
    tdBody_SetTransform(world, ball, (tdTransform){{1.0f, 0.0f, 0.0f}, tdQuat_identity});
    ENSURE_EQUAL_INT(CountPassages(world, 10).entered, 0);
    tdDestroyWorld(world);
}

/// A trigger around a sleeping ball begins to move in every way there is, and stays around it.
TEST(MovingTriggersKeepTheirSleepers)
{
    for (int kind = 0; kind < 5; ++kind)
    {
        tdWorld* world = tdCreateWorld(NULL);
        tdMotion motion = kind == 0 ? TD_MOTION_KINEMATIC : kind == 1 ? TD_MOTION_DYNAMIC : TD_MOTION_STATIC;
        tdBodyId zone = MakeBody(world, motion, tdVec3_zero, tdVec3_zero);
        MakeTrigger(world, zone, 2.0f);
        tdBodyId ball = MakeBody(world, TD_MOTION_DYNAMIC, tdVec3_zero, tdVec3_zero);
        tdShapeId shape = tdCreateSphere(world, ball, NULL, 0.2f);
        Passage passage = CountPassages(world, 60);
        ENSURE(passage.entered == 1 && passage.left == 0);
        ENSURE(!tdBody_IsAwake(world, ball));
        int events = 0;
        for (int i = 1; i <= 60; ++i)
        {
            tdTransform pose = {{0.01f * (float)i, 0.0f, 0.0f}, tdQuat_identity};
            if (kind < 2 && i == 1)
            {
                tdBody_SetLinearVelocity(world, zone, (tdVec3){0.6f, 0.0f, 0.0f});
            }
            else if (kind == 2)
            {
                tdBody_SetTransform(world, zone, pose);
            }
            else if (kind == 3)
            {
                ENSURE(tdBody_SetMotion(world, zone, TD_MOTION_KINEMATIC));
                tdBody_SetTarget(world, zone, pose);
            }
            else if (kind == 4)
            {
                // The filter of the visitor changes to another one that still passes.
                tdFilterDef def = {0};
                tdShape_SetFilter(world, shape, tdCreateFilter(world, &def));
            }
            tdWorld_Step(world, STEP);
            events += tdWorld_GetEvents(world).triggerCount;
        }
        ENSURE_EQUAL_INT(events, 0);
        tdDestroyWorld(world);
    }
}

TEST(StaticTriggersCostNothing)
{
    tdWorld* world = tdCreateWorld(NULL);
    for (int i = 0; i < 200; ++i)
    {
        tdVec3 position = {0.01f * (float)i, 0.0f, 0.0f};
        MakeTrigger(world, MakeBody(world, TD_MOTION_STATIC, position, tdVec3_zero), 1.0f);
    }
    tdWorld_Step(world, STEP);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).contactCount, 0);
    tdWorld_Step(world, STEP);
    tdStepStats stats = tdWorld_GetStats(world);
    ENSURE_EQUAL_INT(stats.contactCount + stats.pairsTested + stats.movedProxyCount + stats.awakeBodyCount,
                     0);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(BallFliesThrough) RUN(MovingTriggerReportsStaticBodies) RUN(StaticTriggerReportsStaticCollider)
              RUN(TriggersIgnoreTriggersAndTheirOwnBody) RUN(DestructionAndSleepInside)
                  RUN(FastBodiesPassThinTriggers) RUN(MeshTriggersArePassedOnce)
                      RUN(MeshBodiesPassTriggersOnce) RUN(MeshBodiesThatEndAtAMeshTriggerPassOnce)
                          RUN(BallsThatEndBeforeAMeshTriggerPassOnce)
                              RUN(BodiesThatLeaveInTheirFirstStepPassOnce)
                                  RUN(FastBodiesThatMissReportNothing) RUN(BouncesPassTwice)
                                      RUN(TeleportsPassNothing) RUN(MovingTriggersKeepTheirSleepers)
                                          RUN(StaticTriggersCostNothing))
