// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of soft limits across dialects: OMI readers treat a stiffness of 1 or less as a hard limit. The
// writer therefore writes 1.001 there with a finding and keeps every larger value; the reader treats 1.001 as
// soft and 1 as hard.
#include "harness.h"

#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/tendon.h"

static tdAsset* LoadJoint(float stiffness)
{
    char text[2048];
    snprintf(
        text, sizeof(text),
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\","
        "\"KHR_implicit_shapes\"],\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},\"collider\":{\"geometry\":{\"shape\":0}},"
        "\"joint\":{\"connectedNode\":1,\"joint\":0}}}},{\"translation\":[3,0,0],\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},\"collider\":{\"geometry\":{\"shape\":0}}}}}],"
        "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\"}]},"
        "\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0],\"min\":-1,"
        "\"max\":4,"
        "\"stiffness\":%.9g,\"damping\":0.25}]}]}}}",
        (double)stiffness);
    tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), NULL, NULL);
    ENSURE(asset != NULL && asset->scene.physics != NULL);
    return asset;
}

/// The stiffness of the only limit after conversion, saving and loading; and the number of reported losses.
static float ConvertStiffness(float stiffness, tdPhysicsTarget target, bool isLiteral, int* losses)
{
    tdAsset* asset = LoadJoint(stiffness);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* converted = tdConvertAsset(asset, target, report);
    *losses = tdReport_CountSeverity(report, TD_SEVERITY_WARNING);
    size_t size;
    void* bytes = tdSaveAssetToMemory(converted, TD_SAVE_SAME, NULL, &size, NULL);
    tdLoadDef def = tdDefaultLoadDef();
    def.literalStiffness = isLiteral;
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, &def, NULL);
    float found = -1.0f;
    const tdPhysicsScene* physics = again != NULL ? again->scene.physics : NULL;
    if (ENSURE(physics != NULL && physics->jointDescCount == 1 && physics->jointDescs[0].limitCount == 1))
    {
        found = physics->jointDescs[0].limits[0].stiffness;
    }
    tdFreeSaved(bytes, size, NULL);
    tdDestroyAsset(again);
    tdDestroyAsset(converted);
    tdDestroyReport(report);
    tdDestroyAsset(asset);
    return found;
}

TEST(OmiWritesOnlySoftStiffness)
{
    static const float values[] = {0.25f, 0.999f, 1.0f, 1.0005f, 1.001f, 1.5f, 80.0f};
    static const tdPhysicsTarget targets[] = {TD_PHYSICS_OMI, TD_PHYSICS_OMI_EARLY};
    for (int t = 0; t < 2; ++t)
    {
        int base; // losses unrelated to the limit
        ConvertStiffness(80.0f, targets[t], false, &base);
        for (int i = 0; i < 7; ++i)
        {
            int losses;
            float found = ConvertStiffness(values[i], targets[t], false, &losses);
            bool isKept = values[i] > 1.0f;
            ENSURE(isfinite(found)); // still soft
            ENSURE_NEAR(found, isKept ? values[i] : 1.001f, 0.0);
            ENSURE_EQUAL_INT(losses - base, isKept ? 0 : 1);
            // A reader without that rule sees the same numbers.
            ENSURE_NEAR(ConvertStiffness(values[i], targets[t], true, &losses), found, 0.0);
        }
    }
}

TEST(KhrKeepsEveryStiffness)
{
    static const float values[] = {0.25f, 1.0f, 1.001f, 80.0f};
    for (int i = 0; i < 4; ++i)
    {
        int losses;
        ENSURE_NEAR(ConvertStiffness(values[i], TD_PHYSICS_KHR, false, &losses), values[i], 0.0);
        ENSURE_EQUAL_INT(losses, 0);
        ENSURE_NEAR(ConvertStiffness(values[i], TD_PHYSICS_KHR_DRAFT, false, &losses), values[i], 0.0);
    }
}

TEST(OmiReadsOneAsHard)
{
    // The converter never writes it, so the file is native OMI.
    static const struct
    {
        const char* stiffness;
        float read, literal;
    } cases[] = {{"1", INFINITY, 1.0f}, {"0.5", INFINITY, 0.5f}, {"1.001", 1.001f, 1.001f}};
    for (int i = 0; i < 3; ++i)
    {
        char text[2048];
        snprintf(
            text, sizeof(text),
            "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"OMI_physics_body\",\"OMI_physics_joint\","
            "\"OMI_physics_shape\"],\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2]}],\"nodes\":[{\"extensions\":{"
            "\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\"},\"collider\":{\"shape\":0}}}},{"
            "\"translation\":[3,0,0],\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\"},"
            "\"collider\":{\"shape\":0}}},\"children\":[3]},{\"extensions\":{}},{\"extensions\":{"
            "\"OMI_physics_joint\":{\"joint\":0,\"connectedNode\":0}}}],\"extensions\":{\"OMI_physics_"
            "shape\":{"
            "\"shapes\":[{\"type\":\"box\",\"box\":{\"size\":[1,1,1]}}]},\"OMI_physics_joint\":{"
            "\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0],\"min\":-1,\"max\":4,\"stiffness\":%s}]}]}}"
            "}",
            cases[i].stiffness);
        for (int isLiteral = 0; isLiteral < 2; ++isLiteral)
        {
            tdLoadDef def = tdDefaultLoadDef();
            def.literalStiffness = isLiteral == 1;
            tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), &def, NULL);
            const tdPhysicsScene* physics = asset != NULL ? asset->scene.physics : NULL;
            if (ENSURE(physics != NULL && physics->jointDescCount == 1 &&
                       physics->jointDescs[0].limitCount == 1))
            {
                ENSURE_NEAR(physics->jointDescs[0].limits[0].stiffness,
                            isLiteral == 1 ? cases[i].literal : cases[i].read, 0.0);
            }
            tdDestroyAsset(asset);
        }
    }
}

TEST_MAIN(RUN(OmiWritesOnlySoftStiffness) RUN(KhrKeepsEveryStiffness) RUN(OmiReadsOneAsHard))
