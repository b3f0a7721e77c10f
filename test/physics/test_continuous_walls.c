// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Nothing fast passes a thin wall: 5 cm bodies at 300 m/s (5 m a step) against 1 cm walls of every kind,
// kinematic walls, and a long rod that sweeps through a post by turning.
#include "harness.h"

#include "physics/bodies.h"

typedef enum Wall
{
    WALL_BOX,
    WALL_HULL,
    WALL_MESH,
    WALL_PLANE,
    WALL_SHEET,
    WALL_KINDS,
} Wall;

static const char* const wallNames[WALL_KINDS] = {"box", "hull", "mesh", "plane", "sheet"};

typedef struct Geometries
{
    tdGeometry *hull, *mesh;
} Geometries;

static Geometries MakeGeometries(void)
{
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = V((i & 1) != 0 ? 0.005 : -0.005, (i & 2) != 0 ? 2 : -2, (i & 4) != 0 ? 2 : -2);
    }
    const tdVec3 sheet[4] = {V(0, -2, -2), V(0, -2, 2), V(0, 2, -2), V(0, 2, 2)};
    const uint32_t indices[6] = {0, 1, 2, 2, 1, 3}; // front towards -X, where the bullets come from
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = sheet;
    def.positionCount = 4;
    def.indices = indices;
    def.indexCount = 6;
    return (Geometries){tdCreateHullGeometry(corners, 8, NULL, NULL), tdCreateMeshGeometry(&def, NULL)};
}

static tdBodyId AddWall(tdWorld* world, Wall kind, const Geometries* geometries, tdMotion motion)
{
    tdShapeDef def = MakeShapeDef(plain);
    tdBodyId body = AddBody(world, motion, V(0, 0, 0), noTurn);
    switch (kind)
    {
    case WALL_BOX:
        tdCreateBox(world, body, &def, V(0.01, 4, 4));
        break;
    case WALL_HULL:
        tdCreateHull(world, body, &def, geometries->hull);
        break;
    case WALL_MESH:
        tdCreateMesh(world, body, &def, geometries->mesh);
        break;
    case WALL_PLANE:
        def.local.rotation = Turn(0, 0, 1, PI / 2); // normal towards -X
        tdCreatePlane(world, body, &def, INFINITY, INFINITY, false);
        break;
    case WALL_SHEET:
        def.local.rotation = Turn(0, 0, 1, PI / 2);
        tdCreatePlane(world, body, &def, 4, 4, true);
        break;
    default:
        break;
    }
    return body;
}

TEST(BulletsDoNotPassThinWalls)
{
    Geometries geometries = MakeGeometries();
    for (int kind = 0; kind < WALL_KINDS; ++kind)
    {
        for (int shape = 0; shape < 2; ++shape)
        {
            // Phases of the step: the wall is hit at another fraction of the step each time.
            for (int phase = 0; phase < 12; ++phase)
            {
                tdWorld* world = MakeWorld(V(0, 0, 0), true);
                AddWall(world, (Wall)kind, &geometries, TD_MOTION_STATIC);
                tdVec3 start = V(-2 - 0.43 * phase, 0.1, -0.2);
                tdBodyId bullet = shape == 0
                                      ? AddSphere(world, TD_MOTION_DYNAMIC, start, 0.025, plain)
                                      : AddBox(world, TD_MOTION_DYNAMIC, start,
                                               Turn(0.6, 0, 0.8, 0.3 * phase), V(0.05, 0.05, 0.05), plain);
                tdBody_SetLinearVelocity(world, bullet, V(300, 0, 10));
                tdBody_SetAngularVelocity(world, bullet, V(0, 20, 5));
                double farthest = -10;
                for (int i = 0; i < 20; ++i)
                {
                    tdWorld_Step(world, (float)STEP);
                    farthest = fmax(farthest, (double)Position(world, bullet).x);
                }
                if (!ENSURE(farthest < 0.0 && farthest > -0.3))
                {
                    printf("    %s through a %s, phase %d: came to x = %g\n", shape == 0 ? "sphere" : "box",
                           wallNames[kind], phase, farthest);
                }
                tdDestroyWorld(world);
            }
        }
    }
    tdDestroyGeometry(geometries.hull);
    tdDestroyGeometry(geometries.mesh);
}

TEST(KinematicWallsStopBulletsToo)
{
    Geometries geometries = MakeGeometries();
    for (int phase = 0; phase < 6; ++phase)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), true);
        tdBodyId wall = AddWall(world, WALL_BOX, &geometries, TD_MOTION_KINEMATIC);
        tdBody_SetLinearVelocity(world, wall, V(-20, 0, 0));
        tdBodyId bullet = AddSphere(world, TD_MOTION_DYNAMIC, V(-6 - 0.7 * phase, 0.1, 0), 0.025, plain);
        tdBody_SetLinearVelocity(world, bullet, V(300, 0, 0));
        bool behind = false;
        for (int i = 0; i < 20; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            behind = behind || Position(world, bullet).x > Position(world, wall).x;
        }
        ENSURE(!behind);
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(geometries.hull);
    tdDestroyGeometry(geometries.mesh);
}

TEST(LongRodDoesNotTurnThroughAPost)
{
    // A 4 m rod about its centre at 30 rad/s: its tip goes 1 m a step, the post is 5 cm.
    for (int phase = 0; phase < 8; ++phase)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), true);
        AddBox(world, TD_MOTION_STATIC, V(1.8, 0, 0), noTurn, V(0.05, 2, 0.05), plain);
        tdBodyDef def = tdDefaultBodyDef();
        def.motion = TD_MOTION_DYNAMIC;
        def.mass = INFINITY; // turns in place
        def.inertiaDiagonal = V(10, 10, 10);
        def.transform.rotation = Turn(0, 1, 0, -0.6 - 0.11 * phase);
        def.angularVelocity = V(0, 30, 0);
        tdBodyId rod = tdCreateBody(world, &def);
        tdShapeDef shape = MakeShapeDef(plain);
        tdCreateBox(world, rod, &shape, V(4, 0.04, 0.04));
        double before = -0.6 - 0.11 * phase, turned = 0;
        for (int i = 0; i < 10; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            // Angle of the rod's X axis about Y, unwrapped: steps are below half a turn.
            tdVec3 x = RotateBy(tdBody_GetTransform(world, rod).rotation, V(1, 0, 0));
            double angle = atan2(-(double)x.z, (double)x.x), delta = remainder(angle - before, 2 * PI);
            before = angle;
            turned = fmax(turned, before);
            if (delta < 0)
            {
                break; // it bounced back
            }
        }
        // The post's face is 0.025 before the centre line: the rod must never have its tip beyond the line.
        ENSURE(turned < 0.02);
        tdDestroyWorld(world);
    }
}

TEST(ContinuousOffLetsThemThrough)
{
    // The switch does something: without it at least one of the bullets passes.
    int passed = 0;
    for (int phase = 0; phase < 12; ++phase)
    {
        tdWorldDef def = tdDefaultWorldDef();
        def.gravity = V(0, 0, 0);
        def.enableContinuous = false;
        tdWorld* world = tdCreateWorld(&def);
        AddWall(world, WALL_BOX, NULL, TD_MOTION_STATIC);
        tdBodyId bullet = AddSphere(world, TD_MOTION_DYNAMIC, V(-2 - 0.43 * phase, 0.1, 0), 0.025, plain);
        tdBody_SetLinearVelocity(world, bullet, V(300, 0, 0));
        StepFor(world, 0.2);
        passed += Position(world, bullet).x > 0;
        tdDestroyWorld(world);
    }
    ENSURE(passed > 0);
}

TEST_MAIN(RUN(BulletsDoNotPassThinWalls) RUN(KinematicWallsStopBulletsToo) RUN(LongRodDoesNotTurnThroughAPost)
              RUN(ContinuousOffLetsThemThrough))
