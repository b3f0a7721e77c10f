// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of allocation failure in output: every allocation of a bake, a conversion, an embedding, a clip and a
// motion fails in turn. No crash, no leak; there is either no result and a report, or the usual result.
#include "harness.h"

#include "base/memory.h"
#include "base/report.h"

#include "tendon/tendon.h"

typedef tdAsset* MakeFcn(const tdAsset* asset, const tdClip* clip, int variant, tdReport* report);

static tdAsset* MakeBake(const tdAsset* asset, const tdClip* clip, int variant, tdReport* report)
{
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.2;
    def.stripPhysics = variant == 1;
    def.replaceAnimations = variant == 1;
    def.animateMaterials = variant == 1;
    tdStage* stage = tdCreateStage(NULL); // with memory of its own
    tdActor* actor = tdCreateActor(stage, asset, NULL, report);
    if (clip != NULL)
    {
        tdActor_Play(actor, clip, NULL);
    }
    tdAsset* baked = actor != NULL ? tdBakeActor(actor, &def, report) : NULL;
    tdDestroyStage(stage);
    return baked;
}

static tdAsset* MakeConversion(const tdAsset* asset, const tdClip* clip, int variant, tdReport* report)
{
    (void)clip;
    return tdConvertAsset(asset, (tdPhysicsTarget)variant, report);
}

static tdAsset* MakeEmbedded(const tdAsset* asset, const tdClip* clip, int variant, tdReport* report)
{
    (void)clip;
    return tdEmbedFiles(asset, variant == 0 ? TD_SAVE_GLB : TD_SAVE_GLTF, report);
}

static tdAsset* MakeClip(const tdAsset* asset, const tdClip* clip, int variant, tdReport* report)
{
    return variant == 0   ? tdAddClip(asset, clip, "again", report)
           : variant == 1 ? tdMakeMotion(asset, clip, report)
                          : tdAddMotion(asset, clip, NULL, report);
}

static void* Save(const tdAsset* asset, size_t* size)
{
    return asset != NULL ? tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, size, NULL) : NULL;
}

static void FailEach(const char* path, const char* motionPath, MakeFcn* make, int variant)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = &allocator;
    tdAsset* asset = tdLoadAsset(path, &def, NULL);
    tdAsset* motion = motionPath != NULL ? tdLoadAsset(motionPath, NULL, NULL) : NULL;
    ENSURE(asset != NULL && (motionPath == NULL || motion != NULL));
    tdClip* clip = motion != NULL ? tdRetargetClip(motion, 0, asset, NULL, &allocator, NULL)
                   : tdAsset_GetAnimationCount(asset) > 0 ? tdCreateClip(asset, 0, &allocator, NULL)
                                                          : NULL;
    tdAsset* made = make(asset, clip, variant, NULL);
    size_t wantedSize = 0;
    void* wanted = Save(made, &wantedSize);
    ENSURE(wanted != NULL);
    tdDestroyAsset(made);
    int64_t blocks = state.liveBlocks;
    bool hasFailed = true;
    for (int64_t k = 0; hasFailed || k % 2 == 1; ++k)
    {
        int64_t failAt = k / 2; // each allocation fails with all later ones, then alone
        state.failAt = state.count + failAt;
        state.failsOnce = k % 2 == 1;
        tdReport* report = tdCreateReport(NULL);
        made = make(asset, clip, variant, report);
        hasFailed = state.count > state.failAt;
        state.failAt = -1;
        bool isReported = tdReport_CountCode(report, TD_DIAG_OUT_OF_MEMORY) > 0;
        size_t size = 0;
        void* saved = Save(made, &size);
        bool isWhole = saved != NULL && size == wantedSize && memcmp(saved, wanted, size) == 0;
        if (!ENSURE(isWhole || (hasFailed && made == NULL && isReported)))
        {
            printf("  %s, variant %d: allocation %lld%s\n", path, variant, (long long)failAt,
                   state.failsOnce ? " alone" : "");
        }
        tdFreeSaved(saved, size, NULL);
        tdDestroyAsset(made);
        tdDestroyReport(report);
        if (!ENSURE_EQUAL_INT(state.liveBlocks, blocks))
        {
            break;
        }
    }
    tdFreeSaved(wanted, wantedSize, NULL);
    tdDestroyClip(clip);
    tdDestroyAsset(motion);
    tdDestroyAsset(asset);
    ENSURE_EQUAL_INT(state.liveBlocks, 0);
}

TEST(BakesMayFail)
{
    FailEach("fuzz/corpus/import/physics_khr.gltf", NULL, MakeBake, 0);
    FailEach("fuzz/corpus/import/physics_khr.gltf", NULL, MakeBake, 1);
    FailEach("examples/keepsake.gltf", NULL, MakeBake, 1);
    FailEach("test/data/spring/variable_dt.vrm", NULL, MakeBake, 0);
    FailEach(TD_TEST_DATA "/model/fine.gltf", TD_TEST_DATA "/vrma/fine.gltf", MakeBake, 1);
}

TEST(ConversionsMayFail)
{
    for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
    {
        FailEach("examples/swing_door.gltf", NULL, MakeConversion, target);
        FailEach("fuzz/corpus/import/physics_omi.gltf", NULL, MakeConversion, target);
    }
}

TEST(EmbeddingMayFail)
{
    FailEach("examples/keepsake.gltf", NULL, MakeEmbedded, 0);
    FailEach("examples/keepsake.gltf", NULL, MakeEmbedded, 1);
}

TEST(ClipsMayFail)
{
    FailEach("examples/mannequin.gltf", "examples/wave.bvh", MakeClip, 0);
    FailEach("examples/mannequin.gltf", "examples/wave.bvh", MakeClip, 1);
    FailEach("test/data/spring/variable_dt.vrm", NULL, MakeClip, 2);
}

TEST_MAIN(RUN(BakesMayFail) RUN(ConversionsMayFail) RUN(EmbeddingMayFail) RUN(ClipsMayFail))
