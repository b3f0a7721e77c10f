// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes simulation: loads any file and runs five steps without an assert or sanitizer finding. The mutator
// replaces JSON numbers, preferably by extreme ones.
#include "../test/hostile.h"

#include "tendon/stage.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed)
{
    uint32_t random = seed | 1u;
    size_t changed = seed % 4 != 0 ? ReplaceNumber((char*)data, size, maxSize, &random) : 0;
    return changed > 0 ? changed : LLVMFuzzerMutate(data, size, maxSize);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.limits.memory = 64u << 20;
    tdAsset* asset = tdLoadAssetFromMemory(data, size, &def, NULL);
    if (asset == NULL || tdAsset_GetNodeCount(asset) > 1000)
    {
        tdDestroyAsset(asset);
        return 0;
    }
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    if (clip != NULL)
    {
        tdActor_Play(actor, clip, NULL);
    }
    for (int i = 0; i < 5; ++i)
    {
        tdStage_Step(stage);
    }
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
    return 0;
}
