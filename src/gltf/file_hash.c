// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The hash of a file and the files it refers to: buffers, images, and files that extensions name in a member
// "uri". Imports no scene.
#include "document.h"
#include "resolver.h"
#include "uri.h"

#include "base/def.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/limits.h"

static uint64_t HashReference(uint64_t hash, const tdDocument* document, const char* uri, size_t length)
{
    tdResolved file;
    if (tdResolver_Read(&document->resolver, &document->allocator, uri, length, &file) != TD_RESOLVE_OK)
    {
        return tdHash(hash, "missing", 7);
    }
    hash = tdHash(hash, file.data, file.size);
    tdRelease(&document->allocator, file.data, file.capacity);
    return hash;
}

static uint64_t HashReferences(uint64_t hash, const tdDocument* document)
{
    for (int i = 0; i < document->bufferCount; ++i)
    {
        const tdBuffer* buffer = &document->buffers[i];
        hash = buffer->source == TD_BUFFER_FILE ? tdHash(hash, buffer->data, buffer->fullSize) : hash;
    }
    for (int value = tdDocument_NextReference(document, -1); value >= 0;
         value = tdDocument_NextReference(document, value))
    {
        size_t length = 0;
        const char* uri = tdJson_GetString(document->json, value, &length);
        if (tdClassifyUri(uri, length) != TD_URI_DATA)
        {
            hash = HashReference(hash, document, uri, length);
        }
    }
    return hash;
}

bool tdHashAssetFile(const char* path, const tdLoadDef* def, uint64_t* hash)
{
    tdLoadDef defaults = tdDefaultLoadDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    tdAllocator allocator = tdAllocator_Resolve(def->allocator);
    size_t maxBytes = tdLimits_GetMemory(&def->limits, TD_ASSET_MEMORY);
    void* bytes = NULL;
    size_t size = 0;
    if (path == NULL || tdReadFile(path, &allocator, maxBytes, def->progress, &bytes, &size) != TD_FILE_OK)
    {
        return false;
    }
    *hash = tdHash(TD_HASH_INIT, bytes, size);
    tdText folder;
    tdText_Init(&folder, &allocator);
    tdAppendFolderOf(&folder, path);
    tdDocumentDef documentDef = {.allocator = &allocator,
                                 .name = path,
                                 .resolver = {.readFile = def->readFile,
                                              .readContext = def->readContext,
                                              .folder = folder.failed ? NULL : folder.data,
                                              .allowedFolders = def->allowedFolders,
                                              .allowedFolderCount = def->allowedFolderCount,
                                              .maxBytes = maxBytes,
                                              .progress = def->progress}};
    tdDocument* document = folder.failed ? NULL : tdCreateDocument(bytes, size, &documentDef, NULL);
    bool isWhole = !folder.failed;
    if (folder.failed)
    {
        tdRelease(&allocator, bytes, size + 1);
    }
    if (document != NULL) // a BVH refers to nothing
    {
        *hash = HashReferences(*hash, document);
    }
    tdDestroyDocument(document);
    tdText_Free(&folder);
    return isWhole;
}
