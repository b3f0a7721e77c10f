// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Material colours and texture transforms that animations change (KHR_animation_pointer), in files without
// expressions: playback, traces, bakes and their replay.
#include "harness.h"

#include "base/text.h"

#include "tendon/tendon.h"

#include <stdlib.h>
#include <string.h>

// Keys at 0 and 1 s: two times, then values of 4, 3 and 2 components.
static const float buffer[] = {0.0f, 1.0f, 1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f,  0.5f, 0.5f,
                               0.0f, 0.0f, 0.0f, 1.0f, 2.0f, 3.0f, 0.0f, 0.25f, 0.5f, 0.75f};

static bool ReadBuffer(void* context, const char* uri, const void** data, size_t* size)
{
    (void)context;
    (void)uri;
    *data = buffer;
    *size = sizeof(buffer);
    return true;
}

// Three channels, whose pointers have 4, 3 and 2 components.
static tdAsset* LoadPointers(const char* const pointers[3], tdReport* report)
{
    static const char start[] =
        "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_animation_pointer','KHR_texture_transform'],"
        "'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{}],'images':[{'uri':'a.png'}],'textures':[{'source':0}]"
        ","
        "'materials':[{},{'pbrMetallicRoughness':{'baseColorFactor':[0.1,0.2,0.3,0.4],'baseColorTexture':{"
        "'index':0,'extensions':{'KHR_texture_transform':{'offset':[0.5,0.25]}}}},"
        "'emissiveFactor':[0.5,0.6,0.7]}],'buffers':[{'byteLength':80,'uri':'keys.bin'}],'bufferViews':["
        "{'buffer':0,'byteLength':8},{'buffer':0,'byteOffset':8,'byteLength':32},"
        "{'buffer':0,'byteOffset':40,'byteLength':24},{'buffer':0,'byteOffset':64,'byteLength':16}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[1]},"
        "{'bufferView':1,'componentType':5126,'count':2,'type':'VEC4'},"
        "{'bufferView':2,'componentType':5126,'count':2,'type':'VEC3'},"
        "{'bufferView':3,'componentType':5126,'count':2,'type':'VEC2'}],'animations':[{'samplers':["
        "{'input':0,'output':1},{'input':0,'output':2},{'input':0,'output':3}],'channels':[";
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(&text, start);
    for (int i = 0; i < 3; ++i)
    {
        tdText_AppendFormat(
            &text,
            "%s{'sampler':%d,'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{"
            "'pointer':'%s'}}}}",
            i > 0 ? "," : "", i, pointers[i]);
    }
    tdText_AppendString(&text, "]}]}");
    for (size_t i = 0; i < text.length; ++i)
    {
        text.data[i] = text.data[i] == '\'' ? '"' : text.data[i];
    }
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = ReadBuffer;
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, &def, report);
    tdText_Free(&text);
    return asset;
}

#define COLOR "/materials/1/pbrMetallicRoughness/baseColorFactor"
#define EMISSION "/materials/0/emissiveFactor"
#define OFFSET "/materials/1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"

static const char* const all[3] = {COLOR, EMISSION, OFFSET};

// Values of the last animation of a file at a time.
static void PlayMaterials(const tdAsset* asset, double time, float values[12])
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, tdAsset_GetAnimationCount(asset) - 1, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdStage_Evaluate(stage, time);
    int count = 0;
    const float* current = tdActor_GetMaterialValues(actor, &count);
    ENSURE_EQUAL_INT(count, 3);
    memcpy(values, current, 12 * sizeof(float));
    tdDestroyStage(stage);
    tdDestroyClip(clip);
}

TEST(AnimationsChangeMaterials)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = LoadPointers(all, report);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    ENSURE_EQUAL_INT(tdDescribeHumanoid(asset).kind, TD_HUMANOID_NONE);
    ENSURE_EQUAL_INT(tdAsset_GetMaterialValueCount(asset), 3);
    static const float bases[3][4] = {{0.1f, 0.2f, 0.3f, 0.4f}, {0}, {0.5f, 0.25f}};
    for (int i = 0; i < 3; ++i)
    {
        tdMaterialValueInfo info = tdDescribeMaterialValue(asset, i);
        ENSURE_EQUAL_TEXT(info.pointer, all[i]);
        ENSURE_EQUAL_INT(info.width, 4 - i);
        ENSURE(memcmp(info.base, bases[i], sizeof(info.base)) == 0);
    }
    // Half way between the keys.
    static const float wanted[12] = {0.5f, 0.5f, 0.25f, 0.75f, 0.5f, 1.0f, 1.5f, 0.0f, 0.25f, 0.5f};
    float values[12];
    PlayMaterials(asset, 0.5, values);
    for (int i = 0; i < 12; ++i)
    {
        ENSURE_NEAR(values[i], wanted[i], 1.0e-6f);
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(StoppedAnimationsLeaveTheBase)
{
    tdAsset* asset = LoadPointers(all, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdPlayId play = tdActor_Play(actor, clip, NULL);
    tdStage_Evaluate(stage, 0.5);
    ENSURE_NEAR(tdActor_GetMaterialValues(actor, NULL)[0], 0.5f, 1.0e-6f);
    tdActor_Stop(actor, play);
    tdStage_Evaluate(stage, 0.5);
    ENSURE_NEAR(tdActor_GetMaterialValues(actor, NULL)[0], 0.1f, 0.0f);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

// A baked file has the values of the run, at keys and between them.
TEST(BakedFilesReplayTheRun)
{
    tdAsset* asset = LoadPointers(all, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.animateMaterials = true;
    def.seconds = 1.0;
    tdAsset* baked = tdBakeActor(actor, &def, NULL);
    ENSURE(baked != NULL);
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(baked), 2);
    for (int i = 0; i <= 20; ++i)
    {
        float wanted[12], got[12];
        PlayMaterials(asset, 0.05 * i, wanted);
        PlayMaterials(baked, 0.05 * i, got);
        for (int k = 0; k < 12; ++k)
        {
            ENSURE_NEAR(got[k], wanted[k], 1.0e-3f); // tolerance of the bake's keys
        }
    }
    tdDestroyAsset(baked);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

// Pointers to materials, members or textures that are not there are reported, and the other channels play.
TEST(WrongPointersAreReported)
{
    static const char* const wrong[] = {
        "/materials/2/emissiveFactor",   "/materials/01/emissiveFactor",
        "/materials//emissiveFactor",    "/materials/99999999999/emissiveFactor",
        "/materials/0/x/emissiveFactor", "/materials/0/extensions/VRMC_materials_mtoon/shadeColorFactor"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i)
    {
        const char* pointers[3] = {COLOR, wrong[i], OFFSET};
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = LoadPointers(pointers, report);
        ENSURE_EQUAL_INT(tdReport_GetCount(report), 1);
        ENSURE_EQUAL_TEXT(tdReport_Get(report, 0).code, "KHR_ANIMATION_POINTER_UNSUPPORTED");
        ENSURE_EQUAL_TEXT(tdReport_Get(report, 0).pointer,
                          "/animations/0/channels/1/target/extensions/KHR_animation_pointer/pointer");
        ENSURE_EQUAL_INT(tdAsset_GetMaterialValueCount(asset), 2);
        tdDestroyReport(report);
        tdDestroyAsset(asset);
    }
    // A texture that the material does not have.
    static const char* const texture[3] = {
        COLOR, EMISSION, "/materials/1/normalTexture/extensions/KHR_texture_transform/offset"};
    tdAsset* asset = LoadPointers(texture, NULL);
    ENSURE_EQUAL_INT(tdAsset_GetMaterialValueCount(asset), 2);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(AnimationsChangeMaterials) RUN(StoppedAnimationsLeaveTheBase) RUN(BakedFilesReplayTheRun)
              RUN(WrongPointersAreReported))
