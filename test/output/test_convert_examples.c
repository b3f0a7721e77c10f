// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of converting every example scene with physics through every pair of dialects: where a conversion
// reports no loss, the simulation is bit-identical.
#include "harness.h"

#include "base/hash.h"

#include "tendon/tendon.h"

#include <dirent.h>

typedef struct Outcome
{
    uint64_t state; // of the world
    uint64_t poses; // of the nodes
    int bodyCount;
} Outcome;

/// @param nodeCount conversions may append nodes, which do not count
static Outcome Simulate(const tdAsset* asset, int nodeCount)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 40; ++i)
    {
        tdStage_Step(stage);
    }
    Outcome outcome = {
        .state = tdWorld_GetStateHash(tdStage_GetWorld(stage)),
        .poses = tdHash(TD_HASH_INIT, tdActor_GetGlobals(actor), sizeof(tdMat4) * (size_t)nodeCount),
        .bodyCount = tdDescribeAsset(asset).bodyCount};
    tdDestroyStage(stage);
    return outcome;
}

// A static body of OMI is a static collider in KHR, which has no static bodies: then the world has other
// bodies, but every node has a bit-identical transform.
static bool IsSame(Outcome a, Outcome b)
{
    return a.poses == b.poses && (a.state == b.state || a.bodyCount != b.bodyCount);
}

// Converts, saves and loads again. The conversion is exact if there are no warnings.
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

static int exactCount, pairCount, jointCount;

static void TryFile(const char* folder, const char* name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    bool hasJoints = tdDescribeAsset(asset).jointCount > 0;
    if (tdDescribeAsset(asset).bodyCount == 0)
    {
        tdDestroyAsset(asset);
        return;
    }
    int nodeCount = tdAsset_GetNodeCount(asset);
    Outcome original = Simulate(asset, nodeCount);
    for (int source = TD_PHYSICS_KHR; source <= TD_PHYSICS_OMI_EARLY; ++source)
    {
        bool isExact, isExactBack;
        tdAsset* first = Convert(asset, source, &isExact);
        Outcome there = Simulate(first, nodeCount);
        if (isExact && !ENSURE(IsSame(there, original)))
        {
            printf("%s to %d\n", name, source);
        }
        for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
        {
            tdAsset* second = Convert(first, target, &isExactBack);
            pairCount += 1;
            exactCount += isExactBack ? 1 : 0;
            jointCount += isExact && isExactBack && hasJoints && source == TD_PHYSICS_OMI_EARLY ? 1 : 0;
            if (isExactBack && !ENSURE(IsSame(Simulate(second, nodeCount), there)))
            {
                printf("%s from %d to %d\n", name, source, target);
            }
            if (source == target)
            {
                if (!ENSURE(isExactBack)) // every dialect can express its own files
                {
                    printf("%s to %d, twice\n", name, source);
                }
            }
            tdDestroyAsset(second);
        }
        tdDestroyAsset(first);
    }
    tdDestroyAsset(asset);
}

static void TryFolder(const char* path)
{
    DIR* folder = opendir(path);
    ENSURE(folder != NULL);
    for (struct dirent* entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot != NULL && strcmp(dot, ".gltf") == 0)
        {
            TryFile(path, entry->d_name);
        }
    }
    if (folder != NULL)
    {
        closedir(folder);
    }
}

TEST(EveryPairOfDialects)
{
    TryFolder("examples");
    TryFolder(TD_TEST_DATA "/dialects"); // one playground in every draft
    // Every dialect can express most of it; otherwise a converter that reports a loss everywhere would pass.
    ENSURE(pairCount >= 16 * 19);
    ENSURE(2 * exactCount > pairCount);
    ENSURE(jointCount >= 3); // through early OMI, whose joints have one frame
}

TEST_MAIN(RUN(EveryPairOfDialects))
