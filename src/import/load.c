// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Loads an asset: bytes, document, and the scene as far as the level requires.
#include "bvh.h"
#include "bvh_scene.h"
#include "create_asset.h"
#include "import.h"

#include "base/def.h"
#include "base/file.h"

#include <string.h>

tdLoadDef tdDefaultLoadDef(void)
{
    return (tdLoadDef){.cookie = TD_DEF_COOKIE};
}

/// Takes ownership of the bytes.
static tdAsset* LoadBytes(tdAsset* asset, uint8_t* bytes, size_t size, const tdLoadDef* def,
                          const char* folder, tdReport* report)
{
    tdDocumentDef documentDef = {.allocator = &asset->allocator,
                                 .name = asset->name,
                                 .resolver = {.readFile = def->readFile,
                                              .readContext = def->readContext,
                                              .folder = folder,
                                              .allowedFolders = def->allowedFolders,
                                              .allowedFolderCount = def->allowedFolderCount,
                                              .maxBytes = (size_t)def->limits.memory,
                                              .progress = def->progress}};
    if (tdIsBvh((const char*)bytes, size))
    {
        asset->importScene = NULL;
        bool isRead = tdImportBvh(asset, (const char*)bytes, size, report);
        asset->text = bytes;
        asset->textSize = size;
        return tdFinishAsset(asset, isRead, report);
    }
    asset->document = tdCreateDocument(bytes, size, &documentDef, report);
    bool isLoaded =
        asset->document != NULL && (def->level == TD_LOAD_DOCUMENT || tdAsset_ImportScene(asset, report));
    return tdFinishAsset(asset, isLoaded, report);
}

static tdLoadDef ResolveDef(const tdLoadDef* def)
{
    tdLoadDef resolved = def != NULL ? *def : tdDefaultLoadDef();
    TD_ASSERT_DEF(&resolved);
    resolved.limits = tdLimits_Resolve(&resolved.limits);
    resolved.limits.memory = (int64_t)tdLimits_GetMemory(&resolved.limits, TD_ASSET_MEMORY);
    return resolved;
}

tdAsset* tdLoadAsset(const char* path, const tdLoadDef* def, tdReport* report)
{
    tdLoadDef resolved = ResolveDef(def);
    if (path == NULL)
    {
        return NULL;
    }
    tdReport_SetSource(report, path, NULL, NULL);
    tdAsset* asset = tdCreateAsset(path, &resolved, report);
    if (asset == NULL)
    {
        return NULL;
    }
    void* bytes = NULL;
    size_t size = 0;
    tdFileStatus status =
        tdReadFile(path, &asset->allocator, (size_t)resolved.limits.memory, resolved.progress, &bytes, &size);
    if (status == TD_FILE_TOO_LARGE)
    {
        tdReportMemoryLimit(report, (size_t)resolved.limits.memory);
    }
    else if (status == TD_FILE_OUT_OF_MEMORY)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading the file");
    }
    else if (status != TD_FILE_OK)
    {
        tdReport_Add(report, TD_DIAG_IO_ERROR, NULL, path, tdFileStatus_GetText(status));
    }
    if (status != TD_FILE_OK)
    {
        return tdFinishAsset(asset, false, report);
    }
    tdText folder;
    tdText_Init(&folder, &asset->allocator);
    tdAppendFolderOf(&folder, path);
    const char* folderText =
        folder.failed ? NULL : tdArena_CopyText(&asset->arena, folder.data, folder.length);
    tdText_Free(&folder);
    if (folderText == NULL)
    {
        tdRelease(&asset->allocator, bytes, size + 1);
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading the file");
        return tdFinishAsset(asset, false, report);
    }
    return LoadBytes(asset, bytes, size, &resolved, folderText, report);
}

tdAsset* tdLoadAssetFromMemory(const void* data, size_t size, const tdLoadDef* def, tdReport* report)
{
    tdLoadDef resolved = ResolveDef(def);
    const char* name = resolved.name != NULL ? resolved.name : "";
    tdReport_SetSource(report, name, NULL, NULL);
    tdAsset* asset = tdCreateAsset(name, &resolved, report);
    if (asset == NULL)
    {
        return NULL;
    }
    uint8_t* bytes = tdAllocate(&asset->allocator, size + 1, 16);
    if (bytes == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "copying the file");
        return tdFinishAsset(asset, false, report);
    }
    if (size > 0)
    {
        memcpy(bytes, data, size);
    }
    bytes[size] = 0;
    return LoadBytes(asset, bytes, size, &resolved, NULL, report);
}
