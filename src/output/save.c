// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saves an asset. The document is written, not the scene, so nothing is lost.
#include "base/limits.h"
#include "base/report.h"
#include "gltf/document_edit.h"
#include "gltf/document_write.h"
#include "gltf/embed.h"
#include "import/create_asset.h"

static bool HasDocument(const tdAsset* asset, tdReport* report)
{
    if (asset != NULL && asset->document == NULL)
    {
        tdReport_Add(report, TD_DIAG_NOT_A_DOCUMENT, NULL);
    }
    return asset != NULL && asset->document != NULL;
}

/// Whether the document with its buffers is within the limit of the output. Reports it otherwise.
static bool IsSizeAllowed(const tdAsset* asset, tdReport* report)
{
    return tdLimits_Allow(&asset->def.limits, TD_LIMIT_outputBytes,
                          (double)tdDocument_GetTotalBytes(asset->document), report, NULL);
}

bool tdSaveAsset(const tdAsset* asset, const char* path, tdReport* report)
{
    if (path == NULL)
    {
        return false;
    }
    tdReport_SetSource(report, path, NULL, NULL);
    return HasDocument(asset, report) && IsSizeAllowed(asset, report) &&
           tdSaveDocument(asset->document, path, report);
}

static tdDocumentKind GetKind(const tdAsset* asset, tdSaveFormat format)
{
    return format == TD_SAVE_GLB    ? TD_DOCUMENT_GLB
           : format == TD_SAVE_GLTF ? TD_DOCUMENT_GLTF
                                    : asset->document->kind;
}

void* tdSaveAssetToMemory(const tdAsset* asset, tdSaveFormat format, const tdAllocator* allocator,
                          size_t* size, tdReport* report)
{
    *size = 0;
    if (!HasDocument(asset, report))
    {
        return NULL;
    }
    tdReport_SetSource(report, asset->name, NULL, NULL);
    if (!IsSizeAllowed(asset, report))
    {
        return NULL;
    }
    return tdSaveDocumentToMemory(asset->document, GetKind(asset, format), allocator, size, report);
}

void tdFreeSaved(void* data, size_t size, const tdAllocator* allocator)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    if (data != NULL)
    {
        tdRelease(&resolved, data, size + 1);
    }
}

tdAsset* tdEmbedFiles(const tdAsset* asset, tdSaveFormat format, tdReport* report)
{
    if (!HasDocument(asset, report))
    {
        return NULL;
    }
    tdReport_SetSource(report, asset->name, NULL, NULL);
    tdAsset* whole = tdCreateEditedAsset(asset, asset->name, report);
    tdDocument* document =
        whole != NULL ? tdEmbedDocument(asset->document, GetKind(asset, format), &whole->allocator, report)
                      : NULL;
    return tdFinishEditedAsset(whole, document, report);
}
