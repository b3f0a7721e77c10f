// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Expressions and gaze on a small head: clamping, isBinary, overrides, range maps, eyes, both versions of
// VRM.
#include "harness.h"

#include "anim/clip.h"
#include "runtime/builder.h"
#include "runtime/double_math.h"

#include "tendon/stage.h"

static tdBuilder b;
static tdHumanoid humanoid;
static tdExpression expressions[6];
static const tdMorphBind binds[6] = {{3, 0, 1.0f}, {3, 1, 0.5f}, {3, 2, 1.0f},
                                     {3, 3, 1.0f}, {3, 4, 1.0f}, {3, 0, 0.25f}};

// 0 head, 1 and 2 eyes, 3 face with five morph weights. happy also lifts weight 0 by a quarter through
// "smile".
static tdAsset* MakeHead(tdLookAtType type, bool isHalfTurned, tdQuat rest)
{
    tdBuilder_Init(&b, NULL);
    tdTrs local = {{0, 1, 0}, rest, {1, 1, 1}};
    for (int i = 0; i < 4; ++i)
    {
        tdBuilder_AddNode(&b, i == 0 ? -1 : 0, local);
    }
    b.weightCounts[3] = 5;
    static const tdExpressionPreset presets[6] = {TD_PRESET_HAPPY,     TD_PRESET_BLINK,     TD_PRESET_AA,
                                                  TD_PRESET_LOOK_LEFT, TD_PRESET_LOOK_DOWN, TD_PRESET_NONE};
    memset(&humanoid, 0, sizeof(humanoid));
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        humanoid.nodes[i] = -1;
    }
    for (int i = 0; i < 6; ++i)
    {
        const char* name = presets[i] != TD_PRESET_NONE ? tdExpressionPreset_GetName(presets[i]) : "smile";
        expressions[i] =
            (tdExpression){.name = name, .preset = presets[i], .binds = &binds[i], .bindCount = 1};
    }
    humanoid.kind = isHalfTurned ? TD_HUMANOID_VRM0 : TD_HUMANOID_VRM1;
    humanoid.isHalfTurned = isHalfTurned;
    humanoid.nodes[TD_BONE_HEAD] = 0;
    humanoid.nodes[TD_BONE_LEFT_EYE] = 1;
    humanoid.nodes[TD_BONE_RIGHT_EYE] = 2;
    humanoid.expressions = expressions;
    humanoid.expressionCount = 6;
    humanoid.gazeNode = -1;
    humanoid.lookAt = (tdLookAt){.type = type,
                                 .horizontalInner = {90, 10},
                                 .horizontalOuter = {60, 20},
                                 .verticalDown = {30, 15},
                                 .verticalUp = {45, 5}};
    if (type == TD_LOOK_AT_EXPRESSION)
    {
        humanoid.lookAt.horizontalOuter.outputScale = humanoid.lookAt.verticalDown.outputScale = 1.0f;
    }
    tdAsset* asset = tdBuilder_Finish(&b);
    asset->scene.humanoid = &humanoid;
    return asset;
}

TEST(WeightsGoThroughBinaryAndOverrides)
{
    tdAsset* asset = MakeHead(TD_LOOK_AT_NONE, false, tdQuat_identity);
    expressions[0].overrides[TD_GROUP_MOUTH] = TD_OVERRIDE_BLEND;
    expressions[0].overrides[TD_GROUP_BLINK] = TD_OVERRIDE_BLOCK;
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    const float* weights = tdActor_GetMorphWeights(actor, 3, NULL);
    tdActor_SetExpression(actor, "aa", 0.8f);
    tdActor_SetExpression(actor, "blink", 7.0f); // clamped
    tdActor_SetExpression(actor, "nobody", 1.0f);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[2], 0.8, 1e-6);
    ENSURE_NEAR(weights[1], 0.5, 1e-6); // half a bind
    ENSURE_NEAR(tdActor_GetExpression(actor, "blink"), 1.0, 0);
    tdActor_SetExpression(actor, "happy", 0.25f);
    tdActor_SetExpression(actor, "smile", 1.0f);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[0], 0.25 + 0.25, 1e-6);                 // two expressions on one target add up
    ENSURE_NEAR(weights[2], 0.8 * (1 - 0.25), 1e-6);            // blend
    ENSURE_NEAR(weights[1], 0.0, 0);                            // block
    ENSURE_NEAR(tdActor_GetExpression(actor, "aa"), 0.8, 1e-6); // the input stays
    expressions[2].isBinary = true;                             // a binary one that is touched is off
    tdStage_Step(stage);
    ENSURE_NEAR(weights[2], 0.0, 0);
    tdActor_ClearExpression(actor, "happy");
    tdStage_Step(stage);
    ENSURE_NEAR(weights[2], 1.0, 0); // above one half: on
    tdActor_SetExpression(actor, "aa", 0.5f);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[2], 0.0, 0); // not above
    // A blink that blocks blinking does not cancel itself.
    expressions[1].overrides[TD_GROUP_BLINK] = TD_OVERRIDE_BLOCK;
    tdStage_Step(stage);
    ENSURE_NEAR(weights[1], 0.5, 1e-6);
    tdDestroyStage(stage);
    tdBuilder_Free(&b);
}

TEST(BoundNodesStartFromZeroAndClipsReplaceTheZero)
{
    tdAsset* asset = MakeHead(TD_LOOK_AT_NONE, false, tdQuat_identity);
    float* rest = (float*)(uintptr_t)asset->scene.nodes.weights;
    for (int i = 0; i < 5; ++i)
    {
        rest[i] = 0.1f * (float)(i + 1);
    }
    humanoid.expressionCount = 2; // binds weights 0 and 1; 2 to 4 are unbound targets of a bound node
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    const float* weights = tdActor_GetMorphWeights(actor, 3, NULL);
    tdActor_SetExpression(actor, "happy", 0.75f);
    tdStage_Evaluate(stage, 0.0);
    const float expected[5] = {0.75f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 5; ++i)
    {
        ENSURE_NEAR(weights[i], expected[i], 1e-7);
    }
    // A clip on the same node: expressions add to its values, not to rest.
    static const float times[2] = {0.0f, 1.0f};
    static const float values[10] = {0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f};
    static const tdChannel channel = {.target = {TD_PROPERTY_WEIGHTS, 3, -1},
                                      .interpolation = TD_INTERPOLATION_LINEAR,
                                      .width = 5,
                                      .keyCount = 2,
                                      .times = times,
                                      .values = values};
    static const tdAnimation animation = {.name = "", .channels = &channel, .channelCount = 1, .duration = 1};
    asset->scene.animations = &animation;
    asset->scene.animationCount = 1;
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdPlayDef def = tdDefaultPlayDef();
    tdPlayId play = tdActor_Play(actor, clip, &def);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[0], 0.95, 1e-6);
    ENSURE_NEAR(weights[1], 0.2, 1e-6);
    ENSURE_NEAR(weights[4], 0.2, 1e-6);
    tdActor_SetPlay(actor, play, 0.0f, 1.0f, 0.5f); // half a clip blends with 0
    tdStage_Step(stage);
    ENSURE_NEAR(weights[4], 0.1, 1e-6);
    tdActor_Stop(actor, play);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[0], 0.75, 1e-6);
    ENSURE_NEAR(weights[4], 0.0, 0);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

// Ry(yaw) Rx(pitch) in degrees.
static dQuat YawPitch(double yaw, double pitch)
{
    double y = yaw * 3.14159265358979 / 360, p = pitch * 3.14159265358979 / 360;
    return dMul((dQuat){0, sin(y), 0, cos(y)}, (dQuat){sin(p), 0, 0, cos(p)});
}

TEST(GazeTurnsEyesThroughRangeMaps)
{
    uint64_t seed = 3;
    for (int turned = 0; turned < 2; ++turned)
    {
        tdQuat rest = tdRandomQuat(&seed);
        tdAsset* asset = MakeHead(TD_LOOK_AT_BONE, turned == 1, rest);
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdActor_SetGaze(actor, 30.0f * 3.14159265f / 180.0f, -90.0f * 3.14159265f / 180.0f);
        tdStage_Step(stage);
        for (int side = 0; side < 2; ++side)
        {
            // To the left: outer for the left eye (30 / 60 of 20), inner for the right (30 / 90 of 10). Up is
            // past 45.
            dQuat expected = YawPitch(side == 0 ? 10.0 : 10.0 / 3, -5.0);
            if (turned == 1)
            {
                expected = (dQuat){-expected.x, expected.y, -expected.z, expected.w};
            }
            dQuat world = dMul(dFromQuat(rest), dFromQuat(rest)); // head and eye
            dQuat now = dMul(dFromQuat(rest), dFromQuat(tdActor_GetLocals(actor)[1 + side].rotation));
            ENSURE_NEAR(dAngle(dMul(now, dConj(world)), expected), 0.0, 2e-6);
        }
        tdActor_ClearGaze(actor);
        tdStage_Step(stage);
        ENSURE_NEAR(tdAngleBetween(tdActor_GetLocals(actor)[1].rotation, rest), 0.0, 0);
        tdDestroyStage(stage);
        tdBuilder_Free(&b);
    }
}

TEST(GazeBecomesExpressionsWhenTheModelSaysSo)
{
    tdAsset* asset = MakeHead(TD_LOOK_AT_EXPRESSION, false, tdQuat_identity);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    const float* weights = tdActor_GetMorphWeights(actor, 3, NULL);
    tdActor_SetGaze(actor, 30.0f * 3.14159265f / 180.0f, 15.0f * 3.14159265f / 180.0f);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[3], 0.5, 1e-5);
    ENSURE_NEAR(weights[4], 0.5, 1e-5);
    ENSURE_NEAR(tdAngleBetween(tdActor_GetLocals(actor)[1].rotation, tdQuat_identity), 0.0, 0);
    tdActor_SetGaze(actor, -0.5f, -0.5f); // right and up: this model has no such expressions
    tdStage_Step(stage);
    ENSURE_NEAR(weights[3], 0.0, 0);
    ENSURE_NEAR(weights[4], 0.0, 0);
    tdDestroyStage(stage);
    tdBuilder_Free(&b);
}

// Expression channels of a clip are clamped. Expressions that the model lacks are reported, too.
TEST(ClipsCarryExpressions)
{
    tdAsset* asset = MakeHead(TD_LOOK_AT_NONE, false, tdQuat_identity);
    static const float times[2] = {0.0f, 1.0f}, up[2] = {0.0f, 2.0f}, steady[2] = {0.3f, 0.3f};
    tdClip* clip = tdClip_New(asset, NULL);
    static const tdClipExpression names[2] = {{"aa"}, {"wink"}};
    tdChannel channels[2] = {
        {{TD_PROPERTY_EXPRESSION, 0, -1}, TD_INTERPOLATION_LINEAR, false, 1, 2, times, up, -1},
        {{TD_PROPERTY_EXPRESSION, 1, -1}, TD_INTERPOLATION_LINEAR, false, 1, 2, times, steady, -1},
    };
    clip->channels = channels;
    clip->channelCount = 2;
    clip->expressions = names;
    clip->expressionCount = 2;
    clip->duration = 1.0f;
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdPlayId play = tdActor_Play(actor, clip, NULL);
    for (int i = 0; i < 15; ++i)
    {
        tdStage_Step(stage);
    }
    const float* weights = tdActor_GetMorphWeights(actor, 3, NULL);
    ENSURE_NEAR(weights[2], 0.5, 1e-6);
    ENSURE_NEAR(tdActor_GetExpression(actor, "wink"), 0.3, 1e-6);
    for (int i = 0; i < 30; ++i)
    {
        tdStage_Step(stage);
    }
    ENSURE_NEAR(weights[2], 1.0, 0); // 1.5 in the clip
    tdActor_SetExpression(actor, "aa", 0.1f);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[2], 0.1, 1e-6);
    tdActor_ClearExpression(actor, "aa");
    tdActor_Stop(actor, play);
    tdStage_Step(stage);
    ENSURE_NEAR(weights[2], 0.0, 0);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

TEST_MAIN(RUN(WeightsGoThroughBinaryAndOverrides) RUN(BoundNodesStartFromZeroAndClipsReplaceTheZero)
              RUN(GazeTurnsEyesThroughRangeMaps) RUN(GazeBecomesExpressionsWhenTheModelSaysSo)
                  RUN(ClipsCarryExpressions))
