// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of replaceAnimations: a bake removes the animations that play, in any number of plays, and no others.
#include "harness.h"

#include "base/text.h"

#include "tendon/tendon.h"

#define ANIMATION_COUNT 4

/// Four animations over a second, "turn 0" to "turn 3", each of its own node.
static tdAsset* LoadAnimations(void)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(
        &text,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{},{},{}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":2,\"type\":\"VEC3\",\"byteOffset\":8}],\"bufferViews\":[{"
        "\"buffer\":0,"
        "\"byteLength\":32}],\"buffers\":[{\"byteLength\":32,\"uri\":\"data:application/octet-stream;base64,"
        "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAgD8=\"}],\"animations\":[");
    for (int i = 0; i < ANIMATION_COUNT; ++i)
    {
        tdText_AppendFormat(
            &text,
            "%s{\"name\":\"turn %d\",\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{"
            "\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"translation\"}}]}",
            i > 0 ? "," : "", i, i);
    }
    tdText_AppendString(&text, "]}");
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    tdText_Free(&text);
    ENSURE(asset != NULL);
    return asset;
}

TEST(PlayedAnimationsAreRemovedAndOthersStay)
{
    tdAsset* asset = LoadAnimations();
    for (unsigned played = 0; played < 1u << ANIMATION_COUNT; ++played)
    {
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdClip* clips[ANIMATION_COUNT] = {NULL};
        for (int i = ANIMATION_COUNT - 1; i >= 0; --i)
        {
            clips[i] = tdCreateClip(asset, i, NULL, NULL);
            if ((played >> i & 1u) != 0)
            {
                tdActor_Play(actor, clips[i], NULL);
            }
        }
        tdBakeDef def = tdDefaultBakeDef();
        def.seconds = 1.0;
        def.replaceAnimations = true;
        tdAsset* baked = tdBakeActor(actor, &def, NULL);
        int kept = 0;
        for (int i = 0; i < ANIMATION_COUNT; ++i)
        {
            char name[16];
            snprintf(name, sizeof(name), "turn %d", i);
            if ((played >> i & 1u) == 0)
            {
                ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(baked, kept), name);
                kept += 1;
            }
        }
        // Without a play nothing moves, and there is nothing to add.
        ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(baked), kept + (played != 0 ? 1 : 0));
        if (played != 0)
        {
            ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(baked, kept), "baked");
        }
        tdDestroyAsset(baked);
        tdDestroyStage(stage);
        for (int i = 0; i < ANIMATION_COUNT; ++i)
        {
            tdDestroyClip(clips[i]);
        }
    }
    tdDestroyAsset(asset);
}

TEST(StoppedAnimationsStay)
{
    tdAsset* asset = LoadAnimations();
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip *first = tdCreateClip(asset, 0, NULL, NULL), *third = tdCreateClip(asset, 2, NULL, NULL);
    tdPlayId stopped = tdActor_Play(actor, first, NULL);
    tdActor_Play(actor, third, NULL);
    tdActor_Stop(actor, stopped);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 1.0;
    def.replaceAnimations = true;
    tdAsset* baked = tdBakeActor(actor, &def, NULL);
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(baked), ANIMATION_COUNT);
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(baked, 0), "turn 0");
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(baked, 1), "turn 1");
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(baked, 2), "turn 3");
    tdDestroyAsset(baked);
    tdDestroyStage(stage);
    tdDestroyClip(first);
    tdDestroyClip(third);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(PlayedAnimationsAreRemovedAndOthersStay) RUN(StoppedAnimationsStay))
