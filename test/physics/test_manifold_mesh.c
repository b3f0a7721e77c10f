// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of manifolds with meshes: no bumps on inner edges, contacts on real edges, one-sidedness, meshes on
// meshes. For every pair: degenerate and extreme shapes give finite results, and features persist while the
// contact does.
#include "../geometry/reference.h"
#include "harness.h"

#include "geometry/triangles.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold.h"

#include <stdlib.h>

static tdTriangles* CookGrid(int n, float pitch, float (*height)(float x, float z))
{
    tdVec3* positions = malloc(sizeof(tdVec3) * (size_t)((n + 1) * (n + 1)));
    uint32_t* indices = malloc(sizeof(uint32_t) * 6u * (size_t)(n * n));
    for (int i = 0; i < (n + 1) * (n + 1); ++i)
    {
        float x = pitch * ((float)(i % (n + 1)) - 0.5f * (float)n),
              z = pitch * ((float)(i / (n + 1)) - 0.5f * (float)n);
        positions[i] = (tdVec3){x, height != NULL ? height(x, z) : 0.0f, z};
    }
    int count = 0;
    for (int z = 0; z < n; ++z)
    {
        for (int x = 0; x < n; ++x)
        {
            uint32_t a = (uint32_t)(z * (n + 1) + x), b = a + 1, c = a + (uint32_t)n + 1, d = c + 1;
            uint32_t quad[6] = {a, c, b, b, c, d};
            memcpy(indices + count, quad, sizeof(quad));
            count += 6;
        }
    }
    tdMeshGeometryDef def = {
        .positions = positions, .positionCount = (n + 1) * (n + 1), .indices = indices, .indexCount = count};
    tdTriangles* mesh = tdCookTriangles(&def, NULL);
    free(positions);
    free(indices);
    return mesh;
}

static tdShapeGeometry MeshShape(const tdTriangles* mesh)
{
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_MESH);
    shape.mesh = mesh;
    return shape;
}

static float Deepest(const tdManifold* manifold)
{
    float deepest = INFINITY;
    for (int i = 0; i < manifold->pointCount; ++i)
    {
        deepest = tdMinFloat(deepest, manifold->points[i].separation);
    }
    return deepest;
}

TEST(FlatGridIsOnePlane)
{
    // 100 x 100 quads of 10 cm. A shape that slides over them, slightly overlapping or slightly above, has
    // one manifold with a vertical normal and the depth of the plane. Corners have priority over deeper
    // points within a thousandth of the width. A bump of 1 mm would need a normal or depth error of that
    // size.
    refRandomState = 60;
    tdTriangles* grid = CookGrid(100, 0.1f, NULL);
    tdHull* hull = RefRandomHull(16, 0.2f);
    tdShapeGeometry ground = MeshShape(grid);
    tdShapeGeometry shapes[7] = {RefSphere(0.05f),
                                 RefBox(0.12f, 0.07f, 0.2f),
                                 RefCapsule(0.1f, 0.06f, 0.06f),
                                 RefCylinder(0.1f, 0.1f, 0.1f),
                                 RefCylinder(0.1f, 0.15f, 0.05f),
                                 RefCapsule(0.1f, 0.1f, 0.05f),
                                 RefPlainShape(TD_SHAPE_HULL)};
    shapes[6].hull = hull;
    for (int kind = 0; kind < 7; ++kind)
    {
        for (int i = 0; i < 60; ++i)
        {
            bool isTurned = kind == 0 || kind == 6 || i % 2 == 1;
            float yaw = RefBetween(0.0f, 3.0f);
            tdTransform pose = {{0, 0, 0}, isTurned ? RefRandomQuat() : (tdQuat){0, sinf(yaw), 0, cosf(yaw)}};
            // On a line across the grid, so that edges, diagonals and corners are met in all ways, also
            // exactly.
            pose.position.x = i % 3 == 0 ? 0.1f * (float)(i % 20) : RefBetween(-3, 3);
            pose.position.z = i % 3 == 0 ? 0.05f * (float)i : RefBetween(-3, 3);
            float depth = i % 4 == 0 ? -0.004f : RefBetween(0.0f, 0.01f);
            pose.position.y = (float)RefReach(&shapes[kind], pose, (RefVec){0, -1, 0}) - depth;
            tdManifold manifolds[4];
            int count = tdComputeManifolds(&ground, &shapes[kind], pose, 0.005f, NULL, manifolds, 4);
            bool isFine = ENSURE_EQUAL_INT(count, 1);
            if (count > 0)
            {
                isFine = ENSURE_NEAR(manifolds[0].normal.y, 1.0f, 1.0e-6f) && isFine;
                // Clipped lines of capsules may miss the deepest point by 0.5 % of the margin and 5 % of the
                // depth before it is added (measured: 0.11 mm); all others are exact up to rounding.
                isFine = ENSURE_NEAR(Deepest(&manifolds[0]), -depth, kind == 2 ? 1.5e-4f : 2.5e-5f) && isFine;
            }
            if (!isFine)
            {
                printf("   kind %d round %d\n", kind, i);
                break;
            }
        }
    }
    tdFreeHull(hull, NULL);
    tdFreeTriangles(grid, NULL);
}

TEST(FlatBoxKeepsItsFourCorners)
{
    // A box that slides without rotation: always its own four lower corners, with the same features.
    tdTriangles* grid = CookGrid(100, 0.1f, NULL);
    tdShapeGeometry ground = MeshShape(grid), box = RefBox(0.12f, 0.07f, 0.2f);
    uint32_t features[4] = {0};
    for (int i = 0; i < 50; ++i)
    {
        tdTransform pose = {{0.013f * (float)i, 0.069f, 0.007f * (float)i}, {0, sinf(0.3f), 0, cosf(0.3f)}};
        tdManifold manifold;
        ENSURE_EQUAL_INT(tdComputeManifolds(&ground, &box, pose, 0.01f, NULL, &manifold, 1), 1);
        ENSURE_EQUAL_INT(manifold.pointCount, 4);
        for (int k = 0; k < 4; ++k)
        {
            tdVec3 local = tdInvTransformPoint(pose, manifold.points[k].position);
            ENSURE_NEAR(tdAbsFloat(local.x), 0.12f, 1.0e-4f);
            ENSURE_NEAR(tdAbsFloat(local.z), 0.2f, 1.0e-4f);
            if (i == 0)
            {
                features[k] = manifold.points[k].feature;
            }
            int known = 0;
            for (int m = 0; m < 4; ++m)
            {
                known += features[m] == manifold.points[k].feature ? 1 : 0;
            }
            ENSURE_EQUAL_INT(known, 1);
        }
    }
    tdFreeTriangles(grid, NULL);
}

static float Step(float x, float z)
{
    (void)z;
    return x < 0.05f ? 0.0f : 0.3f;
}

TEST(RealEdgesCollide)
{
    // A step of 0.3 m, its riser between x = 0 and x = 0.1. A body that hits it from below is pushed back,
    // not up through the floor above.
    tdTriangles* stair = CookGrid(20, 0.1f, Step);
    tdShapeGeometry ground = MeshShape(stair), box = RefBox(0.2f, 0.2f, 0.2f), ball = RefSphere(0.2f);
    tdTransform pose = {{-0.25f, 0.21f, 0.03f}, tdQuat_identity};
    tdManifold manifolds[8];
    // 3 cm into the slope of the riser (which goes up 3 : 1).
    pose.position.x = -0.2f + 0.03f;
    int count = tdComputeManifolds(&ground, &box, pose, 0.005f, NULL, manifolds, 8);
    ENSURE(count >= 1);
    for (int i = 0; i < count; ++i)
    {
        ENSURE(Deepest(&manifolds[i]) > -0.06f);
        ENSURE(manifolds[i].normal.y > 0.99f || manifolds[i].normal.x < -0.3f);
    }
    // Above the edge of the step the ball rests on the edge, with the normal from the edge to its centre.
    tdVec3 edge = {0.1f, 0.3f, 0.0f};
    for (int i = 1; i < 6; ++i)
    {
        float angle = 0.18f * (float)i;
        tdVec3 direction = {-sinf(angle), cosf(angle), 0.0f};
        pose.position = tdMulAdd(edge, 0.198f, direction);
        pose.position.z = 0.033f * (float)i;
        count = tdComputeManifolds(&ground, &ball, pose, 0.005f, NULL, manifolds, 8);
        ENSURE(count >= 1);
        ENSURE_NEAR(tdDot(manifolds[0].normal, direction), 1.0f, 1.0e-4f);
        ENSURE_NEAR(Deepest(&manifolds[0]), -0.002f, 1.0e-4f);
    }
    tdFreeTriangles(stair, NULL);
}

TEST(SidesAreRespected)
{
    tdTriangles* grid = CookGrid(4, 1.0f, NULL);
    tdTriangles copy = *grid;
    copy.isOneSided = true;
    tdShapeGeometry ground = MeshShape(&copy), twoSided = MeshShape(grid);
    tdShapeGeometry sheet = RefPlane(1.0f, 1.0f, false), both = RefPlane(1.0f, 1.0f, true);
    tdShapeGeometry shapes[3] = {RefSphere(0.2f), RefBox(0.2f, 0.2f, 0.2f), RefCylinder(0.2f, 0.2f, 0.2f)};
    tdManifold manifolds[4];
    for (int kind = 0; kind < 3; ++kind)
    {
        tdTransform above = {{0.1f, 0.19f, 0.2f}, tdQuat_identity},
                    below = {{0.1f, -0.19f, 0.2f}, tdQuat_identity};
        tdTransform beside = {{2.5f, 0.19f, 0.2f}, tdQuat_identity};
        const tdShapeGeometry* single[2] = {&ground, &sheet};
        const tdShapeGeometry* twice[2] = {&twoSided, &both};
        for (int g = 0; g < 2; ++g)
        {
            ENSURE_EQUAL_INT(tdComputeManifolds(single[g], &shapes[kind], above, 0.01f, NULL, manifolds, 4),
                             1);
            ENSURE_NEAR(manifolds[0].normal.y, 1.0f, 1.0e-5f);
            ENSURE_EQUAL_INT(tdComputeManifolds(single[g], &shapes[kind], below, 0.01f, NULL, manifolds, 4),
                             0);
            ENSURE_EQUAL_INT(tdComputeManifolds(single[g], &shapes[kind], beside, 0.01f, NULL, manifolds, 4),
                             0);
            ENSURE_EQUAL_INT(tdComputeManifolds(twice[g], &shapes[kind], below, 0.01f, NULL, manifolds, 4),
                             1);
            ENSURE_NEAR(manifolds[0].normal.y, -1.0f, 1.0e-5f);
            ENSURE_NEAR(Deepest(&manifolds[0]), -0.01f, 1.0e-4f);
        }
    }
    tdFreeTriangles(grid, NULL);
}

static tdTriangles* CookCube(float half)
{
    static const uint32_t quads[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                         {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    tdVec3 corners[8];
    uint32_t indices[36];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = (tdVec3){(i & 1) ? half : -half, (i & 2) ? half : -half, (i & 4) ? half : -half};
    }
    for (int i = 0; i < 36; ++i)
    {
        static const int order[6] = {0, 1, 2, 0, 2, 3};
        indices[i] = quads[i / 6][order[i % 6]];
    }
    tdMeshGeometryDef def = {.positions = corners, .positionCount = 8, .indices = indices, .indexCount = 36};
    return tdCookTriangles(&def, NULL);
}

TEST(BoxMeshesCollideLikeBoxes)
{
    // A cube of triangles on a cube of triangles, on a grid, on a half-space, next to a wall: the manifold
    // has the normal and depth of the box's.
    tdTriangles *cube = CookCube(0.5f), *grid = CookGrid(8, 0.5f, NULL);
    tdShapeGeometry mesh = MeshShape(cube), ground = MeshShape(grid), box = RefBox(0.5f, 0.5f, 0.5f);
    tdShapeGeometry half = RefPlane(INFINITY, INFINITY, false);
    refRandomState = 14;
    for (int i = 0; i < 20; ++i)
    {
        float yaw = RefBetween(0, 3), depth = RefBetween(0.0005f, 0.02f);
        tdTransform pose = {{RefBetween(-0.3f, 0.3f), 1.0f - depth, RefBetween(-0.3f, 0.3f)},
                            {0, sinf(yaw), 0, cosf(yaw)}};
        tdManifold manifolds[8], wanted;
        int count = tdComputeManifolds(&mesh, &mesh, pose, 0.01f, NULL, manifolds, 8);
        ENSURE(count >= 1);
        ENSURE_EQUAL_INT(tdComputeManifolds(&box, &box, pose, 0.01f, NULL, &wanted, 1), 1);
        ENSURE_NEAR(tdDot(manifolds[0].normal, wanted.normal), 1.0f, 1.0e-4f);
        ENSURE_NEAR(Deepest(&manifolds[0]), Deepest(&wanted), 1.0e-4f);
        ENSURE(manifolds[0].pointCount >= 3);
        for (int k = 0; k < count; ++k)
        {
            ENSURE(manifolds[k].normal.y > 0.9f);
        }
        pose.position.y -= 0.5f;
        ENSURE_EQUAL_INT(tdComputeManifolds(&ground, &mesh, pose, 0.01f, NULL, manifolds, 8), 1);
        ENSURE_NEAR(manifolds[0].normal.y, 1.0f, 1.0e-5f);
        ENSURE_NEAR(Deepest(&manifolds[0]), -depth, 1.0e-4f);
        ENSURE_EQUAL_INT(manifolds[0].pointCount, 4);
        ENSURE_EQUAL_INT(tdComputeManifolds(&half, &mesh, pose, 0.01f, NULL, manifolds, 8), 1);
        ENSURE_EQUAL_INT(manifolds[0].pointCount, 4);
        ENSURE_NEAR(Deepest(&manifolds[0]), -depth, 1.0e-4f);
        ENSURE_EQUAL_INT(tdComputeManifolds(&mesh, &half, tdInvTransform(pose), 0.01f, NULL, manifolds, 8),
                         1);
        ENSURE_NEAR(manifolds[0].normal.y, -1.0f, 1.0e-5f);
    }
    tdFreeTriangles(cube, NULL);
    tdFreeTriangles(grid, NULL);
}

TEST(SmallMeshesAreNotPulledThroughThinWalls)
{
    // An octahedron in front of or inside a thinner wall, its centre always in front: contacts push it out
    // for any centre of the wall. Its faces detect overlaps up to half its width.
    static const tdVec3 tips[6] = {{0.05f, 0, 0},  {-0.05f, 0, 0}, {0, 0.05f, 0},
                                   {0, -0.05f, 0}, {0, 0, 0.05f},  {0, 0, -0.05f}};
    static const uint32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                       2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    tdMeshGeometryDef def = {.positions = tips, .positionCount = 6, .indices = faces, .indexCount = 24};
    tdTriangles* mesh = tdCookTriangles(&def, NULL);
    tdShapeGeometry small = MeshShape(mesh), wall = RefBox(0.01f, 2.0f, 2.0f);
    refRandomState = 63;
    int touching = 0;
    for (int i = 0; i < 3000; ++i)
    {
        tdTransform pose = {{RefBetween(-0.06f, -0.011f), RefBetween(-1.5f, 1.5f), RefBetween(-1.5f, 1.5f)},
                            RefRandomQuat()};
        tdManifold manifolds[8];
        int count = tdComputeManifolds(&wall, &small, pose, 0.005f, NULL, manifolds, 8);
        touching += count > 0 ? 1 : 0;
        for (int k = 0; k < count; ++k)
        {
            // From the wall to the mesh, that is towards -x.
            if (!ENSURE(manifolds[k].normal.x < 0.0f))
            {
                printf("    round %d: normal %g %g %g, depth %g\n", i, (double)manifolds[k].normal.x,
                       (double)manifolds[k].normal.y, (double)manifolds[k].normal.z,
                       (double)Deepest(&manifolds[k]));
            }
        }
    }
    ENSURE(touching > 2000);
    tdFreeTriangles(mesh, NULL);
}

TEST(NothingIsEverNaN)
{
    // Flat, thin, tiny, huge and coincident shapes in all pairs.
    refRandomState = 71;
    tdTriangles* grid = CookGrid(4, 0.5f, NULL);
    tdShapeGeometry shapes[16] = {RefSphere(0.0f),
                                  RefSphere(1000.0f),
                                  RefSphere(0.001f),
                                  RefBox(1, 0, 1),
                                  RefBox(0, 0, 0),
                                  RefBox(1000, 0.001f, 1000),
                                  RefCapsule(0, 0.5f, 0.5f),
                                  RefCapsule(1, 0, 0),
                                  RefCapsule(0.1f, 0.9f, 0.1f),
                                  RefCylinder(0, 0.5f, 0.5f),
                                  RefCylinder(0.5f, 0, 0),
                                  RefCylinder(0.001f, 10, 0),
                                  RefPlane(INFINITY, INFINITY, false),
                                  RefPlane(1, INFINITY, true),
                                  RefPlane(0.5f, 0.5f, false),
                                  MeshShape(grid)};
    tdManifold manifolds[8];
    for (int a = 0; a < 16; ++a)
    {
        for (int b = 0; b < 16; ++b)
        {
            for (int i = 0; i < 6; ++i)
            {
                tdTransform pose = {i == 0 ? tdVec3_zero : RefRandomVec(i == 1 ? 1.0e-6f : 1.0f),
                                    i < 2 ? tdQuat_identity : RefRandomQuat()};
                tdManifoldCache cache = {.separation = 0.0f};
                int count = tdComputeManifolds(&shapes[a], &shapes[b], pose, 0.02f, &cache, manifolds, 8);
                for (int m = 0; m < count; ++m)
                {
                    if (!ENSURE_NEAR(tdLength(manifolds[m].normal), 1.0f, 1.0e-4f))
                    {
                        printf("   %d %d round %d\n", a, b, i);
                    }
                    for (int k = 0; k < manifolds[m].pointCount; ++k)
                    {
                        ENSURE(tdIsFiniteVec3(manifolds[m].points[k].position) &&
                               isfinite(manifolds[m].points[k].separation));
                    }
                }
                ENSURE(!isnan(cache.separation));
                tdTestOverlap(&shapes[a], &shapes[b], pose, NULL);
            }
        }
    }
    tdFreeTriangles(grid, NULL);
}

TEST(ResultsScaleWithSize)
{
    // The same arrangement at 1 mm, 1 m and 1 km gives the same result, scaled.
    refRandomState = 33;
    for (int i = 0; i < 60; ++i)
    {
        tdTransform pose = {RefRandomVec(0.5f), RefRandomQuat()};
        tdManifold results[3];
        int counts[3];
        const float scales[3] = {0.001f, 1.0f, 1000.0f};
        for (int k = 0; k < 3; ++k)
        {
            float s = scales[k];
            tdShapeGeometry shapes[4] = {RefBox(0.5f * s, 0.3f * s, 0.4f * s), RefSphere(0.4f * s),
                                         RefCapsule(0.3f * s, 0.2f * s, 0.2f * s),
                                         RefCylinder(0.3f * s, 0.3f * s, 0.2f * s)};
            tdTransform scaled = {tdScale(s, pose.position), pose.rotation};
            counts[k] = tdComputeManifolds(&shapes[i % 4], &shapes[i / 4 % 4], scaled, 0.01f * s, NULL,
                                           &results[k], 1);
        }
        ENSURE_EQUAL_INT(counts[0], counts[1]);
        ENSURE_EQUAL_INT(counts[2], counts[1]);
        for (int k = 0; k < 3 && counts[1] == 1; k += 2)
        {
            // Depths agree to half a percent of the size: absolute tolerances of 0.1 mm show at 1 mm.
            ENSURE_NEAR(Deepest(&results[k]) / scales[k], Deepest(&results[1]), 5.0e-3f);
            ENSURE(tdDot(results[k].normal, results[1].normal) > 0.99f);
        }
    }
}

TEST(FeaturesStayWhileTheContactDoes)
{
    // Small motions of a resting pair: the features persist, and the cached axis affects only speed.
    refRandomState = 5;
    tdHull* hull = RefRandomHull(20, 0.5f);
    tdShapeGeometry shapes[3] = {RefBox(0.5f, 0.3f, 0.4f), RefPlainShape(TD_SHAPE_HULL),
                                 RefCylinder(0.3f, 0.3f, 0.3f)};
    shapes[1].hull = hull;
    tdShapeGeometry floor = RefBox(3, 1, 3);
    for (int kind = 0; kind < 3; kind += 2)
    {
        tdManifoldCache cache = {.separation = 0.0f};
        tdTransform pose = {{0.1f, 1.298f, 0.2f}, tdQuat_identity};
        tdManifold first, next;
        ENSURE_EQUAL_INT(tdComputeManifolds(&floor, &shapes[kind], pose, 0.02f, &cache, &first, 1), 1);
        ENSURE_EQUAL_INT(first.pointCount, 4);
        for (int i = 0; i < 20; ++i)
        {
            tdTransform moved = pose;
            moved.position = tdAdd(moved.position, RefRandomVec(0.001f));
            moved.rotation = tdNormalizeQuat(
                (tdQuat){RefBetween(-1, 1) * 1.0e-4f, 0.001f, RefBetween(-1, 1) * 1.0e-4f, 1.0f});
            ENSURE_EQUAL_INT(tdComputeManifolds(&floor, &shapes[kind], moved, 0.02f, &cache, &next, 1), 1);
            ENSURE_EQUAL_INT(next.pointCount, 4);
            int same = 0;
            for (int k = 0; k < 4; ++k)
            {
                for (int m = 0; m < 4; ++m)
                {
                    same += first.points[m].feature == next.points[k].feature ? 1 : 0;
                }
            }
            ENSURE(same >= (kind == 0 ? 4 : 2));
        }
    }
    tdFreeHull(hull, NULL);
}

TEST_MAIN(RUN(FlatGridIsOnePlane) RUN(FlatBoxKeepsItsFourCorners) RUN(RealEdgesCollide) RUN(SidesAreRespected)
              RUN(BoxMeshesCollideLikeBoxes) RUN(SmallMeshesAreNotPulledThroughThinWalls)
                  RUN(NothingIsEverNaN) RUN(ResultsScaleWithSize) RUN(FeaturesStayWhileTheContactDoes))
