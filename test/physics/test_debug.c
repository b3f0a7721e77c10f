// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of shapes drawn as lines: every point lies on the surface of the shape, by the surface's equation;
// Euler's formula gives the number of edges.
#include "harness.h"

#include "tendon/debug.h"

#define CAPACITY 4096

typedef struct Lines
{
    tdVec3 points[CAPACITY];
    int count;
} Lines;

static tdWorld* world;
static tdBodyId body;
static Lines lines;

static void Draw(tdShapeId shape)
{
    lines.count = tdShape_GetLines(world, shape, lines.points, CAPACITY);
    ENSURE(lines.count > 0 && lines.count % 2 == 0 && lines.count <= CAPACITY);
    ENSURE_EQUAL_INT(tdShape_GetLines(world, shape, NULL, 0), lines.count);
}

static void SetUp(void)
{
    world = tdCreateWorld(NULL);
    body = tdCreateBody(world, NULL);
}

static double Length(tdVec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

// Distance to a point of the axis minus the radius there.
static double CapsuleDistance(tdVec3 p, double halfHeight, double bottom, double top)
{
    // Brute force over the spheres between the two ends: the surface is where the minimum is zero.
    double least = (double)INFINITY;
    for (int i = 0; i <= 20000; ++i)
    {
        double t = i / 20000.0;
        double y = -halfHeight + 2.0 * halfHeight * t, radius = bottom + (top - bottom) * t;
        double x2 = (double)p.x * (double)p.x + (double)p.z * (double)p.z;
        double distance = sqrt(x2 + ((double)p.y - y) * ((double)p.y - y)) - radius;
        least = distance < least ? distance : least;
    }
    return least;
}

TEST(DrawsBalls)
{
    SetUp();
    tdShapeId shape = tdCreateSphere(world, body, NULL, 0.75f);
    Draw(shape);
    for (int i = 0; i < lines.count; ++i)
    {
        ENSURE_NEAR(Length(lines.points[i]), 0.75, 1e-6);
    }
    ENSURE(tdDescribeShape(world, shape).isValid);
    ENSURE_EQUAL_TEXT(tdShapeKind_GetName(tdDescribeShape(world, shape).kind), "sphere");
    ENSURE_NEAR(tdDescribeShape(world, shape).dimensions[0], 0.75, 0.0);
    tdDestroyWorld(world);
}

TEST(DrawsBoxesThroughTheirMatrix)
{
    SetUp();
    tdShapeDef def = tdDefaultShapeDef();
    def.hasMatrix = true;
    def.matrix[0] = (tdVec3){2.0f, 0.0f, 0.0f};
    def.matrix[1] = (tdVec3){0.5f, 1.0f, 0.0f};
    def.matrix[2] = (tdVec3){0.0f, 0.0f, 1.0f};
    tdShapeId shape = tdCreateBox(world, body, &def, (tdVec3){1.0f, 2.0f, 3.0f});
    Draw(shape);
    ENSURE_EQUAL_INT(lines.count, 24);
    for (int i = 0; i < lines.count; ++i)
    {
        tdVec3 p = lines.points[i];
        ENSURE_NEAR(fabs((double)p.y), 1.0, 1e-6);
        ENSURE_NEAR(fabs((double)p.z), 1.5, 1e-6);
        ENSURE_NEAR(fabs((double)p.x - 0.5 * (double)p.y), 1.0, 1e-6);
    }
    ENSURE_EQUAL_INT(tdDescribeShape(world, shape).dimensionCount, 3);
    tdDestroyWorld(world);
}

TEST(DrawsCapsules)
{
    static const float cases[][3] = {
        {2.0f, 0.5f, 0.5f}, {2.0f, 0.9f, 0.3f}, {1.0f, 0.2f, 0.6f}, {0.5f, 0.2f, 1.0f}};
    SetUp();
    for (int k = 0; k < 4; ++k)
    {
        Draw(tdCreateCapsule(world, body, NULL, cases[k][0], cases[k][1], cases[k][2]));
        for (int i = 0; i < lines.count; ++i)
        {
            // The step of the search is 1/20000 of 2 m; the error near the minimum is quadratic in it.
            ENSURE_NEAR(CapsuleDistance(lines.points[i], 0.5 * (double)cases[k][0], (double)cases[k][1],
                                        (double)cases[k][2]),
                        0.0, 2e-6);
        }
    }
    tdDestroyWorld(world);
}

TEST(DrawsConesAndPlanes)
{
    SetUp();
    Draw(tdCreateCylinder(world, body, NULL, 2.0f, 1.0f, 0.0f));
    for (int i = 0; i < lines.count; ++i)
    {
        tdVec3 p = lines.points[i];
        double radius = sqrt((double)p.x * (double)p.x + (double)p.z * (double)p.z);
        ENSURE_NEAR(radius, 0.5 * (1.0 - (double)p.y), 1e-6);
    }
    tdShapeId plane = tdCreatePlane(world, body, NULL, INFINITY, 4.0f, false);
    Draw(plane);
    for (int i = 0; i < lines.count; ++i)
    {
        tdVec3 p = lines.points[i];
        ENSURE(p.y == 0.0f && fabsf(p.x) <= 10.0f && fabsf(p.z) <= 2.0f);
    }
    ENSURE(isinf(tdDescribeShape(world, plane).dimensions[0]));
    tdDestroyWorld(world);
}

TEST(DrawsEveryEdgeOfHullsAndMeshesOnce)
{
    SetUp();
    // An octahedron: 6 corners, 8 faces, so 6 + 8 - 2 = 12 edges, all of length sqrt 2.
    tdVec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    uint32_t indices[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    tdGeometry* hull = tdCreateHullGeometry(corners, 6, NULL, NULL);
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = corners;
    def.positionCount = 6;
    def.indices = indices;
    def.indexCount = 24;
    tdGeometry* mesh = tdCreateMeshGeometry(&def, NULL);
    tdShapeId shapes[2] = {tdCreateHull(world, body, NULL, hull), tdCreateMesh(world, body, NULL, mesh)};
    for (int k = 0; k < 2; ++k)
    {
        Draw(shapes[k]);
        ENSURE_EQUAL_INT(lines.count, 24);
        for (int i = 0; i < lines.count; i += 2)
        {
            tdVec3 a = lines.points[i], b = lines.points[i + 1];
            ENSURE_NEAR(Length((tdVec3){a.x - b.x, a.y - b.y, a.z - b.z}), sqrt(2.0), 1e-6);
        }
        for (int i = 0; i < lines.count; i += 2)
        {
            for (int j = 0; j < i; j += 2)
            {
                bool isSame = memcmp(&lines.points[i], &lines.points[j], 2 * sizeof(tdVec3)) == 0;
                bool isTurned = memcmp(&lines.points[i], &lines.points[j + 1], sizeof(tdVec3)) == 0 &&
                                memcmp(&lines.points[i + 1], &lines.points[j], sizeof(tdVec3)) == 0;
                ENSURE(!isSame && !isTurned);
            }
        }
    }
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
    tdDestroyGeometry(mesh);
}

TEST(StaleIdsAreDetected)
{
    SetUp();
    tdShapeId shape = tdCreateSphere(world, body, NULL, 1.0f);
    tdDestroyShape(world, shape);
    ENSURE_EQUAL_INT(tdShape_GetLines(world, shape, NULL, 0), 0);
    ENSURE(!tdDescribeShape(world, shape).isValid);
    ENSURE(!tdDescribeShape(NULL, shape).isValid);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(DrawsBalls) RUN(DrawsBoxesThroughTheirMatrix) RUN(DrawsCapsules) RUN(DrawsConesAndPlanes)
              RUN(DrawsEveryEdgeOfHullsAndMeshesOnce) RUN(StaleIdsAreDetected))
