// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The scene of an asset, imported on first use.
#include "asset.h"

// Stands for a scene that could not be imported: what was read until memory ran out breaks the invariants.
static const tdScene emptyScene = {.activeScene = -1};

bool tdAsset_ImportScene(tdAsset* asset, tdReport* report)
{
    if (tdOnce_Begin(&asset->importOnce))
    {
        asset->importCount += asset->importScene != NULL ? 1 : 0;
        asset->isSceneUsable = asset->importScene == NULL || asset->importScene(asset, report);
        tdOnce_End(&asset->importOnce);
    }
    return asset->isSceneUsable;
}

bool tdAsset_HasUsableScene(const tdAsset* asset)
{
    return tdAsset_ImportScene((tdAsset*)(uintptr_t)asset, NULL);
}

const tdScene* tdAsset_GetScene(const tdAsset* asset)
{
    return asset != NULL && tdAsset_HasUsableScene(asset) ? &asset->scene : &emptyScene;
}
