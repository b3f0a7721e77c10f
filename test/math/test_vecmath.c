// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Value maths against hand-computed results.
#include "harness.h"
#include "math/vecmath.h"

TEST(RotateIsInverseOfInvRotate)
{
    tdQuat q = tdNormalizeQuat((tdQuat){0.1f, -0.7f, 0.3f, 0.5f});
    tdVec3 v = {1.0f, 2.0f, -3.0f};
    tdVec3 back = tdInvRotate(q, tdRotate(q, v));
    ENSURE_NEAR(back.x, v.x, 1e-6);
    ENSURE_NEAR(back.y, v.y, 1e-6);
    ENSURE_NEAR(back.z, v.z, 1e-6);
    tdVec3 byMatrix = tdMulMat3Vec3(tdMat3FromQuat(q), v);
    tdVec3 byQuat = tdRotate(q, v);
    ENSURE_NEAR(byMatrix.x, byQuat.x, 1e-6);
    ENSURE_NEAR(byMatrix.y, byQuat.y, 1e-6);
    ENSURE_NEAR(byMatrix.z, byQuat.z, 1e-6);
}

TEST_MAIN(RUN(RotateIsInverseOfInvRotate))
