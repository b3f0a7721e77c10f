// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Loading an asset: bytes, document, scene. The order of the importers is the order in which they need each
// other.
#include "bvh.h"
#include "import.h"
#include "memory_limit.h"
#include "physics.h"
#include "read.h"
#include "vrm.h"

#include "base/file.h"

#include "tendon/describe.h"

#include <string.h>

static const tdPath rootPath = {NULL, NULL, -1};

tdLoadDef tdDefaultLoadDef(void)
{
    // 4 GiB, or what a size_t can hold.
    size_t limit = sizeof(size_t) > 4 ? (size_t)((uint64_t)4 << 30) : SIZE_MAX / 2;
    return (tdLoadDef){.maxBytes = limit};
}

const int* tdImport_GetElements(tdImport* import, const char* key, int* count)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int list = TD_JSON_NONE;
    *count = 0;
    if (tdReadArray(&reader, &rootPath, 0, key, &list) != TD_READ_OK)
    {
        return NULL;
    }
    int total = tdJson_GetCount(import->json, list), index = 0;
    if (total == 0)
    {
        tdPath path = tdPath_Key(&rootPath, key);
        tdReport_Add(import->report, TD_DIAG_EMPTY_ENTITY, &path);
    }
    int* values = tdArena_NewArray(&import->scratch, int, total + 1);
    if (values == NULL)
    {
        return NULL; // the importer's own arrays of this length fail next
    }
    for (int child = tdJson_GetFirst(import->json, list); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        values[index++] = child;
    }
    *count = total;
    return values;
}

const char* tdImport_GetText(tdImport* import, const tdPath* path, int object, const char* key)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int value = TD_JSON_NONE;
    if (tdReadString(&reader, path, object, key, &value) != TD_READ_OK)
    {
        return "";
    }
    size_t length = 0;
    const char* text = tdJson_GetString(import->json, value, &length);
    return tdArena_CopyText(import->arena, text, length);
}

/// asset.version and generator; false when it is no glTF 2.
static bool ReadAssetObject(tdImport* import, bool* hasMemory)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int object = TD_JSON_NONE;
    tdPath path = tdPath_Key(&rootPath, "asset");
    tdReadResult result = tdReadObject(&reader, &rootPath, 0, "asset", &object);
    if (result == TD_READ_ABSENT)
    {
        tdReportMissing(&reader, &rootPath, "asset");
    }
    import->scene->file.version = tdImport_GetText(import, &path, object, "version");
    import->scene->file.generator = tdImport_GetText(import, &path, object, "generator");
    *hasMemory = import->scene->file.version != NULL && import->scene->file.generator != NULL;
    if (!*hasMemory)
    {
        return false;
    }
    const char* version = import->scene->file.version;
    tdPath versionPath = tdPath_Key(&path, "version");
    if (version[0] == 0)
    {
        if (object >= 0 && tdJson_Find(import->json, object, "version") < 0)
        {
            tdReportMissing(&reader, &path, "version");
        }
        return true;
    }
    if (strncmp(version, "2.", 2) != 0)
    {
        tdReport_Add(import->report, TD_DIAG_UNKNOWN_ASSET_MAJOR_VERSION, &versionPath, version);
        return false;
    }
    if (strcmp(version, "2.0") != 0)
    {
        tdReport_Add(import->report, TD_DIAG_UNKNOWN_ASSET_MINOR_VERSION, &versionPath, version);
    }
    return true;
}

/// Numbers for people who look at the file.
static void CountContents(tdImport* import)
{
    const tdDocument* document = import->asset->document;
    tdFileFacts* facts = &import->scene->file;
    facts->kind = document->kind == TD_DOCUMENT_GLB ? TD_FILE_KIND_GLB : TD_FILE_KIND_GLTF;
    facts->byteCount = document->size;
    facts->materialCount = tdJson_GetCount(import->json, tdJson_Find(import->json, 0, "materials"));
    facts->textureCount = tdJson_GetCount(import->json, tdJson_Find(import->json, 0, "textures"));
    facts->imageCount = tdJson_GetCount(import->json, tdJson_Find(import->json, 0, "images"));
    facts->bufferCount = document->bufferCount;
    for (int i = 0; i < document->bufferCount; ++i)
    {
        facts->bufferBytes += document->buffers[i].size;
    }
}

bool tdImportDocument(tdAsset* asset, const tdLoadDef* def, tdReport* report)
{
    tdImport import = {.asset = asset,
                       .scene = &asset->scene,
                       .arena = &asset->arena,
                       .report = report,
                       .json = asset->document->json,
                       .def = def};
    tdArena_Init(&import.scratch, &asset->allocator, 0);
    bool hasMemory = true;
    bool isReadable = ReadAssetObject(&import, &hasMemory);
    if (isReadable)
    {
        CountContents(&import);
        hasMemory = tdImportExtensions(&import) &&
                    tdAccessors_Init(&import.accessors, asset->document, import.arena, report);
        // Each importer counts as its share of the second half of the parsing; physics ends in cooking.
        static bool (*const importers[])(tdImport*) = {tdImportMeshes, tdImportSkins,   tdImportNodes,
                                                       tdImportScenes, tdImportPhysics, tdImportAnimations,
                                                       tdImportVrm};
        tdProgress* progress = asset->document->resolver.progress;
        asset->progress = progress;
        size_t jsonSize = 0;
        tdJson_GetSource(import.json, &jsonSize);
        const size_t count = sizeof(importers) / sizeof(importers[0]);
        for (size_t i = 0; i < count && hasMemory; ++i)
        {
            tdProgress_Start(progress, TD_PROGRESS_PARSING, 2 * (uint64_t)jsonSize);
            tdProgress_Add(progress, jsonSize + (uint64_t)jsonSize * i / count);
            hasMemory = importers[i](&import);
        }
        if (hasMemory)
        {
            tdCheckPhysicsAnimations(&import);
        }
    }
    if (!hasMemory)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading the scene");
    }
    tdArena_Free(&import.scratch);
    return isReadable && hasMemory;
}

/// Ends a load: the report must not look into the document any more, and a limit that was reached is named.
static tdAsset* FinishLoad(tdAsset* asset, bool isLoaded, tdReport* report)
{
    if (tdMemoryLimit_IsReached(asset->limit))
    {
        tdReport_Add(report, TD_DIAG_TOO_LARGE, NULL, "What this file needs",
                     (unsigned long long)tdMemoryLimit_GetMaximum(asset->limit));
    }
    tdReport_SetSource(report, asset->name, NULL, NULL);
    if (!isLoaded)
    {
        tdDestroyAsset(asset);
        return NULL;
    }
    return asset;
}

tdAsset* tdCreateAsset(const char* name, const tdLoadDef* def, tdReport* report)
{
    tdAllocator outer = tdAllocator_Resolve(def->allocator);
    tdAsset* asset = tdAllocateZeroed(&outer, sizeof(tdAsset), _Alignof(tdAsset));
    tdMemoryLimit* limit = asset != NULL ? tdCreateMemoryLimit(&outer, def->maxBytes) : NULL;
    if (limit == NULL)
    {
        tdRelease(&outer, asset, sizeof(tdAsset));
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "making an asset");
        return NULL;
    }
    asset->outerAllocator = outer;
    asset->limit = limit;
    asset->allocator = tdMemoryLimit_MakeAllocator(limit);
    asset->scene.activeScene = -1;
    tdArena_Init(&asset->arena, &asset->allocator, 0);
    asset->name = tdArena_CopyText(&asset->arena, name, strlen(name));
    if (asset->name == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "making an asset");
        asset->name = "";
        return FinishLoad(asset, false, report);
    }
    return asset;
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
    tdArena_Free(&asset->arena);
    tdDestroyMemoryLimit(asset->limit);
    tdRelease(&outer, asset, sizeof(tdAsset));
}

/// Takes the bytes over.
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
                                              .maxBytes = def->maxBytes,
                                              .progress = def->progress}};
    if (tdIsBvh((const char*)bytes, size))
    {
        bool isRead = tdImportBvh(asset, (const char*)bytes, size, def, report);
        tdRelease(&asset->allocator, bytes, size + 1);
        return FinishLoad(asset, isRead, report);
    }
    asset->document = tdCreateDocument(bytes, size, &documentDef, report);
    bool isLoaded = asset->document != NULL && tdImportDocument(asset, def, report);
    return FinishLoad(asset, isLoaded, report);
}

static tdLoadDef ResolveDef(const tdLoadDef* def)
{
    tdLoadDef resolved = def != NULL ? *def : tdDefaultLoadDef();
    resolved.maxBytes = resolved.maxBytes != 0 ? resolved.maxBytes : tdDefaultLoadDef().maxBytes;
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
        tdReadFile(path, &asset->allocator, resolved.maxBytes, resolved.progress, &bytes, &size);
    if (status == TD_FILE_TOO_LARGE)
    {
        tdReport_Add(report, TD_DIAG_TOO_LARGE, NULL, "The file", (unsigned long long)resolved.maxBytes);
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
        return FinishLoad(asset, false, report);
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
        return FinishLoad(asset, false, report);
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
        return FinishLoad(asset, false, report);
    }
    if (size > 0)
    {
        memcpy(bytes, data, size);
    }
    bytes[size] = 0;
    return LoadBytes(asset, bytes, size, &resolved, NULL, report);
}

tdAsset* tdCreateAssetFromDocument(tdDocument* document, const tdLoadDef* def, tdReport* report)
{
    tdLoadDef resolved = ResolveDef(def);
    tdAsset* asset = tdCreateAsset(document->name, &resolved, report);
    if (asset == NULL)
    {
        tdDestroyDocument(document);
        return NULL;
    }
    asset->document = document;
    return FinishLoad(asset, tdImportDocument(asset, &resolved, report), report);
}
