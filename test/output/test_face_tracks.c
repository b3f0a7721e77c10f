// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of morph weights and eyes in written animations: the clip in the file gives the weights of the
// formula at every time.
#include "avatar_text.h"
#include "harness.h"

#include "anim/clip.h"
#include "math/vecmath.h"

#include "tendon/tendon.h"

/// Saves and loads again, so that the test sees the content of the file.
static tdAsset* Reload(tdAsset* asset)
{
    size_t size;
    void* bytes = tdSaveAssetToMemory(asset, TD_SAVE_SAME, NULL, &size, NULL);
    tdDestroyAsset(asset);
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, NULL, NULL);
    ENSURE(again != NULL);
    tdFreeSaved(bytes, size, NULL);
    return again;
}

typedef struct Player
{
    tdStage* stage;
    tdActor* actor;
    tdClip* clip;
} Player;

static Player PlayAnimation(const tdAsset* asset, int animation)
{
    Player player = {.stage = tdCreateStage(NULL)};
    tdActorDef def = tdDefaultActorDef();
    def.enablePhysics = false;
    player.actor = tdCreateActor(player.stage, asset, &def, NULL);
    player.clip = tdCreateClip(asset, animation, NULL, NULL);
    ENSURE(player.clip != NULL);
    tdActor_Play(player.actor, player.clip, NULL);
    tdStage_Evaluate(player.stage, 0.0);
    return player;
}

static void ShowAt(Player* player, double time)
{
    while (tdStage_GetTime(player->stage) < time)
    {
        tdStage_Step(player->stage);
    }
    tdStage_Evaluate(player->stage, time);
}

static void EndPlayer(Player* player)
{
    tdDestroyStage(player->stage);
    tdDestroyClip(player->clip);
}

/// A mesh of two targets; its clip moves the weights from (0, 1) to (1, 0) in a second and holds them.
static tdAsset* LoadWeights(void)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/valid/weights.gltf", TD_TEST_DATA);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    ENSURE(asset != NULL);
    return asset;
}

TEST(BakedWeightsAreThoseOfTheRun)
{
    tdAsset* asset = LoadWeights();
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 2.0;
    tdAsset* baked = Reload(tdBakeActor(actor, &def, NULL));
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(baked), 2);
    Player player = PlayAnimation(baked, 1);
    ENSURE_EQUAL_INT(player.clip->channelCount, 1); // the node itself does not move
    const float* weights = tdActor_GetMorphWeights(player.actor, 0, NULL);
    for (int i = 0; i <= 40; ++i)
    {
        double time = 2.0 * i / 40.0, share = fmin(time, 1.0);
        ShowAt(&player, time);
        ENSURE_NEAR(weights[0], share, (double)def.weightTolerance + 1e-5);
        ENSURE_NEAR(weights[1], 1.0 - share, (double)def.weightTolerance + 1e-5);
    }
    EndPlayer(&player);
    tdDestroyAsset(baked);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

TEST(BlendedWeightsEndWhereTheyBegan)
{
    // The last half second of the bake blends into the first frame: with s = 3 x^2 - 2 x^3 at the fraction x
    // of it, a weight is (1 - s) w(t) + s w(0).
    tdAsset* asset = LoadWeights();
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 1.0;
    def.loopBlend = 0.5;
    tdAsset* baked = Reload(tdBakeActor(actor, &def, NULL));
    Player player = PlayAnimation(baked, 1);
    const float* weights = tdActor_GetMorphWeights(player.actor, 0, NULL);
    for (int i = 0; i <= 30; ++i)
    {
        double time = i / 30.0, x = fmax(0.0, (time - 0.5) / 0.5), s = x * x * (3.0 - 2.0 * x);
        ShowAt(&player, time);
        ENSURE_NEAR(weights[0], (1.0 - s) * time, (double)def.weightTolerance + 1e-5);
        ENSURE_NEAR(weights[1], (1.0 - s) * (1.0 - time) + s, (double)def.weightTolerance + 1e-5);
    }
    EndPlayer(&player);
    tdDestroyAsset(baked);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

TEST(ConstantWeightsAwayFromRestAreBaked)
{
    // Nothing changes after the first frame, but the mesh's own weights differ: one key each sets them.
    tdAsset* asset = LoadWeights();
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdPlayDef play = tdDefaultPlayDef();
    play.start = 0.75f;
    play.speed = 0.0f;
    tdActor_Play(actor, clip, &play);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.5;
    tdAsset* baked = Reload(tdBakeActor(actor, &def, NULL));
    Player player = PlayAnimation(baked, 1);
    const float* weights = tdActor_GetMorphWeights(player.actor, 0, NULL);
    ShowAt(&player, 0.25);
    ENSURE_NEAR(weights[0], 0.75, 1e-5);
    ENSURE_NEAR(weights[1], 0.25, 1e-5);
    EndPlayer(&player);
    tdDestroyAsset(baked);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

TEST(ExpressionsAndGazeBecomeWeightsAndEyes)
{
    tdText text;
    tdText_Init(&text, NULL);
    WriteAvatar(
        &text, 1,
        "'expressions':{'preset':{'happy':{'morphTargetBinds':[{'node':17,'index':0,'weight':1},{'node':17,"
        "'index':1,'weight':0.5}]}}},'lookAt':{'type':'bone','rangeMapHorizontalInner':{'inputMaxValue':90,"
        "'outputScale':30},'rangeMapHorizontalOuter':{'inputMaxValue':90,'outputScale':45}}");
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    tdText_Free(&text);
    ENSURE(asset != NULL);
    // happy goes from 0 to 1 in half a second and back to 0.25; the gaze turns left by 40 degrees in a
    // second.
    static const float times[3] = {0.0f, 0.5f, 1.0f}, happy[3] = {0.0f, 1.0f, 0.25f}, ends[2] = {0.0f, 1.0f};
    static const double quarter = 20.0 * 3.14159265358979 / 180.0; // half of the turn
    const float gaze[8] = {0, 0, 0, 1, 0, (float)sin(quarter), 0, (float)cos(quarter)};
    static const tdClipExpression names[1] = {{"happy"}};
    const tdChannel channels[2] = {
        {{TD_PROPERTY_EXPRESSION, 0, -1}, TD_INTERPOLATION_LINEAR, false, 1, 3, times, happy, -1},
        {{TD_PROPERTY_LOOK_AT, 0, -1}, TD_INTERPOLATION_LINEAR, true, 4, 2, ends, gaze, -1},
    };
    tdClip* clip = tdClip_New(asset, NULL);
    clip->animation = -1;
    clip->channels = channels;
    clip->channelCount = 2;
    clip->expressions = names;
    clip->expressionCount = 1;
    clip->hasGaze = true;
    clip->duration = 1.0f;
    tdAsset* added = Reload(tdAddClip(asset, clip, "face", NULL));
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(added), 1);
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(added, 0), "face");
    Player player = PlayAnimation(added, 0);
    ENSURE_EQUAL_INT(player.clip->expressionCount, 0); // plain node channels, which every viewer plays
    ENSURE_EQUAL_INT(player.clip->channelCount, 3);
    const float* weights = tdActor_GetMorphWeights(player.actor, AVATAR_FACE, NULL);
    for (int i = 0; i <= 60; ++i)
    {
        double time = i / 60.0;
        double expected = time < 0.5 ? 2.0 * time : 1.0 - 0.75 * (time - 0.5) / 0.5;
        ShowAt(&player, time);
        ENSURE_NEAR(weights[0], expected, 1.1e-3);
        ENSURE_NEAR(weights[1], 0.5 * expected, 1.1e-3);
        // 90 degrees of gaze turn the outer eye by 45 and the inner one by 30.
        double yaw = 40.0 * time * 3.14159265358979 / 180.0;
        const tdTrs* locals = tdActor_GetLocals(player.actor);
        ENSURE_NEAR(2.0 * asin((double)locals[AVATAR_LEFT_EYE].rotation.y), yaw * 45.0 / 90.0, 6e-4);
        ENSURE_NEAR(2.0 * asin((double)locals[AVATAR_RIGHT_EYE].rotation.y), yaw * 30.0 / 90.0, 6e-4);
    }
    EndPlayer(&player);
    tdDestroyAsset(added);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

TEST(GazeDownAndUpHaveTheirMaps)
{
    tdText text;
    tdText_Init(&text, NULL);
    WriteAvatar(&text, 1,
                "'lookAt':{'type':'bone','rangeMapVerticalDown':{'inputMaxValue':60,'outputScale':12},"
                "'rangeMapVerticalUp':{'inputMaxValue':60,'outputScale':24}}");
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    tdText_Free(&text);
    static const double radians = 3.14159265358979 / 180.0;
    for (int isUp = 0; isUp < 2; ++isUp)
    {
        // A positive rotation about X looks down. Half of 30 degrees is 15.
        double half = (isUp ? -15.0 : 15.0) * radians;
        const float ends[2] = {0.0f, 1.0f};
        const float gaze[8] = {(float)sin(half), 0, 0, (float)cos(half),
                               (float)sin(half), 0, 0, (float)cos(half)};
        const tdChannel channel = {
            {TD_PROPERTY_LOOK_AT, 0, -1}, TD_INTERPOLATION_LINEAR, true, 4, 2, ends, gaze, -1};
        tdClip* clip = tdClip_New(asset, NULL);
        clip->animation = -1;
        clip->channels = &channel;
        clip->channelCount = 1;
        clip->hasGaze = true;
        clip->duration = 1.0f;
        tdAsset* added = Reload(tdAddClip(asset, clip, "gaze", NULL));
        Player player = PlayAnimation(added, 0);
        ShowAt(&player, 0.5);
        double expected = 30.0 / 60.0 * (isUp ? -24.0 : 12.0) * radians;
        const tdTrs* locals = tdActor_GetLocals(player.actor);
        ENSURE_NEAR(2.0 * asin((double)locals[AVATAR_LEFT_EYE].rotation.x), expected, 6e-4);
        ENSURE_NEAR(2.0 * asin((double)locals[AVATAR_RIGHT_EYE].rotation.x), expected, 6e-4);
        EndPlayer(&player);
        tdDestroyAsset(added);
        tdDestroyClip(clip);
    }
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(BakedWeightsAreThoseOfTheRun) RUN(BlendedWeightsEndWhereTheyBegan)
              RUN(ConstantWeightsAwayFromRestAreBaked) RUN(ExpressionsAndGazeBecomeWeightsAndEyes)
                  RUN(GazeDownAndUpHaveTheirMaps))
