// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Nothing fast passes a thin wall: 5 cm bodies at 300 m/s (5 m a step) against 1 cm walls of every kind,
// kinematic and dynamic walls, each other, and a long rod that sweeps through a post by turning.
// Labels: threads
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
    tdBodyDef bodyDef = tdDefaultBodyDef();
    bodyDef.motion = motion;
    bodyDef.mass = 2000; // sheets have none of their own
    bodyDef.inertiaDiagonal = V(5000, 2700, 2700);
    tdBodyId body = tdCreateBody(world, &bodyDef);
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

typedef struct Case
{
    const char* name;
    tdMotion motion;
    double speed; // of the wall along x
} Case;

static void CheckBullet(const Geometries* geometries, const Case* wallCase, int kind, bool isSphere,
                        int phase)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId wall = AddWall(world, (Wall)kind, geometries, wallCase->motion);
    tdBody_SetLinearVelocity(world, wall, V(wallCase->speed, 0, 0));
    tdVec3 start = V(-2 - 0.43 * phase, 0.1, -0.2);
    tdBodyId bullet = isSphere ? AddSphere(world, TD_MOTION_DYNAMIC, start, 0.025, plain)
                               : AddBox(world, TD_MOTION_DYNAMIC, start, Turn(0.6, 0, 0.8, 0.3 * phase),
                                        V(0.05, 0.05, 0.05), plain);
    tdBody_SetLinearVelocity(world, bullet, V(300, 0, 10));
    tdBody_SetAngularVelocity(world, bullet, V(0, 20, 5));
    double nearest = -10;
    for (int i = 0; i < 12; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        nearest = fmax(nearest, (double)(Position(world, bullet).x - Position(world, wall).x));
    }
    // It came to the wall, and its middle never got behind the front.
    if (!ENSURE(nearest < 0.0 && nearest > -0.3))
    {
        printf("    %s through a %s %s, phase %d: came to x = %g\n", isSphere ? "sphere" : "box",
               wallCase->name, wallNames[kind], phase, nearest);
    }
    tdDestroyWorld(world);
}

TEST(BulletsDoNotPassThinWalls)
{
    static const Case cases[] = {
        {"static", TD_MOTION_STATIC, 0},
        {"standing kinematic", TD_MOTION_KINEMATIC, 0},
        {"coming kinematic", TD_MOTION_KINEMATIC, -20},
        {"leaving kinematic", TD_MOTION_KINEMATIC, 20},
        {"dynamic", TD_MOTION_DYNAMIC, 0},
        {"coming dynamic", TD_MOTION_DYNAMIC, -3},
        {"fast dynamic", TD_MOTION_DYNAMIC, -100},
    };
    Geometries geometries = MakeGeometries();
    for (int c = 0; c < (int)(sizeof(cases) / sizeof(cases[0])); ++c)
    {
        for (int kind = 0; kind < WALL_KINDS; ++kind)
        {
            // Phases of the step: the wall is hit at another fraction of the step each time.
            for (int phase = 0; phase < 12; phase += c == 0 ? 1 : 3)
            {
                CheckBullet(&geometries, &cases[c], kind, true, phase);
                CheckBullet(&geometries, &cases[c], kind, false, phase);
            }
        }
    }
    tdDestroyGeometry(geometries.hull);
    tdDestroyGeometry(geometries.mesh);
}

TEST(SleepingPlatesAreNotShotThrough)
{
    for (int phase = 0; phase < 8; ++phase)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        AddBox(world, TD_MOTION_STATIC, V(0, -0.5, 0), noTurn, V(10, 1, 10), plain);
        // Lies flat on two posts.
        AddBox(world, TD_MOTION_STATIC, V(-0.9, 0.5, 0), noTurn, V(0.1, 1, 2), plain);
        AddBox(world, TD_MOTION_STATIC, V(0.9, 0.5, 0), noTurn, V(0.1, 1, 2), plain);
        tdBodyId plate = AddBox(world, TD_MOTION_DYNAMIC, V(0, 1.005, 0), noTurn, V(2, 0.01, 2),
                                (Material){0.6f, 0.6f, 0.0f, 8000.0f});
        StepFor(world, 2);
        ENSURE(!tdBody_IsAwake(world, plate));
        tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0.2, 4 + 0.6 * phase, 0.1), 0.05, plain);
        tdBody_SetLinearVelocity(world, ball, V(0, -200, 0));
        bool below = false;
        for (int i = 0; i < 30; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            below = below || Position(world, ball).y < Position(world, plate).y;
        }
        ENSURE(!below);
        tdDestroyWorld(world);
    }
}

TEST(BulletsMeetEachOther)
{
    // Head on and at right angles, 5 m a step each, in every phase. Closed form: equal spheres that meet in
    // the middle with restitution 1 swap their velocities along the line between them.
    for (int phase = 0; phase < 10; ++phase)
    {
        for (int across = 0; across < 2; ++across)
        {
            const Material bouncy = {0.0f, 0.0f, 1.0f, 1000.0f};
            tdWorld* world = MakeWorld(V(0, 0, 0), true);
            double d = 7 + 0.37 * phase;
            tdBodyId a = AddSphere(world, TD_MOTION_DYNAMIC, V(-d, 0, 0), 0.05, bouncy);
            tdBodyId b = AddSphere(world, TD_MOTION_DYNAMIC, across ? V(0, -d, 0) : V(d, 0, 0), 0.05, bouncy);
            tdBody_SetLinearVelocity(world, a, V(300, 0, 0));
            tdBody_SetLinearVelocity(world, b, across ? V(0, 300, 0) : V(-300, 0, 0));
            StepFor(world, 0.2);
            tdVec3 va = tdBody_GetLinearVelocity(world, a), vb = tdBody_GetLinearVelocity(world, b);
            tdVec3 wantA = across ? V(0, 300, 0) : V(-300, 0, 0), wantB = V(300, 0, 0);
            // The place where they are stopped is short of the impact by the slop, which turns the line of
            // centres.
            double tolerance = across ? 30 : 1;
            ENSURE_NEAR(va.x, wantA.x, tolerance);
            ENSURE_NEAR(va.y, wantA.y, tolerance);
            ENSURE_NEAR(vb.x, wantB.x, tolerance);
            ENSURE_NEAR(vb.y, wantB.y, tolerance);
            tdDestroyWorld(world);
        }
    }
}

static uint64_t ShootOut(tdSimd simd, int workers)
{
    const tdTasks* threads = workers > 1 ? tdCreateThreads(workers) : NULL;
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = V(0, 0, 0);
    def.simd = simd;
    def.tasks = threads;
    tdWorld* world = tdCreateWorld(&def);
    for (int i = 0; i < 12; ++i)
    {
        AddBox(world, TD_MOTION_DYNAMIC, V(0.5 * (i % 4), 0.5 * (i / 4), 0), noTurn, V(0.45, 0.45, 0.01),
               plain);
    }
    for (int i = 0; i < 60; ++i)
    {
        double x = 0.025 * i, y = 0.11 * (i % 11), side = i % 2 == 0 ? 1 : -1;
        tdBodyId bullet =
            i % 3 == 0 ? AddBox(world, TD_MOTION_DYNAMIC, V(x, y, side * (2 + 0.1 * i)),
                                Turn(0, 0.6, 0.8, 0.1 * i), V(0.05, 0.05, 0.05), plain)
                       : AddSphere(world, TD_MOTION_DYNAMIC, V(x, y, side * (2 + 0.1 * i)), 0.03, plain);
        tdBody_SetLinearVelocity(world, bullet, V(3, i - 30, -side * (100 + 3 * i)));
    }
    StepFor(world, 0.5);
    uint64_t hash = tdWorld_GetStateHash(world);
    tdDestroyWorld(world);
    if (threads != NULL)
    {
        tdDestroyThreads(threads);
    }
    return hash;
}

TEST(ShootingIsTheSameOnEveryWidthAndNumberOfWorkers)
{
    uint64_t one = ShootOut(TD_SIMD_AUTO, 1);
    ENSURE(ShootOut(TD_SIMD_SCALAR, 1) == one);
    ENSURE(ShootOut(TD_SIMD_SSE2, 1) == one);
    ENSURE(ShootOut(TD_SIMD_AUTO, 2) == one);
    ENSURE(ShootOut(TD_SIMD_AUTO, 4) == one);
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

TEST_MAIN(RUN(BulletsDoNotPassThinWalls) RUN(SleepingPlatesAreNotShotThrough) RUN(BulletsMeetEachOther)
              RUN(ShootingIsTheSameOnEveryWidthAndNumberOfWorkers) RUN(LongRodDoesNotTurnThroughAPost)
                  RUN(ContinuousOffLetsThemThrough))
