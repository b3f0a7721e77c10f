// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the progress of a load and a save. The allocator samples the progress at every allocation, so
// every stage is seen without a second thread.
#include "harness.h"

#include "base/platform.h"
#include "base/progress.h"

#include "tendon/tendon.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Watch
{
    tdProgress progress;
    int seen[7];    // how often each stage was seen
    double last[7]; // last value of done
    bool goesBack;  // done decreased within one stage
    bool isTooMuch; // done exceeded the total
} Watch;

static void Look(Watch* watch)
{
    tdProgressInfo info = tdProgress_Get(&watch->progress);
    watch->goesBack = watch->goesBack || info.done < watch->last[info.stage];
    watch->isTooMuch = watch->isTooMuch || (info.total > 0.0 && info.done > info.total);
    watch->last[info.stage] = info.done;
    watch->seen[info.stage] += 1;
}

static void* AllocateAndLook(void* context, size_t size, size_t alignment)
{
    Look(context);
    return tdPlatform_Allocate(size, alignment);
}

static void Release(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    tdPlatform_Free(memory);
}

static tdAsset* Load(Watch* watch, const char* path)
{
    tdAllocator allocator = {AllocateAndLook, Release, watch};
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = &allocator;
    def.progress = &watch->progress;
    return tdLoadAsset(path, &def, NULL);
}

TEST(CountsInItsUnits)
{
    tdProgress progress = {0};
    ENSURE(tdProgress_Get(&progress).stage == TD_PROGRESS_NONE);
    tdProgress_Start(&progress, TD_PROGRESS_READING, 100);
    tdProgress_Add(&progress, 30);
    tdProgressInfo info = tdProgress_Get(&progress);
    ENSURE(info.stage == TD_PROGRESS_READING && info.done == 30.0 && info.total == 100.0);
    tdProgress_Add(&progress, 80); // a file that grew
    ENSURE(tdProgress_Get(&progress).done == 100.0);
    tdProgress_Start(&progress, TD_PROGRESS_COOKING, 10 * TD_PROGRESS_TRIANGLE);
    tdProgress_Add(&progress, 5 * TD_PROGRESS_TRIANGLE);
    info = tdProgress_Get(&progress);
    ENSURE(info.stage == TD_PROGRESS_COOKING && info.done == 5.0 && info.total == 10.0);
    tdProgress_Start(&progress, TD_PROGRESS_READING, 0); // a pipe
    tdProgress_Add(&progress, 7);
    info = tdProgress_Get(&progress);
    ENSURE(info.done == 7.0 && info.total == 0.0);
    tdProgress_Start(NULL, TD_PROGRESS_READING, 1);
    tdProgress_Add(NULL, 1);
}

// A completely cooked mesh counts as all of its triangles.
TEST(CookingCountsEveryTriangle)
{
    enum
    {
        SIDE = 60
    };
    static tdVec3 positions[(SIDE + 1) * (SIDE + 1)];
    static uint32_t indices[6 * SIDE * SIDE];
    int count = 0;
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
    {
        positions[i] = (tdVec3){(float)(i % (SIDE + 1)), (float)(i % 7), (float)(i / (SIDE + 1))};
    }
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        uint32_t a = (uint32_t)(i / SIDE * (SIDE + 1) + i % SIDE), b = a + SIDE + 1;
        const uint32_t quad[6] = {a, b, a + 1, a + 1, b, b + 1};
        memcpy(indices + count, quad, sizeof quad);
        count += 6;
    }
    tdProgress progress = {0};
    tdProgress_Start(&progress, TD_PROGRESS_COOKING, TD_PROGRESS_TRIANGLE * (uint64_t)count);
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = (SIDE + 1) * (SIDE + 1);
    def.indices = indices;
    def.indexCount = count;
    def.progress = &progress;
    for (int workers = 1; workers <= 3; workers += 2)
    {
        def.tasks = workers > 1 ? tdCreateThreads(workers) : NULL;
        double before = tdProgress_Get(&progress).done;
        tdGeometry* geometry = tdCreateMeshGeometry(&def, NULL);
        ENSURE(geometry != NULL);
        ENSURE(tdProgress_Get(&progress).done - before == (double)(count / 3));
        tdDestroyGeometry(geometry);
        tdDestroyThreads(def.tasks);
    }
}

TEST(EveryStageIsSeen)
{
    Watch watch = {.progress = {.words = {0}}};
    tdAsset* asset = Load(&watch, TD_TEST_DATA "/dialects/khr_rc.gltf");
    if (!ENSURE(asset != NULL))
    {
        return;
    }
    double size = (double)tdDescribeAsset(asset).byteCount;
    ENSURE(watch.seen[TD_PROGRESS_READING] > 0 && watch.last[TD_PROGRESS_READING] <= size);
    ENSURE(watch.seen[TD_PROGRESS_PARSING] > 0 && watch.last[TD_PROGRESS_PARSING] >= size);
    ENSURE(!watch.goesBack && !watch.isTooMuch);

    // Operations on the asset report progress too: a conversion parses again, a save writes every byte.
    int parsed = watch.seen[TD_PROGRESS_PARSING];
    watch.last[TD_PROGRESS_PARSING] = 0.0;
    tdAsset* converted = tdConvertAsset(asset, TD_PHYSICS_OMI, NULL);
    ENSURE(converted != NULL && watch.seen[TD_PROGRESS_PARSING] > parsed);
    char path[] = "/tmp/tendon-progress-XXXXXX";
    int file = mkstemp(path);
    ENSURE(file >= 0);
    close(file);
    ENSURE(tdSaveAsset(converted, path, NULL));
    tdProgressInfo info = tdProgress_Get(&watch.progress);
    ENSURE(info.stage == TD_PROGRESS_WRITING && info.total > 0.0 && info.done == info.total);
    tdPlatform_RemoveFile(path);
    tdDestroyAsset(converted);
    tdDestroyAsset(asset);
}

// Captured values are counted while they become keys; then the new file is parsed.
TEST(BakingReportsItsKeys)
{
    Watch watch = {.progress = {.words = {0}}};
    tdAsset* asset = Load(&watch, TD_TEST_DATA "/dialects/khr_rc.gltf");
    tdStage* stage = tdCreateStage(NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.5;
    memset(watch.last, 0, sizeof(watch.last)); // stages start again
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    // Its bodies, colliders and joints are counted.
    tdProgressInfo built = tdProgress_Get(&watch.progress);
    tdAssetInfo info = tdDescribeAsset(asset);
    ENSURE(built.stage == TD_PROGRESS_BUILDING);
    ENSURE(built.total == 2.0 * info.bodyCount + info.colliderCount + info.jointCount &&
           built.done == built.total);
    tdAsset* baked = tdBakeActor(actor, &def, NULL);
    // A moving node has at least two properties with 31 frames each.
    ENSURE(baked != NULL && watch.seen[TD_PROGRESS_REDUCING] > 0 && watch.last[TD_PROGRESS_REDUCING] >= 31.0);
    ENSURE(!watch.isTooMuch);
    tdDestroyStage(stage);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(CountsInItsUnits) RUN(CookingCountsEveryTriangle) RUN(EveryStageIsSeen)
              RUN(BakingReportsItsKeys))
