// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of VRM 0.x range maps in degrees, from the file to the angle of an eye: min(|gaze|, xRange) / xRange
// * yRange.
#include "avatar_text.h"
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

#define RADIANS (3.14159265358979 / 180.0)

static tdAsset* LoadAvatar(const char* members)
{
    tdText text;
    tdText_Init(&text, NULL);
    WriteAvatar(&text, 0, members);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, report);
    if (!ENSURE(asset != NULL && tdReport_CountSeverity(report, TD_SEVERITY_ERROR) == 0))
    {
        printf("%s\n", tdReport_GetText(report));
    }
    tdDestroyReport(report);
    tdText_Free(&text);
    return asset;
}

typedef struct Eyes
{
    double left, right; // degrees about the requested axis
} Eyes;

/// Rotations of the eyes when the model looks in that direction, in degrees. One of the two angles is zero.
static Eyes Look(const tdAsset* asset, double yaw, double pitch)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_SetGaze(actor, (float)(yaw * RADIANS), (float)(pitch * RADIANS));
    tdStage_Step(stage);
    const tdTrs* locals = tdActor_GetLocals(actor);
    double angles[2];
    for (int i = 0; i < 2; ++i)
    {
        tdQuat q = locals[i == 0 ? AVATAR_LEFT_EYE : AVATAR_RIGHT_EYE].rotation;
        // Yaw is a rotation to the model's left, about +Y; pitch, downwards, is about the model's +X, which
        // is -X here.
        double half = pitch != 0.0 ? (double)-q.x : (double)q.y;
        ENSURE_NEAR(fabs((double)q.z), 0.0, 1e-6);
        angles[i] = 2.0 * atan2(half, (double)q.w) / RADIANS;
    }
    tdDestroyStage(stage);
    return (Eyes){angles[0], angles[1]};
}

TEST(EveryMapHasItsOwnRange)
{
    tdAsset* asset = LoadAvatar("'firstPerson':{'lookAtTypeName':'Bone',"
                                "'lookAtHorizontalInner':{'xRange':40,'yRange':8},"
                                "'lookAtHorizontalOuter':{'xRange':80,'yRange':24},"
                                "'lookAtVerticalDown':{'xRange':50,'yRange':20,'curve':[0,0,0,1,1,1,1,0]},"
                                "'lookAtVerticalUp':{'xRange':25,'yRange':5}}");
    static const double angles[] = {5.0, 20.0, 39.0, 60.0, 120.0};
    for (int i = 0; i < 5; ++i)
    {
        double a = angles[i];
        double inner = fmin(a, 40.0) / 40.0 * 8.0, outer = fmin(a, 80.0) / 80.0 * 24.0;
        double down = fmin(a, 50.0) / 50.0 * 20.0, up = fmin(a, 25.0) / 25.0 * 5.0;
        Eyes eyes = Look(asset, a, 0.0); // to the left: outwards for the left eye
        ENSURE_NEAR(eyes.left, outer, 1e-3);
        ENSURE_NEAR(eyes.right, inner, 1e-3);
        eyes = Look(asset, -a, 0.0);
        ENSURE_NEAR(eyes.left, -inner, 1e-3);
        ENSURE_NEAR(eyes.right, -outer, 1e-3);
        if (a < 90.0)
        {
            eyes = Look(asset, 0.0, a);
            ENSURE_NEAR(eyes.left, down, 1e-3);
            ENSURE_NEAR(eyes.right, down, 1e-3);
            eyes = Look(asset, 0.0, -a);
            ENSURE_NEAR(eyes.left, -up, 1e-3);
        }
    }
    tdDestroyAsset(asset);
}

TEST(MissingAndUnsoundMapsAreTheDefault)
{
    // 90 degrees give 10 where no range is given, and where a range is negative or larger than any angle.
    tdAsset* asset = LoadAvatar("'firstPerson':{'lookAtTypeName':'Bone','lookAtHorizontalOuter':{'xRange':-1,"
                                "'yRange':20},'lookAtVerticalDown':{'xRange':90,'yRange':1e9},"
                                "'lookAtVerticalUp':{'yRange':20}}");
    Eyes eyes = Look(asset, 45.0, 0.0);
    ENSURE_NEAR(eyes.left, 5.0, 1e-3);
    ENSURE_NEAR(eyes.right, 5.0, 1e-3);
    ENSURE_NEAR(Look(asset, 0.0, 45.0).left, 5.0, 1e-3);
    ENSURE_NEAR(Look(asset, 0.0, -45.0).left, -10.0, 1e-3); // one of the two numbers is enough
    tdDestroyAsset(asset);
}

TEST(BlendShapesAreDrivenByWeight)
{
    // With blend shapes a range of 60 degrees gives the weight 0.5; without a yRange the full weight.
    tdAsset* asset = LoadAvatar(
        "'blendShapeMaster':{'blendShapeGroups':[{'name':'l','presetName':'lookleft','binds':[{'mesh':0,'"
        "index':0,"
        "'weight':100}]},{'name':'d','presetName':'lookdown','binds':[{'mesh':0,'index':1,'weight':100}]}]},"
        "'firstPerson':{'lookAtTypeName':'BlendShape','lookAtHorizontalOuter':{'xRange':60,'yRange':0.5},"
        "'lookAtVerticalDown':{'xRange':90}}");
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    const float* weights = tdActor_GetMorphWeights(actor, AVATAR_FACE, NULL);
    tdActor_SetGaze(actor, (float)(30.0 * RADIANS), (float)(45.0 * RADIANS));
    tdStage_Step(stage);
    ENSURE_NEAR(weights[0], 30.0 / 60.0 * 0.5, 1e-5);
    ENSURE_NEAR(weights[1], 45.0 / 90.0, 1e-5);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(EveryMapHasItsOwnRange) RUN(MissingAndUnsoundMapsAreTheDefault)
              RUN(BlendShapesAreDrivenByWeight))
