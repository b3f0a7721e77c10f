// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs in files: baked, added to a clip, removed.
#include "harness.h"

#include "base/report.h"
#include "math/vecmath.h"

#include "tendon/tendon.h"

static tdAsset* LoadAvatar(void)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/spring/variable_dt.vrm", TD_TEST_DATA);
    return tdLoadAsset(path, NULL, NULL);
}

static tdAsset* Reload(tdAsset* asset, tdReport* report)
{
    size_t size = 0;
    void* bytes = tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, &size, NULL);
    tdDestroyAsset(asset);
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, NULL, report);
    tdFreeSaved(bytes, size, NULL);
    return again;
}

/// Largest angle between the joints of a run with springs and those of a clip, at the frames of a bake.
static float CompareWithSprings(const tdAsset* asset, const tdAsset* made, int animation, double rate,
                                float* swing)
{
    tdStage *stage = tdCreateStage(NULL), *other = tdCreateStage(NULL);
    tdActor *actor = tdCreateActor(stage, asset, NULL, NULL),
            *played = tdCreateActor(other, made, NULL, NULL);
    tdClip *clip = tdCreateClip(asset, 0, NULL, NULL), *baked = tdCreateClip(made, animation, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdActor_Play(played, baked, NULL);
    float worst = 0.0f;
    *swing = 0.0f;
    for (int frame = 0; (double)frame / rate <= 1.0; ++frame)
    {
        double time = (double)frame / rate;
        while (tdStage_GetTime(stage) < time)
        {
            tdStage_Step(stage);
        }
        while (tdStage_GetTime(other) < time)
        {
            tdStage_Step(other);
        }
        tdStage_Evaluate(stage, time);
        tdStage_Evaluate(other, time);
        for (int node = 0; node < tdAsset_GetNodeCount(asset); ++node)
        {
            tdQuat a = tdActor_GetLocals(actor)[node].rotation, b = tdActor_GetLocals(played)[node].rotation;
            worst = tdMaxFloat(worst, tdAngleBetween(a, b));
        }
        for (int i = 0; i < tdAsset_GetSpringJointCount(asset); ++i)
        {
            int node = tdDescribeSpringJoint(asset, i).node;
            tdQuat rest = tdDescribeNode(asset, node).local.rotation;
            *swing = tdMaxFloat(*swing, tdAngleBetween(tdActor_GetLocals(actor)[node].rotation, rest));
        }
    }
    tdDestroyStage(stage);
    tdDestroyStage(other);
    tdDestroyClip(clip);
    tdDestroyClip(baked);
    return worst;
}

static tdAsset* Bake(const tdAsset* asset, bool enableSprings, bool strip, tdReport* report)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enableSprings = enableSprings;
    tdActor* actor = tdCreateActor(stage, asset, &actorDef, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 1.0;
    def.stripSprings = strip;
    tdAsset* baked = tdBakeActor(actor, &def, report);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    return baked;
}

TEST(ABakeHoldsTheMotionOfSprings)
{
    tdAsset* asset = LoadAvatar();
    tdReport* report = tdCreateReport(NULL);
    tdAsset* stripped = Reload(Bake(asset, true, true, report), report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SB_KEPT), 0);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    ENSURE_EQUAL_INT(tdAsset_GetSpringCount(stripped), 0);
    float swing = 0.0f;
    ENSURE(CompareWithSprings(asset, stripped, 1, 30.0, &swing) < 1.1e-3f);
    ENSURE(swing > 0.05f);
    tdAsset* kept = Reload(Bake(asset, true, false, report), NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SB_KEPT), 1);
    ENSURE_EQUAL_INT(tdAsset_GetSpringCount(kept), tdAsset_GetSpringCount(asset));
    tdAsset* without = Reload(Bake(asset, false, false, report), NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SB_KEPT), 1);
    ENSURE_EQUAL_INT(tdDescribeAnimation(kept, 1).channelCount,
                     tdDescribeAnimation(without, 1).channelCount + tdAsset_GetSpringJointCount(asset));
    tdDestroyAsset(without);
    tdDestroyAsset(kept);
    tdDestroyAsset(stripped);
    tdDestroyReport(report);
    tdDestroyAsset(asset);
}

TEST(AnAddedMotionHoldsTheMotionOfSprings)
{
    tdAsset* asset = LoadAvatar();
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdReport* report = tdCreateReport(NULL);
    tdMotionDef def = tdDefaultMotionDef();
    def.name = "with hair";
    def.stripSprings = true;
    tdAsset* made = Reload(tdAddMotion(asset, clip, &def, report), report);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    float swing = 0.0f;
    ENSURE(CompareWithSprings(asset, made, 1, 60.0, &swing) < 1.1e-3f);
    ENSURE(strcmp(tdDescribeAnimation(made, 1).name, "with hair") == 0);
    tdDestroyAsset(made);
    made = tdAddMotion(asset, clip, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SB_KEPT), 1);
    ENSURE_EQUAL_INT(tdDescribeAnimation(made, 1).channelCount,
                     tdDescribeAnimation(asset, 0).channelCount + tdAsset_GetSpringJointCount(asset));
    tdDestroyAsset(made);
    made = tdAddClip(asset, clip, NULL, report);
    ENSURE_EQUAL_INT(tdDescribeAnimation(made, 1).channelCount, tdDescribeAnimation(asset, 0).channelCount);
    tdDestroyAsset(made);
    tdAsset* motion = tdMakeMotion(asset, clip, report);
    ENSURE(motion != NULL && tdAsset_GetSpringCount(motion) == 0);
    tdDestroyAsset(motion);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SB_KEPT), 1);
    tdDestroyReport(report);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(ABakeHoldsTheMotionOfSprings) RUN(AnAddedMotionHoldsTheMotionOfSprings))
