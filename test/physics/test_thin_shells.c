// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of meshes as thin shells: both sides hold, whatever the winding. Bodies inside hollow meshes stay
// inside, bodies outside stay outside, and a body that is pushed partly through returns to the side it came
// from.
#include "harness.h"

#include "physics/bodies.h"

#include "tendon/joint.h"

#include <stdlib.h>

typedef enum Kind
{
    KIND_SPHERE,
    KIND_BOX,
    KIND_CAPSULE,
    KIND_CYLINDER,
    KIND_HULL,
    KIND_MESH,
    KIND_COUNT,
} Kind;

static const char* const names[KIND_COUNT] = {"sphere", "box", "capsule", "cylinder", "hull", "mesh"};

typedef enum Winding
{
    WINDING_OUT,
    WINDING_IN,
    WINDING_MIXED, // every third triangle is reversed
    WINDING_COUNT,
} Winding;

#define MAX_POINTS 2048
#define MAX_INDICES 12288

typedef struct Soup
{
    tdVec3 points[MAX_POINTS];
    uint32_t indices[MAX_INDICES];
    int pointCount, indexCount;
} Soup;

static Soup soup; // too large for the stack

static void AddTriangle(uint32_t a, uint32_t b, uint32_t c)
{
    soup.indices[soup.indexCount++] = a;
    soup.indices[soup.indexCount++] = b;
    soup.indices[soup.indexCount++] = c;
}

static tdGeometry* CookSoup(Winding winding)
{
    for (int i = 0; i < soup.indexCount; i += 3)
    {
        if (winding == WINDING_IN || (winding == WINDING_MIXED && i / 3 % 3 == 1))
        {
            uint32_t index = soup.indices[i + 1];
            soup.indices[i + 1] = soup.indices[i + 2];
            soup.indices[i + 2] = index;
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = soup.points;
    def.positionCount = soup.pointCount;
    def.indices = soup.indices;
    def.indexCount = soup.indexCount;
    tdGeometry* mesh = tdCreateMeshGeometry(&def, NULL);
    soup.pointCount = soup.indexCount = 0;
    return mesh;
}

static const uint32_t boxFaces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static void AppendBox(tdVec3 center, tdVec3 half)
{
    uint32_t first = (uint32_t)soup.pointCount;
    for (int i = 0; i < 8; ++i)
    {
        soup.points[soup.pointCount++] = (tdVec3){center.x + ((i & 1) != 0 ? half.x : -half.x),
                                                  center.y + ((i & 2) != 0 ? half.y : -half.y),
                                                  center.z + ((i & 4) != 0 ? half.z : -half.z)};
    }
    for (int i = 0; i < 36; i += 3)
    {
        AddTriangle(first + boxFaces[i], first + boxFaces[i + 1], first + boxFaces[i + 2]);
    }
}

static tdGeometry* MakeRoom(Winding winding, double half)
{
    AppendBox(V(0, 0, 0), V(half, half, half));
    return CookSoup(winding);
}

/// A grid of 2 * half in x and z, hills of the given height, facing up.
static tdGeometry* MakeFloor(Winding winding, int side, double half, double height)
{
    for (int i = 0; i < (side + 1) * (side + 1); ++i)
    {
        double x = half * (2.0 * (i % (side + 1)) / side - 1),
               z = half * (2.0 * (double)(i / (side + 1)) / side - 1);
        soup.points[soup.pointCount++] = V(x, height * sin(1.3 * x) * cos(1.7 * z), z);
    }
    for (int i = 0; i < side * side; ++i)
    {
        uint32_t a = (uint32_t)(i / side * (side + 1) + i % side), c = a + (uint32_t)side + 1;
        AddTriangle(a, c, a + 1);
        AddTriangle(a + 1, c, c + 1);
    }
    return CookSoup(winding);
}

static tdGeometry *hullShape, *meshShape;

static void MakeKinds(void)
{
    static const tdVec3 tips[6] = {{0.2f, 0, 0},  {-0.2f, 0, 0}, {0, 0.2f, 0},
                                   {0, -0.2f, 0}, {0, 0, 0.2f},  {0, 0, -0.2f}};
    static const uint32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                       2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    hullShape = tdCreateHullGeometry(tips, 6, NULL, NULL);
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = tips;
    def.positionCount = 6;
    def.indices = faces;
    def.indexCount = 24;
    meshShape = tdCreateMeshGeometry(&def, NULL);
}

static void DestroyKinds(void)
{
    tdDestroyGeometry(hullShape);
    tdDestroyGeometry(meshShape);
}

/// Each about 0.4 m in size, 0.12 m at least from the centre to the surface.
static tdBodyId AddKind(tdWorld* world, int kind, tdVec3 place)
{
    tdShapeDef def = MakeShapeDef(plain);
    tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, place, Turn(0.6, 0, 0.8, 0.7));
    switch (kind)
    {
    case KIND_SPHERE:
        tdCreateSphere(world, body, &def, 0.2f);
        break;
    case KIND_BOX:
        tdCreateBox(world, body, &def, V(0.4, 0.3, 0.35));
        break;
    case KIND_CAPSULE:
        tdCreateCapsule(world, body, &def, 0.2f, 0.15f, 0.15f);
        break;
    case KIND_CYLINDER:
        tdCreateCylinder(world, body, &def, 0.3f, 0.2f, 0.2f);
        break;
    case KIND_HULL:
        tdCreateHull(world, body, &def, hullShape);
        break;
    default:
        tdCreateMesh(world, body, &def, meshShape);
        break;
    }
    return body;
}

static tdBodyId AddMesh(tdWorld* world, tdMotion motion, tdVec3 place, const tdGeometry* mesh)
{
    tdBodyId body = AddBody(world, motion, place, noTurn);
    tdShapeDef def = MakeShapeDef(plain);
    tdCreateMesh(world, body, &def, mesh);
    return body;
}

// Inside a hollow cube of 2 m, thrown at up to 200 m/s: the body never leaves it and comes to rest on its
// floor.
TEST(RoomsHoldBodiesInside)
{
    MakeKinds();
    static const double speeds[] = {0, 5, 50, 200};
    for (int n = 0; n < WINDING_COUNT * KIND_COUNT * 4; ++n)
    {
        int winding = n % WINDING_COUNT, kind = n / WINDING_COUNT % KIND_COUNT,
            k = n / (WINDING_COUNT * KIND_COUNT);
        tdGeometry* room = MakeRoom((Winding)winding, 1);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), room);
        tdBodyId body = AddKind(world, kind, V(0.1, 0.2, -0.1));
        tdBody_SetLinearVelocity(world, body, V(speeds[k], 0.3 * speeds[k], 0.2 * speeds[k]));
        double farthest = 0;
        for (int i = 0; i < 240; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            tdVec3 p = Position(world, body);
            farthest = fmax(farthest, fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z))));
        }
        // Continuous collision stops a centre at a quarter of the inner radius.
        if (!ENSURE(farthest < 0.97) || !ENSURE(Position(world, body).y < -0.7f))
        {
            printf("    %s at %g m/s, winding %d: %g\n", names[kind], speeds[k], winding, farthest);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(room);
    }
    DestroyKinds();
}

// Outside of a hollow cube: at its walls and edges, on its roof, and thrown at it.
TEST(RoomsHoldBodiesOutside)
{
    MakeKinds();
    static const double speeds[] = {0, 5, 50, 200};
    for (int n = 0; n < WINDING_COUNT * KIND_COUNT * 4; ++n)
    {
        int winding = n % WINDING_COUNT, kind = n / WINDING_COUNT % KIND_COUNT,
            k = n / (WINDING_COUNT * KIND_COUNT);
        tdGeometry* room = MakeRoom((Winding)winding, 1);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), room);
        tdBodyId falling = AddKind(world, kind, V(0.6, 1.3, -0.5)),
                 thrown = AddKind(world, kind, V(-3, 0.2, 0.3));
        tdBody_SetLinearVelocity(world, falling, V(0, -speeds[k], 0));
        tdBody_SetLinearVelocity(world, thrown, V(fmax(speeds[k], 20), 0, 0));
        double deepest = 10, nearest = 10;
        for (int i = 0; i < 120; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            tdVec3 p = Position(world, falling), q = Position(world, thrown);
            bool isOver = fabsf(p.x) < 1.0f && fabsf(p.z) < 1.0f;
            deepest = isOver ? fmin(deepest, (double)p.y) : deepest;
            bool isBeside = fabsf(q.y) < 1.0f && fabsf(q.z) < 1.0f;
            nearest = isBeside ? fmin(nearest, -(double)q.x) : nearest;
        }
        if (!ENSURE(deepest > 1.03 && nearest > 1.03))
        {
            printf("    %s at %g m/s, winding %d: %g %g\n", names[kind], speeds[k], winding, deepest,
                   nearest);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(room);
    }
    DestroyKinds();
}

// Floors with any winding, flat and hilly, from above and from below.
TEST(FloorsHoldBothSides)
{
    MakeKinds();
    for (int n = 0; n < WINDING_COUNT * KIND_COUNT * 8; ++n)
    {
        int winding = n % WINDING_COUNT, kind = n / WINDING_COUNT % KIND_COUNT,
            k = n / (WINDING_COUNT * KIND_COUNT);
        double side = k % 2 == 0 ? 1 : -1, height = k / 2 % 2 == 0 ? 0 : 0.1, speed = k / 4 == 0 ? 0 : 120;
        tdGeometry* ground = MakeFloor((Winding)winding, 30, 6, height);
        tdWorld* world = MakeWorld(V(0, -GRAVITY * side, 0), true);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), ground);
        tdBodyId body = AddKind(world, kind, V(0.13, side, 0.07));
        tdBody_SetLinearVelocity(world, body, V(0, -speed * side, 0));
        double lowest = 10;
        for (int i = 0; i < 180; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            tdVec3 p = Position(world, body);
            if (fabsf(p.x) > 5.5f || fabsf(p.z) > 5.5f)
            {
                break;
            }
            double floorHeight = height * sin(1.3 * (double)p.x) * cos(1.7 * (double)p.z);
            lowest = fmin(lowest, side * ((double)p.y - floorHeight));
        }
        if (!ENSURE(lowest > 0.05 && lowest < 0.35))
        {
            printf("    %s at %g m/s, winding %d, side %g, hills %g: %g\n", names[kind], speed, winding, side,
                   height, lowest);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(ground);
    }
    DestroyKinds();
}

// A strip with a half twist has no orientation. It lies flat where the body rests.
TEST(StripsWithATwistHold)
{
    MakeKinds();
    for (int n = 0; n < 2 * KIND_COUNT; ++n)
    {
        enum
        {
            PARTS = 60
        };
        for (int i = 0; i < PARTS; ++i)
        {
            double turn = 2 * PI * i / PARTS, twist = 0.5 * turn;
            for (int s = -1; s <= 1; s += 2)
            {
                double out = 3 + 1.2 * s * cos(twist);
                soup.points[soup.pointCount++] = V(out * cos(turn), 1.2 * s * sin(twist), out * sin(turn));
            }
        }
        for (uint32_t i = 0; i < PARTS; ++i)
        {
            uint32_t a = 2 * i, b = a + 1, c = i + 1 < PARTS ? a + 2 : 1, d = i + 1 < PARTS ? a + 3 : 0;
            AddTriangle(a, c, b);
            AddTriangle(b, c, d);
        }
        tdGeometry* strip = CookSoup(n < KIND_COUNT ? WINDING_OUT : WINDING_IN);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), strip);
        tdBodyId body = AddKind(world, n % KIND_COUNT, V(3, 0.5, 0.01));
        double lowest = 10;
        for (int i = 0; i < 60; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            lowest = fmin(lowest, (double)Position(world, body).y);
        }
        if (!ENSURE(lowest > 0.05))
        {
            printf("    %s: %g\n", names[n % KIND_COUNT], lowest);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(strip);
    }
    DestroyKinds();
}

// A press pushes the body through the floor, past its centre but not entirely, and lets go: it returns. The
// side is part of saved states.
TEST(BodiesPushedPartlyThroughReturn)
{
    MakeKinds();
    int passed = 0;
    for (int n = 0; n < KIND_COUNT * 4; ++n)
    {
        int kind = n / 4;
        double side = n % 2 == 0 ? 1 : -1;
        tdGeometry* ground = MakeFloor(n / 2 % 2 == 0 ? WINDING_OUT : WINDING_IN, 12, 6, 0);
        tdWorld* world = MakeWorld(V(0, -GRAVITY * side, 0), false);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), ground);
        tdBodyId body = AddKind(world, kind, V(0.13, 0.4 * side, 0.07));
        StepFor(world, 1.5);
        double rest = side * (double)Position(world, body).y;
        tdJointDef joint = tdDefaultJointDef();
        joint.bodyB = body;
        tdJointDrive drive = tdDefaultJointDrive();
        drive.type = TD_DRIVE_LINEAR;
        drive.axis = TD_AXIS_Y;
        drive.mode = TD_DRIVE_ACCELERATION;
        drive.damping = 1e6f;
        drive.velocityTarget = (float)(-0.5 * side);
        joint.drives = &drive;
        joint.driveCount = 1;
        tdJointId press = tdCreateJoint(world, &joint);
        double lowest = rest;
        for (int i = 0; i < 120 && lowest > -0.04; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            lowest = fmin(lowest, side * (double)Position(world, body).y);
        }
        passed += lowest < 0 ? 1 : 0;
        if (!ENSURE(lowest > -0.08))
        {
            printf("    %s, side %g: pressed to %g\n", names[kind], side, lowest);
        }
        tdDestroyJoint(world, press);
        tdBody_SetLinearVelocity(world, body, V(0, 0, 0));
        tdBody_SetAngularVelocity(world, body, V(0, 0, 0));
        size_t size = tdWorld_SaveState(world, NULL, 0);
        void* block = malloc(size);
        tdWorld_SaveState(world, block, size);
        StepFor(world, 3);
        if (!ENSURE(side * (double)Position(world, body).y > 0.1))
        {
            printf("    %s, side %g: from %g by way of %g to %g\n", names[kind], side, rest, lowest,
                   side * (double)Position(world, body).y);
        }
        uint64_t hash = tdWorld_GetStateHash(world);
        ENSURE(tdWorld_LoadState(world, block, size));
        StepFor(world, 3);
        ENSURE(tdWorld_GetStateHash(world) == hash);
        free(block);
        tdDestroyWorld(world);
        tdDestroyGeometry(ground);
    }
    ENSURE(passed >= 16); // the core of a cylinder bears the press
    DestroyKinds();
}

// A hollow body that carries others: they stay inside while it falls, tumbles and is thrown.
TEST(HollowBodiesCarryBodiesInside)
{
    MakeKinds();
    for (int n = 0; n < WINDING_COUNT * KIND_COUNT; ++n)
    {
        int winding = n % WINDING_COUNT, kind = n / WINDING_COUNT;
        tdGeometry* room = MakeRoom((Winding)winding, 0.7);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        AddSlope(world, 0, plain);
        tdBodyId hollow = AddMesh(world, TD_MOTION_DYNAMIC, V(0, 2, 0), room);
        tdBodyId inside = AddKind(world, kind, V(0, 2, 0));
        tdBody_SetLinearVelocity(world, hollow, V(4, 0, 1));
        tdBody_SetAngularVelocity(world, hollow, V(1, 0, -3));
        double farthest = 0;
        for (int i = 0; i < 240; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            tdTransform pose = tdBody_GetTransform(world, hollow);
            tdVec3 p = Position(world, inside);
            tdVec3 d = V((double)p.x - (double)pose.position.x, (double)p.y - (double)pose.position.y,
                         (double)p.z - (double)pose.position.z);
            d = RotateBy((tdQuat){-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w}, d);
            farthest = fmax(farthest, fmax(fabs((double)d.x), fmax(fabs((double)d.y), fabs((double)d.z))));
        }
        if (!ENSURE(farthest < 0.65))
        {
            printf("    %s, winding %d: %g\n", names[kind], winding, farthest);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(room);
    }
    DestroyKinds();
}

// A hollow cube that spins about its vertical axis: bodies inside stay inside, bodies outside stay outside.
TEST(SpinningRoomsKeepBodiesOnTheirSide)
{
    MakeKinds();
    static const double rates[] = {2, 12, 40};
    for (int n = 0; n < KIND_COUNT * 3; ++n)
    {
        int kind = n % KIND_COUNT;
        double rate = rates[n / KIND_COUNT];
        tdGeometry* room = MakeRoom(n % 2 == 0 ? WINDING_OUT : WINDING_MIXED, 1);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        tdBodyId hollow = AddMesh(world, TD_MOTION_KINEMATIC, V(0, 0, 0), room);
        tdBody_SetAngularVelocity(world, hollow, V(0, rate, 0));
        tdBodyId inside = AddKind(world, kind, V(0.3, 0.1, 0));
        tdBodyId outside = AddKind(world, kind, V(-2, 0.4, 0)),
                 above = AddKind(world, kind, V(0.2, 1.4, 0.1));
        tdBody_SetLinearVelocity(world, outside, V(6, 1.5, 0));
        double farthest = 0, nearest = 10;
        for (int i = 0; i < 180; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            tdQuat q = tdBody_GetTransform(world, hollow).rotation, inverse = {-q.x, -q.y, -q.z, q.w};
            tdVec3 p = RotateBy(inverse, Position(world, inside));
            farthest = fmax(farthest, fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z))));
            for (int k = 0; k < 2; ++k)
            {
                p = RotateBy(inverse, Position(world, k == 0 ? outside : above));
                nearest = fmin(nearest, fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z))));
            }
        }
        if (!ENSURE(farthest < 1 && nearest > 1)) // of the centres
        {
            printf("    %s at %g rad/s: %g %g\n", names[kind], rate, farthest, nearest);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(room);
    }
    DestroyKinds();
}

// Dynamic cubes of any winding come to rest on a floor of any winding, on a box and on each other.
TEST(DynamicMeshesOfAnyWindingRest)
{
    for (int n = 0; n < WINDING_COUNT * 4; ++n)
    {
        tdGeometry* cube = MakeRoom((Winding)(n % WINDING_COUNT), 0.25);
        int ground = n / WINDING_COUNT;
        tdGeometry* mesh = MakeFloor((Winding)(ground % WINDING_COUNT), 8, 6, 0);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        if (ground < WINDING_COUNT)
        {
            AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), mesh);
        }
        else
        {
            AddBox(world, TD_MOTION_STATIC, V(0, -0.5, 0), noTurn, V(12, 1, 12), plain);
        }
        tdBodyId lower = AddMesh(world, TD_MOTION_DYNAMIC, V(0.1, 0.6, 0), cube);
        tdBodyId upper = AddMesh(world, TD_MOTION_DYNAMIC, V(0.13, 1.3, 0.04), cube);
        StepFor(world, 4);
        ENSURE_NEAR(Position(world, lower).y, 0.25, 0.012);
        ENSURE_NEAR(Position(world, upper).y, 0.75, 0.024);
        ENSURE_NEAR(Position(world, upper).x, 0.13, 0.03);
        tdDestroyWorld(world);
        tdDestroyGeometry(mesh);
        tdDestroyGeometry(cube);
    }
}

// A ball rolls over the inner edges of a floor without a bump, on either side and with any winding: it keeps
// its height and its speed.
TEST(BallsRollOverInnerEdges)
{
    for (int n = 0; n < 2 * WINDING_COUNT; ++n)
    {
        double side = n / WINDING_COUNT == 0 ? 1 : -1;
        tdGeometry* ground = MakeFloor((Winding)(n % WINDING_COUNT), 30, 6, 0);
        tdWorld* world = MakeWorld(V(0, -GRAVITY * side, 0), false);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), ground);
        tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(-4, 0.2 * side, 0.13), 0.2, plain);
        tdBody_SetLinearVelocity(world, ball, V(3, 0, 0.2));
        tdBody_SetAngularVelocity(world, ball, V(0.2 / 0.2 * side, 0, -3 / 0.2 * side));
        double most = 0;
        for (int i = 0; i < 120; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            most = fmax(most, fabs(side * (double)Position(world, ball).y - 0.2));
        }
        ENSURE(most < 0.006); // the slop of a resting contact is 5 mm
        ENSURE_NEAR(Position(world, ball).x, 2, 0.03);
        tdDestroyWorld(world);
        tdDestroyGeometry(ground);
    }
}

// A room with a wall in the middle, whose edges join three triangles and more, and a box that stands apart:
// all of it one mesh.
// The side of a cylinder that lies across several triangles is one line. Without sleep it stays where it is:
// points that rotate with the body would roll it on.
TEST(RoundShapesRestAcrossTriangles)
{
    for (int n = 0; n < 2 * 2 * 3 * 2; ++n)
    {
        bool isCapsule = n % 2 == 0;
        int winding = n / 2 % 2;
        double side = n / 12 == 0 ? 1 : -1, turn = 0.4 * (n / 4 % 3);
        tdGeometry* ground = MakeFloor((Winding)winding, n % 4 < 2 ? 1 : 40, 5, 0);
        tdWorld* world = MakeWorld(V(0, -GRAVITY * side, 0), false);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), ground);
        tdQuat lying = tdMulQuat(Turn(0, 1, 0, turn), Turn(0, 0, 1, PI / 2));
        tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(0.03, 0.205 * side, 0.02), lying);
        if (isCapsule)
        {
            tdCreateCapsule(world, body, NULL, 0.5f, 0.2f, 0.2f);
        }
        else
        {
            tdCreateCylinder(world, body, NULL, 0.5f, 0.2f, 0.2f);
        }
        StepFor(world, 2);
        tdVec3 start = Position(world, body);
        StepFor(world, 15);
        if (!ENSURE_NEAR(Length(tdSub(Position(world, body), start)), 0, 0.001))
        {
            printf("    capsule %d, winding %d, side %g, turned by %g\n", isCapsule, winding, side, turn);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(ground);
    }
}

TEST(RoomsWithPartitionsHold)
{
    MakeKinds();
    for (int n = 0; n < WINDING_COUNT * KIND_COUNT * 2; ++n)
    {
        int winding = n % WINDING_COUNT, kind = n / WINDING_COUNT % KIND_COUNT;
        double side = n / (WINDING_COUNT * KIND_COUNT) == 0 ? 1 : -1;
        AppendBox(V(0, 0, 0), V(2, 1, 1));
        uint32_t first = (uint32_t)soup.pointCount;
        for (int i = 0; i < 4; ++i)
        {
            soup.points[soup.pointCount++] = V(0, (i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1);
        }
        AddTriangle(first, first + 1, first + 2);
        AddTriangle(first + 1, first + 3, first + 2);
        AppendBox(V(1.4 * side, -0.7, 0.6), V(0.3, 0.3, 0.3));
        tdGeometry* room = CookSoup((Winding)winding);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), room);
        tdBodyId body = AddKind(world, kind, V(0.6 * side, 0.1, -0.3));
        tdBody_SetLinearVelocity(world, body, V(-12 * side, 1, 6));
        double least = 10, farthest = 0;
        for (int i = 0; i < 240; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            tdVec3 p = Position(world, body);
            least = fmin(least, side * (double)p.x);
            farthest =
                fmax(farthest, fmax(fabs((double)p.x) - 1, fmax(fabs((double)p.y), fabs((double)p.z))));
        }
        if (!ENSURE(least > 0.05 && farthest < 0.95))
        {
            printf("    %s, winding %d, side %g: %g %g\n", names[kind], winding, side, least, farthest);
        }
        tdDestroyWorld(world);
        tdDestroyGeometry(room);
    }
    DestroyKinds();
}

TEST_MAIN(RUN(RoomsHoldBodiesInside) RUN(RoomsHoldBodiesOutside) RUN(FloorsHoldBothSides)
              RUN(StripsWithATwistHold) RUN(BodiesPushedPartlyThroughReturn)
                  RUN(HollowBodiesCarryBodiesInside) RUN(SpinningRoomsKeepBodiesOnTheirSide)
                      RUN(DynamicMeshesOfAnyWindingRest) RUN(BallsRollOverInnerEdges)
                          RUN(RoundShapesRestAcrossTriangles) RUN(RoomsWithPartitionsHold))
