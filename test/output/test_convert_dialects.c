// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of converting the playground of every dialect (test/data/dialects) to every target: no errors, and
// the same motion.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

static const char* const names[] = {"khr_rc",      "khr_2026",    "khr_2024_07", "khr_2024_06",
                                    "khr_2024_03", "khr_2023_08", "msft_2023",   "msft_2022",
                                    "omi_2024_11", "omi_2023_09", "omi_2023_06", "omi_2023_02"};

/// Simulates an asset for a second.
static tdStage* Play(const tdAsset* asset, tdActor** actor)
{
    tdStage* stage = tdCreateStage(NULL);
    *actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 60; ++i)
    {
        ENSURE(tdStage_Step(stage));
    }
    return stage;
}

/// Largest distance between bodies of the two with equal names.
static float Compare(const tdAsset* a, const tdActor* actorA, const tdAsset* b, const tdActor* actorB)
{
    int count = tdDescribeAsset(a).bodyCount;
    float largest = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        int node = tdDescribeBody(a, i).node;
        int other = tdAsset_FindNode(b, tdAsset_GetNodeName(a, node));
        tdVec3 from = tdMat4Translation(tdActor_GetGlobals(actorA)[node]);
        tdVec3 to = tdMat4Translation(tdActor_GetGlobals(actorB)[other >= 0 ? other : 0]);
        largest = tdMaxFloat(largest, other >= 0 ? tdDistance(from, to) : INFINITY);
    }
    return largest;
}

// A tenth of a millimetre: frames of early OMI joints move to new nodes and round differently.
TEST(EveryDialectMovesTheSameInEveryTarget)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        char path[256];
        snprintf(path, sizeof(path), "%s/dialects/%s.gltf", TD_TEST_DATA, names[i]);
        tdAsset* asset = tdLoadAsset(path, NULL, NULL);
        tdActor* actor;
        tdStage* stage = Play(asset, &actor);
        for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
        {
            tdReport* report = tdCreateReport(NULL);
            tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, report);
            tdActor* other;
            tdStage* otherStage = Play(converted, &other);
            bool isGood = ENSURE(converted != NULL && tdReport_CountSeverity(report, TD_SEVERITY_ERROR) == 0);
            isGood = ENSURE(Compare(asset, actor, converted, other) < 1e-4f) && isGood;
            if (!isGood)
            {
                printf("  %s to target %d\n%s\n", names[i], target, tdReport_GetText(report));
            }
            tdDestroyStage(otherStage);
            tdDestroyAsset(converted);
            tdDestroyReport(report);
        }
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
    }
}

TEST_MAIN(RUN(EveryDialectMovesTheSameInEveryTarget))
