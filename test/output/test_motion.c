// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of clips written into files: the file, loaded again, must play the same motion.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

static tdAsset* Load(const char* name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", TD_TEST_DATA, name);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(path, NULL, report);
    if (!ENSURE(asset != NULL && !tdReport_HasErrors(report)))
    {
        printf("%s", tdReport_GetText(report));
    }
    tdDestroyReport(report);
    return asset;
}

/// Saves and loads again: the result must not depend on its source asset.
static tdAsset* Reload(tdAsset* asset)
{
    size_t size;
    void* bytes = tdSaveAssetToMemory(asset, TD_SAVE_SAME, NULL, &size, NULL);
    tdDestroyAsset(asset);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, NULL, report);
    if (!ENSURE(again != NULL && tdReport_CountSeverity(report, TD_SEVERITY_ERROR) == 0))
    {
        printf("%s", tdReport_GetText(report));
    }
    tdFreeSaved(bytes, size, NULL);
    tdDestroyReport(report);
    return again;
}

/// Largest difference of any node's local pose while two clips play on two assets with the same nodes.
static float CompareClips(const tdAsset* a, const tdClip* clipA, const tdAsset* b, const tdClip* clipB,
                          float* moved)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actorA = tdCreateActor(stage, a, NULL, NULL);
    tdActor* actorB = tdCreateActor(stage, b, NULL, NULL);
    tdActor_Play(actorA, clipA, NULL);
    tdActor_Play(actorB, clipB, NULL);
    float worst = 0.0f;
    *moved = 0.0f;
    tdStage_Evaluate(stage, 0.0);
    for (int step = 0; step <= 90; ++step)
    {
        const tdTrs* localsA = tdActor_GetLocals(actorA);
        const tdTrs* localsB = tdActor_GetLocals(actorB);
        for (int node = 0; node < tdAsset_GetNodeCount(a); ++node)
        {
            worst = tdMaxFloat(worst, tdDistance(localsA[node].translation, localsB[node].translation));
            worst = tdMaxFloat(worst, tdAngleBetween(localsA[node].rotation, localsB[node].rotation));
            *moved = tdMaxFloat(*moved, tdAngleBetween(localsA[node].rotation, tdQuat_identity));
            int countA, countB;
            const float* weightsA = tdActor_GetMorphWeights(actorA, node, &countA);
            const float* weightsB = tdActor_GetMorphWeights(actorB, node, &countB);
            ENSURE_EQUAL_INT(countA, countB);
            for (int i = 0; i < countA && i < countB; ++i)
            {
                worst = tdMaxFloat(worst, tdAbsFloat(weightsA[i] - weightsB[i]));
            }
        }
        tdStage_Step(stage);
    }
    tdDestroyStage(stage);
    return worst;
}

static void CheckRoundTrips(const char* motionName, const char* avatarName, float leastTurn)
{
    tdAsset* motion = Load(motionName);
    tdAsset* avatar = Load(avatarName);
    tdClip* clip = tdRetargetClip(motion, 0, avatar, NULL, NULL, NULL);
    ENSURE(clip != NULL);
    float moved;

    // The avatar with the embedded clip. Sampled morph weights and eyes differ by at most their tolerances.
    tdAsset* danced = Reload(tdAddClip(avatar, clip, NULL, NULL));
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(danced), tdAsset_GetAnimationCount(avatar) + 1);
    tdClip* added = tdCreateClip(danced, tdAsset_GetAnimationCount(danced) - 1, NULL, NULL);
    ENSURE_NEAR(CompareClips(avatar, clip, danced, added, &moved), 0.0, 1.5e-3);
    ENSURE(moved >= leastTurn); // the avatar moves

    // The motion alone, on the avatar's skeleton, and back onto the avatar: equal within float32.
    tdAsset* alone = Reload(tdMakeMotion(avatar, clip, NULL));
    tdClip* again = tdRetargetClip(alone, 0, avatar, NULL, NULL, NULL);
    ENSURE(again != NULL);
    ENSURE_NEAR(CompareClips(avatar, clip, avatar, again, &moved), 0.0, 5e-6);
    ENSURE_NEAR(tdClip_GetDuration(again), tdClip_GetDuration(clip), 1e-6);
    ENSURE_EQUAL_INT(tdClip_GetExpressionCount(again), tdClip_GetExpressionCount(clip));

    tdDestroyClip(again);
    tdDestroyAsset(alone);
    tdDestroyClip(added);
    tdDestroyAsset(danced);
    tdDestroyClip(clip);
    tdDestroyAsset(avatar);
    tdDestroyAsset(motion);
}

TEST(ExpressionsAndGazeSurviveOnVrm1)
{
    CheckRoundTrips("vrma/fine.gltf", "humanoid/fine.gltf", 0.0f);
}

TEST(ExpressionsAndGazeSurviveOnVrm0)
{
    CheckRoundTrips("vrma/fine.gltf", "humanoid/fine0.gltf", 0.0f);
}

TEST(MotionSurvivesFromBvh)
{
    CheckRoundTrips("bvh/walk.bvh", "humanoid/fine.gltf", 0.3f);
    CheckRoundTrips("bvh/walk.bvh", "humanoid/fine0.gltf", 0.3f);
}

TEST(NoHumanoidIsRefused)
{
    static const char* const source = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"animations\":[]}";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, NULL);
    tdAsset* motion = Load("vrma/fine.gltf");
    ENSURE(tdRetargetClip(motion, 0, asset, NULL, NULL, report) == NULL);
    ENSURE(tdMakeMotion(asset, NULL, report) == NULL);
    ENSURE(tdAddClip(NULL, NULL, NULL, report) == NULL);
    ENSURE(tdReport_HasErrors(report));
    tdDestroyAsset(motion);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST_MAIN(RUN(ExpressionsAndGazeSurviveOnVrm1) RUN(ExpressionsAndGazeSurviveOnVrm0) RUN(MotionSurvivesFromBvh)
              RUN(NoHumanoidIsRefused))
