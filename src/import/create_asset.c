// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates and destroys assets. Each asset has its own memory limit (tdLimits.memory).
#include "create_asset.h"

#include "import.h"
#include "physics.h"

#include "base/memory_limit.h"

#include <string.h>

/// Keeps the options that an import of the scene needs, now or later.
static bool KeepOptions(tdAsset* asset, const tdLoadDef* def)
{
    asset->def = *def;
    asset->def.allocator = &asset->allocator;
    asset->def.name = NULL;
    asset->def.readFile = NULL;
    asset->def.readContext = NULL;
    asset->def.allowedFolders = NULL;
    asset->def.allowedFolderCount = 0;
    if (def->boneMap != NULL)
    {
        asset->def.boneMap = tdArena_CopyText(&asset->arena, def->boneMap, strlen(def->boneMap));
    }
    return def->boneMap == NULL || asset->def.boneMap != NULL;
}

tdAsset* tdCreateAsset(const char* name, const tdLoadDef* def, tdReport* report)
{
    tdAllocator outer = tdAllocator_Resolve(def->allocator);
    tdAsset* asset = tdAllocateZeroed(&outer, sizeof(tdAsset), _Alignof(tdAsset));
    tdMemoryLimit* limit =
        asset != NULL ? tdCreateMemoryLimit(&outer, tdLimits_GetMemory(&def->limits, TD_ASSET_MEMORY)) : NULL;
    if (limit == NULL)
    {
        tdRelease(&outer, asset, sizeof(tdAsset));
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "making an asset");
        return NULL;
    }
    asset->outerAllocator = outer;
    asset->limit = limit;
    asset->allocator = tdMemoryLimit_MakeAllocator(limit);
    asset->importScene = tdImportDocument;
    asset->scene.activeScene = -1;
    tdArena_Init(&asset->arena, &asset->allocator, 0);
    asset->name = tdArena_CopyText(&asset->arena, name, strlen(name));
    if (asset->name == NULL || !KeepOptions(asset, def))
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "making an asset");
        asset->name = "";
        return tdFinishAsset(asset, false, report);
    }
    return asset;
}

/// Reports a memory limit that was reached, and destroys an asset that is not good.
static tdAsset* KeepIfGood(tdAsset* asset, bool isGood, tdReport* report)
{
    if (tdMemoryLimit_IsReached(asset->limit))
    {
        tdReportMemoryLimit(report, tdMemoryLimit_GetMaximum(asset->limit));
    }
    if (!isGood)
    {
        tdDestroyAsset(asset);
        return NULL;
    }
    return asset;
}

tdAsset* tdFinishAsset(tdAsset* asset, bool isGood, tdReport* report)
{
    tdReport_SetSource(report, asset->name, NULL, NULL);
    return KeepIfGood(asset, isGood, report);
}

tdAsset* tdCreateEditedAsset(const tdAsset* origin, const char* name, tdReport* report)
{
    tdLoadDef def = origin->def;
    def.allocator = &origin->outerAllocator;
    return tdCreateAsset(name, &def, report);
}

tdAsset* tdFinishEditedAsset(tdAsset* asset, tdDocument* document, tdReport* report)
{
    if (asset == NULL)
    {
        return NULL;
    }
    asset->document = document;
    return KeepIfGood(asset, document != NULL, report);
}

void tdDestroyAsset(tdAsset* asset)
{
    if (asset == NULL)
    {
        return;
    }
    tdAllocator outer = asset->outerAllocator;
    tdFreePhysicsScene(asset->scene.physics);
    for (int i = 0; asset->scene.otherPhysics != NULL && i < asset->scene.rootsCount; ++i)
    {
        tdFreePhysicsScene(asset->scene.otherPhysics[i]);
    }
    tdDestroyDocument(asset->document);
    tdRelease(&asset->allocator, asset->text, asset->textSize + 1);
    tdArena_Free(&asset->arena);
    tdDestroyMemoryLimit(asset->limit);
    tdRelease(&outer, asset, sizeof(tdAsset));
}
