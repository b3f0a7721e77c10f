// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The public maths of tendon/vecmath.h, with that header alone, against known values and identities.
#include "harness.h"

#include "tendon/vecmath.h"

#define HALF_TURN 3.14159265f

static bool IsNear(tdVec3 a, float x, float y, float z)
{
    tdVec3 b = {x, y, z};
    return tdDistance(a, b) < 1.0e-5f;
}

static const tdVec3 axisX = {1.0f, 0.0f, 0.0f}, axisY = {0.0f, 1.0f, 0.0f}, axisZ = {0.0f, 0.0f, 1.0f};

TEST(Vectors)
{
    tdVec3 a = {1.0f, 2.0f, 3.0f}, b = {-4.0f, 5.0f, 0.5f};
    ENSURE(IsNear(tdAdd(a, b), -3.0f, 7.0f, 3.5f));
    ENSURE(IsNear(tdSub(a, b), 5.0f, -3.0f, 2.5f));
    ENSURE(IsNear(tdMul(a, b), -4.0f, 10.0f, 1.5f));
    ENSURE(IsNear(tdScale(2.0f, a), 2.0f, 4.0f, 6.0f));
    ENSURE(IsNear(tdMulAdd(a, 2.0f, b), -7.0f, 12.0f, 4.0f));
    ENSURE(IsNear(tdMulSub(a, 2.0f, b), 9.0f, -8.0f, 2.0f));
    ENSURE(IsNear(tdNegate(a), -1.0f, -2.0f, -3.0f));
    ENSURE_NEAR(tdDot(a, b), 7.5, 0.0);
    ENSURE(IsNear(tdCross(axisX, axisY), 0.0f, 0.0f, 1.0f));
    ENSURE_NEAR(tdLengthSquared(a), 14.0, 0.0);
    ENSURE_NEAR(tdLength((tdVec3){3.0f, 0.0f, 4.0f}), 5.0, 0.0);
    ENSURE(IsNear(tdNormalize((tdVec3){0.0f, 0.0f, -7.0f}), 0.0f, 0.0f, -1.0f));
    ENSURE(IsNear(tdNormalize(tdVec3_zero), 0.0f, 0.0f, 0.0f));
    ENSURE(IsNear(tdLerp(a, b, 0.0f), 1.0f, 2.0f, 3.0f));
    ENSURE(IsNear(tdLerp(a, b, 0.5f), -1.5f, 3.5f, 1.75f));
}

TEST(Rotations)
{
    tdQuat quarterZ = tdQuatFromAxisAngle(axisZ, 0.5f * HALF_TURN),
           quarterX = tdQuatFromAxisAngle(axisX, 0.5f * HALF_TURN);
    ENSURE(IsNear(tdRotate(quarterZ, axisX), 0.0f, 1.0f, 0.0f));
    ENSURE(IsNear(tdInvRotate(quarterZ, axisX), 0.0f, -1.0f, 0.0f));
    // The right factor acts first: X to Y, then Y to Z.
    ENSURE(IsNear(tdRotate(tdMulQuat(quarterX, quarterZ), axisX), 0.0f, 0.0f, 1.0f));
    ENSURE(IsNear(tdRotate(tdInvMulQuat(quarterZ, quarterZ), axisX), 1.0f, 0.0f, 0.0f));
    ENSURE(IsNear(tdRotate(tdConjugate(quarterZ), axisY), 1.0f, 0.0f, 0.0f));
    ENSURE(IsNear(tdRotate(tdNegateQuat(quarterZ), axisX), 0.0f, 1.0f, 0.0f));
    ENSURE(IsNear(tdRotate(tdQuatFromTo(axisX, axisY), axisX), 0.0f, 1.0f, 0.0f));
    ENSURE(IsNear(tdRotate(tdQuatFromTo(axisX, tdNegate(axisX)), axisX), -1.0f, 0.0f, 0.0f));
    ENSURE_NEAR(tdNormalizeQuat((tdQuat){0.0f, 0.0f, 0.0f, -3.0f}).w, -1.0, 0.0);
    ENSURE_NEAR(tdNormalizeQuat((tdQuat){0.0f, 0.0f, 0.0f, 0.0f}).w, 1.0, 0.0);
}

TEST(Interpolation)
{
    tdQuat a = tdQuat_identity, b = tdQuatFromAxisAngle(axisY, 1.2f);
    tdQuat third = tdSlerp(a, b, 1.0f / 3.0f), expected = tdQuatFromAxisAngle(axisY, 0.4f);
    ENSURE_NEAR(tdDotQuat(third, expected), 1.0, 1.0e-6);
    ENSURE_NEAR(third.y, expected.y, 1.0e-6);
    // -b is the same rotation: the arc is the short one.
    ENSURE_NEAR(tdSlerp(a, tdNegateQuat(b), 0.5f).y, tdQuatFromAxisAngle(axisY, 0.6f).y, 1.0e-6);
    ENSURE_NEAR(tdNlerp(a, b, 0.5f).y, tdQuatFromAxisAngle(axisY, 0.6f).y, 1.0e-6);
}

TEST(Transforms)
{
    tdTransform a = {{1.0f, 2.0f, 3.0f}, tdQuatFromAxisAngle(axisZ, 0.5f * HALF_TURN)};
    tdTransform b = {{4.0f, 0.0f, 0.0f}, tdQuatFromAxisAngle(axisX, 0.3f)};
    ENSURE(IsNear(tdTransformPoint(a, axisX), 1.0f, 3.0f, 3.0f));
    ENSURE(IsNear(tdInvTransformPoint(a, (tdVec3){1.0f, 3.0f, 3.0f}), 1.0f, 0.0f, 0.0f));
    tdVec3 p = {0.5f, -0.25f, 2.0f}, stepwise = tdTransformPoint(a, tdTransformPoint(b, p));
    ENSURE(IsNear(tdTransformPoint(tdMulTransform(a, b), p), stepwise.x, stepwise.y, stepwise.z));
    ENSURE(IsNear(tdTransformPoint(tdInvTransform(a), tdTransformPoint(a, p)), p.x, p.y, p.z));
    tdTransform relative = tdInvMulTransform(a, tdMulTransform(a, b));
    ENSURE(IsNear(relative.position, 4.0f, 0.0f, 0.0f));
    ENSURE_NEAR(tdDotQuat(relative.rotation, b.rotation), 1.0, 1.0e-6);
}

TEST(Matrices)
{
    tdTrs trs = {{1.0f, 2.0f, 3.0f}, tdQuatFromAxisAngle(axisZ, 0.5f * HALF_TURN), {2.0f, 1.0f, 1.0f}};
    tdMat4 m = tdMat4FromTrs(trs);
    ENSURE(IsNear(tdMat4Point(m, axisX), 1.0f, 4.0f, 3.0f));
    ENSURE(IsNear(tdMat4Direction(m, axisX), 0.0f, 2.0f, 0.0f));
    ENSURE(IsNear(tdMat4Point(tdMulMat4(tdInverseAffine(m), m), axisY), 0.0f, 1.0f, 0.0f));
    tdMat4 identity = tdMat4FromTrs(tdTrs_identity);
    for (int i = 0; i < 16; ++i)
    {
        ENSURE_NEAR(identity.m[i], i % 5 == 0 ? 1.0 : 0.0, 0.0);
    }
}

TEST_MAIN(RUN(Vectors) RUN(Rotations) RUN(Interpolation) RUN(Transforms) RUN(Matrices))
