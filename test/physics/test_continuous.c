// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of continuous collision: bullets against thin walls of every type, rotating rods, and moving walls.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/physics.h"

#define STEP (1.0f / 60.0f)
#define THICKNESS 0.01f

enum
{
    WALL_BOX,
    WALL_HULL,
    WALL_MESH,
    WALL_PLANE,
    WALL_SHEET,
    WALL_COUNT,
};

static tdVec3 corners[8];
static const uint32_t boxIndices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static tdGeometry* MakeGeometry(int kind)
{
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = (tdVec3){(i & 1) != 0 ? 0.5f * THICKNESS : -0.5f * THICKNESS,
                              (i & 2) != 0 ? 2.0f : -2.0f, (i & 4) != 0 ? 2.0f : -2.0f};
    }
    if (kind == WALL_HULL)
    {
        return tdCreateHullGeometry(corners, 8, NULL, NULL);
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = corners;
    def.positionCount = 8;
    def.indices = boxIndices;
    def.indexCount = 36;
    return kind == WALL_MESH ? tdCreateMeshGeometry(&def, NULL) : NULL;
}

// A wall across the x axis at x = 0, facing -x.
static void MakeWall(tdWorld* world, tdBodyId body, int kind, const tdGeometry* geometry)
{
    tdShapeDef def = tdDefaultShapeDef();
    // +Y of a plane rotated to -X.
    tdQuat upToFront = tdQuatFromAxisAngle((tdVec3){0.0f, 0.0f, 1.0f}, 0.5f * TD_PI);
    switch (kind)
    {
    case WALL_BOX:
        tdCreateBox(world, body, &def, (tdVec3){THICKNESS, 4.0f, 4.0f});
        break;
    case WALL_HULL:
        tdCreateHull(world, body, &def, geometry);
        break;
    case WALL_MESH:
        tdCreateMesh(world, body, &def, geometry);
        break;
    case WALL_PLANE:
        def.local.rotation = upToFront;
        tdCreatePlane(world, body, &def, INFINITY, INFINITY, false);
        break;
    default:
        def.local.rotation = upToFront;
        tdCreatePlane(world, body, &def, 4.0f, 4.0f, true);
        break;
    }
}

static tdBodyId MakeBullet(tdWorld* world, bool isBox, tdVec3 position, tdVec3 velocity, tdVec3 spin)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = position;
    def.linearVelocity = velocity;
    def.angularVelocity = spin;
    tdBodyId body = tdCreateBody(world, &def);
    if (isBox)
    {
        tdCreateBox(world, body, NULL, (tdVec3){0.05f, 0.05f, 0.05f});
    }
    else
    {
        tdCreateSphere(world, body, NULL, 0.025f);
    }
    return body;
}

TEST(BulletsStopAtWallsOfEveryKind)
{
    for (int kind = 0; kind < WALL_COUNT; ++kind)
    {
        for (int isBox = 0; isBox < 2; ++isBox)
        {
            for (int start = 0; start < 5; ++start)
            {
                tdGeometry* geometry = MakeGeometry(kind);
                tdWorld* world = tdCreateWorld(NULL);
                tdBodyDef def = tdDefaultBodyDef();
                MakeWall(world, tdCreateBody(world, &def), kind, geometry);
                // 300 m/s is 5 m per step: the phase of the step at the wall varies with the start.
                tdVec3 position = {-7.0f - 1.1f * (float)start, 0.3f, 0.2f};
                tdVec3 spin = {0.0f, isBox != 0 ? 3.0f : 0.0f, isBox != 0 ? 5.0f : 0.0f};
                tdBodyId bullet = MakeBullet(world, isBox != 0, position, (tdVec3){300.0f, 0.0f, 0.0f}, spin);
                float farthest = -100.0f;
                for (int i = 0; i < 12; ++i)
                {
                    tdWorld_Step(world, STEP);
                    farthest = tdMaxFloat(farthest, tdBody_GetTransform(world, bullet).position.x);
                }
                if (!ENSURE(farthest < 0.0f))
                {
                    printf("  kind %d, box %d, start %d: got to x = %g\n", kind, isBox, start,
                           (double)farthest);
                }
                ENSURE(farthest > -0.1f); // it reached the wall
                tdDestroyWorld(world);
                tdDestroyGeometry(geometry);
            }
        }
    }
}

TEST(WithoutContinuousCollisionBulletsPass)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.enableContinuous = false;
    tdWorld* world = tdCreateWorld(&worldDef);
    tdBodyDef def = tdDefaultBodyDef();
    MakeWall(world, tdCreateBody(world, &def), WALL_BOX, NULL);
    tdBodyId bullet =
        MakeBullet(world, false, (tdVec3){-7.0f, 0.3f, 0.2f}, (tdVec3){300.0f, 0.0f, 0.0f}, tdVec3_zero);
    for (int i = 0; i < 5; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(tdBody_GetTransform(world, bullet).position.x >
           1.0f); // without continuous collision it passes, so the test above is meaningful
    tdDestroyWorld(world);
}

// A rod of 2 m rotates at 40 rad/s about its centre: its tips move 0.67 m per step. A thin post blocks them.
TEST(RodsDoNotSwingThrough)
{
    for (int start = 0; start < 4; ++start)
    {
        tdWorldDef worldDef = tdDefaultWorldDef();
        worldDef.gravity = tdVec3_zero;
        tdWorld* world = tdCreateWorld(&worldDef);
        tdBodyDef def = tdDefaultBodyDef();
        def.transform.position = (tdVec3){0.9f, 0.0f, 0.0f};
        tdCreateBox(world, tdCreateBody(world, &def), NULL, (tdVec3){0.3f, 0.01f, 0.5f});
        def = tdDefaultBodyDef();
        def.motion = TD_MOTION_DYNAMIC;
        def.transform.rotation = tdQuatFromAxisAngle((tdVec3){0.0f, 0.0f, 1.0f}, 0.3f + 0.1f * (float)start);
        def.angularVelocity = (tdVec3){0.0f, 0.0f, -40.0f};
        def.mass = INFINITY; // stays in place, so that only the rotation counts
        def.inertiaDiagonal = (tdVec3){INFINITY, INFINITY, 1.0f};
        tdBodyId rod = tdCreateBody(world, &def);
        tdCreateBox(world, rod, NULL, (tdVec3){2.0f, 0.02f, 0.02f});
        for (int i = 0; i < 10; ++i)
        {
            tdWorld_Step(world, STEP);
            tdQuat q = tdBody_GetTransform(world, rod).rotation;
            float angle = 2.0f * atan2f(q.z, q.w);
            ENSURE(angle > -0.01f); // above the post, or reflected by it
        }
        tdDestroyWorld(world);
    }
}

// A thin kinematic wall sweeps over a ball at rest, by velocity and by target. 0.5 m and more per step.
TEST(MovingWallsPushBodies)
{
    for (int byTarget = 0; byTarget < 2; ++byTarget)
    {
        for (int isAsleep = 0; isAsleep < 2; ++isAsleep)
        {
            tdWorldDef worldDef = tdDefaultWorldDef();
            worldDef.gravity = tdVec3_zero;
            tdWorld* world = tdCreateWorld(&worldDef);
            tdBodyDef def = tdDefaultBodyDef();
            def.motion = TD_MOTION_KINEMATIC;
            def.transform.position = (tdVec3){-2.3f, 0.0f, 0.0f};
            tdBodyId wall = tdCreateBody(world, &def);
            MakeWall(world, wall, WALL_BOX, NULL);
            tdBodyId ball = MakeBullet(world, false, tdVec3_zero, tdVec3_zero, tdVec3_zero);
            tdBody_SetAwake(world, ball, isAsleep == 0);
            if (byTarget == 0)
            {
                tdBody_SetLinearVelocity(world, wall, (tdVec3){60.0f, 0.0f, 0.0f});
            }
            for (int i = 1; i <= 8; ++i)
            {
                if (byTarget != 0)
                {
                    tdBody_SetTarget(world, wall,
                                     (tdTransform){{-2.3f + (float)i, 0.0f, 0.0f}, tdQuat_identity});
                }
                tdWorld_Step(world, STEP);
                float gap =
                    tdBody_GetTransform(world, ball).position.x - tdBody_GetTransform(world, wall).position.x;
                ENSURE(gap > 0.0f); // never behind it
            }
            ENSURE(tdBody_GetTransform(world, ball).position.x > 4.0f);
            tdDestroyWorld(world);
        }
    }
}

// A floor does not stop fast sliding along it, and a wall of the same mesh still blocks.
TEST(SlidingIsNotStopped)
{
    tdVec3 positions[8] = {{-50.0f, 0.0f, -5.0f}, {50.0f, 0.0f, -5.0f}, {50.0f, 0.0f, 5.0f},
                           {-50.0f, 0.0f, 5.0f},  {20.0f, 0.0f, -5.0f}, {20.0f, 4.0f, -5.0f},
                           {20.0f, 4.0f, 5.0f},   {20.0f, 0.0f, 5.0f}};
    uint32_t indices[12] = {0, 3, 2, 0, 2, 1, 4, 6, 5, 4, 7, 6};
    tdMeshGeometryDef meshDef = tdDefaultMeshGeometryDef();
    meshDef.positions = positions;
    meshDef.positionCount = 8;
    meshDef.indices = indices;
    meshDef.indexCount = 12;
    meshDef.isDoubleSided = true;
    tdGeometry* mesh = tdCreateMeshGeometry(&meshDef, NULL);
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    tdShapeDef shapeDef = tdDefaultShapeDef();
    shapeDef.staticFriction = shapeDef.dynamicFriction = 0.0f;
    tdCreateMesh(world, tdCreateBody(world, &def), &shapeDef, mesh);
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = (tdVec3){-20.0f, 0.1f, 0.0f};
    def.linearVelocity = (tdVec3){60.0f, 0.0f, 0.0f};
    tdBodyId ball = tdCreateBody(world, &def);
    tdCreateSphere(world, ball, &shapeDef, 0.1f);
    for (int i = 0; i < 30; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, ball).position.x, 10.0f, 0.1f);
    for (int i = 0; i < 30; ++i)
    {
        tdWorld_Step(world, STEP);
        ENSURE(tdBody_GetTransform(world, ball).position.x < 20.0f);
    }
    tdDestroyWorld(world);
    tdDestroyGeometry(mesh);
}

TEST_MAIN(RUN(BulletsStopAtWallsOfEveryKind) RUN(WithoutContinuousCollisionBulletsPass)
              RUN(RodsDoNotSwingThrough) RUN(MovingWallsPushBodies) RUN(SlidingIsNotStopped))
