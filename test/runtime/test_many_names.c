// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A hundred thousand expressions, from two files to a playing clip. A linear search for each name would take
// a minute; the test takes one or two seconds.
#include "harness.h"

#include "base/text.h"

#include "tendon/tendon.h"

#include <time.h>

enum
{
    NAMES = 100000,
    SHARED = NAMES - 10, // the avatar lacks the last ten of the motion
};

static const float buffer[8] = {0.0f, 1.0f, 0.0f, 0.0f,
                                0.0f, 1.0f, 0.0f, 0.0f}; // times, then two translations

static bool ReadBuffer(void* context, const char* uri, const void** data, size_t* size)
{
    (void)context;
    (void)uri;
    *data = buffer;
    *size = sizeof(buffer);
    return true;
}

static tdAsset* Load(tdText* text)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = ReadBuffer;
    tdAsset* asset = tdLoadAssetFromMemory(text->data, text->length, &def, NULL);
    tdText_Free(text);
    ENSURE(asset != NULL);
    return asset;
}

// In an order of its own, so that linear searches do not end early.
static int GetName(int i)
{
    return (int)((int64_t)i * 7919 % SHARED);
}

static tdAsset* LoadAvatar(void)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendFormat(&text,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm\"],\"scene\":0,"
                        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"hips\"}],\"extensions\":{"
                        "\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{\"hips\":{"
                        "\"node\":0}}},\"expressions\":{\"custom\":{");
    for (int i = 0; i < SHARED; ++i)
    {
        tdText_AppendFormat(&text, "%s\"e%d\":{}", i > 0 ? "," : "", GetName(i));
    }
    tdText_AppendFormat(&text, "}}}}}");
    return Load(&text);
}

static tdAsset* LoadMotion(void)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendFormat(&text, "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm_animation\"],"
                               "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"hips\"}");
    for (int i = 0; i < NAMES; ++i)
    {
        tdText_AppendFormat(&text, ",{}");
    }
    tdText_AppendFormat(&text,
                        "],\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{"
                        "\"humanBones\":{\"hips\":{\"node\":0}}},\"expressions\":{\"custom\":{");
    for (int i = 0; i < NAMES; ++i)
    {
        tdText_AppendFormat(&text, "%s\"e%d\":{\"node\":%d}", i > 0 ? "," : "", i, i + 1);
    }
    tdText_AppendFormat(&text,
                        "}}}},\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[");
    for (int i = 0; i < NAMES; ++i)
    {
        tdText_AppendFormat(&text, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"translation\"}}",
                            i > 0 ? "," : "", i + 1);
    }
    tdText_AppendFormat(
        &text, "]}],\"buffers\":[{\"byteLength\":32,\"uri\":\"keys.bin\"}],\"bufferViews\":[{\"buffer\":0,"
               "\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":24}],\"accessors\":[{"
               "\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],"
               "\"max\":[1]},{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}]}");
    return Load(&text);
}

TEST(NamesAreNotLookedUpOneByOne)
{
    clock_t start = clock();
    tdAsset *avatar = LoadAvatar(), *motion = LoadMotion();
    tdReport* report = tdCreateReport(NULL);
    tdClip* clip = tdRetargetClip(motion, 0, avatar, NULL, NULL, report);
    ENSURE(clip != NULL);
    int missing = 0;
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        missing += strcmp(tdReport_Get(report, i).code, "RT_EXPRESSION_MISSING") == 0;
    }
    ENSURE_EQUAL_INT(missing, NAMES - SHARED);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, avatar, NULL, NULL);
    tdPlayDef def = tdDefaultPlayDef();
    def.start = 0.25f;
    def.speed = 0.0f;
    tdPlayId play = tdActor_Play(actor, clip, &def);
    ENSURE(tdStage_Step(stage));
    for (int i = 0; i < NAMES; ++i)
    {
        char name[16];
        snprintf(name, sizeof(name), "e%d", i);
        tdActor_SetExpression(actor, name, 0.5f);
        ENSURE_NEAR(tdActor_GetExpression(actor, name), i < SHARED ? 0.5 : 0.25, 1e-6);
    }
    // Stopping the clip removes its names.
    tdActor_Stop(actor, play);
    tdDestroyClip(clip);
    ENSURE_NEAR(tdActor_GetExpression(actor, "e99999"), 0.0, 0);
    ENSURE_NEAR(tdActor_GetExpression(actor, "e99"), 0.5, 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ENSURE(seconds < 20.0);
    tdDestroyStage(stage);
    tdDestroyReport(report);
    tdDestroyAsset(motion);
    tdDestroyAsset(avatar);
}

TEST_MAIN(RUN(NamesAreNotLookedUpOneByOne))
