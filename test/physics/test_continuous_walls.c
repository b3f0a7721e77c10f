// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests that no fast body passes a thin wall: 5 cm bodies at 300 m/s (5 m per step) against 1 cm walls of
// every type, kinematic and dynamic walls, each other, and a long rod that rotates into a post.
// Labels: threads
#include "harness.h"

#include "math/vecmath.h"
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

typedef enum Bullet
{
    BULLET_SPHERE,
    BULLET_BOX,
    BULLET_CAPSULE,
    BULLET_HULL,
    BULLET_MESH,
    BULLET_KINDS,
} Bullet;

static const char* const bulletNames[BULLET_KINDS] = {"sphere", "box", "capsule", "hull", "mesh"};

typedef struct Geometries
{
    tdGeometry *hull, *mesh;           // walls
    tdGeometry *smallHull, *smallMesh; // bullets: an octahedron of 5 cm
} Geometries;

static Geometries MakeGeometries(void)
{
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = V((i & 1) != 0 ? 0.005 : -0.005, (i & 2) != 0 ? 2 : -2, (i & 4) != 0 ? 2 : -2);
    }
    const tdVec3 sheet[4] = {V(0, -2, -2), V(0, -2, 2), V(0, 2, -2), V(0, 2, 2)};
    const uint32_t indices[6] = {0, 1, 2, 2, 1, 3}; // facing -X, where the bullets come from
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = sheet;
    def.positionCount = 4;
    def.indices = indices;
    def.indexCount = 6;
    tdGeometry* mesh = tdCreateMeshGeometry(&def, NULL);
    const tdVec3 tips[6] = {V(0.025, 0, 0),  V(-0.025, 0, 0), V(0, 0.025, 0),
                            V(0, -0.025, 0), V(0, 0, 0.025),  V(0, 0, -0.025)};
    const uint32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    def.positions = tips;
    def.positionCount = 6;
    def.indices = faces;
    def.indexCount = 24;
    return (Geometries){tdCreateHullGeometry(corners, 8, NULL, NULL), mesh,
                        tdCreateHullGeometry(tips, 6, NULL, NULL), tdCreateMeshGeometry(&def, NULL)};
}

static void DestroyGeometries(const Geometries* geometries)
{
    tdDestroyGeometry(geometries->hull);
    tdDestroyGeometry(geometries->mesh);
    tdDestroyGeometry(geometries->smallHull);
    tdDestroyGeometry(geometries->smallMesh);
}

static tdBodyId AddBullet(tdWorld* world, int kind, const Geometries* geometries, tdVec3 place, tdQuat turn)
{
    tdShapeDef def = MakeShapeDef(plain);
    tdBodyDef bodyDef = tdDefaultBodyDef();
    bodyDef.motion = TD_MOTION_DYNAMIC;
    bodyDef.transform = (tdTransform){place, turn};
    tdBodyId body = tdCreateBody(world, &bodyDef);
    switch (kind)
    {
    case BULLET_SPHERE:
        tdCreateSphere(world, body, &def, 0.025f);
        break;
    case BULLET_BOX:
        tdCreateBox(world, body, &def, V(0.05, 0.05, 0.05));
        break;
    case BULLET_CAPSULE:
        tdCreateCapsule(world, body, &def, 0.03f, 0.01f, 0.01f);
        break;
    case BULLET_HULL:
        tdCreateHull(world, body, &def, geometries->smallHull);
        break;
    default:
        tdCreateMesh(world, body, &def, geometries->smallMesh);
        break;
    }
    return body;
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

static void CheckBullet(const Geometries* geometries, const Case* wallCase, int kind, int bulletKind,
                        int phase)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId wall = AddWall(world, (Wall)kind, geometries, wallCase->motion);
    tdBody_SetLinearVelocity(world, wall, V(wallCase->speed, 0, 0));
    tdBodyId bullet = AddBullet(world, bulletKind, geometries, V(-2 - 0.43 * phase, 0.1, -0.2),
                                Turn(0.6, 0, 0.8, 0.3 * phase));
    tdBody_SetLinearVelocity(world, bullet, V(300, 0, 10));
    tdBody_SetAngularVelocity(world, bullet, V(0, 20, 5));
    double nearest = -10;
    for (int i = 0; i < 12; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        // Position on the wall; a body deflected sideways may pass around it.
        tdTransform pose = tdBody_GetTransform(world, wall);
        tdVec3 place = tdInvTransformPoint(pose, Position(world, bullet));
        if (fabs((double)place.y) > 1.8 || fabs((double)place.z) > 1.8)
        {
            break;
        }
        nearest = fmax(nearest, (double)place.x);
    }
    // It reached the wall, and its centre never passed the front.
    if (!ENSURE(nearest < 0.0 && nearest > -0.3))
    {
        printf("    %s through a %s %s, phase %d: came to x = %g\n", bulletNames[bulletKind], wallCase->name,
               wallNames[kind], phase, nearest);
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
            for (int bullet = 0; bullet < BULLET_KINDS; ++bullet)
            {
                // Phases of the step: the bullet hits the wall at another fraction of the step each time.
                for (int phase = 0; phase < 12; phase += c == 0 ? 1 : 3)
                {
                    CheckBullet(&geometries, &cases[c], kind, bullet, phase);
                }
            }
        }
    }
    DestroyGeometries(&geometries);
}

TEST(BulletsDoNotPassSleepingPlates)
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

TEST(BulletsHitEachOther)
{
    // Head-on and at right angles, 5 m per step each, in every phase. Closed form: equal spheres that meet in
    // the middle with restitution 1 exchange their velocities along the line between them.
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
            // The bodies stop short of the impact by the slop, which rotates the line of centres.
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

TEST(BulletsAreBitIdenticalOnEveryWidthAndNumberOfWorkers)
{
    uint64_t one = ShootOut(TD_SIMD_AUTO, 1);
    ENSURE(ShootOut(TD_SIMD_SCALAR, 1) == one);
    ENSURE(ShootOut(TD_SIMD_SSE2, 1) == one);
    ENSURE(ShootOut(TD_SIMD_AUTO, 2) == one);
    ENSURE(ShootOut(TD_SIMD_AUTO, 4) == one);
}

typedef enum Rod
{
    ROD_BOX,
    ROD_CAPSULE,
    ROD_MESH,
    ROD_KINDS,
} Rod;

// 4 m long along x, 4 cm thick. The mesh is a prism of four sides.
static void AddRodShape(tdWorld* world, tdBodyId rod, Rod kind, const tdGeometry* mesh)
{
    tdShapeDef shape = MakeShapeDef(plain);
    switch (kind)
    {
    case ROD_BOX:
        tdCreateBox(world, rod, &shape, V(4, 0.04, 0.04));
        break;
    case ROD_CAPSULE:
        shape.local.rotation = Turn(0, 0, 1, PI / 2);
        tdCreateCapsule(world, rod, &shape, 3.96f, 0.02f, 0.02f);
        break;
    default:
        tdCreateMesh(world, rod, &shape, mesh);
        break;
    }
}

static tdGeometry* MakeRodMesh(void)
{
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = V(i & 1 ? 2 : -2, i & 2 ? 0.02 : -0.02, i & 4 ? 0.02 : -0.02);
    }
    static const uint32_t faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = corners;
    def.positionCount = 8;
    def.indices = faces;
    def.indexCount = 36;
    return tdCreateMeshGeometry(&def, NULL);
}

static bool TurnsThrough(Rod kind, const tdGeometry* mesh, tdMotion motion, double postSpeed, int phase)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    const Material steel = {0.6f, 0.6f, 0.0f, 8000.0f}; // the post has 40 kg
    tdBodyId post = AddBox(world, motion, V(1.8, 0, 0), noTurn, V(0.05, 2, 0.05), steel);
    tdBody_SetLinearVelocity(world, post, V(0, 0, postSpeed));
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.mass = INFINITY; // rotates in place
    def.inertiaDiagonal = V(10, 10, 10);
    def.transform.rotation = Turn(0, 1, 0, -0.6 - 0.11 * phase);
    def.angularVelocity = V(0, 30, 0);
    tdBodyId rod = tdCreateBody(world, &def);
    AddRodShape(world, rod, kind, mesh);
    double least = 10, last = 10;
    for (int i = 0; i < 12; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        // Angle from the rod to the post about Y, while the post is within reach.
        tdVec3 x = RotateBy(tdBody_GetTransform(world, rod).rotation, V(1, 0, 0)), p = Position(world, post);
        double angle = remainder(atan2(-(double)p.z, (double)p.x) - atan2(-(double)x.z, (double)x.x), 2 * PI);
        bool isBounced = tdBody_GetAngularVelocity(world, rod).y < 0 || angle > last + 0.5;
        if ((i > 0 && isBounced) || hypot((double)p.x, (double)p.z) > 2.0)
        {
            least = fmin(least, angle);
            break;
        }
        last = angle;
        least = fmin(least, angle);
    }
    tdDestroyWorld(world);
    // Surfaces touch at an angle of (0.02 + 0.025) / 1.8; the centre line of the rod must not reach that of
    // the post. The rod must come close, or nothing was tested.
    return least < 0.0 || least > 0.2;
}

// A 4 m rod rotates about its centre at 30 rad/s: its tip moves 1 m per step, the post is 5 cm wide.
TEST(LongRodsDoNotTurnThroughPosts)
{
    static const struct
    {
        const char* name;
        tdMotion motion;
        double speed;
    } posts[] = {
        {"static", TD_MOTION_STATIC, 0},
        {"standing kinematic", TD_MOTION_KINEMATIC, 0},
        {"coming kinematic", TD_MOTION_KINEMATIC, 6},
        {"leaving kinematic", TD_MOTION_KINEMATIC, -6},
        {"dynamic", TD_MOTION_DYNAMIC, 0},
        {"coming dynamic", TD_MOTION_DYNAMIC, 6},
    };
    static const char* const rodNames[ROD_KINDS] = {"box", "capsule", "mesh"};
    tdGeometry* mesh = MakeRodMesh();
    for (int k = 0; k < (int)(sizeof(posts) / sizeof(posts[0])); ++k)
    {
        for (int kind = 0; kind < ROD_KINDS; ++kind)
        {
            for (int phase = 0; phase < 8; ++phase)
            {
                if (!ENSURE(!TurnsThrough((Rod)kind, mesh, posts[k].motion, posts[k].speed, phase)))
                {
                    printf("    a %s rod through a %s post, phase %d\n", rodNames[kind], posts[k].name,
                           phase);
                }
            }
        }
    }
    tdDestroyGeometry(mesh);
}

TEST(WithoutContinuousCollisionBulletsPass)
{
    // The switch has an effect: without continuous collision at least one bullet passes.
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

// A wavy square of 2 GRID^2 faces, 40 m wide, facing down.
#define GRID 200
static tdGeometry* MakeWaves(void)
{
    static tdVec3 points[(GRID + 1) * (GRID + 1)];
    static uint32_t indices[6 * GRID * GRID];
    int count = 0;
    for (int i = 0; i <= GRID; ++i)
    {
        for (int k = 0; k <= GRID; ++k)
        {
            points[i * (GRID + 1) + k] =
                V(40.0 * i / GRID - 20.0, 0.2 * ((i + 2 * k) % 3), 40.0 * k / GRID - 20.0);
        }
    }
    for (int i = 0; i < GRID; ++i)
    {
        for (int k = 0; k < GRID; ++k)
        {
            uint32_t a = (uint32_t)(i * (GRID + 1) + k), b = a + GRID + 1;
            const uint32_t corners[6] = {a, b, a + 1, a + 1, b, b + 1}; // facing down
            memcpy(indices + count, corners, sizeof(corners));
            count += 6;
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = points;
    def.positionCount = (GRID + 1) * (GRID + 1);
    def.indices = indices;
    def.indexCount = count;
    return tdCreateMeshGeometry(&def, NULL);
}

// Two wavy sheets of 80,000 faces cross within a step. With 7,200 faces each, 904,230 pairs overlap in one
// step; the number grows with the square, and only a bound keeps the step short.
TEST(SweepsOfLargeMeshesAreBounded)
{
    tdGeometry* waves = MakeWaves();
    ENSURE(waves != NULL);
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdShapeDef def = MakeShapeDef(plain);
    tdCreateMesh(world, AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn), &def, waves);
    tdQuat upsideDown = {1.0f, 0.0f, 0.0f, 0.0f};
    tdBodyId fast = AddBody(world, TD_MOTION_DYNAMIC, V(-150, 0.45, 0.1), upsideDown);
    tdCreateMesh(world, fast, &def, waves);
    tdBody_SetLinearVelocity(world, fast, V(1800, 0, 0));
    for (int i = 0; i < 6; ++i)
    {
        ENSURE(tdWorld_Step(world, 1.0f / 60.0f));
    }
    float x = tdBody_GetTransform(world, fast).position.x;
    ENSURE(x > -150.0f && x < 150.1f);
    tdDestroyWorld(world);
    tdDestroyGeometry(waves);
}

TEST_MAIN(RUN(BulletsDoNotPassThinWalls) RUN(BulletsDoNotPassSleepingPlates) RUN(BulletsHitEachOther)
              RUN(BulletsAreBitIdenticalOnEveryWidthAndNumberOfWorkers) RUN(LongRodsDoNotTurnThroughPosts)
                  RUN(WithoutContinuousCollisionBulletsPass) RUN(SweepsOfLargeMeshesAreBounded))
