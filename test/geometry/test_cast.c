// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of ray casts against marching along the ray, of shape casts and times of impact against stepping
// through the motion, of the tunnelling cases of the engine, and of closest points against samples.
#include "harness.h"
#include "reference.h"

#include "geometry/bounds.h"
#include "geometry/cast.h"
#include "geometry/distance.h"
#include "geometry/shape_distance.h"
#include "geometry/time_of_impact.h"
#include "geometry/triangles.h"

static tdTriangles* MakeWall(float half)
{
    // In the plane x = 0, facing -x.
    tdVec3 positions[4] = {{0, -half, -half}, {0, half, -half}, {0, half, half}, {0, -half, half}};
    uint32_t indices[6] = {0, 2, 1, 0, 3, 2};
    tdMeshGeometryDef def = {.positions = positions, .positionCount = 4, .indices = indices, .indexCount = 6};
    return tdCookTriangles(&def, NULL);
}

static tdShapeGeometry MakeKind(int kind, const tdHull* hull)
{
    tdShapeGeometry shape;
    switch (kind)
    {
    case 0:
        return RefSphere(0.5f);
    case 1:
        return RefBox(0.4f, 0.5f, 0.3f);
    case 2:
        return RefCapsule(0.4f, 0.3f, 0.3f);
    case 3:
        return RefCapsule(0.5f, 0.4f, 0.15f);
    case 4:
        return RefCylinder(0.4f, 0.3f, 0.3f);
    case 5:
        return RefCylinder(0.4f, 0.5f, 0.2f);
    case 6:
        return RefCylinder(0.4f, 0.0f, 0.5f);
    case 7:
        shape = RefPlainShape(TD_SHAPE_HULL);
        shape.hull = hull;
        return shape;
    default:
        shape = RefCylinder(0.4f, 0.5f, 0.2f);
        shape.hasMatrix = true;
        shape.matrix = (tdMat3){{1.0f, 0.2f, 0.0f}, {0.0f, 0.7f, 0.1f}, {0.0f, 0.0f, 1.3f}};
        return shape;
    }
}

TEST(RaysFindTheSurface)
{
    refRandomState = 5;
    tdHull* hull = RefRandomHull(30, 0.6f);
    int hits = 0;
    for (int kind = 0; kind < 9; ++kind)
    {
        for (int i = 0; i < 40; ++i)
        {
            tdShapeGeometry shape = MakeKind(kind, hull);
            shape.local = (tdTransform){RefRandomVec(0.3f), RefRandomQuat()};
            tdVec3 origin = tdScale(3.0f, tdNormalize(RefRandomVec(1.0f)));
            tdVec3 translation = tdScale(2.0f, tdSub(RefRandomVec(0.7f), origin));
            tdCastHit hit;
            if (tdRayCastShape(&shape, origin, translation, 1.0f, &hit))
            {
                // The hit is on the surface: the whole shape is behind the plane through the point with that
                // normal, and the point is outside of no sampled half-space.
                ENSURE(RefOutside(&shape, tdTransform_identity, hit.point, 200) < 1.0e-5);
                ENSURE_NEAR(tdLength(hit.normal), 1.0f, 1.0e-4f);
                ENSURE(tdDot(hit.normal, translation) <= 1.0e-4f);
                double reach = RefReach(&shape, tdTransform_identity, RefOf(hit.normal));
                ENSURE_NEAR(reach, RefDot(RefOf(hit.normal), RefOf(hit.point)), 1.0e-5);
                tdCastHit again;
                ENSURE(!tdRayCastShape(&shape, origin, translation, 0.99f * hit.fraction, &again));
                hits += 1;
            }
            else
            {
                // No sample of the ray is inside (200 half-spaces leave about 0.03 around a shape of size 1).
                for (int k = 0; k <= 20; ++k)
                {
                    tdVec3 p = tdMulAdd(origin, (float)k / 20.0f, translation);
                    ENSURE(RefOutside(&shape, tdTransform_identity, p, 200) > -0.04);
                }
            }
            // A ray from inside hits at once, without a normal.
            tdVec3 inside = tdTransformPoint(shape.local, (tdVec3){0.0f, 0.05f, 0.0f});
            ENSURE(tdRayCastShape(&shape, inside, translation, 1.0f, &hit));
            ENSURE_NEAR(hit.fraction, 0.0f, 0.0f);
        }
    }
    ENSURE(hits > 100);
    tdFreeHull(hull, NULL);
}

TEST(RaysRespectSides)
{
    tdTriangles* wall = MakeWall(2.0f);
    tdShapeGeometry mesh = RefPlainShape(TD_SHAPE_MESH);
    mesh.mesh = wall;
    tdCastHit hit;
    ENSURE(tdRayCastShape(&mesh, (tdVec3){-3, 0.1f, 0.2f}, (tdVec3){6, 0, 0}, 1.0f, &hit));
    ENSURE_NEAR(hit.fraction, 0.5f, 1.0e-6f);
    ENSURE_NEAR(hit.normal.x, -1.0f, 1.0e-6f);
    ENSURE(!tdRayCastShape(&mesh, (tdVec3){3, 0.1f, 0.2f}, (tdVec3){-6, 0, 0}, 1.0f, &hit));
    tdShapeGeometry sheet = RefPlane(1, 1, false), both = RefPlane(1, 1, true),
                    half = RefPlane(INFINITY, INFINITY, false);
    tdVec3 down = {0, -4, 0}, rise = {0, 4, 0};
    ENSURE(tdRayCastShape(&sheet, (tdVec3){0.5f, 2, 0}, down, 1.0f, &hit));
    ENSURE(!tdRayCastShape(&sheet, (tdVec3){0.5f, -2, 0}, rise, 1.0f, &hit));
    ENSURE(!tdRayCastShape(&sheet, (tdVec3){1.5f, 2, 0}, down, 1.0f, &hit));
    ENSURE(tdRayCastShape(&both, (tdVec3){0.5f, -2, 0}, rise, 1.0f, &hit));
    ENSURE_NEAR(hit.normal.y, -1.0f, 0.0f);
    ENSURE(tdRayCastShape(&half, (tdVec3){500.0f, 2, 0}, down, 1.0f, &hit));
    ENSURE(tdRayCastShape(&half, (tdVec3){500.0f, -2, 0}, rise, 1.0f, &hit));
    ENSURE_NEAR(hit.fraction, 0.0f, 0.0f);
    tdFreeTriangles(wall, NULL);
}

TEST(MeshRayEqualsEveryTriangle)
{
    // A bumpy grid; the BVH must find the same hits as a test of all triangles.
    enum
    {
        N = 24
    };
    tdVec3 positions[N * N];
    uint32_t indices[(N - 1) * (N - 1) * 6];
    refRandomState = 77;
    for (int i = 0; i < N * N; ++i)
    {
        positions[i] = (tdVec3){(float)(i % N), RefBetween(0.0f, 1.0f), (float)(i / N)};
    }
    int count = 0;
    for (uint32_t z = 0; z < N - 1; ++z)
    {
        for (uint32_t x = 0; x < N - 1; ++x)
        {
            uint32_t a = z * N + x, b = a + 1, c = a + N, d = c + 1;
            uint32_t quad[6] = {a, c, b, b, c, d};
            memcpy(indices + count, quad, sizeof(quad));
            count += 6;
        }
    }
    tdMeshGeometryDef def = {
        .positions = positions, .positionCount = N * N, .indices = indices, .indexCount = count};
    tdTriangles* mesh = tdCookTriangles(&def, NULL);
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_MESH);
    shape.mesh = mesh;
    int hits = 0;
    for (int i = 0; i < 200; ++i)
    {
        tdVec3 origin = {RefBetween(-2, N + 1), RefBetween(1.5f, 4), RefBetween(-2, N + 1)};
        tdVec3 end = {RefBetween(-2, N + 1), RefBetween(-1, 0), RefBetween(-2, N + 1)};
        tdVec3 way = tdSub(end, origin);
        tdCastHit hit;
        bool isHit = tdRayCastShape(&shape, origin, way, 1.0f, &hit);
        double best = HUGE_VAL;
        for (int t = 0; t < count / 3; ++t)
        {
            // Plane and three edge tests in double.
            RefVec p[3];
            for (int k = 0; k < 3; ++k)
            {
                p[k] = RefOf(tdSub(positions[indices[3 * t + k]], origin));
            }
            RefVec u = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
            RefVec v = {p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
            RefVec n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
            RefVec d = RefOf(way);
            double facing = RefDot(n, d), at = RefDot(n, p[0]) / facing;
            bool isIn = facing < 0.0 && at >= 0.0 && at <= 1.0;
            RefVec q = {at * d.x, at * d.y, at * d.z};
            for (int k = 0; k < 3 && isIn; ++k)
            {
                RefVec a = p[k], b = p[(k + 1) % 3];
                RefVec e = {b.x - a.x, b.y - a.y, b.z - a.z}, f = {q.x - a.x, q.y - a.y, q.z - a.z};
                RefVec c = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
                isIn = RefDot(c, n) >= 0.0;
            }
            best = isIn && at < best ? at : best;
        }
        ENSURE(isHit == (best <= 1.0));
        if (isHit)
        {
            ENSURE_NEAR(hit.fraction, best, 1.0e-5);
            hits += 1;
        }
    }
    ENSURE(hits > 50);
    tdFreeTriangles(mesh, NULL);
}

TEST(CastsStopAtContact)
{
    refRandomState = 31;
    tdHull* hull = RefRandomHull(20, 0.5f);
    int hits = 0;
    for (int ka = 0; ka < 9; ++ka)
    {
        for (int kb = 0; kb < 9; ++kb)
        {
            tdShapeGeometry a = MakeKind(ka, hull), b = MakeKind(kb, hull);
            tdTransform pose = {tdScale(4.0f, tdNormalize(RefRandomVec(1.0f))), RefRandomQuat()};
            tdVec3 way = tdSub(RefRandomVec(0.5f), pose.position);
            tdCastHit hit;
            RefVec direction;
            if (!tdCastShape(&a, pose, way, 1.0f, &b, &hit))
            {
                continue;
            }
            hits += 1;
            tdTransform at = {tdMulAdd(pose.position, hit.fraction, way), pose.rotation};
            // Within the tolerance of conservative advancement, 1e-5 of the sizes.
            ENSURE_NEAR(RefSeparation(&b, &a, at, 300, &direction), 0.0, 1.0e-3);
            // No earlier contact was missed.
            for (int k = 0; k < 5; ++k)
            {
                tdTransform before = {tdMulAdd(pose.position, hit.fraction * (float)k / 5.0f, way),
                                      pose.rotation};
                ENSURE(RefSeparation(&b, &a, before, 60, &direction) > -1.0e-3);
            }
        }
    }
    ENSURE(hits > 60);
    tdFreeHull(hull, NULL);
}

TEST(FastSmallThingsDoNotPassThinWalls)
{
    // 300 m/s at 60 Hz: 5 m in one step against 1 cm.
    tdTriangles* wallMesh = MakeWall(2.0f);
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = (tdVec3){(i & 1) ? 0.005f : -0.005f, (i & 2) ? 2.0f : -2.0f, (i & 4) ? 2.0f : -2.0f};
    }
    tdHull* wallHull = tdCookHull(corners, 8, NULL, NULL);
    tdShapeGeometry walls[5] = {RefBox(0.005f, 2, 2), RefPlainShape(TD_SHAPE_HULL),
                                RefPlainShape(TD_SHAPE_MESH), RefPlane(INFINITY, INFINITY, false),
                                RefPlane(2, 2, true)};
    walls[1].hull = wallHull;
    walls[2].mesh = wallMesh;
    float s = sqrtf(0.5f);
    walls[3].local.rotation = walls[4].local.rotation = (tdQuat){0, 0, s, s}; // normal to -x
    tdShapeGeometry bodies[4] = {RefSphere(0.025f), RefBox(0.025f, 0.025f, 0.025f),
                                 RefCapsule(0.02f, 0.02f, 0.02f), RefCylinder(0.025f, 0.025f, 0.01f)};
    refRandomState = 3;
    tdSweep still = tdMakeSweep(tdTransform_identity, tdTransform_identity, tdVec3_zero);
    for (int w = 0; w < 5; ++w)
    {
        for (int k = 0; k < 4; ++k)
        {
            for (int i = 0; i < 5; ++i)
            {
                tdTransform start = {{-RefBetween(0.1f, 4.0f), RefBetween(-1, 1), RefBetween(-1, 1)},
                                     RefRandomQuat()};
                tdTransform end = start;
                end.position =
                    tdAdd(end.position, (tdVec3){5.0f, RefBetween(-0.5f, 0.5f), RefBetween(-0.5f, 0.5f)});
                end.rotation = RefRandomQuat();
                tdSweep sweep = tdMakeSweep(start, end, tdVec3_zero);
                float target = 0.001f;
                tdImpact impact = tdTimeOfImpact(&bodies[k], &sweep, &walls[w], &still, 1.0f, target);
                ENSURE_EQUAL_INT(impact.state, TD_IMPACT_HIT);
                // At the time of impact the gap to the front of the wall is the target gap, within a quarter
                // of it.
                tdTransform at = tdSweep_At(&sweep, impact.fraction);
                float front = w < 2 ? -0.005f : 0.0f;
                double reach = RefReach(&bodies[k], at, (RefVec){1, 0, 0});
                ENSURE_NEAR((double)front - reach, target, 0.3 * (double)target);
                ENSURE_NEAR(impact.normal.x, 1.0f, 1.0e-2f);
                tdImpact other = tdTimeOfImpact(&walls[w], &still, &bodies[k], &sweep, 1.0f, target);
                ENSURE_NEAR(other.fraction, impact.fraction, 1.0e-6f);
                ENSURE_NEAR(other.normal.x, -1.0f, 1.0e-2f);
            }
        }
    }
    tdFreeTriangles(wallMesh, NULL);
    tdFreeHull(wallHull, NULL);
}

TEST(TurningRodIsCaught)
{
    // A 2 m rod turns by 170 degrees in one step about its middle; a post blocks its end. The time of impact
    // is compared with a scan of 20,000 poses.
    tdShapeGeometry rod = RefBox(1.0f, 0.02f, 0.02f), post = RefCylinder(1.0f, 0.03f, 0.03f);
    tdTransform start = {{0, 0, 0}, tdQuat_identity}, end = start;
    float half = 0.5f * 170.0f * TD_PI / 180.0f;
    end.rotation = (tdQuat){0.0f, sinf(half), 0.0f, cosf(half)};
    tdTransform postPose = {{0.3f, 0.0f, -0.8f}, tdQuat_identity};
    tdSweep sweep = tdMakeSweep(start, end, tdVec3_zero),
            still = tdMakeSweep(postPose, postPose, tdVec3_zero);
    tdImpact impact = tdTimeOfImpact(&rod, &sweep, &post, &still, 1.0f, 0.002f);
    ENSURE_EQUAL_INT(impact.state, TD_IMPACT_HIT);
    float truth = 1.0f;
    for (int i = 0; i <= 20000; ++i)
    {
        tdTransform pose = tdSweep_At(&sweep, (float)i / 20000.0f);
        tdVec3 p = tdInvTransformPoint(pose, postPose.position);
        // In the rod's frame the post is a disc as long as it stays upright: gap to the rod's side or end.
        float dx = tdMaxFloat(tdAbsFloat(p.x) - 1.0f, 0.0f), dz = tdMaxFloat(tdAbsFloat(p.z) - 0.02f, 0.0f);
        if (sqrtf(dx * dx + dz * dz) - 0.03f <= 0.002f)
        {
            truth = (float)i / 20000.0f;
            break;
        }
    }
    ENSURE(impact.fraction <= truth + 1.0e-3f);
    ENSURE_NEAR(impact.fraction, truth, 5.0e-3f);
    // The same with a mesh wall along x at z = -0.9, in reach of the rod's end only.
    tdTriangles* wall = MakeWall(3.0f);
    tdShapeGeometry mesh = RefPlainShape(TD_SHAPE_MESH);
    mesh.mesh = wall;
    float s = sqrtf(0.5f);
    tdTransform wallPose = {{0, 0, -0.9f}, {0, s, 0, s}}; // its front faces +z
    tdSweep wallSweep = tdMakeSweep(wallPose, wallPose, tdVec3_zero);
    impact = tdTimeOfImpact(&rod, &sweep, &mesh, &wallSweep, 1.0f, 0.002f);
    ENSURE_EQUAL_INT(impact.state, TD_IMPACT_HIT);
    double nearest = 0.9 - RefReach(&rod, tdSweep_At(&sweep, impact.fraction), (RefVec){0, 0, -1});
    ENSURE_NEAR(nearest, 0.002, 0.0006);
    tdFreeTriangles(wall, NULL);
}

TEST(NearMissesAreNoImpact)
{
    tdShapeGeometry ball = RefSphere(0.1f), box = RefBox(0.5f, 0.5f, 0.5f);
    tdSweep still = tdMakeSweep(tdTransform_identity, tdTransform_identity, tdVec3_zero);
    tdTransform start = {{-5, 0.7f, 0}, tdQuat_identity}, end = {{5, 0.7f, 0}, tdQuat_identity};
    tdSweep sweep = tdMakeSweep(start, end, tdVec3_zero);
    ENSURE_EQUAL_INT(tdTimeOfImpact(&ball, &sweep, &box, &still, 1.0f, 0.001f).state, TD_IMPACT_NONE);
    start.position.x = 0.65f;
    end.position.x = 5.0f;
    sweep = tdMakeSweep(start, end, tdVec3_zero);
    ENSURE_EQUAL_INT(tdTimeOfImpact(&ball, &sweep, &box, &still, 1.0f, 0.001f).state, TD_IMPACT_NONE);
    start.position.x = start.position.y = 0.3f;
    sweep = tdMakeSweep(start, end, tdVec3_zero);
    ENSURE_EQUAL_INT(tdTimeOfImpact(&ball, &sweep, &box, &still, 1.0f, 0.001f).state, TD_IMPACT_INITIAL);
}

TEST(TurningShapesThatStayApartAreNoImpact)
{
    // A box a millimetre above a roller that turns about its own axis: nothing approaches.
    tdShapeGeometry roller = RefCylinder(0.9f, 0.15f, 0.15f), box = RefBox(0.3f, 0.2f, 0.3f);
    float s = sqrtf(0.5f);
    tdTransform start = {{0, 0, 0}, {s, 0, 0, s}}, end = start; // its axis is z
    tdQuat turn = {0.0f, 0.0f, sinf(0.0833f), cosf(0.0833f)};
    end.rotation = tdMulQuat(turn, start.rotation);
    tdSweep rolling = tdMakeSweep(start, end, tdVec3_zero);
    tdTransform above = {{0.05f, 0.351f, 0.4f}, tdQuat_identity};
    tdSweep still = tdMakeSweep(above, above, tdVec3_zero);
    ENSURE_EQUAL_INT(tdTimeOfImpact(&box, &still, &roller, &rolling, 1.0f, 0.0005f).state, TD_IMPACT_NONE);

    // Random motions: without an impact the two never come closer than the target, with one they are there.
    refRandomState = 11;
    const float target = 0.002f;
    int counts[3] = {0, 0, 0};
    for (int i = 0; i < 3000; ++i)
    {
        tdShapeGeometry a = MakeKind(1 + i % 6, NULL), b = MakeKind(1 + i / 6 % 6, NULL);
        float reach = 0.5f + 1.2f * RefRandom(), speed = 0.3f * RefRandom();
        tdTransform poses[4]; // start and end of A, of B
        for (int k = 0; k < 4; ++k)
        {
            tdTransform* pose = &poses[k];
            pose->rotation = RefRandomQuat();
            pose->position = k < 2 ? tdVec3_zero : (tdVec3){reach, 0.3f * RefRandom(), 0.0f};
            if (k % 2 == 1)
            {
                tdVec3 axis = tdScale(0.3f * RefRandom(), tdQuatVector(RefRandomQuat()));
                // Every third shape turns about its own axis.
                axis = i % 3 == 0 ? tdRotate(poses[k - 1].rotation, (tdVec3){0.0f, 0.25f, 0.0f}) : axis;
                pose->rotation =
                    tdNormalizeQuat(tdMulQuat((tdQuat){axis.x, axis.y, axis.z, 1.0f}, poses[k - 1].rotation));
                pose->position = poses[k - 1].position;
                pose->position.x += k == 1 ? speed : 0.0f;
                pose->position.y += 0.2f * (RefRandom() - 0.5f);
            }
        }
        tdSweep sweepA = tdMakeSweep(poses[0], poses[1], tdVec3_zero);
        tdSweep sweepB = tdMakeSweep(poses[2], poses[3], tdVec3_zero);
        tdImpact impact = tdTimeOfImpact(&a, &sweepA, &b, &sweepB, 1.0f, target);
        counts[impact.state] += 1;
        float nearest = INFINITY;
        for (int k = 0; k <= 40 && impact.state == TD_IMPACT_NONE; ++k)
        {
            float t = (float)k / 40.0f;
            tdConvex placedA = tdMakeConvex(&a, tdSweep_At(&sweepA, t)),
                     placedB = tdMakeConvex(&b, tdSweep_At(&sweepB, t));
            nearest = tdMinFloat(nearest, tdConvexDistance(&placedA, &placedB, INFINITY, NULL).distance);
        }
        ENSURE(nearest > 0.99f * target);
        ENSURE(impact.state != TD_IMPACT_HIT || impact.isUnresolved || impact.distance < 1.3f * target);
    }
    ENSURE(counts[TD_IMPACT_NONE] > 500);
    ENSURE(counts[TD_IMPACT_HIT] > 200);
}

TEST(ClosestPointsAndDistances)
{
    refRandomState = 8;
    tdHull* hull = RefRandomHull(30, 0.6f);
    tdTriangles* wall = MakeWall(1.0f);
    for (int kind = 0; kind < 9; ++kind)
    {
        for (int i = 0; i < 10; ++i)
        {
            tdShapeGeometry shape = MakeKind(kind, hull), point = RefSphere(0.0f);
            shape.local = (tdTransform){RefRandomVec(0.3f), RefRandomQuat()};
            tdTransform at = {RefRandomVec(1.5f), tdQuat_identity};
            RefVec direction;
            double truth = RefSeparation(&shape, &point, at, 300, &direction);
            tdClosestPoint closest = tdShape_FindClosestPoint(&shape, at.position);
            ENSURE_NEAR(closest.distance, truth > 0.0 ? truth : 0.0, 1.0e-3);
            ENSURE_NEAR(tdDistance(closest.point, at.position), closest.distance, 1.0e-3);
            // Distances are symmetric.
            tdShapeGeometry other = MakeKind((kind + i) % 9, hull);
            tdTransform pose = {RefRandomVec(1.5f), RefRandomQuat()};
            tdDistanceResult there = tdShapeDistance(&shape, &other, pose);
            tdDistanceResult back = tdShapeDistance(&other, &shape, tdInvTransform(pose));
            ENSURE_NEAR(there.distance, back.distance, 1.0e-3f);
            ENSURE(tdIsFiniteVec3(there.normal) && tdIsFiniteVec3(there.pointA) &&
                   tdIsFiniteVec3(there.pointB));
        }
    }
    tdShapeGeometry mesh = RefPlainShape(TD_SHAPE_MESH), sheet = RefPlane(1, 1, false),
                    ball = RefSphere(0.5f);
    mesh.mesh = wall;
    tdClosestPoint closest = tdShape_FindClosestPoint(&mesh, (tdVec3){-2.0f, 0.3f, 4.0f});
    ENSURE_NEAR(closest.distance, sqrtf(4.0f + 9.0f), 1.0e-5f);
    ENSURE_NEAR(closest.point.z, 1.0f, 1.0e-5f);
    tdTransform away = {{-2.0f, 0.3f, 4.0f}, tdQuat_identity};
    ENSURE_NEAR(tdShapeDistance(&mesh, &ball, away).distance, sqrtf(13.0f) - 0.5f, 1.0e-5f);
    ENSURE_NEAR(tdShapeDistance(&ball, &mesh, tdInvTransform(away)).distance, sqrtf(13.0f) - 0.5f, 1.0e-5f);
    closest = tdShape_FindClosestPoint(&sheet, (tdVec3){3.0f, 2.0f, 0.0f});
    ENSURE_NEAR(closest.distance, sqrtf(8.0f), 1.0e-5f);
    tdFreeTriangles(wall, NULL);
    tdFreeHull(hull, NULL);
}

TEST(MeshesAndPlanesCanBeCast)
{
    // A closed cube of triangles is cast like a box; both must give the same result against box, mesh, sheet
    // and half-space.
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] =
            (tdVec3){(i & 1) != 0 ? 0.3f : -0.3f, (i & 2) != 0 ? 0.2f : -0.2f, (i & 4) != 0 ? 0.4f : -0.4f};
    }
    static const uint32_t indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    tdMeshGeometryDef def = {.positions = corners, .positionCount = 8, .indices = indices, .indexCount = 36};
    tdTriangles* triangles = tdCookTriangles(&def, NULL);
    ENSURE(triangles != NULL);
    tdShapeGeometry cube = RefPlainShape(TD_SHAPE_MESH), box = RefBox(0.3f, 0.2f, 0.4f);
    cube.mesh = triangles;
    tdShapeGeometry targets[4] = {RefBox(0.5f, 0.3f, 0.4f), cube, RefPlane(2, 2, true),
                                  RefPlane(INFINITY, INFINITY, false)};
    refRandomState = 11;
    int hits = 0;
    for (int round = 0; round < 200; ++round)
    {
        tdShapeGeometry target = targets[round % 4];
        target.local = (tdTransform){RefRandomVec(0.2f), tdQuat_identity};
        tdTransform pose = {tdAdd(RefRandomVec(0.3f), (tdVec3){0.0f, 3.0f, 0.0f}), RefRandomQuat()};
        tdVec3 way = tdAdd(RefRandomVec(0.5f), (tdVec3){0.0f, -5.0f, 0.0f});
        tdCastHit wanted, hit;
        bool isHit = tdCastShape(&box, pose, way, 1.0f, &target, &wanted);
        if (!ENSURE(tdCastShape(&cube, pose, way, 1.0f, &target, &hit) == isHit) || !isHit)
        {
            continue;
        }
        hits += 1;
        ENSURE_NEAR(hit.fraction, wanted.fraction, 1e-4);
        ENSURE(tdDot(hit.normal, way) < 0.0f); // out of the target, against the motion
        // With the roles exchanged, the target moves to the cube, and the normal is the opposite one.
        tdCastHit reverse;
        ENSURE(tdCastShape(&target, tdInvTransform(pose), tdNegate(tdInvRotate(pose.rotation, way)), 1.0f,
                           &cube, &reverse));
        ENSURE_NEAR(reverse.fraction, wanted.fraction, 1e-4);
        ENSURE(tdDot(tdRotate(pose.rotation, reverse.normal), way) > 0.0f);
    }
    ENSURE(hits > 150);
    tdFreeTriangles(triangles, NULL);
}

TEST_MAIN(RUN(MeshesAndPlanesCanBeCast) RUN(RaysFindTheSurface) RUN(RaysRespectSides)
              RUN(MeshRayEqualsEveryTriangle) RUN(CastsStopAtContact) RUN(FastSmallThingsDoNotPassThinWalls)
                  RUN(TurningRodIsCaught) RUN(NearMissesAreNoImpact)
                      RUN(TurningShapesThatStayApartAreNoImpact) RUN(ClosestPointsAndDistances))
