// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hostile faces: the numbers of VRM models of both versions are replaced by extreme ones. Every file that
// loads plays without an assert, and morph weights, material values and eyes stay finite. Large files load in
// time that grows with their size.
#include "files.h"
#include "harness.h"
#include "hostile.h"

#include "base/text.h"

#include "tendon/tendon.h"

static bool PlayFace(const char* text, size_t length)
{
    tdAsset* asset = tdLoadAssetFromMemory(text, length, NULL, NULL);
    if (asset == NULL)
    {
        return true;
    }
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    bool isFine = actor != NULL;
    for (int i = 0; i < tdDescribeHumanoid(asset).expressionCount; ++i)
    {
        tdActor_SetExpression(actor, tdDescribeExpression(asset, i).name, 1.0f);
    }
    for (int step = 0; step < 3; ++step)
    {
        if (step == 1)
        {
            tdActor_SetGaze(actor, 1.0f, -2.0f);
        }
        else
        {
            tdActor_SetGazeTarget(actor, (tdVec3){step == 0 ? 1e30f : 0.1f, 1.0f, -3.0f});
        }
        isFine = tdStage_Step(stage) && isFine;
        int count = 0;
        const float* values = tdActor_GetMaterialValues(actor, &count);
        for (int i = 0; i < 4 * count; ++i)
        {
            isFine = isFine && isfinite(values[i]);
        }
        for (int node = 0; node < tdAsset_GetNodeCount(asset); ++node)
        {
            const float* weights = tdActor_GetMorphWeights(actor, node, &count);
            for (int i = 0; i < count; ++i)
            {
                isFine = isFine && isfinite(weights[i]);
            }
            tdQuat q = tdActor_GetLocals(actor)[node].rotation;
            float size = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
            isFine = isFine && size > 0.999f && size < 1.001f;
        }
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    return isFine;
}

TEST(HostileNumbersStayFinite)
{
    static const char* const names[] = {"/model/fine.gltf", "/model/fine0.gltf", "/model/range_map.gltf"};
    static char text[1 << 16];
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (int file = 0; file < 3; ++file)
    {
        char path[512];
        void* bytes = NULL;
        size_t size = 0;
        snprintf(path, sizeof(path), "%s%s", TD_TEST_DATA, names[file]);
        ENSURE(tdReadFile(path, &allocator, sizeof(text) - 1, NULL, &bytes, &size) == TD_FILE_OK);
        for (int i = 0; i < 300 && bytes != NULL; ++i)
        {
            uint32_t random = 88172645u + 977u * (uint32_t)i;
            size_t length = size;
            memcpy(text, bytes, size);
            for (int k = 0; k <= i % 6; ++k)
            {
                size_t changed = ReplaceNumber(text, length, sizeof(text) - 1, &random);
                length = changed > 0 ? changed : length;
            }
            text[length] = 0;
            if (!ENSURE(PlayFace(text, length)))
            {
                printf("  case %d of %s\n", i, names[file]);
                break;
            }
        }
        tdRelease(&allocator, bytes, size + 1);
    }
}

/// A model of 0.x with `count` groups of one name and as many of different names, binds and material values.
static void WriteManyGroups(tdText* text, int count)
{
    tdText_AppendString(text,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRM\"],\"materials\":[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendFormat(text, "%s{\"name\":\"m%d\",\"normalTexture\":{\"index\":0}}", i > 0 ? "," : "",
                            i);
    }
    tdText_AppendString(text, "],\"extensions\":{\"VRM\":{\"blendShapeMaster\":{\"blendShapeGroups\":[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendFormat(
            text,
            "%s{\"name\":\"same\"},{\"name\":\"n%d\",\"materialValues\":[{\"materialName\":\"m%d\","
            "\"propertyName\":\"_MainTex_ST\",\"targetValue\":[1,1,0.5,0]}]}",
            i > 0 ? "," : "", i, count - 1 - i);
    }
    tdText_AppendString(text, "]}}}}");
}

TEST(ManyNamesAreMatchedOnce)
{
    // Quadratic matching of 20,000 names would take minutes.
    const int count = 20000;
    tdText text;
    tdText_Init(&text, NULL);
    WriteManyGroups(&text, count);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    tdHumanoidInfo info = tdDescribeHumanoid(asset);
    ENSURE_EQUAL_INT(info.expressionCount, count + 1);
    ENSURE_EQUAL_INT(info.materialValueCount, 2 * count);
    ENSURE_EQUAL_INT(tdDescribeMaterialValue(asset, 0).material, count - 1);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_SetExpression(actor, "n7", 1.0f);
    tdStage_Step(stage);
    const float* values = tdActor_GetMaterialValues(actor, NULL);
    ENSURE_NEAR(values[4 * 2 * 7], 0.5, 1e-6);
    ENSURE_NEAR(values[4 * 2 * 8], 0.0, 0);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    tdText_Free(&text);
}

// A texture transform becomes up to 20 binds, so that small files could ask for much memory.
TEST(BindsOfAFileAreBounded)
{
    const int count = 300000;
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(&text,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm\"],\"materials\":[{"
                        "\"normalTexture\":{},\"occlusionTexture\":{},\"emissiveTexture\":{}}],"
                        "\"extensions\":{\"VRMC_vrm\":{\"expressions\":{\"preset\":{\"happy\":{"
                        "\"textureTransformBinds\":[{\"material\":0}");
    for (int i = 1; i < count; ++i)
    {
        tdText_AppendString(&text, ",{\"material\":0}");
    }
    tdText_AppendString(&text, "]},\"sad\":{\"textureTransformBinds\":[{\"material\":0}]}}}}}}");
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, report);
    ENSURE_EQUAL_INT(tdDescribeExpression(asset, 0).materialBindCount, 0);
    ENSURE_EQUAL_INT(tdDescribeExpression(asset, 1).materialBindCount, 6);
    ENSURE(strstr(tdReport_GetText(report), "too many binds") != NULL);
    tdDestroyReport(report);
    tdDestroyAsset(asset);
    tdText_Free(&text);
}

TEST_MAIN(RUN(HostileNumbersStayFinite) RUN(ManyNamesAreMatchedOnce) RUN(BindsOfAFileAreBounded))
