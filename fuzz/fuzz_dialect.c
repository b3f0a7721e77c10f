// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes conversions: a file that loads is converted to every physics dialect and back. Each result must
// load, with the nodes of its origin, and simulate.
#include "mutate_json.h"

#include "tendon/convert.h"
#include "tendon/stage.h"

static void Expect(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

static tdAsset* Reload(const tdAsset* asset, const tdLoadDef* def)
{
    size_t size = 0;
    void* bytes = tdSaveAssetToMemory(asset, TD_SAVE_GLTF, NULL, &size, NULL);
    tdAsset* loaded = bytes != NULL ? tdLoadAssetFromMemory(bytes, size, def, NULL) : NULL;
    tdFreeSaved(bytes, size, NULL);
    return loaded;
}

static void Simulate(const tdAsset* asset)
{
    tdStage* stage = tdCreateStage(NULL);
    tdCreateActor(stage, asset, NULL, NULL);
    tdStage_Step(stage);
    tdDestroyStage(stage);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const tdPhysicsTarget dialects[] = {TD_PHYSICS_KHR, TD_PHYSICS_KHR_DRAFT, TD_PHYSICS_OMI,
                                               TD_PHYSICS_OMI_EARLY};
    tdLoadDef def = tdDefaultLoadDef();
    def.limits.memory = 64 << 20;
    def.limits.nodes = 300;
    tdAsset* asset = tdLoadAssetFromMemory(data, size, &def, NULL);
    int nodeCount = tdAsset_GetNodeCount(asset);
    for (size_t i = 0; asset != NULL && i < sizeof(dialects) / sizeof(dialects[0]); ++i)
    {
        tdAsset* converted = tdConvertAsset(asset, dialects[i], NULL);
        tdAsset* loaded = converted != NULL ? Reload(converted, &def) : NULL;
        if (loaded != NULL)
        {
            // Frames of joints may become nodes of their own.
            Expect(tdAsset_GetNodeCount(loaded) >= nodeCount);
            Simulate(loaded);
            tdAsset* back = tdConvertAsset(loaded, TD_PHYSICS_KHR, NULL);
            tdAsset* again = back != NULL ? Reload(back, &def) : NULL;
            Expect(again == NULL || tdAsset_GetNodeCount(again) >= nodeCount);
            tdDestroyAsset(again);
            tdDestroyAsset(back);
        }
        tdDestroyAsset(loaded);
        tdDestroyAsset(converted);
    }
    tdDestroyAsset(asset);
    return 0;
}
