// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of convex manifolds against the slow reference: the depth along the normal is the largest separation
// over all directions, points lie on both shapes, exchanging the two flips the normal, and results are never
// NaN.
#include "../geometry/reference.h"
#include "harness.h"

#include "geometry/triangles.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold.h"

#define SHAPE_COUNT 11
#if defined(NDEBUG)
#define ROUNDS 30
#else
#define ROUNDS 1 // the reference is slow without optimisation
#endif

static tdHull* hulls[2];

static tdShapeGeometry MakeShape(int kind)
{
    tdShapeGeometry shape;
    switch (kind)
    {
    case 0:
        return RefSphere(0.4f);
    case 1:
        return RefBox(0.5f, 0.3f, 0.4f);
    case 2:
        return RefCapsule(0.4f, 0.25f, 0.25f);
    case 3:
        return RefCylinder(0.4f, 0.3f, 0.3f);
    case 4:
        shape = RefPlainShape(TD_SHAPE_HULL);
        shape.hull = hulls[0];
        return shape;
    case 5:
        return RefCapsule(0.4f, 0.35f, 0.15f);
    case 6:
        return RefCylinder(0.4f, 0.4f, 0.2f);
    case 7:
        return RefCylinder(0.4f, 0.4f, 0.0f);
    case 8:
        shape = RefSphere(0.5f); // ellipsoid, sheared
        shape.hasMatrix = true;
        shape.matrix = (tdMat3){{1.0f, 0.1f, 0.0f}, {0.0f, 0.6f, 0.0f}, {0.2f, 0.0f, 0.8f}};
        return shape;
    case 9:
        shape = RefBox(0.5f, 0.4f, 0.4f);
        shape.hasMatrix = true;
        shape.matrix = (tdMat3){{0.8f, 0.0f, 0.1f}, {0.3f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.9f}};
        return shape;
    default:
        shape = RefPlainShape(TD_SHAPE_HULL);
        shape.hull = hulls[1];
        return shape;
    }
}

static float DeepestPoint(const tdManifold* manifold)
{
    float deepest = INFINITY;
    for (int i = 0; i < manifold->pointCount; ++i)
    {
        deepest = tdMinFloat(deepest, manifold->points[i].separation);
    }
    return deepest;
}

// Points of a clipped face may miss the deepest one by 5 % of the depth before it is added.

/// One pair in one pose. Returns false after the first failure, so that a failing pair prints once.
static bool CheckPair(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform pose, float margin,
                      int ka, int kb)
{
    RefVec direction;
    RefSeparation(a, b, pose, 250, &direction);
    double truth = RefPolish(a, b, pose, &direction);
    tdManifold manifold = {0};
    tdManifoldCache cache = {.separation = 0.0f};
    int count = tdComputeManifolds(a, b, pose, margin, &cache, &manifold, 1);
    // Sampling finds the best direction to about 1e-6; edges yield to faces within 2e-3 of the smaller half
    // size.
    double tolerance = 2.0e-3 + 0.01 * fabs(truth);
    if ((ka == 1 || ka == 4) && (kb == 1 || kb == 4))
    {
        // Edges win if they are shallower by a tenth of the face's depth and 1 % of the inner radius (0.3):
        // depth of the face <= (depth of the edges + 3 mm) / 0.9. Sampling adds its 1e-6.
        tolerance = (fabs(truth) + 0.01 * 0.3) / 0.9 - fabs(truth) + 1.0e-6;
    }
    bool isFine = true;
    if (count == 1)
    {
        // The reference is a hill climb and may stop on a ridge; any direction with a larger gap is a better
        // reference.
        double gap = RefGap(a, b, pose, RefOf(manifold.normal));
        truth = gap > truth ? gap : truth;
    }
    if (truth > (double)margin + tolerance)
    {
        isFine = ENSURE_EQUAL_INT(count, 0) && ENSURE(cache.separation >= margin) &&
                 ENSURE((double)cache.separation <= truth + tolerance);
    }
    else if (truth < (double)margin - tolerance)
    {
        isFine = ENSURE_EQUAL_INT(count, 1) && ENSURE(manifold.pointCount >= 1 && manifold.pointCount <= 4);
    }
    if (count == 1)
    {
        tdVec3 n = manifold.normal;
        isFine = isFine && ENSURE_NEAR(tdLength(n), 1.0f, 1.0e-5f);
        isFine = isFine && ENSURE_NEAR(RefGap(a, b, pose, RefOf(n)), truth, tolerance);
        isFine = isFine && ENSURE_NEAR(DeepestPoint(&manifold), truth, 2.0 * tolerance + 0.05 * fabs(truth));
        for (int i = 0; i < manifold.pointCount && isFine; ++i)
        {
            tdManifoldPoint p = manifold.points[i];
            if (p.feature == TD_CORE_FEATURE)
            {
                isFine = ENSURE(p.separation < 0.0f && p.separation > DeepestPoint(&manifold));
                continue; // inside the smaller shape
            }
            tdVec3 onA = tdMulSub(p.position, 0.5f * p.separation, n),
                   onB = tdMulAdd(p.position, 0.5f * p.separation, n);
            // Points of a face tilted by up to 18 degrees against the normal are projected along the normal.
            double slip = 0.003 + 0.33 * fabs((double)p.separation);
            isFine = isFine && ENSURE(RefOutside(a, tdTransform_identity, onA, 200) < slip);
            isFine = isFine && ENSURE(RefOutside(b, pose, onB, 200) < slip);
            isFine = isFine && ENSURE(p.separation <= margin);
        }
        tdManifold swapped = {0};
        tdTransform inverse = tdInvTransform(pose);
        int other = tdComputeManifolds(b, a, inverse, margin, NULL, &swapped, 1);
        if (truth < (double)margin - tolerance)
        {
            isFine = isFine && ENSURE_EQUAL_INT(other, 1);
            tdVec3 back = tdRotate(pose.rotation, swapped.normal);
            isFine = isFine && ENSURE_NEAR(RefGap(a, b, pose, RefOf(tdNegate(back))), truth, tolerance);
        }
    }
    isFine = isFine && ENSURE(tdTestOverlap(a, b, pose, NULL) == (truth <= 0.0) || fabs(truth) < 1.0e-4);
    if (!isFine)
    {
        for (int i = 0; i < manifold.pointCount; ++i)
        {
            printf("   %d: %.4f %.4f %.4f sep %.5f id %x\n", i, (double)manifold.points[i].position.x,
                   (double)manifold.points[i].position.y, (double)manifold.points[i].position.z,
                   (double)manifold.points[i].separation, manifold.points[i].feature);
        }
        printf("   kinds %d %d, truth %.5f, normal (%.4f %.4f %.4f) wanted (%.4f %.4f %.4f), %d points, "
               "deepest %.5f\n",
               ka, kb, truth, (double)manifold.normal.x, (double)manifold.normal.y, (double)manifold.normal.z,
               direction.x, direction.y, direction.z, manifold.pointCount, (double)DeepestPoint(&manifold));
    }
    return isFine;
}

static void CheckPairs(uint32_t seed, int rounds)
{
    refRandomState = seed;
    hulls[0] = RefRandomHull(20, 0.5f);
    hulls[1] = RefRandomHull(100, 0.5f);
    ENSURE(hulls[0] != NULL && hulls[1] != NULL);
    for (int ka = 0; ka < SHAPE_COUNT; ++ka)
    {
        for (int kb = ka; kb < SHAPE_COUNT; ++kb)
        {
            tdShapeGeometry a = MakeShape(ka), b = MakeShape(kb);
            for (int i = 0; i < rounds; ++i)
            {
                a.local = (tdTransform){RefRandomVec(0.2f), RefRandomQuat()};
                RefVec direction;
                tdTransform pose = {RefRandomVec(1.0f), RefRandomQuat()};
                // Moves B to a given gap along the best direction: touching, near, shallow, deep.
                double gap = RefSeparation(&a, &b, pose, 120, &direction);
                static const double gaps[4] = {0.01, -0.005, -0.05, -0.12};
                double wanted = gaps[(ka + kb + i) % 4];
                double move = wanted - gap;
                pose.position.x += (float)(move * direction.x);
                pose.position.y += (float)(move * direction.y);
                pose.position.z += (float)(move * direction.z);
                if (!CheckPair(&a, &b, pose, 0.02f, ka, kb))
                {
                    break;
                }
            }
        }
    }
    tdFreeHull(hulls[0], NULL);
    tdFreeHull(hulls[1], NULL);
}

TEST(ConvexPairsAgreeWithReference)
{
    static const uint32_t seeds[6] = {7, 3, 5, 2, 555, 1000};
    for (int i = 0; i < 6; ++i)
    {
        CheckPairs(seeds[i], ROUNDS);
    }
}

/// A flat square of two triangles.
static tdTriangles* MakeGround(float half)
{
    tdVec3 positions[4] = {{-half, 0, -half}, {-half, 0, half}, {half, 0, half}, {half, 0, -half}};
    uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    tdMeshGeometryDef def = {.positions = positions, .positionCount = 4, .indices = indices, .indexCount = 6};
    return tdCookTriangles(&def, NULL);
}

TEST(EveryConvexKindStandsOnGround)
{
    // Ground as box, half-space, sheet and mesh: the same depth, the same normal, and as many points as the
    // flat side has, at least enough to stand.
    refRandomState = 99;
    hulls[0] = RefRandomHull(20, 0.5f);
    hulls[1] = RefRandomHull(100, 0.5f);
    tdTriangles* mesh = MakeGround(5.0f);
    ENSURE(mesh != NULL);
    tdShapeGeometry grounds[4] = {RefBox(5, 1, 5), RefPlane(INFINITY, INFINITY, false), RefPlane(5, 5, false),
                                  RefPlainShape(TD_SHAPE_MESH)};
    grounds[0].local.position.y = -1.0f;
    grounds[3].mesh = mesh;
    const int least[8] = {1, 4, 1, 4, 1, 1, 4, 4};
    for (int kind = 0; kind < 8; ++kind)
    {
        tdShapeGeometry shape = MakeShape(kind);
        double reach = RefReach(&shape, tdTransform_identity, (RefVec){0, -1, 0});
        tdTransform pose = {{0.3f, (float)reach - 0.01f, 0.2f}, tdQuat_identity};
        for (int g = 0; g < 4; ++g)
        {
            tdManifold manifolds[4], flipped[4];
            int count = tdComputeManifolds(&grounds[g], &shape, pose, 0.02f, NULL, manifolds, 4);
            if (!ENSURE_EQUAL_INT(count, 1))
            {
                printf("   kind %d ground %d\n", kind, g);
                continue;
            }
            ENSURE_NEAR(manifolds[0].normal.y, 1.0f, 1.0e-4f);
            ENSURE_NEAR(DeepestPoint(&manifolds[0]), -0.01f, 1.0e-4f);
            if (!ENSURE(manifolds[0].pointCount >= least[kind]))
            {
                printf("   kind %d ground %d has %d points\n", kind, g, manifolds[0].pointCount);
            }
            count = tdComputeManifolds(&shape, &grounds[g], tdInvTransform(pose), 0.02f, NULL, flipped, 4);
            ENSURE_EQUAL_INT(count, 1);
            ENSURE_NEAR(flipped[0].normal.y, -1.0f, 1.0e-4f);
            ENSURE_NEAR(DeepestPoint(&flipped[0]), -0.01f, 1.0e-4f);
        }
    }
    tdFreeTriangles(mesh, NULL);
    tdFreeHull(hulls[0], NULL);
    tdFreeHull(hulls[1], NULL);
}

TEST(LyingCylinderHasALine)
{
    tdShapeGeometry cylinder = RefCylinder(0.4f, 0.3f, 0.3f), capsule = RefCapsule(0.4f, 0.3f, 0.3f);
    tdShapeGeometry ground = RefPlane(INFINITY, INFINITY, false), box = RefBox(5, 1, 5);
    box.local.position.y = -1.0f;
    float s = sqrtf(0.5f);
    tdTransform pose = {{0.1f, 0.295f, 0.0f}, {0.0f, 0.0f, s, s}};
    tdShapeGeometry* shapes[2] = {&cylinder, &capsule};
    for (int i = 0; i < 2; ++i)
    {
        tdManifold manifold;
        ENSURE_EQUAL_INT(tdComputeManifolds(&ground, shapes[i], pose, 0.02f, NULL, &manifold, 1), 1);
        ENSURE_EQUAL_INT(manifold.pointCount, 2);
        ENSURE_NEAR(tdAbsFloat(manifold.points[0].position.x - manifold.points[1].position.x), 0.8f, 1.0e-4f);
        ENSURE_EQUAL_INT(tdComputeManifolds(&box, shapes[i], pose, 0.02f, NULL, &manifold, 1), 1);
        ENSURE_EQUAL_INT(manifold.pointCount, 2);
        ENSURE_NEAR(tdAbsFloat(manifold.points[0].position.x - manifold.points[1].position.x), 0.8f, 1.0e-4f);
        ENSURE_NEAR(DeepestPoint(&manifold), -0.005f, 1.0e-4f);
    }
}

TEST_MAIN(RUN(ConvexPairsAgreeWithReference) RUN(EveryConvexKindStandsOnGround) RUN(LyingCylinderHasALine))
