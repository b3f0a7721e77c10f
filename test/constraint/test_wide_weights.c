// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Weights of any size: a rotation constraint gives the source's turn times the weight, a roll its share about
// the axis.
#include "harness.h"

#include "constraint/node_constraint.h"
#include "math/vecmath.h"
#include "runtime/builder.h"

#define RADIANS (3.14159265358979 / 180.0)

static tdQuat TurnAbout(int axis, double degrees)
{
    float sine = (float)sin(0.5 * degrees * RADIANS), cosine = (float)cos(0.5 * degrees * RADIANS);
    return (tdQuat){axis == 0 ? sine : 0.0f, axis == 1 ? sine : 0.0f, axis == 2 ? sine : 0.0f, cosine};
}

/// The rotation that a constraint on node 0 derives from a rotation of node 1; both rest at identity.
static tdQuat RunPair(tdConstraintKind kind, tdVec3 axis, tdQuat sourceRotation, float weight)
{
    static tdBuilder rig;
    tdTrs still = tdTrs_identity;
    tdBuilder_Init(&rig, NULL);
    tdBuilder_AddNode(&rig, -1, still);
    tdBuilder_AddNode(&rig, -1, still);
    rig.constraints[0] = (tdNodeConstraint){kind, 0, 1, axis, 1.0f, false, -1};
    rig.constraintCount = 1;
    const tdAsset* asset = tdBuilder_Finish(&rig);
    tdNodePose pose;
    tdNodePose_Init(&pose, &asset->scene.nodes, tdTransform_identity, &rig.asset.arena);
    tdNodePose_SetRotation(&pose, 1, sourceRotation);
    int place = 0;
    tdRunConstraints(asset->scene.constraints, &place, 1, &weight, &pose);
    tdQuat rotation = pose.locals[0].rotation;
    tdBuilder_Free(&rig);
    return rotation;
}

TEST(RotationsAreMultiples)
{
    static const double weights[] = {-3.0, -1.25, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 4.75};
    for (int i = 0; i < 10; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            tdQuat got =
                RunPair(TD_CONSTRAINT_ROTATION, (tdVec3){1, 0, 0}, TurnAbout(axis, 40.0), (float)weights[i]);
            ENSURE_NEAR(tdAngleBetween(got, TurnAbout(axis, 40.0 * weights[i])), 0.0, 1e-3);
        }
    }
}

TEST(RollsAreMultiplesOfTheTwist)
{
    // Of a turn about X followed by one about Y, the twist about X is the first.
    tdQuat source = tdMulQuat(TurnAbout(1, 30.0), TurnAbout(0, 50.0));
    static const double weights[] = {-2.0, -0.5, 0.5, 1.0, 1.5};
    for (int i = 0; i < 5; ++i)
    {
        tdQuat got = RunPair(TD_CONSTRAINT_ROLL, (tdVec3){1, 0, 0}, source, (float)weights[i]);
        ENSURE_NEAR(tdAngleBetween(got, TurnAbout(0, 50.0 * weights[i])), 0.0, 1e-3);
    }
}

TEST_MAIN(RUN(RotationsAreMultiples) RUN(RollsAreMultiplesOfTheTwist))
