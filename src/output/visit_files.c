// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Visits the files an asset refers to, for programs that package assets.
#include "base/report.h"
#include "gltf/document.h"
#include "gltf/embed.h"
#include "gltf/resolver.h"
#include "gltf/uri.h"
#include "scene/asset.h"

typedef struct FileVisit
{
    const tdDocument* document;
    tdAllocator allocator;
    tdVisitFileFcn* visit;
    void* context;
    tdReport* report;
} FileVisit;

/// Visits a file with the bytes of the buffer that was loaded from it, or reads it.
static bool VisitPath(const FileVisit* self, const char* path, const char* uri, size_t length,
                      const tdBuffer* buffer)
{
    if (buffer != NULL && buffer->data != NULL)
    {
        return self->visit(self->context, path, buffer->data, buffer->fullSize);
    }
    tdResolved file;
    tdResolveStatus status = tdResolver_Read(&self->document->resolver, &self->allocator, uri, length, &file);
    if (status == TD_RESOLVE_OK)
    {
        bool goesOn = self->visit(self->context, path, file.data, file.size);
        tdRelease(&self->allocator, file.data, file.capacity);
        return goesOn;
    }
    if (status == TD_RESOLVE_OUT_OF_MEMORY)
    {
        tdReport_Add(self->report, TD_DIAG_OUT_OF_MEMORY, NULL);
        return false;
    }
    tdReport_Add(self->report, TD_DIAG_RESOURCE_NOT_COPIED, NULL, tdGetShownLength(uri, length), uri,
                 file.why[0] != 0 ? file.why : "it cannot be read");
    return true;
}

static bool VisitReference(const FileVisit* self, const char* uri, size_t length, const tdBuffer* buffer)
{
    if (tdClassifyUri(uri, length) != TD_URI_RELATIVE)
    {
        return true;
    }
    tdText path;
    tdText_Init(&path, &self->allocator);
    bool isDecoded = tdDecodeUriPath(uri, length, &path);
    bool goesOn = !path.failed;
    if (path.failed)
    {
        tdReport_Add(self->report, TD_DIAG_OUT_OF_MEMORY, NULL);
    }
    else if (isDecoded)
    {
        goesOn = VisitPath(self, path.data, uri, length, buffer);
    }
    tdText_Free(&path);
    return goesOn;
}

static bool VisitBuffers(const FileVisit* self, int list)
{
    const tdJson* json = self->document->json;
    int index = 0;
    for (int buffer = tdJson_GetFirst(json, list); buffer >= 0;
         buffer = tdJson_GetNext(json, buffer), ++index)
    {
        size_t length = 0;
        const char* uri = tdJson_GetString(json, tdJson_Find(json, buffer, "uri"), &length);
        if (uri != NULL && !VisitReference(self, uri, length, &self->document->buffers[index]))
        {
            return false;
        }
    }
    return true;
}

bool tdAsset_VisitFiles(const tdAsset* asset, tdVisitFileFcn* visit, void* context, tdReport* report)
{
    if (asset == NULL || asset->document == NULL)
    {
        return asset != NULL;
    }
    FileVisit self = {asset->document, asset->allocator, visit, context, report};
    bool goesOn = VisitBuffers(&self, tdDocument_GetBufferList(asset->document));
    for (int value = tdDocument_NextReference(asset->document, -1); value >= 0 && goesOn;
         value = tdDocument_NextReference(asset->document, value))
    {
        size_t length = 0;
        const char* uri = tdJson_GetString(asset->document->json, value, &length);
        goesOn = VisitReference(&self, uri, length, NULL);
    }
    return goesOn;
}
