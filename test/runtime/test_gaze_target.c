// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Gaze at a target point or node: against formulas in double for both versions of VRM, under placement,
// head motion, rest rotations and scale, and overrideLookAt on eye bones as an option.
#include "assert_count.h"
#include "avatar_text.h"
#include "harness.h"

#include "runtime/builder.h"
#include "runtime/double_math.h"

#include "tendon/tendon.h"

#define BONE_MAPS                                                                                            \
    "'lookAt':{'type':'bone','offsetFromHeadBone':[0.02,0.07,0.05],"                                         \
    "'rangeMapHorizontalInner':{'inputMaxValue':180,'outputScale':180},"                                     \
    "'rangeMapHorizontalOuter':{'inputMaxValue':180,'outputScale':180},"                                     \
    "'rangeMapVerticalDown':{'inputMaxValue':90,'outputScale':90},"                                          \
    "'rangeMapVerticalUp':{'inputMaxValue':90,'outputScale':90}}"

/// The same in 0.x. Unity's x points to the other side.
#define OLD_MAPS                                                                                             \
    "'firstPerson':{'lookAtTypeName':'Bone','firstPersonBoneOffset':{'x':-0.02,'y':0.07,'z':0.05},"          \
    "'lookAtHorizontalInner':{'xRange':180,'yRange':180},'lookAtHorizontalOuter':{'xRange':180,'yRange':"    \
    "180},"                                                                                                  \
    "'lookAtVerticalDown':{'xRange':90,'yRange':90},'lookAtVerticalUp':{'xRange':90,'yRange':90}}"

static tdAsset* LoadModel(int version, const char* members)
{
    tdText text;
    tdText_Init(&text, NULL);
    WriteAvatar(&text, version, members);
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

static tdVec3 RandomVec3(uint64_t* seed, float size)
{
    float x = (float)tdRandom(seed), y = (float)tdRandom(seed), z = (float)tdRandom(seed);
    return (tdVec3){size * (2.0f * x - 1.0f), size * (2.0f * y - 1.0f), size * (2.0f * z - 1.0f)};
}

typedef struct Angles
{
    double yaw, pitch; // rad
} Angles;

/// Yaw and pitch of a target for a head without rest rotation, in model units of 1 / scale m.
static Angles ComputeAngles(dQuat headRotation, dVec3 head, dVec3 target, double scale, bool isOld)
{
    dVec3 away = {(target.x - head.x) / scale, (target.y - head.y) / scale, (target.z - head.z) / scale};
    dVec3 p = dRotate(dConj(headRotation), away);
    if (isOld) // faces -Z
    {
        p.x = -p.x;
        p.z = -p.z;
    }
    p = (dVec3){p.x - 0.02, p.y - 0.07, p.z - 0.05};
    return (Angles){atan2(p.x, p.z), atan2(-p.y, sqrt(p.x * p.x + p.z * p.z))};
}

// The offset of both files is 0.02, 0.07, 0.05 in the orientation of 1.0.
TEST(OffsetsOfBothVersionsMeanTheSame)
{
    tdAsset* fresh = LoadModel(1, BONE_MAPS);
    tdAsset* old = LoadModel(0, OLD_MAPS);
    tdVec3 a = tdDescribeHumanoid(fresh).gazeOffset, b = tdDescribeHumanoid(old).gazeOffset;
    ENSURE_NEAR(a.x, 0.02, 1e-7);
    ENSURE_NEAR(b.x, 0.02, 1e-7);
    ENSURE_NEAR(b.y, 0.07, 1e-7);
    ENSURE_NEAR(b.z, 0.05, 1e-7);
    tdDestroyAsset(old);
    tdDestroyAsset(fresh);
}

static void CheckTargets(int version, float scale)
{
    tdAsset* asset = LoadModel(version, version == 0 ? OLD_MAPS : BONE_MAPS);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor* other = tdCreateActor(stage, asset, NULL, NULL);
    uint64_t seed = 7;
    for (int i = 0; i < 50; ++i)
    {
        tdTrs hips = {RandomVec3(&seed, scale), tdRandomQuat(&seed), {scale, scale, scale}};
        tdTrs neck = {{0, 0, 0}, tdRandomQuat(&seed), {1, 1, 1}};
        tdTransform placement = {RandomVec3(&seed, 5.0f * scale), tdRandomQuat(&seed)};
        tdVec3 target = tdAdd(placement.position, RandomVec3(&seed, 4.0f * scale));
        tdActor_SetPlacement(actor, placement);
        tdActor_SetLocal(actor, 0, TD_LOCAL_ALL, hips);
        tdActor_SetLocal(actor, AVATAR_HEAD, TD_LOCAL_ROTATION, neck);
        tdActor_SetGazeTarget(actor, target);
        tdStage_Evaluate(stage, 0.0);
        dQuat rotation =
            dMul(dFromQuat(placement.rotation), dMul(dFromQuat(hips.rotation), dFromQuat(neck.rotation)));
        const float* m = tdActor_GetGlobals(actor)[AVATAR_HEAD].m;
        dVec3 head = {(double)m[12], (double)m[13], (double)m[14]};
        Angles expected =
            ComputeAngles(dNormalizeQuat(rotation), head, dFromVec3(target), (double)scale, version == 0);
        float yaw, pitch;
        ENSURE(tdActor_GetGaze(actor, &yaw, &pitch));
        ENSURE_NEAR(remainder((double)yaw - expected.yaw, 6.28318530717958648), 0.0, 2e-5);
        ENSURE_NEAR(pitch, expected.pitch, 2e-5);
        // The eyes turn as they do for these angles.
        tdActor_SetGaze(other, yaw, pitch);
        tdStage_Evaluate(stage, 0.0);
        for (int eye = AVATAR_LEFT_EYE; eye <= AVATAR_RIGHT_EYE; ++eye)
        {
            ENSURE_NEAR(tdAngleBetween(tdActor_GetLocals(actor)[eye].rotation,
                                       tdActor_GetLocals(other)[eye].rotation),
                        0.0, 1e-6);
        }
    }
    tdActor_ClearGaze(actor);
    tdStage_Evaluate(stage, 0.0);
    float yaw, pitch;
    ENSURE(!tdActor_GetGaze(actor, &yaw, &pitch));
    ENSURE_NEAR(tdActor_GetLocals(actor)[AVATAR_LEFT_EYE].rotation.w, 1.0, 0);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(AnglesFollowTheFormulas)
{
    for (int version = 0; version < 2; ++version)
    {
        CheckTargets(version, 1.0f);
        CheckTargets(version, 1000.0f);
        CheckTargets(version, 0.001f);
    }
}

// A hand that a constraint or the application moves is followed to where it is in the same frame.
TEST(NodesAreFollowedInTheSameFrame)
{
    tdAsset* asset = LoadModel(1, BONE_MAPS);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* byNode = tdCreateActor(stage, asset, NULL, NULL);
    tdActor* byPoint = tdCreateActor(stage, asset, NULL, NULL);
    const int hand = 8;
    tdActor_SetGazeNode(byNode, 99); // ignored
    float yaw, pitch, yaw2, pitch2;
    tdStage_Step(stage);
    ENSURE(!tdActor_GetGaze(byNode, &yaw, &pitch));
    tdActor_SetGazeNode(byNode, hand);
    uint64_t seed = 11;
    for (int i = 0; i < 10; ++i)
    {
        tdTrs arm = {{0, 0, 0}, tdRandomQuat(&seed), {1, 1, 1}};
        tdActor_SetLocal(byNode, 6, TD_LOCAL_ROTATION, arm);
        tdStage_Step(stage);
        const float* m = tdActor_GetGlobals(byNode)[hand].m;
        tdActor_SetGazeTarget(byPoint, (tdVec3){m[12], m[13], m[14]});
        tdStage_Evaluate(stage, tdStage_GetTime(stage));
        tdActor_GetGaze(byNode, &yaw, &pitch);
        tdActor_GetGaze(byPoint, &yaw2, &pitch2);
        ENSURE_NEAR(yaw, yaw2, 1e-6);
        ENSURE_NEAR(pitch, pitch2, 1e-6);
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(ExpressionModelsFollowATarget)
{
    tdAsset* asset = LoadModel(1, "'lookAt':{'type':'expression'},'expressions':{'preset':{"
                                  "'lookLeft':{'morphTargetBinds':[{'node':17,'index':0,'weight':1}]},"
                                  "'lookUp':{'morphTargetBinds':[{'node':17,'index':1,'weight':1}]},"
                                  "'blink':{'overrideLookAt':'block'}}}");
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    const float* weights = tdActor_GetMorphWeights(actor, AVATAR_FACE, NULL);
    // The head is at 0, 1.5, 0; maps that the file leaves out reach weight 1 at 90 degrees.
    tdActor_SetGazeTarget(actor, (tdVec3){1.0f, 1.5f, 1.0f});
    tdStage_Step(stage);
    ENSURE_NEAR(weights[0], 0.5, 1e-5);
    ENSURE_NEAR(weights[1], 0.0, 1e-5);
    tdActor_SetGazeTarget(actor, (tdVec3){0.0f, 2.5f, 1.0f});
    tdStage_Step(stage);
    ENSURE_NEAR(weights[0], 0.0, 1e-5);
    ENSURE_NEAR(weights[1], 0.5, 1e-5);
    tdActor_SetExpression(actor, "blink", 0.1f);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[1], 0.0, 0);
    ENSURE_NEAR(tdActor_GetExpressionOutput(actor, "lookUp"), 0.0, 0);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

// Frames between steps do not change what follows.
TEST(PosesDependOnTheTimeAlone)
{
    tdAsset* asset = LoadModel(1, BONE_MAPS);
    tdStage* stages[2];
    tdActor* actors[2];
    for (int i = 0; i < 2; ++i)
    {
        stages[i] = tdCreateStage(NULL);
        actors[i] = tdCreateActor(stages[i], asset, NULL, NULL);
        tdActor_SetGazeNode(actors[i], AVATAR_RIGHT_EYE); // moves with what it turns
        tdStage_Step(stages[i]);
    }
    tdStage_Evaluate(stages[0], 0.003);
    tdStage_Evaluate(stages[0], 0.009);
    for (int i = 0; i < 2; ++i)
    {
        tdStage_Evaluate(stages[i], 0.015);
    }
    int size = tdAsset_GetNodeCount(asset) * (int)sizeof(tdTrs);
    ENSURE(memcmp(tdActor_GetLocals(actors[0]), tdActor_GetLocals(actors[1]), (size_t)size) == 0);
    for (int i = 0; i < 2; ++i)
    {
        tdDestroyStage(stages[i]);
    }
    tdDestroyAsset(asset);
}

TEST(StrangeTargetsGiveFiniteEyes)
{
    tdAsset* asset = LoadModel(1, BONE_MAPS);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    static const tdVec3 targets[] = {{3e38f, -3e38f, 3e38f}, {0.02f, 1.57f, 0.05f}, {1e-40f, 1.5f, 1e-40f}};
    for (int flat = 0; flat < 2; ++flat)
    {
        for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); ++i)
        {
            tdActor_SetGazeTarget(actor, targets[i]);
            tdStage_Step(stage);
            tdQuat q = tdActor_GetLocals(actor)[AVATAR_LEFT_EYE].rotation;
            ENSURE_NEAR(tdDotQuat(q, q), 1.0, 1e-5);
        }
        tdTrs none = {{0, 0, 0}, tdQuat_identity, {0, 0, 0}};
        tdActor_SetLocal(actor, AVATAR_HEAD, TD_LOCAL_SCALE, none);
    }
    float yaw, pitch;
    ENSURE(tdActor_GetGaze(actor, &yaw, &pitch));
    ENSURE_NEAR(yaw, 0.0, 0); // straight ahead
    StartCountingAsserts();
    tdActor_SetGazeTarget(actor, (tdVec3){NAN, 0.0f, 0.0f}); // refused
    tdActor_SetGaze(actor, INFINITY, 0.0f);
    ENSURE(StopCountingAsserts("inite"));
    tdActor_SetGazeTarget(NULL, targets[0]);
    tdActor_SetGazeNode(NULL, 0);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(OverridesFadeEyeBonesWhenAsked)
{
    tdAsset* asset = LoadModel(1, BONE_MAPS ",'expressions':{'preset':{'happy':{'overrideLookAt':'blend'},"
                                            "'angry':{'overrideLookAt':'block'}}}");
    static const double shares[2][3] = {{1, 1, 1}, {1, 0.75, 0}};
    for (int isAsked = 0; isAsked < 2; ++isAsked)
    {
        tdStage* stage = tdCreateStage(NULL);
        tdActorDef def = tdDefaultActorDef();
        def.overrideBoneGaze = isAsked == 1;
        tdActor* actor = tdCreateActor(stage, asset, &def, NULL);
        tdActor_SetGaze(actor, 0.5f, 0.0f);
        for (int i = 0; i < 3; ++i)
        {
            tdActor_SetExpression(actor, i == 2 ? "angry" : "happy", i == 0 ? 0.0f : 0.25f);
            tdStage_Step(stage);
            tdQuat q = tdActor_GetLocals(actor)[AVATAR_LEFT_EYE].rotation;
            ENSURE_NEAR(2.0 * atan2((double)q.y, (double)q.w), 0.5 * shares[isAsked][i], 1e-5);
        }
        tdDestroyStage(stage);
    }
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(OffsetsOfBothVersionsMeanTheSame) RUN(AnglesFollowTheFormulas)
              RUN(NodesAreFollowedInTheSameFrame) RUN(ExpressionModelsFollowATarget)
                  RUN(PosesDependOnTheTimeAlone) RUN(StrangeTargetsGiveFiniteEyes)
                      RUN(OverridesFadeEyeBonesWhenAsked))
