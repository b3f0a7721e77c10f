// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports a document: runs the importers in the order of their dependencies.
#include "import.h"

#include "animations.h"
#include "extensions.h"
#include "meshes.h"
#include "nodes.h"
#include "physics.h"
#include "read.h"
#include "skins.h"

#include "base/assert.h"
#include "base/progress.h"

#include "tendon/describe.h"

#include <string.h>

#define MAX_IMPORTERS 16

const int* tdImport_GetElements(tdImport* import, const char* key, int* count)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int list = TD_JSON_NONE;
    *count = 0;
    if (tdReadArray(&reader, &tdPath_root, 0, key, &list) != TD_READ_OK)
    {
        return NULL;
    }
    int total = tdJson_GetCount(import->json, list), index = 0;
    if (total == 0)
    {
        tdPath path = tdPath_Key(&tdPath_root, key);
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

bool tdImport_Allow(tdImport* import, tdLimitId limit, double quantity, const tdPath* path)
{
    bool isAllowed = tdLimits_Allow(&import->def->limits, limit, quantity, import->limitReport, path);
    import->isOverLimit = import->isOverLimit || !isAllowed;
    return isAllowed;
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

/// A version as 1000 major + minor; -1 if it is not written as two numbers.
static int ParseVersion(const char* text)
{
    int parts[2] = {0, 0}, digits = 0;
    for (int k = 0; k < 2; ++k)
    {
        for (digits = 0; *text >= '0' && *text <= '9' && digits < 4; ++text, ++digits)
        {
            parts[k] = 10 * parts[k] + (*text - '0');
        }
        if (digits == 0 || *text != (k == 0 ? '.' : 0))
        {
            return -1;
        }
        text += k == 0 ? 1 : 0;
    }
    return 1000 * parts[0] + parts[1];
}

#define READABLE_VERSION 2000 // 2.0

/// Reports a minVersion above that of the file, or above 2.0.
static bool CheckMinVersion(tdImport* import, int object, const tdPath* path, const char* version)
{
    const char* least = tdImport_GetText(import, path, object, "minVersion");
    // A value of another type is reported and read as an empty text.
    if (least == NULL ||
        tdJson_GetType(import->json, tdJson_Find(import->json, object, "minVersion")) != TD_JSON_STRING)
    {
        return least != NULL;
    }
    tdPath member = tdPath_Key(path, "minVersion");
    int number = ParseVersion(least);
    if (number < 0)
    {
        tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &member, "a version such as \"2.0\"");
    }
    else if (number > ParseVersion(version))
    {
        tdReport_Add(import->report, TD_DIAG_ASSET_MIN_VERSION_GREATER_THAN_VERSION, &member, least, version);
    }
    else if (number > READABLE_VERSION)
    {
        tdReport_AddAs(import->report, TD_SEVERITY_ERROR, TD_DIAG_UNKNOWN_ASSET_MINOR_VERSION, &member,
                       least);
    }
    return true;
}

/// Reads asset.version and generator. False if the file is not glTF 2.
static bool ReadAssetObject(tdImport* import, bool* hasMemory)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int object = TD_JSON_NONE;
    tdPath path = tdPath_Key(&tdPath_root, "asset");
    tdReadResult result = tdReadObject(&reader, &tdPath_root, 0, "asset", &object);
    if (result == TD_READ_ABSENT)
    {
        tdReportMissing(&reader, &tdPath_root, "asset");
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
    *hasMemory = CheckMinVersion(import, object, &path, version);
    return *hasMemory;
}

/// Fills the facts about the file.
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

/// Lists the importers in their order: those of core glTF, then those of the extensions.
static int ListImporters(tdImporterFcn* importers[MAX_IMPORTERS])
{
    static tdImporterFcn* const core[] = {tdImportMeshes, tdImportSkins, tdImportNodes, tdImportScenes};
    int count = (int)(sizeof(core) / sizeof(core[0])), extensionCount = 0;
    memcpy(importers, core, sizeof(core));
    const tdExtension* extensions = tdGetExtensions(&extensionCount);
    for (int i = 0; i < extensionCount; ++i)
    {
        bool isListed = extensions[i].importer == NULL;
        for (int k = 0; k < count; ++k)
        {
            isListed = isListed || importers[k] == extensions[i].importer;
        }
        if (!isListed)
        {
            TD_ASSERT(count < MAX_IMPORTERS);
            importers[count++] = extensions[i].importer;
        }
    }
    return count;
}

/// Runs the importers. For progress, each is an equal part of the second half of parsing.
static bool RunImporters(tdImport* import)
{
    tdImporterFcn* importers[MAX_IMPORTERS];
    int count = ListImporters(importers);
    tdProgress* progress = import->def->progress;
    size_t jsonSize = 0;
    tdJson_GetSource(import->json, &jsonSize);
    bool hasMemory = true;
    for (int i = 0; i < count && hasMemory; ++i)
    {
        tdProgress_Start(progress, TD_PROGRESS_PARSING, 2 * (uint64_t)jsonSize);
        tdProgress_Add(progress, jsonSize + (uint64_t)jsonSize * (uint64_t)i / (uint64_t)count);
        hasMemory = importers[i](import);
    }
    return hasMemory;
}

bool tdImportDocument(tdAsset* asset, tdReport* report)
{
    tdImport import = {.asset = asset,
                       .scene = &asset->scene,
                       .arena = &asset->arena,
                       .report = report,
                       .limitReport = report,
                       .json = asset->document->json,
                       .def = &asset->def,
                       .level = asset->def.level == TD_LOAD_DOCUMENT ? TD_LOAD_SIMULATION : asset->def.level};
    tdArena_Init(&import.scratch, &asset->allocator, 0);
    bool hasMemory = true;
    tdPath nodesPath = tdPath_Key(&tdPath_root, "nodes");
    int nodeCount = tdJson_GetCount(import.json, tdJson_Find(import.json, 0, "nodes"));
    bool isReadable = ReadAssetObject(&import, &hasMemory);
    if (isReadable && tdImport_Allow(&import, TD_LIMIT_nodes, nodeCount, &nodesPath))
    {
        CountContents(&import);
        hasMemory = tdImportExtensions(&import) &&
                    tdAccessors_Init(&import.accessors, asset->document, import.arena, report);
        import.accessors.limits = &import.def->limits;
        hasMemory = hasMemory && RunImporters(&import);
        hasMemory = hasMemory && tdLinkMaterialChannels(&import);
        import.isOverLimit = import.isOverLimit || import.accessors.isOverLimit;
        if (hasMemory)
        {
            tdCheckPhysicsAnimations(&import);
        }
    }
    if (!hasMemory && !import.isOverLimit)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading the scene");
    }
    tdArena_Free(&import.scratch);
    return isReadable && hasMemory && !import.isOverLimit;
}
