// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every bundled scene with physics through every pair of dialects: where a conversion reports nothing, the
// simulation is the same to the bit.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

#include <dirent.h>

static uint64_t Simulate(const tdAsset* asset)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 40; ++i)
    {
        tdStage_Step(stage);
    }
    (void)actor;
    uint64_t hash = tdWorld_GetStateHash(tdStage_GetWorld(stage));
    tdDestroyStage(stage);
    return hash;
}

// Converts, saves and reads again. Whether everything could be said is told by the warnings.
static tdAsset* Convert(const tdAsset* asset, int target, bool* isExact)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, report);
    *isExact = tdReport_CountSeverity(report, TD_SEVERITY_WARNING) == 0;
    size_t size = 0;
    void* bytes = tdSaveAssetToMemory(converted, TD_SAVE_GLB, NULL, &size, NULL);
    tdDestroyAsset(converted);
    tdReport* loading = tdCreateReport(NULL);
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, NULL, loading);
    if (!ENSURE(again != NULL && !tdReport_HasErrors(loading)))
    {
        printf("%s", tdReport_GetText(loading));
    }
    tdFreeSaved(bytes, size, NULL);
    tdDestroyReport(loading);
    tdDestroyReport(report);
    return again;
}

static int exactCount, pairCount;

static void TryExample(const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "examples/%s", name);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    if (tdDescribeAsset(asset).bodyCount == 0)
    {
        tdDestroyAsset(asset);
        return;
    }
    uint64_t original = Simulate(asset);
    for (int source = TD_PHYSICS_KHR; source <= TD_PHYSICS_OMI_EARLY; ++source)
    {
        bool isExact;
        tdAsset* there = Convert(asset, source, &isExact);
        uint64_t hash = Simulate(there);
        if (isExact && !ENSURE(hash == original))
        {
            printf("%s to %d\n", name, source);
        }
        for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
        {
            tdAsset* back = Convert(there, target, &isExact);
            pairCount += 1;
            exactCount += isExact ? 1 : 0;
            if (isExact && !ENSURE(Simulate(back) == hash))
            {
                printf("%s from %d to %d\n", name, source, target);
            }
            if (source == target)
            {
                ENSURE(isExact); // a dialect can say what it says
            }
            tdDestroyAsset(back);
        }
        tdDestroyAsset(there);
    }
    tdDestroyAsset(asset);
}

TEST(EveryPairOfDialects)
{
    DIR* folder = opendir("examples");
    ENSURE(folder != NULL);
    for (struct dirent* entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot != NULL && strcmp(dot, ".gltf") == 0)
        {
            TryExample(entry->d_name);
        }
    }
    if (folder != NULL)
    {
        closedir(folder);
    }
    // Most of it can be said in every dialect; a change that reports everything would pass otherwise.
    ENSURE(pairCount >= 16 * 7);
    printf("%d of %d pairs say everything\n", exactCount, pairCount);
    ENSURE(2 * exactCount > pairCount);
}

TEST_MAIN(RUN(EveryPairOfDialects))
