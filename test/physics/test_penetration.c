// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the penetration measurement: depths of known overlaps, and random pairs against a scan over many
// directions, which gives an upper bound of the depth (the smallest overlap along any of them).
#include "harness.h"

#include "scenes/penetration.h"

static tdTransform At(float x, float y, float z)
{
    return (tdTransform){{x, y, z}, {0, 0, 0, 1}};
}

TEST(DepthOfSimplePairsIsExact)
{
    tdSetup* setup = tdCreateEmptySetup("pairs");
    int ball = tdSetup_AddSphere(setup, 0.5f), box = tdSetup_AddBox(setup, 0.5f, 0.5f, 0.5f);
    int capsule = tdSetup_AddCapsule(setup, 0.5f, 0.25f, 0.25f),
        can = tdSetup_AddCylinder(setup, 0.5f, 0.25f, 0.25f);
    int plane = tdSetup_AddPlane(setup);
    const tdVec3 points[4] = {{-5, 0, -5}, {-5, 0, 5}, {5, 0, -5}, {5, 0, 5}};
    const int faces[2][3] = {{0, 1, 2}, {1, 3, 2}};
    int mesh = tdSetup_AddMesh(setup, points, 4, faces, 2);
    tdTransform origin = At(0, 0, 0);
    // Poses are floats: 1e-6 is a few of their ulps, and the tolerance at which EPA stops.
    ENSURE_NEAR(tdMeasureDepth(setup, ball, origin, ball, At(0.9f, 0, 0), 1), 0.1, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, ball, origin, ball, At(1.25f, 0, 0), 1), -0.25, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, box, origin, box, At(0.25f, 0.99f, 0.3f), 1), 0.01, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, box, origin, box, At(0, 0, 0), 1), 1.0, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, box, origin, box, At(2.0f, 0.1f, 0), 2), -1.0, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, box, origin, ball, At(0.2f, 0.98f, 0.1f), 1), 0.02, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, capsule, origin, ball, At(0.7f, 0.2f, 0), 1), 0.05, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, can, origin, box, At(0, 0.97f, 0), 1), 0.03, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, can, origin, box, At(0.74f, 0, 0), 1), 0.01, 2e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, plane, origin, box, At(7, 0.4f, 3), 1), 0.1, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, mesh, origin, box, At(1, 0.49f, 1), 1), 0.01, 1e-6);
    ENSURE_NEAR(tdMeasureDepth(setup, mesh, origin, ball, At(1, 0.47f, 1), 1), 0.03, 1e-6);
    tdDestroySetup(setup);
}

static uint32_t randomState = 1;

static float NextFloat(void)
{
    randomState = randomState * 1664525u + 1013904223u;
    return (float)(randomState >> 8) / 8388608.0f - 1.0f;
}

// Depth of two boxes by the separating axis theorem: fifteen axes are complete for boxes.
static double BoxDepth(const double a[3], double axesA[3][3], const double b[3], double axesB[3][3],
                       const double d[3])
{
    double least = (double)INFINITY;
    for (int i = 0; i < 15; ++i)
    {
        double n[3];
        for (int k = 0; k < 3; ++k)
        {
            const double *u = axesA[i < 6 ? 0 : (i - 6) / 3], *v = axesB[i < 6 ? 0 : (i - 6) % 3];
            int x = (k + 1) % 3, y = (k + 2) % 3;
            n[k] = i < 3 ? axesA[i][k] : i < 6 ? axesB[i - 3][k] : u[x] * v[y] - u[y] * v[x];
        }
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), reach = 0;
        if (length < 1e-9)
        {
            continue;
        }
        for (int k = 0; k < 3; ++k)
        {
            reach += a[k] * fabs(axesA[k][0] * n[0] + axesA[k][1] * n[1] + axesA[k][2] * n[2]);
            reach += b[k] * fabs(axesB[k][0] * n[0] + axesB[k][1] * n[1] + axesB[k][2] * n[2]);
        }
        double depth = (reach - fabs(d[0] * n[0] + d[1] * n[1] + d[2] * n[2])) / length;
        least = depth < least ? depth : least;
    }
    return least;
}

static void Axes(tdQuat q, double axes[3][3])
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w,
           s = 2 / (x * x + y * y + z * z + w * w);
    double m[3][3] = {{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                      {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                      {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
    memcpy(axes, m, sizeof(m));
}

TEST(RandomBoxesAgreeWithSeparatingAxes)
{
    tdSetup* setup = tdCreateEmptySetup("boxes");
    int shapes[2] = {tdSetup_AddBox(setup, 0.5f, 0.3f, 0.2f), tdSetup_AddBox(setup, 0.25f, 0.5f, 0.75f)};
    const double a[3] = {(double)0.5f, (double)0.3f, (double)0.2f}, b[3] = {0.25, 0.5, 0.75};
    int overlaps = 0;
    for (int i = 0; i < 2000; ++i)
    {
        tdTransform poseA = {{0, 0, 0}, {NextFloat(), NextFloat(), NextFloat(), NextFloat()}};
        tdTransform poseB = {{NextFloat(), NextFloat(), NextFloat()},
                             {NextFloat(), NextFloat(), NextFloat(), NextFloat()}};
        double axesA[3][3], axesB[3][3];
        double d[3] = {(double)poseB.position.x, (double)poseB.position.y, (double)poseB.position.z};
        Axes(poseA.rotation, axesA);
        Axes(poseB.rotation, axesB);
        double expected = BoxDepth(a, axesA, b, axesB, d);
        double depth = tdMeasureDepth(setup, shapes[0], poseA, shapes[1], poseB, 2);
        if (expected > 1e-5)
        {
            overlaps += 1;
            ENSURE_NEAR(depth, expected, 2e-6);
        }
        else if (expected < -1e-5)
        {
            ENSURE(depth < 0);
        }
    }
    ENSURE(overlaps > 200);
    tdDestroySetup(setup);
}

TEST(PercentilesCountEveryTouchingPairOnce)
{
    tdSetup* setup = tdCreateEmptySetup("row");
    int box = tdSetup_AddBox(setup, 0.5f, 0.5f, 0.5f);
    const tdQuat noTurn = {0, 0, 0, 1};
    tdTransform poses[6];
    float x = 0.0f;
    for (int i = 0; i < 6; ++i)
    {
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, (tdVec3){x, 0, 0}, noTurn);
        poses[i] = setup->bodies[i].transform;
        x += 1.0f - 0.01f * (float)(i + 1); // gaps: -10, -20, -30, -40, -50 mm
    }
    tdPenetration all = tdMeasurePenetration(setup, poses);
    ENSURE_EQUAL_INT(all.pairCount, 5);
    ENSURE_NEAR(all.p50, 0.03, 1e-5);
    ENSURE_NEAR(all.max, 0.05, 1e-5);
    tdSetup_AddJoint(setup, TD_SETUP_JOINT_BALL, 4, 5, At(0, 0, 0), At(0, 0, 0));
    setup->bodies[0].motion = setup->bodies[1].motion = TD_MOTION_STATIC;
    tdPenetration some = tdMeasurePenetration(setup, poses);
    ENSURE_EQUAL_INT(some.pairCount, 3); // one pair is joined, one cannot move
    ENSURE_NEAR(some.max, 0.04, 1e-5);
    tdDestroySetup(setup);
}

TEST_MAIN(RUN(DepthOfSimplePairsIsExact) RUN(RandomBoxesAgreeWithSeparatingAxes)
              RUN(PercentilesCountEveryTouchingPairOnce))
