// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of one-sided (open) meshes. A body from the front is held at any speed; a body from behind, or
// behind, does not collide; a body halfway through is moved to the front without gaining speed. Meshes with
// two sides, the default, are those of test_thin_shells.
#include "harness.h"

#include "physics/bodies.h"

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

#define SIDE 8 // quads to a side

// A flat grid of 80 x 80 m about the origin in the plane y = 0, facing up.
static tdGeometry* MakeGround(bool isDoubleSided)
{
    tdVec3 positions[(SIDE + 1) * (SIDE + 1)];
    uint32_t indices[6 * SIDE * SIDE];
    int count = 0;
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
    {
        positions[i] = V(10 * (i % (SIDE + 1) - SIDE / 2), 0, 10 * (i / (SIDE + 1) - SIDE / 2));
    }
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        uint32_t a = (uint32_t)(i / SIDE * (SIDE + 1) + i % SIDE), c = a + SIDE + 1;
        const uint32_t quad[6] = {a, c, a + 1, a + 1, c, c + 1};
        for (int k = 0; k < 6; ++k)
        {
            indices[count++] = quad[k];
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = (SIDE + 1) * (SIDE + 1);
    def.indices = indices;
    def.indexCount = count;
    def.isDoubleSided = isDoubleSided;
    def.isOneSided = !isDoubleSided;
    return tdCreateMeshGeometry(&def, NULL);
}

// Corners and faces of an octahedron of 0.4 m, and of a box of 2 m facing inwards, the lid last.
static const tdVec3 tips[6] = {{0.2f, 0, 0},  {-0.2f, 0, 0}, {0, 0.2f, 0},
                               {0, -0.2f, 0}, {0, 0, 0.2f},  {0, 0, -0.2f}};
static const uint32_t tipFaces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
static const uint32_t crateFaces[36] = {0, 6, 4, 0, 2, 6, 1, 7, 3, 1, 5, 7, 0, 5, 1, 0, 4, 5,
                                        0, 3, 2, 0, 1, 3, 4, 7, 5, 4, 6, 7, 2, 7, 6, 2, 3, 7};

static tdGeometry* MakeCrate(bool hasLid)
{
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = V((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 2 : 0, (i & 4) != 0 ? 1 : -1);
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = corners;
    def.positionCount = 8;
    def.indices = crateFaces;
    def.indexCount = hasLid ? 36 : 30;
    def.isOneSided = true;
    return tdCreateMeshGeometry(&def, NULL);
}

typedef struct Geometries
{
    tdGeometry *ground, *doubleGround, *crates[2], *hull, *mesh;
} Geometries;

static Geometries MakeGeometries(void)
{
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = tips;
    def.positionCount = 6;
    def.indices = tipFaces;
    def.indexCount = 24;
    return (Geometries){.ground = MakeGround(false),
                        .doubleGround = MakeGround(true),
                        .crates = {MakeCrate(false), MakeCrate(true)},
                        .hull = tdCreateHullGeometry(tips, 6, NULL, NULL),
                        .mesh = tdCreateMeshGeometry(&def, NULL)};
}

static void DestroyGeometries(Geometries* geometries)
{
    tdDestroyGeometry(geometries->ground);
    tdDestroyGeometry(geometries->doubleGround);
    tdDestroyGeometry(geometries->crates[0]);
    tdDestroyGeometry(geometries->crates[1]);
    tdDestroyGeometry(geometries->hull);
    tdDestroyGeometry(geometries->mesh);
}

// Each about 0.4 m in size.
static tdBodyId AddKind(tdWorld* world, const Geometries* geometries, int kind, tdVec3 place)
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
        tdCreateHull(world, body, &def, geometries->hull);
        break;
    default:
        tdCreateMesh(world, body, &def, geometries->mesh);
        break;
    }
    return body;
}

static void Fail(const char* what, int kind, double value)
{
    printf("    %s: %s, %g\n", names[kind], what, value);
}

// Over the grid; a body that bounced with spin may leave it after a while.
static bool IsOver(tdVec3 p)
{
    return fabsf(p.x) < 39.0f && fabsf(p.z) < 39.0f;
}

// From above: falls, comes to rest and stays in front. Dropped, and thrown at 5 and 100 m/s.
TEST(FrontsCollide)
{
    Geometries geometries = MakeGeometries();
    static const double speeds[] = {0, 5, 100};
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        for (int k = 0; k < 3; ++k)
        {
            tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
            tdShapeDef def = MakeShapeDef(plain);
            tdCreateMesh(world, AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn), &def,
                         geometries.ground);
            tdBodyId body = AddKind(world, &geometries, kind, V(0.13, 1, 0.07));
            tdBody_SetLinearVelocity(world, body, V(0, -speeds[k], 0));
            double lowest = 10;
            for (int i = 0; i < 120 && IsOver(Position(world, body)); ++i)
            {
                tdWorld_Step(world, (float)STEP);
                lowest = fmin(lowest, (double)Position(world, body).y);
            }
            if (!ENSURE(lowest > 0.0 && lowest < 0.3))
            {
                Fail("came down to", kind, lowest);
            }
            tdDestroyWorld(world);
        }
    }
    DestroyGeometries(&geometries);
}

// Below: falls freely, also from directly under the surface. Closed form of the sub-stepped fall: g h^2 n (n
// + 1) / 2.
TEST(BodiesBehindFallFreely)
{
    Geometries geometries = MakeGeometries();
    static const double depths[] = {0.01, 0.1, 0.3, 1.0};
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        for (int k = 0; k < 4; ++k)
        {
            tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
            tdShapeDef def = MakeShapeDef(plain);
            tdCreateMesh(world, AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn), &def,
                         geometries.ground);
            tdBodyId body = AddKind(world, &geometries, kind, V(0.13, -depths[k], 0.07));
            StepFor(world, 0.5);
            double n = 120, want = -depths[k] - GRAVITY * SUB_STEP * SUB_STEP * n * (n + 1) / 2;
            tdVec3 p = Position(world, body), w = tdBody_GetAngularVelocity(world, body);
            if (!ENSURE_NEAR(p.y, want, 1e-4) || !ENSURE(Length(w) < 1e-5 && fabs((double)p.x - 0.13) < 1e-5))
            {
                Fail("fell to, from", kind, depths[k]);
            }
            tdDestroyWorld(world);
        }
    }
    DestroyGeometries(&geometries);
}

// Upwards from below: no contact until the centre is in front, then the body is moved out. It loses little
// speed, gains none, and does not return.
TEST(BodiesFromBehindPass)
{
    Geometries geometries = MakeGeometries();
    static const double speeds[] = {0.5, 5, 60, 300};
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        for (int k = 0; k < 4; ++k)
        {
            tdWorld* world = MakeWorld(V(0, 0, 0), true);
            tdShapeDef def = MakeShapeDef(plain);
            tdCreateMesh(world, AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn), &def,
                         geometries.ground);
            tdBodyId body = AddKind(world, &geometries, kind, V(0.13, -0.4, 0.07));
            tdBody_SetLinearVelocity(world, body, V(0, speeds[k], 0));
            bool isFree = true;
            double slowest = 1e9, fastest = 0;
            for (int i = 0; i < 90; ++i)
            {
                tdWorld_Step(world, (float)STEP);
                tdVec3 v = tdBody_GetLinearVelocity(world, body);
                bool isBehind = Position(world, body).y < 0.0f;
                isFree = isFree && (!isBehind || fabs((double)v.y - speeds[k]) < 1e-4 * speeds[k]);
                slowest = fmin(slowest, (double)v.y);
                fastest = fmax(fastest, Length(v));
            }
            ENSURE(isFree);
            ENSURE(Position(world, body).y > 0.2f);
            // Moved out by position, not by speed: the relax pass removes the velocity of the correction. A
            // push at a corner may rotate the body, which costs part of its path: a tenth for an octahedron.
            if (!ENSURE(slowest > 0.9 * speeds[k] && fastest < 1.01 * speeds[k] + 0.3))
            {
                Fail("speed afterwards", kind, slowest < 0.99 * speeds[k] ? slowest : fastest);
            }
            tdDestroyWorld(world);
        }
    }
    DestroyGeometries(&geometries);
}

// A crate facing inwards: a body thrown in through its back stays inside, where every wall holds it at any
// speed. It is open above for slow bodies and has a lid for those that would bounce out.
TEST(CratesFacingInwardsHoldBodies)
{
    Geometries geometries = MakeGeometries();
    static const double speeds[] = {2, 20, 200};
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        for (int k = 0; k < 3; ++k)
        {
            for (int from = 0; from < 2; ++from)
            {
                tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
                tdShapeDef def = MakeShapeDef(plain);
                tdCreateMesh(world, AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn), &def,
                             geometries.crates[k == 0 ? 0 : 1]);
                // Inside, or from outside through the wall at x = -1; slow ones start in the wall.
                double x = from == 0 ? 0 : (k == 0 ? -1.05 : -1.5);
                tdBodyId body = AddKind(world, &geometries, kind, V(x, 0.8, 0.1));
                tdBody_SetLinearVelocity(world, body, V(speeds[k], 0, 0.1 * speeds[k]));
                StepFor(world, 3);
                tdVec3 p = Position(world, body);
                if (!ENSURE(fabsf(p.x) < 1.0f && fabsf(p.z) < 1.0f && p.y > 0.05f && p.y < 2.0f))
                {
                    printf("    %s at %g m/s from %s ended at %g %g %g\n", names[kind], speeds[k],
                           from == 0 ? "inside" : "outside", (double)p.x, (double)p.y, (double)p.z);
                }
                tdDestroyWorld(world);
            }
        }
    }
    DestroyGeometries(&geometries);
}

// The same grid, double-sided: it holds bodies from above and from below, each on its side.
TEST(DoubleSidedMeshesHoldBothSides)
{
    Geometries geometries = MakeGeometries();
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        for (int side = -1; side <= 1; side += 2)
        {
            for (int k = 0; k < 2; ++k)
            {
                tdWorld* world = MakeWorld(V(0, -GRAVITY * side, 0), true);
                tdShapeDef def = MakeShapeDef(plain);
                tdCreateMesh(world, AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn), &def,
                             geometries.doubleGround);
                tdBodyId body = AddKind(world, &geometries, kind, V(0.13, side * 0.8, 0.07));
                tdBody_SetLinearVelocity(world, body, V(0, k == 0 ? 0 : -150 * side, 0));
                double lowest = 10;
                for (int i = 0; i < 120 && IsOver(Position(world, body)); ++i)
                {
                    tdWorld_Step(world, (float)STEP);
                    lowest = fmin(lowest, side * (double)Position(world, body).y);
                }
                if (!ENSURE(lowest > 0.0 && lowest < 0.3))
                {
                    Fail("came to", kind, lowest);
                }
                tdDestroyWorld(world);
            }
        }
    }
    DestroyGeometries(&geometries);
}

TEST_MAIN(RUN(FrontsCollide) RUN(BodiesBehindFallFreely) RUN(BodiesFromBehindPass)
              RUN(CratesFacingInwardsHoldBodies) RUN(DoubleSidedMeshesHoldBothSides))
