// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of vector maths against identities and against references computed in double.
#include "harness.h"

#include "base/hash.h"
#include "math/trig.h"
#include "math/vecmath.h"

static uint32_t randomState;

static float NextFloat(float low, float high)
{
    randomState ^= randomState << 13;
    randomState ^= randomState >> 17;
    randomState ^= randomState << 5;
    return low + (high - low) * ((float)(randomState >> 8) / 16777216.0f);
}

static tdVec3 NextUnit(void)
{
    for (;;)
    {
        tdVec3 v = {NextFloat(-1.0f, 1.0f), NextFloat(-1.0f, 1.0f), NextFloat(-1.0f, 1.0f)};
        float squared = tdLengthSquared(v);
        if (squared > 0.01f && squared <= 1.0f)
        {
            return tdNormalize(v);
        }
    }
}

// The compiler chooses the order in which arguments are evaluated, so each random draw has its own statement.

static tdQuat NextQuat(void)
{
    tdVec3 axis = NextUnit();
    return tdQuatFromAxisAngle(axis, NextFloat(-TD_PI, TD_PI));
}

static tdVec3 NextScaled(float low, float high)
{
    tdVec3 unit = NextUnit();
    return tdScale(NextFloat(low, high), unit);
}

/// Chord between two rotations, regardless of the quaternions' signs.
static double RotationDistance(tdQuat a, tdQuat b)
{
    double sum = 0.0, difference = 0.0;
    const float* p = &a.x;
    const float* q = &b.x;
    for (int i = 0; i < 4; ++i)
    {
        sum += ((double)p[i] + (double)q[i]) * ((double)p[i] + (double)q[i]);
        difference += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
    }
    return sqrt(sum < difference ? sum : difference);
}

static double MatrixDistance(tdMat3 a, tdMat3 b)
{
    double worst = 0.0;
    const float* p = &a.cx.x;
    const float* q = &b.cx.x;
    for (int i = 0; i < 9; ++i)
    {
        worst = fmax(worst, fabs((double)p[i] - (double)q[i]));
    }
    return worst;
}

static void EnsureNearVec3(tdVec3 a, tdVec3 b, double tolerance)
{
    ENSURE_NEAR(a.x, b.x, tolerance);
    ENSURE_NEAR(a.y, b.y, tolerance);
    ENSURE_NEAR(a.z, b.z, tolerance);
}

TEST(RotateIsInverseOfInvRotate)
{
    tdQuat q = tdNormalizeQuat((tdQuat){0.1f, -0.7f, 0.3f, 0.5f});
    tdVec3 v = {1.0f, 2.0f, -3.0f};
    EnsureNearVec3(tdInvRotate(q, tdRotate(q, v)), v, 1e-6);
    EnsureNearVec3(tdMulMat3Vec3(tdMat3FromQuat(q), v), tdRotate(q, v), 1e-6);
}

TEST(QuatFromToCarriesOneOntoTheOther)
{
    randomState = 7u;
    for (int i = 0; i < 2000; ++i)
    {
        tdVec3 from = NextUnit(), to = NextUnit();
        if (i % 4 == 1)
        {
            to = tdNormalize(tdMulAdd(tdNegate(from), NextFloat(0.0f, 1e-3f), to)); // nearly opposite
        }
        else if (i % 4 == 2)
        {
            to = tdNormalize(tdMulAdd(from, NextFloat(0.0f, 1e-3f), to)); // nearly equal
        }
        tdQuat q = tdQuatFromTo(from, to);
        EnsureNearVec3(tdRotate(q, from), to, 6e-7); // a few roundings of unit components
        // The smallest rotation has its axis perpendicular to both.
        ENSURE_NEAR(tdDot(tdQuatVector(q), from), 0.0, 2e-7);
    }
    tdVec3 x = {1.0f, 0.0f, 0.0f};
    ENSURE(RotationDistance(tdQuatFromTo(x, x), tdQuat_identity) == 0.0);
    EnsureNearVec3(tdRotate(tdQuatFromTo(x, tdNegate(x)), x), tdNegate(x), 1e-7);
}

TEST(SlerpHasConstantSpeed)
{
    randomState = 8u;
    for (int i = 0; i < 1000; ++i)
    {
        tdQuat a = NextQuat();
        float angle = i % 2 == 0 ? NextFloat(0.0f, 3.1f) : NextFloat(0.0f, 0.01f);
        tdVec3 axis = NextUnit();
        tdQuat b = tdMulQuat(tdQuatFromAxisAngle(axis, angle), a);
        b = i % 3 == 0 ? tdNegateQuat(b) : b;
        float t = NextFloat(0.0f, 1.0f);
        tdQuat expected = tdMulQuat(tdQuatFromAxisAngle(axis, t * angle), a);
        ENSURE_NEAR(RotationDistance(tdSlerp(a, b, t), expected), 0.0, 6e-7);
        ENSURE_NEAR(RotationDistance(tdSlerp(a, b, 0.0f), a), 0.0, 3e-7);
        ENSURE_NEAR(RotationDistance(tdSlerp(a, b, 1.0f), b), 0.0, 3e-7);
    }
}

TEST(AngleBetweenIsExactForSmallAngles)
{
    randomState = 9u;
    for (int i = 0; i < 1000; ++i)
    {
        tdVec3 axis = NextUnit();
        float angle = NextFloat(0.0f, 1.0f);
        angle *= i % 2 == 0 ? 3.14f : 1e-3f;
        tdQuat b = tdQuatFromAxisAngle(axis, angle);
        ENSURE_NEAR(tdAngleBetween(tdQuat_identity, b), angle, 1e-6 * (double)angle);
        ENSURE_NEAR(tdAngleBetween(tdNegateQuat(b), tdQuat_identity), angle, 1e-6 * (double)angle);
    }
    tdQuat q = NextQuat();
    ENSURE(tdAngleBetween(q, q) == 0.0f);
}

TEST(QuatAndMatrixAgree)
{
    randomState = 10u;
    for (int i = 0; i < 2000; ++i)
    {
        tdQuat q = i < 1000 ? NextQuat() : tdQuatFromAxisAngle(NextUnit(), TD_PI - NextFloat(0.0f, 1e-3f));
        ENSURE_NEAR(RotationDistance(tdQuatFromMat3(tdMat3FromQuat(q)), q), 0.0, 4e-7);
    }
    const tdQuat halfTurns[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(RotationDistance(tdQuatFromMat3(tdMat3FromQuat(halfTurns[i])), halfTurns[i]) == 0.0);
    }
}

TEST(MatricesMultiplyAndInvert)
{
    randomState = 11u;
    for (int i = 0; i < 500; ++i)
    {
        tdTrs trs = {tdScale(5.0f, NextUnit()),
                     NextQuat(),
                     {NextFloat(0.5f, 2.0f), NextFloat(-2.0f, -0.5f), NextFloat(0.5f, 2.0f)}};
        tdTrs other = {NextUnit(), NextQuat(), {1.0f, 3.0f, 0.5f}};
        tdMat4 m = tdMulMat4(tdMat4FromTrs(other), tdMat4FromTrs(trs));
        tdVec3 p = tdScale(2.0f, NextUnit());
        tdVec3 direct = tdAdd(trs.translation, tdRotate(trs.rotation, tdMul(trs.scale, p)));
        direct = tdAdd(other.translation, tdRotate(other.rotation, tdMul(other.scale, direct)));
        EnsureNearVec3(tdMat4Point(m, p), direct, 2e-5); // values up to 30
        EnsureNearVec3(tdMat4Point(tdInverseAffine(m), tdMat4Point(m, p)), p, 2e-5);
        EnsureNearVec3(tdSub(tdMat4Point(m, p), tdMat4Translation(m)), tdMat4Direction(m, p), 1e-5);
    }
    // Scales whose cube overflows a float.
    tdMat4 tiny = tdMat4FromTrs((tdTrs){{1e-20f, 0.0f, 0.0f}, tdQuat_identity, {1e-20f, 1e-20f, 1e-20f}});
    EnsureNearVec3(tdMat4Point(tdInverseAffine(tiny), (tdVec3){2e-20f, 0.0f, 0.0f}),
                   (tdVec3){1.0f, 0.0f, 0.0f}, 1e-6);
    tdMat4 flat = tdMat4FromTrs((tdTrs){{1.0f, 0.0f, 0.0f}, tdQuat_identity, {1.0f, 0.0f, 1.0f}});
    tdMat4 inverse = tdInverseAffine(flat);
    ENSURE(memcmp(&inverse, &tdMat4_identity, sizeof(inverse)) == 0);
}

/// rotation * stretch must reproduce the matrix; the stretch must be symmetric and have the right sign.
static void EnsurePolar(tdMat3 m, tdPolar polar, double tolerance)
{
    tdMat3 product = tdMulMat3(tdMat3FromQuat(polar.rotation), polar.stretch);
    ENSURE_NEAR(MatrixDistance(product, m), 0.0, tolerance);
    ENSURE(MatrixDistance(polar.stretch, tdTranspose(polar.stretch)) == 0.0);
    ENSURE_NEAR(tdDotQuat(polar.rotation, polar.rotation), 1.0, 4e-7);
    tdQuat axes;
    tdVec3 values;
    tdDiagonalize(polar.stretch, &axes, &values);
    values = polar.isMirrored ? tdNegate(values) : values;
    ENSURE((double)tdMinFloat(values.x, tdMinFloat(values.y, values.z)) >= -tolerance);
}

TEST(PolarFindsTheRotationUnderStretchAndMirror)
{
    randomState = 12u;
    for (int i = 0; i < 2000; ++i)
    {
        tdQuat r = NextQuat(), v = NextQuat();
        tdVec3 s = {NextFloat(0.1f, 3.0f), NextFloat(0.1f, 3.0f), NextFloat(0.1f, 3.0f)};
        // A symmetric stretch along axes of its own, which looks like a shear.
        tdMat3 axes = tdMat3FromQuat(v);
        tdMat3 stretch = tdMulMat3(tdMulMat3(axes, tdDiagonal(s)), tdTranspose(axes));
        bool mirrored = i % 2 == 1;
        stretch = mirrored ? tdScaleMat3(-1.0f, stretch) : stretch;
        tdMat3 m = tdMulMat3(tdMat3FromQuat(r), stretch);
        tdPolar polar = tdComputePolar(m);
        ENSURE(polar.isMirrored == mirrored);
        // Float noise in m rotates R by noise / (s2 + s3) of the smallest pair: 1e-6 / 0.2.
        ENSURE_NEAR(RotationDistance(polar.rotation, r), 0.0, 5e-6);
        ENSURE_NEAR(MatrixDistance(polar.stretch, stretch), 0.0, 1e-5);
        EnsurePolar(m, polar, 3e-6);
    }
}

TEST(PolarOfFlatMatrices)
{
    randomState = 13u;
    for (int i = 0; i < 500; ++i)
    {
        tdQuat r = NextQuat();
        tdVec3 s = {NextFloat(0.5f, 2.0f), NextFloat(0.5f, 2.0f), NextFloat(0.5f, 2.0f)};
        s.y = i % 2 == 0 ? 0.0f : 1e-6f;
        tdMat3 m = tdMulMat3(tdMat3FromQuat(r), tdDiagonal(s));
        tdPolar polar = tdComputePolar(m);
        ENSURE(!polar.isMirrored);
        ENSURE_NEAR(RotationDistance(polar.rotation, r), 0.0, 2e-6);

        // One direction remains: it is kept, without twist about it.
        s.z = 0.0f;
        m = tdMulMat3(tdMat3FromQuat(r), tdDiagonal((tdVec3){s.x, 0.0f, 0.0f}));
        polar = tdComputePolar(m);
        tdVec3 x = {1.0f, 0.0f, 0.0f};
        EnsureNearVec3(tdRotate(polar.rotation, x), tdRotate(r, x), 1e-6);
        ENSURE_NEAR(polar.rotation.x, 0.0, 1e-6);
        EnsurePolar(m, polar, 2e-6);
    }
    ENSURE(RotationDistance(tdComputePolar(tdMat3_zero).rotation, tdQuat_identity) == 0.0);
    tdMat3 broken = tdMat3_identity;
    broken.cy.y = NAN;
    ENSURE(RotationDistance(tdComputePolar(broken).rotation, tdQuat_identity) == 0.0);
}

TEST(PolarOfExtremeScales)
{
    randomState = 14u;
    const tdVec3 scales[] = {{1e-18f, 1e-18f, 1e-18f}, {1e18f, 1e18f, 1e18f}, {1000.0f, 0.01f, 0.01f},
                             {1.0f, 1e-3f, 1e-3f},     {1.0f, 100.0f, 1e-3f}, {-1.0f, 1.0f, 1.0f},
                             {2.0f, -3.0f, -4.0f},     {1.0f, 1.0f, -1e-3f}};
    for (int i = 0; i < 400; ++i)
    {
        tdVec3 s = scales[i % 8];
        tdQuat r = NextQuat();
        tdMat3 m = tdMulMat3(tdMat3FromQuat(r), tdDiagonal(s));
        tdPolar polar = tdComputePolar(m);
        ENSURE(polar.isMirrored == (s.x * s.y * s.z < 0.0f));
        // Columns keep their lines; their directions follow the signs of the scale.
        tdMat3 q = tdMat3FromQuat(polar.rotation);
        tdMat3 expected = tdMat3FromQuat(r);
        float flip = polar.isMirrored ? -1.0f : 1.0f;
        // The noise of the longest column is relative to the sum of the two smaller stretches.
        EnsureNearVec3(q.cx, tdScale(s.x < 0.0f ? -flip : flip, expected.cx), 2e-3);
        EnsureNearVec3(q.cy, tdScale(s.y < 0.0f ? -flip : flip, expected.cy), 2e-3);
        EnsureNearVec3(q.cz, tdScale(s.z < 0.0f ? -flip : flip, expected.cz), 2e-3);
    }
}

TEST(PolarIsTheNearestOrthogonalMatrix)
{
    randomState = 15u;
    for (int i = 0; i < 300; ++i)
    {
        tdVec3 x = NextScaled(0.2f, 2.0f), y = NextScaled(0.2f, 2.0f), z = NextScaled(0.2f, 2.0f);
        tdMat3 m = {x, y, z};
        tdPolar polar = tdComputePolar(m);
        float sign = polar.isMirrored ? -1.0f : 1.0f;
        tdMat3 q = tdScaleMat3(sign, tdMat3FromQuat(polar.rotation));
        // Trace(Q^T M) is greatest at the nearest orthogonal matrix: a small rotation either way lowers it.
        float best = tdDot(q.cx, m.cx) + tdDot(q.cy, m.cy) + tdDot(q.cz, m.cz);
        for (int k = 0; k < 6; ++k)
        {
            tdQuat turn = tdQuatFromAxisAngle(NextUnit(), 0.05f);
            tdMat3 turned = tdScaleMat3(sign, tdMat3FromQuat(tdMulQuat(turn, polar.rotation)));
            ENSURE(tdDot(turned.cx, m.cx) + tdDot(turned.cy, m.cy) + tdDot(turned.cz, m.cz) <= best + 1e-6f);
        }
    }
}

TEST(DiagonalizeGivesEigenvectors)
{
    randomState = 16u;
    for (int i = 0; i < 1000; ++i)
    {
        tdMat3 axes = tdMat3FromQuat(NextQuat());
        tdVec3 d = {NextFloat(-2.0f, 5.0f), NextFloat(-2.0f, 5.0f), NextFloat(-2.0f, 5.0f)};
        d.y = i % 3 == 0 ? d.x : d.y; // equal pairs
        tdMat3 m = tdMulMat3(tdMulMat3(axes, tdDiagonal(d)), tdTranspose(axes));
        m = tdScaleMat3(0.5f, tdAddMat3(m, tdTranspose(m)));
        tdQuat q;
        tdVec3 values;
        tdDiagonalize(m, &q, &values);
        tdMat3 r = tdMat3FromQuat(q);
        ENSURE_NEAR(MatrixDistance(tdMulMat3(tdMulMat3(r, tdDiagonal(values)), tdTranspose(r)), m), 0.0,
                    5e-6);
        ENSURE_NEAR(values.x + values.y + values.z, d.x + d.y + d.z, 1e-5);
    }
    tdQuat q;
    tdVec3 values;
    tdDiagonalize(tdDiagonal((tdVec3){3.0f, 1.0f, 2.0f}), &q, &values);
    ENSURE(RotationDistance(q, tdQuat_identity) == 0.0);
    ENSURE(values.x == 3.0f && values.y == 1.0f && values.z == 2.0f);
}

/// Pinned; the same on every compiler, -O level and platform.
TEST(BitsAreTheSameEverywhere)
{
    uint64_t hash = TD_HASH_INIT;
    randomState = 17u;
    for (int i = 0; i < 2000; ++i)
    {
        tdQuat a = NextQuat(), b = NextQuat();
        tdVec3 from = NextUnit(), to = NextUnit(), middle = NextScaled(-3.0f, 3.0f);
        tdMat3 m = {from, middle, i % 5 == 0 ? from : to}; // some flat
        tdQuat slerp = tdSlerp(a, b, 0.3f);
        tdQuat fromTo = tdQuatFromTo(from, to);
        tdPolar polar = tdComputePolar(m);
        tdQuat axes;
        tdVec3 values;
        tdDiagonalize(polar.stretch, &axes, &values);
        float angle = tdAngleBetween(a, b);
        hash = tdHash(hash, &slerp, sizeof(slerp));
        hash = tdHash(hash, &fromTo, sizeof(fromTo));
        hash = tdHash(hash, &polar.rotation, sizeof(polar.rotation));
        hash = tdHash(hash, &polar.stretch, sizeof(polar.stretch));
        hash = tdHash(hash, &axes, sizeof(axes));
        hash = tdHash(hash, &values, sizeof(values));
        hash = tdHash(hash, &angle, sizeof(angle));
    }
    ENSURE_EQUAL_INT(hash, UINT64_C(0x616ea234a8a6e1b8));
}

TEST_MAIN(RUN(RotateIsInverseOfInvRotate) RUN(QuatFromToCarriesOneOntoTheOther) RUN(SlerpHasConstantSpeed)
              RUN(AngleBetweenIsExactForSmallAngles) RUN(QuatAndMatrixAgree) RUN(MatricesMultiplyAndInvert)
                  RUN(PolarFindsTheRotationUnderStretchAndMirror) RUN(PolarOfFlatMatrices)
                      RUN(PolarOfExtremeScales) RUN(PolarIsTheNearestOrthogonalMatrix)
                          RUN(DiagonalizeGivesEigenvectors) RUN(BitsAreTheSameEverywhere))
