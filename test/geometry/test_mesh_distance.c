// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of distances of meshes from meshes, spheres and planes against every pair of triangles, in double.
#include "harness.h"

#include "geometry/reference.h"
#include "geometry/shape_distance.h"
#include "geometry/triangles.h"
#include "math/vecmath.h"

#define TRIANGLE_COUNT 24

typedef struct Soup
{
    tdVec3 points[3 * TRIANGLE_COUNT];
    tdTriangles* cooked;
} Soup;

/// Random triangles in a cube.
static void MakeSoup(Soup* soup, float size)
{
    for (int i = 0; i < TRIANGLE_COUNT; ++i)
    {
        tdVec3 center = RefRandomVec(size);
        for (int k = 0; k < 3; ++k)
        {
            soup->points[3 * i + k] = tdAdd(center, RefRandomVec(0.3f));
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = soup->points;
    def.positionCount = def.indexCount = 3 * TRIANGLE_COUNT;
    def.isDoubleSided = true;
    soup->cooked = tdCookTriangles(&def, NULL);
    ENSURE(soup->cooked != NULL);
}

static RefVec Minus(RefVec a, RefVec b)
{
    return (RefVec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static RefVec Mix(RefVec a, RefVec b, double t)
{
    return (RefVec){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static double LengthOf(RefVec a)
{
    return sqrt(RefDot(a, a));
}

static double PointToSegment(RefVec p, RefVec a, RefVec b)
{
    double t = RefDot(Minus(p, a), Minus(b, a)) / RefDot(Minus(b, a), Minus(b, a));
    return LengthOf(Minus(p, Mix(a, b, fmin(fmax(t, 0), 1))));
}

static double SegmentToSegment(RefVec a, RefVec b, RefVec c, RefVec d)
{
    // The distance of c + t (d - c) from the first segment is convex in t: ternary search finds its minimum.
    double low = 0, high = 1;
    for (int i = 0; i < 80; ++i)
    {
        double s = low + (high - low) / 3, t = high - (high - low) / 3;
        if (PointToSegment(Mix(c, d, s), a, b) < PointToSegment(Mix(c, d, t), a, b))
        {
            high = t;
        }
        else
        {
            low = s;
        }
    }
    return PointToSegment(Mix(c, d, low), a, b);
}

static double PointToTriangle(RefVec p, const RefVec* t)
{
    double least = fmin(PointToSegment(p, t[0], t[1]),
                        fmin(PointToSegment(p, t[1], t[2]), PointToSegment(p, t[2], t[0])));
    RefVec u = Minus(t[1], t[0]), v = Minus(t[2], t[0]), w = Minus(p, t[0]);
    double uu = RefDot(u, u), uv = RefDot(u, v), vv = RefDot(v, v), wu = RefDot(w, u), wv = RefDot(w, v);
    double det = uu * vv - uv * uv, s = (wu * vv - wv * uv) / det, r = (wv * uu - wu * uv) / det;
    if (s >= 0 && r >= 0 && s + r <= 1)
    {
        RefVec foot = {t[0].x + s * u.x + r * v.x, t[0].y + s * u.y + r * v.y, t[0].z + s * u.z + r * v.z};
        least = fmin(least, LengthOf(Minus(p, foot)));
    }
    return least;
}

/// Distance of two disjoint triangles: the minimum of corners against faces and edges against edges.
static double TriangleToTriangle(const RefVec* a, const RefVec* b)
{
    double least = (double)INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        least = fmin(least, fmin(PointToTriangle(a[i], b), PointToTriangle(b[i], a)));
        for (int k = 0; k < 3; ++k)
        {
            least = fmin(least, SegmentToSegment(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
        }
    }
    return least;
}

static void Place(const Soup* soup, tdTransform pose, RefVec* out)
{
    for (int i = 0; i < 3 * TRIANGLE_COUNT; ++i)
    {
        out[i] = RefOf(tdTransformPoint(pose, soup->points[i]));
    }
}

/// Distance of a point of the common frame from a placed soup.
static double PointToSoup(RefVec point, const RefVec* soup)
{
    double least = (double)INFINITY;
    for (int i = 0; i < TRIANGLE_COUNT; ++i)
    {
        least = fmin(least, PointToTriangle(point, soup + 3 * i));
    }
    return least;
}

static tdShapeGeometry MakeMesh(const Soup* soup, tdTransform local)
{
    tdShapeGeometry mesh = RefPlainShape(TD_SHAPE_MESH);
    mesh.mesh = soup->cooked;
    mesh.local = local;
    return mesh;
}

TEST(MeshesAreAsFarApartAsTheirNearestTriangles)
{
    refRandomState = 21;
    static Soup soups[2];
    static RefVec a[3 * TRIANGLE_COUNT], b[3 * TRIANGLE_COUNT];
    for (int i = 0; i < 12; ++i)
    {
        MakeSoup(&soups[0], 1.0f);
        MakeSoup(&soups[1], 0.8f);
        tdTransform localA = {RefRandomVec(0.5f), RefRandomQuat()},
                    localB = {RefRandomVec(0.5f), RefRandomQuat()};
        tdShapeGeometry meshA = MakeMesh(&soups[0], localA), meshB = MakeMesh(&soups[1], localB);
        // Far enough apart that they cannot overlap: the corners are within 2.3 and 1.9 of their origins, and
        // those within 0.9.
        tdTransform pose = {tdScale(6.5f, tdNormalize(RefRandomVec(1.0f))), RefRandomQuat()};
        Place(&soups[0], localA, a);
        Place(&soups[1], tdMulTransform(pose, localB), b);
        double least = (double)INFINITY;
        for (int k = 0; k < TRIANGLE_COUNT; ++k)
        {
            for (int m = 0; m < TRIANGLE_COUNT; ++m)
            {
                least = fmin(least, TriangleToTriangle(a + 3 * k, b + 3 * m));
            }
        }
        tdDistanceResult there = tdShapeDistance(&meshA, &meshB, pose);
        tdDistanceResult back = tdShapeDistance(&meshB, &meshA, tdInvTransform(pose));
        ENSURE_NEAR(there.distance, least, 1e-4);
        ENSURE_NEAR(back.distance, least, 1e-4);
        // The points are on their meshes, and the normal points from A to B.
        ENSURE_NEAR(PointToSoup(RefOf(there.pointA), a), 0.0, 1e-4);
        ENSURE_NEAR(PointToSoup(RefOf(there.pointB), b), 0.0, 1e-4);
        ENSURE_NEAR(tdDistance(there.pointB, tdMulAdd(there.pointA, there.distance, there.normal)), 0.0,
                    1e-3);
        ENSURE_NEAR(tdDistance(back.pointB, tdMulAdd(back.pointA, back.distance, back.normal)), 0.0, 1e-3);
        ENSURE_NEAR(tdDistance(tdTransformPoint(pose, back.pointB), there.pointA), 0.0, 2e-3);
        tdFreeTriangles(soups[0].cooked, NULL);
        tdFreeTriangles(soups[1].cooked, NULL);
    }
}

TEST(BallsAndPointsAreAsFarAsTheNearestTriangle)
{
    refRandomState = 22;
    static Soup soup;
    static RefVec a[3 * TRIANGLE_COUNT];
    MakeSoup(&soup, 1.0f);
    tdTransform local = {RefRandomVec(0.5f), RefRandomQuat()};
    tdShapeGeometry mesh = MakeMesh(&soup, local), ball = RefSphere(0.1f);
    Place(&soup, local, a);
    for (int i = 0; i < 200; ++i)
    {
        tdTransform pose = {RefRandomVec(3.0f), RefRandomQuat()};
        double truth = PointToSoup(RefOf(pose.position), a);
        tdClosestPoint closest = tdShape_FindClosestPoint(&mesh, pose.position);
        ENSURE_NEAR(closest.distance, truth, 1e-4);
        ENSURE_NEAR(PointToSoup(RefOf(closest.point), a), 0.0, 1e-4);
        if (truth > 0.1 + 1e-3)
        {
            tdDistanceResult there = tdShapeDistance(&mesh, &ball, pose);
            tdDistanceResult back = tdShapeDistance(&ball, &mesh, tdInvTransform(pose));
            ENSURE_NEAR(there.distance, truth - 0.1, 1e-4);
            ENSURE_NEAR(back.distance, truth - 0.1, 1e-4);
            ENSURE_NEAR(PointToSoup(RefOf(there.pointA), a), 0.0, 1e-4);
            ENSURE_NEAR(tdDistance(there.pointB, pose.position), 0.1, 1e-3);
            ENSURE_NEAR(PointToSoup(RefOf(tdTransformPoint(pose, back.pointB)), a), 0.0, 1e-3);
        }
    }
    tdFreeTriangles(soup.cooked, NULL);
}

TEST(MeshesAreAsFarFromAHalfSpaceAsTheirLowestCorner)
{
    refRandomState = 23;
    static Soup soup;
    for (int i = 0; i < 20; ++i)
    {
        MakeSoup(&soup, 1.0f);
        tdShapeGeometry mesh = MakeMesh(&soup, (tdTransform){RefRandomVec(0.5f), RefRandomQuat()});
        tdShapeGeometry plane = RefPlane(INFINITY, INFINITY, false);
        plane.local = (tdTransform){RefRandomVec(0.5f), RefRandomQuat()};
        tdTransform pose = {RefRandomVec(4.0f), RefRandomQuat()}; // of the plane's body in the mesh's
        tdTransform frame = tdMulTransform(pose, plane.local);
        double lowest = (double)INFINITY;
        for (int k = 0; k < 3 * TRIANGLE_COUNT; ++k)
        {
            tdVec3 point = tdInvTransformPoint(frame, tdTransformPoint(mesh.local, soup.points[k]));
            lowest = fmin(lowest, (double)point.y);
        }
        tdDistanceResult there = tdShapeDistance(&mesh, &plane, pose);
        tdDistanceResult back = tdShapeDistance(&plane, &mesh, tdInvTransform(pose));
        ENSURE_NEAR(there.distance, lowest, 1e-4);
        ENSURE_NEAR(back.distance, lowest, 1e-4);
        tdVec3 up = tdRotate(frame.rotation, (tdVec3){0, 1, 0});
        ENSURE_NEAR(tdDot(there.normal, up), -1.0, 1e-4); // from the mesh to the ground
        ENSURE_NEAR(tdInvTransformPoint(frame, there.pointB).y, 0.0, 1e-4);
        ENSURE_NEAR(tdInvTransformPoint(frame, there.pointA).y, lowest, 1e-4);
        tdFreeTriangles(soup.cooked, NULL);
    }
}

TEST_MAIN(RUN(MeshesAreAsFarApartAsTheirNearestTriangles) RUN(BallsAndPointsAreAsFarAsTheNearestTriangle)
              RUN(MeshesAreAsFarFromAHalfSpaceAsTheirLowestCorner))
