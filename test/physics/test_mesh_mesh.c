// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of triangle meshes on dynamic bodies against each other: they rest, stack and hold bodies inside.
#include "harness.h"

#include "physics/bodies.h"

// Twelve triangles of a box, corners numbered by the signs of x, y, z.
static const uint32_t boxIndices[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                        2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

typedef struct Triangles
{
    tdVec3 points[64];
    uint32_t indices[64 * 6];
    int pointCount, indexCount;
} Triangles;

static void AppendBox(Triangles* mesh, tdVec3 center, tdVec3 half)
{
    for (int i = 0; i < 36; ++i)
    {
        mesh->indices[mesh->indexCount++] = (uint32_t)mesh->pointCount + boxIndices[i];
    }
    for (int i = 0; i < 8; ++i)
    {
        mesh->points[mesh->pointCount++] = (tdVec3){center.x + ((i & 1) != 0 ? half.x : -half.x),
                                                    center.y + ((i & 2) != 0 ? half.y : -half.y),
                                                    center.z + ((i & 4) != 0 ? half.z : -half.z)};
    }
}

static tdGeometry* Cook(const Triangles* mesh)
{
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = mesh->points;
    def.positionCount = mesh->pointCount;
    def.indices = mesh->indices;
    def.indexCount = mesh->indexCount;
    return tdCreateMeshGeometry(&def, NULL);
}

static tdGeometry* MakeCube(double half)
{
    Triangles mesh = {.pointCount = 0};
    AppendBox(&mesh, V(0, 0, 0), V(half, half, half));
    return Cook(&mesh);
}

static tdBodyId AddMesh(tdWorld* world, tdMotion motion, tdVec3 position, const tdGeometry* mesh)
{
    tdBodyId body = AddBody(world, motion, position, noTurn);
    tdShapeDef def = MakeShapeDef(plain);
    tdCreateMesh(world, body, &def, mesh);
    return body;
}

TEST(CubeMeshHasTheMassOfACube)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdGeometry* cube = MakeCube(0.5);
    ENSURE(tdGeometry_IsClosed(cube));
    tdBodyMass mass = tdBody_GetMass(world, AddMesh(world, TD_MOTION_DYNAMIC, V(0, 0, 0), cube));
    ENSURE_NEAR(mass.mass, 1000, 0.01);
    ENSURE_NEAR(mass.inertiaDiagonal.x, 1000.0 / 6, 0.01);
    tdDestroyWorld(world);
    tdDestroyGeometry(cube);
}

TEST(CubeMeshesRestOnAMeshAndOnEachOther)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    Triangles ground = {.pointCount = 0};
    AppendBox(&ground, V(0, -1, 0), V(10, 1, 10));
    tdGeometry *floorMesh = Cook(&ground), *cube = MakeCube(0.5);
    AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), floorMesh);
    tdBodyId cubes[3];
    for (int i = 0; i < 3; ++i)
    {
        cubes[i] = AddMesh(world, TD_MOTION_DYNAMIC, V(0.05 * i, 0.51 + 1.02 * i, 0.03 * i), cube);
    }
    StepFor(world, 5);
    for (int i = 0; i < 3; ++i)
    {
        ENSURE_NEAR(Position(world, cubes[i]).y, 0.5 + i, 0.01 * (i + 1));
        ENSURE_NEAR(Position(world, cubes[i]).x, 0.05 * i, 0.02);
        ENSURE(Length(tdBody_GetLinearVelocity(world, cubes[i])) < 0.05);
        ENSURE(RotateBy(tdBody_GetTransform(world, cubes[i]).rotation, V(0, 1, 0)).y > 0.999f);
    }
    tdDestroyWorld(world);
    tdDestroyGeometry(floorMesh);
    tdDestroyGeometry(cube);
}

TEST(TrayHoldsItsContents)
{
    // A concave tray: floor and four rims as one mesh, on a dynamic body. A mesh cube and a ball fall into
    // it.
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    Triangles tray = {.pointCount = 0};
    AppendBox(&tray, V(0, 0.05, 0), V(1, 0.05, 1));
    AppendBox(&tray, V(-0.95, 0.3, 0), V(0.05, 0.2, 1));
    AppendBox(&tray, V(0.95, 0.3, 0), V(0.05, 0.2, 1));
    AppendBox(&tray, V(0, 0.3, -0.95), V(0.9, 0.2, 0.05));
    AppendBox(&tray, V(0, 0.3, 0.95), V(0.9, 0.2, 0.05));
    tdGeometry *trayMesh = Cook(&tray), *cube = MakeCube(0.15);
    AddSlope(world, 0, plain);
    tdBodyId holder = AddMesh(world, TD_MOTION_DYNAMIC, V(0, 0.3, 0), trayMesh);
    tdBodyId inside[2] = {AddMesh(world, TD_MOTION_DYNAMIC, V(-0.4, 1.2, 0.1), cube),
                          AddSphere(world, TD_MOTION_DYNAMIC, V(0.4, 1.2, -0.1), 0.15, plain)};
    StepFor(world, 2);
    for (int i = 0; i < 2; ++i)
    {
        tdBody_SetLinearVelocity(world, inside[i], V(2, 0, 0.5)); // against the rim
    }
    StepFor(world, 3);
    for (int i = 0; i < 2; ++i)
    {
        tdVec3 p = Position(world, inside[i]), h = Position(world, holder);
        ENSURE(fabsf(p.x - h.x) < 0.8f && fabsf(p.z - h.z) < 0.8f);
        ENSURE_NEAR(p.y - h.y, 0.1 + 0.15, 0.02);
    }
    ENSURE_NEAR(Position(world, holder).y, 0, 0.02);
    tdDestroyWorld(world);
    tdDestroyGeometry(trayMesh);
    tdDestroyGeometry(cube);
}

TEST(MeshesThatFallOnMeshesDoNotSinkThrough)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    Triangles ground = {.pointCount = 0};
    AppendBox(&ground, V(0, -1, 0), V(20, 1, 20));
    tdGeometry *floorMesh = Cook(&ground), *cube = MakeCube(0.3);
    AddMesh(world, TD_MOTION_STATIC, V(0, 0, 0), floorMesh);
    tdBodyId cubes[12];
    for (int i = 0; i < 12; ++i)
    {
        cubes[i] = AddMesh(world, TD_MOTION_DYNAMIC, V(0.2 * (i % 3), 1 + 0.8 * i, 0.1 * (i % 4)), cube);
        tdBody_SetAngularVelocity(world, cubes[i], V(i % 5, 1, i % 3));
    }
    StepFor(world, 6);
    for (int i = 0; i < 12; ++i)
    {
        tdVec3 p = Position(world, cubes[i]);
        // A body that falls from h has m g h for sliding, friction takes mu m g per metre: h / mu, with h
        // that of the highest. The energy that one cube transfers to another is less than that.
        const double farthest = (1 + 0.8 * 11 - 0.3) / (double)plain.dynamicFriction;
        ENSURE(p.y < 5 && fabs((double)p.x) < 0.4 + farthest && fabs((double)p.z) < 0.3 + farthest);
        ENSURE(Length(tdBody_GetLinearVelocity(world, cubes[i])) < 0.01);
        // Its lowest corner lies on the floor, within the contact slop.
        tdQuat turn = tdBody_GetTransform(world, cubes[i]).rotation;
        float reach = 0.3f * (fabsf(RotateBy(turn, V(1, 0, 0)).y) + fabsf(RotateBy(turn, V(0, 1, 0)).y) +
                              fabsf(RotateBy(turn, V(0, 0, 1)).y));
        ENSURE(p.y - reach > -0.006f);
    }
    tdDestroyWorld(world);
    tdDestroyGeometry(floorMesh);
    tdDestroyGeometry(cube);
}

TEST_MAIN(RUN(CubeMeshHasTheMassOfACube) RUN(CubeMeshesRestOnAMeshAndOnEachOther) RUN(TrayHoldsItsContents)
              RUN(MeshesThatFallOnMeshesDoNotSinkThrough))
