// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the pipeline of two files, separated by a zero byte: the motion of the second is retargeted to the
// first, added, played, baked, saved and loaded again. Files that Tendon wrote must load without an error
// that the input did not have.
#define TD_OWN_MUTATOR
#include "mutate_json.h"

#include "tendon/bake.h"
#include "tendon/motion.h"

static void Expect(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

/// Mutates one of the two files.
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed)
{
    uint8_t* separator = memchr(data, 0, size);
    size_t first = separator != NULL ? (size_t)(separator - data) : size;
    if (separator == NULL || seed % 2 == 0)
    {
        size_t rest = size - first;
        uint8_t* copy = malloc(rest + 1);
        memcpy(copy, data + first, rest);
        size_t changed = MutateText(data, first, maxSize - rest, seed / 2);
        memcpy(data + changed, copy, rest);
        free(copy);
        return changed + rest;
    }
    size_t start = first + 1;
    return start + MutateText(data + start, size - start, maxSize - start, seed / 2);
}

static tdAsset* Reload(const tdAsset* asset, const tdLoadDef* def, tdSaveFormat format)
{
    size_t size = 0;
    void* bytes = tdSaveAssetToMemory(asset, format, NULL, &size, NULL);
    tdAsset* loaded = bytes != NULL ? tdLoadAssetFromMemory(bytes, size, def, NULL) : NULL;
    tdFreeSaved(bytes, size, NULL);
    return loaded;
}

static void Bake(const tdAsset* asset, const tdClip* clip, const tdLoadDef* def)
{
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.limits.memory = 256 << 20;
    tdStage* stage = tdCreateStage(&stageDef);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    if (clip != NULL)
    {
        tdActor_Play(actor, clip, NULL);
    }
    tdBakeDef bakeDef = tdDefaultBakeDef();
    bakeDef.seconds = 0.1;
    tdAsset* baked = actor != NULL ? tdBakeActor(actor, &bakeDef, NULL) : NULL;
    tdAsset* loaded = baked != NULL ? Reload(baked, def, TD_SAVE_GLB) : NULL;
    if (loaded != NULL)
    {
        Expect(tdAsset_GetNodeCount(loaded) == tdAsset_GetNodeCount(asset));
        Expect(tdAsset_GetAnimationCount(loaded) >= tdAsset_GetAnimationCount(asset));
    }
    tdDestroyAsset(loaded);
    tdDestroyAsset(baked);
    tdDestroyStage(stage);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.limits.memory = 64 << 20;
    def.limits.nodes = 300;
    def.limits.keys = 100000;
    const uint8_t* separator = size > 0 ? memchr(data, 0, size) : NULL;
    size_t first = separator != NULL ? (size_t)(separator - data) : size;
    tdAsset* model = tdLoadAssetFromMemory(data, first, &def, NULL);
    tdAsset* motion =
        separator != NULL ? tdLoadAssetFromMemory(separator + 1, size - first - 1, &def, NULL) : NULL;
    tdRetargetDef retarget = tdDefaultRetargetDef();
    retarget.maximumKeyCount = 1000;
    retarget.contacts = size % 2 != 0 ? TD_KEEP_FEET | TD_KEEP_HANDS : 0;
    tdClip* clip = tdRetargetClip(motion, 0, model, &retarget, NULL, NULL);
    if (model != NULL)
    {
        Bake(model, clip, &def);
    }
    if (clip != NULL)
    {
        tdAsset* added = tdAddClip(model, clip, "added", NULL);
        tdAsset* loaded = added != NULL ? Reload(added, &def, TD_SAVE_GLTF) : NULL;
        Expect(loaded == NULL || tdAsset_GetNodeCount(loaded) == tdAsset_GetNodeCount(model));
        tdDestroyAsset(loaded);
        tdDestroyAsset(added);
        tdAsset* alone = tdMakeMotion(model, clip, NULL);
        loaded = alone != NULL ? Reload(alone, &def, TD_SAVE_GLB) : NULL;
        tdDestroyAsset(loaded);
        tdDestroyAsset(alone);
    }
    tdDestroyClip(clip);
    tdDestroyAsset(motion);
    tdDestroyAsset(model);
    return 0;
}
