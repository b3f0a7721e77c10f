// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every bundled scene with physics through every pair of dialects: where a conversion reports nothing, the
// simulation is the same to the bit.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

#include <dirent.h>

#define MOST_NODES 128

typedef struct Outcome
{
    uint64_t hash;
    tdVec3 places[MOST_NODES];
} Outcome;

static Outcome Simulate(const tdAsset* asset)
{
    Outcome outcome = {0};
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 40; ++i)
    {
        tdStage_Step(stage);
    }
    for (int i = 0; i < tdAsset_GetNodeCount(asset) && i < MOST_NODES; ++i)
    {
        outcome.places[i] = tdMat4Translation(tdActor_GetGlobals(actor)[i]);
    }
    outcome.hash = tdWorld_GetStateHash(tdStage_GetWorld(stage));
    tdDestroyStage(stage);
    return outcome;
}

// Early OMI has one frame for both ends of a joint, given by its node: that of the other end is computed, and
// rounded. And its ends in the world are static bodies, which count in the hash. There the poses must be near
// after 2/3 s.
static bool IsSame(const Outcome* a, const Outcome* b, bool isRounded, int nodeCount)
{
    float worst = 0.0f;
    for (int i = 0; i < nodeCount && i < MOST_NODES; ++i)
    {
        worst = tdMaxFloat(worst, tdLength(tdSub(a->places[i], b->places[i])));
    }
    return isRounded ? worst < 1e-3f : a->hash == b->hash;
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
    static Outcome original, there, back; // large
    original = Simulate(asset);
    int nodeCount = tdAsset_GetNodeCount(asset);
    bool hasJoints = tdDescribeAsset(asset).jointCount > 0;
    for (int source = TD_PHYSICS_KHR; source <= TD_PHYSICS_OMI_EARLY; ++source)
    {
        bool isExact;
        bool isRounded = hasJoints && source == TD_PHYSICS_OMI_EARLY;
        tdAsset* first = Convert(asset, source, &isExact);
        there = Simulate(first);
        if (isExact && !ENSURE(IsSame(&there, &original, isRounded, nodeCount)))
        {
            printf("%s to %d\n", name, source);
        }
        for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
        {
            tdAsset* second = Convert(first, target, &isExact);
            pairCount += 1;
            exactCount += isExact ? 1 : 0;
            back = Simulate(second);
            isRounded = hasJoints && (source == TD_PHYSICS_OMI_EARLY) != (target == TD_PHYSICS_OMI_EARLY);
            if (isExact && !ENSURE(IsSame(&back, &there, isRounded, nodeCount)))
            {
                printf("%s from %d to %d\n", name, source, target);
            }
            if (source == target)
            {
                ENSURE(isExact); // a dialect can say what it says
            }
            tdDestroyAsset(second);
        }
        tdDestroyAsset(first);
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
    ENSURE(2 * exactCount > pairCount);
}

TEST_MAIN(RUN(EveryPairOfDialects))
