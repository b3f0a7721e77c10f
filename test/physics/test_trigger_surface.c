// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of triggers that are surfaces, and of bodies that are: sheets, unbounded planes and meshes have no
// inside, so that shapes pass them from either side and within a small part of their size.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/physics.h"

#define STEP (1.0f / 60.0f)

enum
{
    BALL,
    BOX,
    CAPSULE,
    CYLINDER,
    CUBE, // of triangles
    BODY_KINDS,
};

static tdGeometry* MakeCube(float half)
{
    static const uint32_t faces[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = (tdVec3){i < 4 ? -half : half, i % 4 < 2 ? -half : half, i % 2 == 0 ? -half : half};
    }
    tdMeshGeometryDef mesh = tdDefaultMeshGeometryDef();
    mesh.positions = corners;
    mesh.positionCount = 8;
    mesh.indices = faces;
    mesh.indexCount = 36;
    return tdCreateMeshGeometry(&mesh, NULL);
}

static tdBodyId MakeBody(tdWorld* world, tdMotion motion, tdVec3 position, float speed)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = motion;
    def.transform.position = position;
    def.linearVelocity = (tdVec3){0.0f, speed, 0.0f};
    def.gravityFactor = 0.0f;
    return tdCreateBody(world, &def);
}

static void AddShape(tdWorld* world, tdBodyId body, int kind, float size, const tdGeometry* cube)
{
    switch (kind)
    {
    case BALL:
        tdCreateSphere(world, body, NULL, size);
        break;
    case BOX:
        tdCreateBox(world, body, NULL, (tdVec3){size, 2.0f * size, 1.5f * size});
        break;
    case CAPSULE:
        tdCreateCapsule(world, body, NULL, size, size, 0.5f * size);
        break;
    case CYLINDER:
        tdCreateCylinder(world, body, NULL, size, size, 0.0f);
        break;
    default:
        tdCreateMesh(world, body, NULL, cube);
        break;
    }
}

/// Steps the world and expects one enter, then one exit.
static bool PassesOnce(tdWorld* world, int steps)
{
    int entered = 0, left = 0;
    for (int i = 0; i < steps; ++i)
    {
        tdWorld_Step(world, STEP);
        tdWorldEvents events = tdWorld_GetEvents(world);
        for (int j = 0; j < events.triggerCount; ++j)
        {
            ENSURE(events.triggers[j].entered ? entered == left : entered == left + 1);
            *(events.triggers[j].entered ? &entered : &left) += 1;
        }
    }
    if (entered != 1 || left != 1)
    {
        printf("    %d entered, %d left\n", entered, left);
    }
    return entered == 1 && left == 1;
}

// Sheets of one and two sides, strips and planes, passed upwards and downwards, at rest and in motion.
TEST(SheetsArePassedOnceFromBothSides)
{
    static const float speeds[] = {0.4f, 2.0f, 9.0f, 60.0f, 800.0f};
    static const float sizes[][2] = {{3.0f, 2.0f}, {0.02f, 0.03f}, {INFINITY, 2.0f}, {INFINITY, INFINITY}};
    tdGeometry* cube = MakeCube(0.1f);
    for (int i = 0; i < BODY_KINDS * 5 * 4 * 8; ++i)
    {
        int kind = i % BODY_KINDS, sheet = i / BODY_KINDS % 4, variant = i / BODY_KINDS / 4 % 8;
        bool goesUp = (variant & 1) != 0, isMoving = (variant & 2) != 0, hasTwoSides = (variant & 4) != 0;
        if ((sheet == 3 && !hasTwoSides) || (sheet == 1 && kind == CUBE))
        {
            continue; // a half-space; a sheet that is in the hollow of the cube between two passages
        }
        float speed = speeds[i / BODY_KINDS / 32], start = 0.6f + 0.37f * speed * STEP;
        speed = goesUp ? speed : -speed;
        tdWorld* world = tdCreateWorld(NULL);
        tdBodyId gate = MakeBody(world, isMoving ? TD_MOTION_KINEMATIC : TD_MOTION_STATIC, tdVec3_zero,
                                 isMoving ? -speed : 0.0f);
        tdShapeDef def = tdDefaultShapeDef();
        def.isTrigger = true;
        tdCreatePlane(world, gate, &def, sizes[sheet][0], sizes[sheet][1], hasTwoSides);
        tdBodyId body = MakeBody(world, TD_MOTION_DYNAMIC, (tdVec3){0.001f, goesUp ? -start : start, 0.002f},
                                 isMoving ? 0.0f : speed);
        AddShape(world, body, kind, 0.1f, cube);
        if (!isMoving)
        {
            tdBody_SetAngularVelocity(world, body, (tdVec3){0.3f * tdAbsFloat(speed), 0.0f, 0.1f});
        }
        if (!ENSURE(PassesOnce(world, (int)(1.6f / tdAbsFloat(speed) / STEP) + 6)))
        {
            printf("    kind %d, sheet %d, variant %d, %g m/s\n", kind, sheet, variant, (double)speed);
        }
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(cube);
}

// A cube of triangles of 2 m moves by less than its core in a step. Its lid passes a small trigger between
// two steps, and the trigger then is in the hollow of the cube. So do sheets.
TEST(SlowSurfacesPassSmallTriggers)
{
    tdGeometry* cube = MakeCube(1.0f);
    for (int i = 0; i < 40; ++i)
    {
        float speed = 0.9f + 0.6f * (float)(i / 2), radius = i % 2 == 0 ? 0.003f : 0.01f;
        for (int kind = 0; kind < 3; ++kind)
        {
            tdWorld* world = tdCreateWorld(NULL);
            tdBodyId trigger = MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.3f, 0.0f, 0.2f}, 0.0f);
            tdShapeDef def = tdDefaultShapeDef();
            def.isTrigger = true;
            tdCreateSphere(world, trigger, &def, radius);
            float edge = kind == 0 ? 1.0f : 0.0f; // of the surface that passes, above the origin of its body
            tdBodyId body =
                MakeBody(world, kind == 1 ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC,
                         (tdVec3){0.0f, -0.5f - edge - 0.0041f * speed * (float)(i % 7), 0.0f}, speed);
            if (kind == 0)
            {
                tdCreateMesh(world, body, NULL, cube);
            }
            else
            {
                tdCreatePlane(world, body, NULL, 2.0f, 2.0f, kind == 2);
            }
            // Until the lid has passed; the floor of the cube is still below.
            if (!ENSURE(PassesOnce(world, (int)(1.0f / speed / STEP) + 4)))
            {
                printf("    kind %d, radius %g m, %g m/s\n", kind, (double)radius, (double)speed);
            }
            tdDestroyWorld(world);
        }
    }
    tdDestroyGeometry(cube);
}

// A cube of triangles ends a step up to 0.1 mm before a sheet or a face of triangles: reached, not passed.
TEST(SurfacesThatEndBeforeASurfacePassOnce)
{
    tdGeometry *cube = MakeCube(0.1f), *gate = MakeCube(0.02f);
    for (int i = 0; i < 80; ++i)
    {
        float speed = i % 4 < 2 ? 0.3f : 3.0f, top = -0.000004f * (float)(i / 4 + 1);
        bool isMesh = i % 2 == 0;
        tdWorld* world = tdCreateWorld(NULL);
        tdBodyId trigger =
            MakeBody(world, TD_MOTION_STATIC, (tdVec3){0.0f, isMesh ? 0.02f : 0.0f, 0.0f}, 0.0f);
        tdShapeDef def = tdDefaultShapeDef();
        def.isTrigger = true;
        if (isMesh)
        {
            tdCreateMesh(world, trigger, &def, gate);
        }
        else
        {
            tdCreatePlane(world, trigger, &def, 1.0f, 1.0f, false);
        }
        tdBodyId body = MakeBody(world, TD_MOTION_DYNAMIC,
                                 (tdVec3){0.01f, top - 0.1f - 4.0f * speed * STEP, 0.003f}, speed);
        tdCreateMesh(world, body, NULL, cube);
        tdWorld_Step(world, STEP);
        int events = 0;
        for (int k = 0; k < 7; ++k)
        {
            tdWorld_Step(world, STEP);
            events += tdWorld_GetEvents(world).triggerCount;
        }
        // The slow cube is still inside; the fast one may have the small box of triangles in its hollow.
        if (!ENSURE(events == 1 || (speed > 1.0f && events == 2)))
        {
            printf("    %g m/s, top at %g m: %d events\n", (double)speed, (double)top, events);
        }
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(cube);
    tdDestroyGeometry(gate);
}

TEST_MAIN(RUN(SheetsArePassedOnceFromBothSides) RUN(SlowSurfacesPassSmallTriggers)
              RUN(SurfacesThatEndBeforeASurfacePassOnce))
