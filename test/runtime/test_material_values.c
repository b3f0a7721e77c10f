// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Material colours and texture transforms that expressions change: base + sum of output * (target - base), in
// both versions of VRM, and as channels of a baked file.
#include "harness.h"

#include "tendon/tendon.h"

static tdAsset* LoadModelFile(const char* name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/model/%s.gltf", TD_TEST_DATA, name);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    ENSURE(asset != NULL);
    return asset;
}

/// Index of a value by its pointer.
static int FindPointer(const tdAsset* asset, const char* pointer)
{
    for (int i = 0; i < tdDescribeHumanoid(asset).materialValueCount; ++i)
    {
        if (strcmp(tdDescribeMaterialValue(asset, i).pointer, pointer) == 0)
        {
            return i;
        }
    }
    printf("  no value %s\n", pointer);
    ENSURE(false);
    return 0;
}

typedef struct Expected
{
    const char* pointer;
    int width;
    double base[4], target[4];
} Expected;

static void CheckValues(const tdAsset* asset, const Expected* expected, int count)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    int valueCount = 0;
    const float* values = tdActor_GetMaterialValues(actor, &valueCount);
    ENSURE_EQUAL_INT(valueCount, count);
    for (int step = 0; step < 3; ++step)
    {
        double weight = step == 0 ? 0.0 : (step == 1 ? 0.7 : 1.0);
        tdActor_SetExpression(actor, "happy", (float)weight);
        tdStage_Step(stage);
        weight = (double)tdActor_GetExpressionOutput(actor, "happy");
        for (int i = 0; i < count; ++i)
        {
            int index = FindPointer(asset, expected[i].pointer);
            tdMaterialValueInfo info = tdDescribeMaterialValue(asset, index);
            ENSURE_EQUAL_INT(info.width, expected[i].width);
            for (int c = 0; c < info.width; ++c)
            {
                double base = expected[i].base[c];
                ENSURE_NEAR(info.base[c], base, 1e-7);
                ENSURE_NEAR(values[4 * index + c], base + weight * (expected[i].target[c] - base), 1e-6);
            }
        }
    }
    tdActor_ClearExpression(actor, "happy");
    tdStage_Step(stage);
    for (int i = 0; i < 4 * valueCount; ++i)
    {
        ENSURE_NEAR(values[i], tdDescribeMaterialValue(asset, i / 4).base[i % 4], 0);
    }
    tdDestroyStage(stage);
}

#define MTOON "/materials/1/extensions/VRMC_materials_mtoon/"
#define TRANSFORM "/extensions/KHR_texture_transform/"

TEST(ColoursAndTexturesOfVrm1)
{
    static const Expected expected[] = {
        {"/materials/0/pbrMetallicRoughness/baseColorFactor", 4, {1, 0.5, 0, 1}, {1, 0, 0, 1}},
        {"/materials/1/emissiveFactor", 3, {0.1, 0.2, 0.3}, {1, 0, 0}},
        {MTOON "shadeColorFactor", 3, {0.5, 0.5, 0.5}, {1, 0, 0}},
        {MTOON "matcapFactor", 3, {1, 1, 1}, {1, 0, 0}}, // MToon's default
        {MTOON "parametricRimColorFactor", 3, {0, 0, 0}, {1, 0, 0}},
        {MTOON "outlineColorFactor", 3, {0, 0, 0}, {1, 0, 0}},
        // Every texture except matcap; the bind leaves out its scale, which is then 1, 1.
        {"/materials/1/normalTexture" TRANSFORM "offset", 2, {0, 0}, {0.5, 0}},
        {"/materials/1/normalTexture" TRANSFORM "scale", 2, {1, 1}, {1, 1}},
        {MTOON "shadeMultiplyTexture" TRANSFORM "offset", 2, {0.5, 0}, {0.5, 0}},
        {MTOON "shadeMultiplyTexture" TRANSFORM "scale", 2, {2, 2}, {1, 1}},
    };
    tdAsset* asset = LoadModelFile("fine");
    CheckValues(asset, expected, sizeof(expected) / sizeof(expected[0]));
    tdDestroyAsset(asset);
}

TEST(ColoursAndTexturesOfVrm0)
{
    // _MainTex_ST 1, 1, 0.5, 0: scale 1, 1 and offset 0.5, 1 - 0 - 1. The expression is binary.
    static const Expected expected[] = {
        {"/materials/0/pbrMetallicRoughness/baseColorFactor", 4, {1, 0.5, 0, 1}, {1, 0, 0, 1}},
        {"/extensions/VRM/materialProperties/0/vectorProperties/_ShadeColor", 3, {1, 1, 1}, {1, 0, 0}},
        {"/materials/0/pbrMetallicRoughness/baseColorTexture" TRANSFORM "offset", 2, {0.5, 0}, {0.5, 0}},
        {"/materials/0/pbrMetallicRoughness/baseColorTexture" TRANSFORM "scale", 2, {2, 2}, {1, 1}},
    };
    tdAsset* asset = LoadModelFile("fine0");
    CheckValues(asset, expected, sizeof(expected) / sizeof(expected[0]));
    tdDestroyAsset(asset);
}

TEST(BindsAreDescribed)
{
    tdAsset* asset = LoadModelFile("fine");
    tdExpressionInfo happy = tdDescribeExpression(asset, 0);
    ENSURE_EQUAL_INT(happy.materialBindCount, 10);
    ENSURE_EQUAL_INT(tdDescribeMaterialBind(asset, 0, 3).value, 3);
    ENSURE_NEAR(tdDescribeMaterialBind(asset, 0, 0).target[3], 1.0, 0);
    ENSURE_EQUAL_INT(tdDescribeMaterialBind(asset, 0, 10).value, -1);
    ENSURE_EQUAL_TEXT(tdDescribeMaterialValue(asset, 6).texture, "normalTexture");
    ENSURE_EQUAL_TEXT(tdMaterialValueKind_GetName(tdDescribeMaterialValue(asset, 6).kind), "textureOffset");
    tdMorphBindInfo bind = tdDescribeMorphBind(asset, 1, 0);
    ENSURE_EQUAL_INT(bind.target, 1);
    ENSURE_EQUAL_TEXT(tdAsset_GetNodeName(asset, bind.node), "face");
    ENSURE_EQUAL_INT(tdDescribeMorphBind(asset, 1, 1).node, -1);
    ENSURE_EQUAL_INT(tdDescribeMaterialValue(asset, 99).material, -1);
    ENSURE_EQUAL_INT(tdDescribeMaterialValue(NULL, 0).material, -1);
    tdHumanoidInfo humanoid = tdDescribeHumanoid(asset);
    ENSURE_EQUAL_INT(humanoid.firstPersonCount, 2);
    ENSURE_EQUAL_TEXT(tdFirstPersonType_GetName(tdDescribeFirstPerson(asset, 0).type), "thirdPersonOnly");
    ENSURE_EQUAL_INT(tdDescribeFirstPerson(asset, 2).node, -1);
    ENSURE_EQUAL_INT(humanoid.metaCount, 12);
    ENSURE_EQUAL_TEXT(tdDescribeMeta(asset, 1).key, "authors");
    ENSURE_EQUAL_TEXT(tdDescribeMeta(asset, 2).value, "C");
    ENSURE(tdDescribeMeta(asset, 2).isElement && tdDescribeMeta(asset, 2).isText);
    ENSURE_EQUAL_TEXT(tdDescribeMeta(asset, 11).value, "true");
    ENSURE(!tdDescribeMeta(asset, 11).isText);
    ENSURE_EQUAL_TEXT(tdDescribeMeta(asset, 12).key, "");
    tdDestroyAsset(asset);
    asset = LoadModelFile("fine0"); // one flag on a mesh of two nodes
    ENSURE_EQUAL_INT(tdDescribeHumanoid(asset).firstPersonCount, 2);
    tdDestroyAsset(asset);
    int count = 7;
    ENSURE(tdActor_GetMaterialValues(NULL, &count) == NULL && count == 0);
}

static int CountText(const char* text, size_t size, const char* word)
{
    int count = 0;
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; ++i)
    {
        count += memcmp(text + i, word, length) == 0;
    }
    return count;
}

// Plays the last animation of a baked file and compares its material values with those of an expression.
static void ComparePlayback(const tdAsset* asset, const tdAsset* baked)
{
    tdClip* clip = tdCreateClip(baked, tdAsset_GetAnimationCount(baked) - 1, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actors[2] = {tdCreateActor(stage, asset, NULL, NULL), tdCreateActor(stage, baked, NULL, NULL)};
    tdActor_SetExpression(actors[0], "happy", 0.25f);
    tdActor_Play(actors[1], clip, NULL);
    tdStage_Evaluate(stage, 0.25);
    int count = 0;
    const float* wanted = tdActor_GetMaterialValues(actors[0], &count);
    const float* got = tdActor_GetMaterialValues(actors[1], &count);
    for (int i = 0; i < count; ++i)
    {
        tdMaterialValueInfo info = tdDescribeMaterialValue(asset, i);
        bool isBaked = strncmp(info.pointer, "/materials/", 11) == 0;
        for (int c = 0; c < 4; ++c)
        {
            ENSURE_NEAR(got[4 * i + c], isBaked ? wanted[4 * i + c] : info.base[c], 2.0e-3f);
        }
    }
    tdDestroyStage(stage);
    tdDestroyClip(clip);
}

static int CountCode(const tdReport* report, const char* code)
{
    int count = 0;
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        count += strcmp(tdReport_Get(report, i).code, code) == 0;
    }
    return count;
}

// Bakes one second in which happy grows from 0 to 1.
static void BakeHappy(const char* name, bool animates, int pointers, int transforms)
{
    tdAsset* asset = LoadModelFile(name);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.animateMaterials = animates;
    tdTape* tape = tdCreateTape(actor, &def, NULL);
    for (int i = 0; i <= 60; ++i)
    {
        tdActor_SetExpression(actor, "happy", (float)i / 60.0f);
        tdStage_Evaluate(stage, 0.0);
        ENSURE(tdTape_CaptureAt(tape, (double)i / 60.0));
    }
    tdReport* report = tdCreateReport(NULL);
    tdAsset* baked = tdTape_Bake(tape, report);
    size_t size = 0;
    char* bytes = tdSaveAssetToMemory(baked, TD_SAVE_GLB, NULL, &size, NULL);
    ENSURE_EQUAL_INT(CountText(bytes, size, "\"path\":\"pointer\""), pointers);
    ENSURE_EQUAL_INT(CountText(bytes, size, "\"KHR_animation_pointer\""), pointers > 0 ? pointers + 1 : 0);
    ENSURE_EQUAL_INT(CountText(bytes, size, "\"KHR_texture_transform\""), transforms);
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, NULL, report); // its own buffer is not at hand
    tdFreeSaved(bytes, size, NULL);
    tdDestroyAsset(again);
    // The base values of the new file are those of the old one.
    ENSURE_EQUAL_INT(tdDescribeHumanoid(baked).materialValueCount,
                     tdDescribeHumanoid(asset).materialValueCount);
    for (int i = 0; i < tdDescribeHumanoid(asset).materialValueCount; ++i)
    {
        tdMaterialValueInfo a = tdDescribeMaterialValue(asset, i), b = tdDescribeMaterialValue(baked, i);
        ENSURE_EQUAL_TEXT(a.pointer, b.pointer);
        ENSURE(memcmp(a.base, b.base, sizeof(a.base)) == 0);
    }
    bool isOld = strcmp(name, "fine0") == 0;
    ENSURE_EQUAL_INT(CountCode(report, "MATERIAL_NOT_BAKED"), animates && isOld ? 1 : 0);
    if (animates)
    {
        ComparePlayback(asset, baked);
    }
    tdDestroyReport(report);
    tdDestroyAsset(baked);
    tdDestroyTape(tape);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(BakedFilesAnimateMaterialsWhenAsked)
{
    // Two of the ten values keep their base: the scale and the offset that the bind repeats. The file has one
    // texture of each material with a transform; extensionsUsed names it; normalTexture gets one.
    BakeHappy("fine", true, 8, 4);
    BakeHappy("fine", false, 0, 3);
    // _ShadeColor is not a member of a glTF material.
    BakeHappy("fine0", true, 2, 3);
}

TEST_MAIN(RUN(ColoursAndTexturesOfVrm1) RUN(ColoursAndTexturesOfVrm0) RUN(BindsAreDescribed)
              RUN(BakedFilesAnimateMaterialsWhenAsked))
