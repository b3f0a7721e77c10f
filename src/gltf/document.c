// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates a document from bytes: container, JSON, buffers.
#include "document.h"

#include "document_locate.h"
#include "file_signature.h"
#include "resolver.h"
#include "uri.h"

#include "base/hash.h"
#include "base/progress.h"
#include "json/parse.h"

#include <string.h>

static char* CopyText(const tdAllocator* allocator, const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = tdAllocate(allocator, size, 1);
    if (copy != NULL)
    {
        memcpy(copy, text, size);
    }
    return copy;
}

static void FreeText(const tdAllocator* allocator, const char* text)
{
    if (text != NULL)
    {
        tdRelease(allocator, (void*)(uintptr_t)text, strlen(text) + 1);
    }
}

/// False when memory ran out; tdDestroyDocument cleans up either way.
static bool CopyResolver(tdDocument* document, const tdResolver* from)
{
    tdResolver* to = &document->resolver;
    *to = *from;
    to->folder = NULL;
    to->allowedFolders = NULL;
    to->allowedFolderCount = 0;
    if (from->folder != NULL)
    {
        to->folder = CopyText(&document->allocator, from->folder);
        if (to->folder == NULL)
        {
            return false;
        }
    }
    if (from->allowedFolderCount == 0)
    {
        return true;
    }
    size_t bytes = (size_t)from->allowedFolderCount * sizeof(char*);
    const char** folders = tdAllocateZeroed(&document->allocator, bytes, _Alignof(char*));
    if (folders == NULL)
    {
        return false;
    }
    to->allowedFolders = folders;
    to->allowedFolderCount = from->allowedFolderCount;
    for (int i = 0; i < from->allowedFolderCount; ++i)
    {
        folders[i] = CopyText(&document->allocator, from->allowedFolders[i]);
        if (folders[i] == NULL)
        {
            return false;
        }
    }
    return true;
}

static void ReportJsonError(const tdDocument* document, const tdJsonError* error, const char* text,
                            size_t base, tdReport* report)
{
    if (error->code == TD_JSON_ERROR_OUT_OF_MEMORY)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading the JSON text");
        return;
    }
    const char* kind = base == 0 ? tdNameForeignFile(text, document->size) : NULL;
    if (kind != NULL)
    {
        tdReport_Add(report, TD_DIAG_UNKNOWN_FILE_KIND, NULL, kind);
        return;
    }
    int lines[2] = {1, 1}, columns[2] = {1, 1};
    size_t offsets[2] = {error->offset, error->otherOffset};
    for (int k = 0; k < 2; ++k)
    {
        size_t start = document->size - base >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        for (size_t i = start; i < offsets[k] && i < document->size - base; ++i)
        {
            lines[k] += text[i] == '\n' ? 1 : 0;
            columns[k] = text[i] == '\n' ? 1 : columns[k] + (((uint8_t)text[i] & 0xC0) != 0x80 ? 1 : 0);
        }
    }
    int64_t offset = (int64_t)(base + error->offset);
    if (error->code == TD_JSON_ERROR_DUPLICATE_KEY)
    {
        tdReport_AddAt(report, TD_DIAG_DUPLICATE_KEY, offset, lines[0], columns[0], lines[1], columns[1]);
        return;
    }
    tdReport_AddAt(report, TD_DIAG_INVALID_JSON, offset, lines[0], columns[0], error->message);
}

/// The buffer of the base document that was read from the same reference.
static const tdBuffer* FindInBase(const tdDocument* base, const char* uri, size_t length)
{
    if (base == NULL)
    {
        return NULL;
    }
    int buffers = tdDocument_GetBufferList(base);
    int index = 0;
    for (int child = tdJson_GetFirst(base->json, buffers); child >= 0 && index < base->bufferCount;
         child = tdJson_GetNext(base->json, child), ++index)
    {
        size_t baseLength = 0;
        const char* text = tdJson_GetString(base->json, tdJson_Find(base->json, child, "uri"), &baseLength);
        tdBufferSource source = base->buffers[index].source;
        if (text != NULL && baseLength == length && memcmp(text, uri, length) == 0 &&
            (source == TD_BUFFER_FILE || source == TD_BUFFER_SIDE))
        {
            return &base->buffers[index];
        }
    }
    return NULL;
}

static bool CopyBytes(tdDocument* document, tdBuffer* buffer, const uint8_t* data, size_t size)
{
    buffer->capacity = size + 1;
    uint8_t* copy = tdAllocate(&document->allocator, buffer->capacity, 16);
    if (copy == NULL)
    {
        buffer->capacity = 0;
        return false;
    }
    if (size > 0)
    {
        memcpy(copy, data, size);
    }
    buffer->data = copy;
    buffer->fullSize = size;
    return true;
}

/// Finds an earlier buffer with the same reference, so that a file is read once however often it is
/// referenced. Open addressing over the buffers read so far.
typedef struct UriTable
{
    int* slots; // buffer + 1; 0: free
    const char** uris;
    size_t* lengths;
    uint32_t mask;
} UriTable;

static const tdBuffer* FindEarlier(tdDocument* document, UriTable* table, int index, const char* uri,
                                   size_t length)
{
    uint64_t hash = tdHash(TD_HASH_INIT, uri, length);
    table->uris[index] = uri;
    table->lengths[index] = length;
    for (uint32_t slot = (uint32_t)(hash ^ hash >> 32) & table->mask;; slot = (slot + 1) & table->mask)
    {
        int other = table->slots[slot] - 1;
        if (other < 0)
        {
            table->slots[slot] = index + 1;
            return NULL;
        }
        if (table->lengths[other] == length && memcmp(table->uris[other], uri, length) == 0)
        {
            return &document->buffers[other];
        }
    }
}

static void ReadUri(tdDocument* document, tdBuffer* buffer, const tdDocumentDef* def, UriTable* table,
                    const char* uri, size_t length, const tdPath* path, tdReport* report)
{
    if (tdClassifyUri(uri, length) == TD_URI_DATA)
    {
        tdDataUri data;
        tdUriStatus status = tdDecodeDataUri(uri, length, &document->allocator, &data);
        tdReportResolveStatus(report, path,
                              status == TD_URI_OK        ? TD_RESOLVE_OK
                              : status == TD_URI_INVALID ? TD_RESOLVE_INVALID
                                                         : TD_RESOLVE_OUT_OF_MEMORY,
                              uri, length, "malformed data URI", 0);
        document->lacksMemory = document->lacksMemory || status == TD_URI_OUT_OF_MEMORY;
        buffer->source = status == TD_URI_OK ? TD_BUFFER_DATA : TD_BUFFER_NONE;
        buffer->data = data.data;
        buffer->fullSize = data.size;
        buffer->capacity = data.capacity;
        return;
    }
    const tdBuffer* known = FindEarlier(document, table, (int)(buffer - document->buffers), uri, length);
    if (known != NULL && known->source == TD_BUFFER_FILE)
    {
        *buffer = *known;
        buffer->capacity = 0; // borrowed
        return;
    }
    known = FindInBase(def->base, uri, length);
    if (known != NULL)
    {
        bool isCopied = CopyBytes(document, buffer, known->data, known->fullSize);
        tdReportResolveStatus(report, path, isCopied ? TD_RESOLVE_OK : TD_RESOLVE_OUT_OF_MEMORY, uri, length,
                              "", 0);
        document->lacksMemory = document->lacksMemory || !isCopied;
        buffer->source = isCopied ? known->source : TD_BUFFER_NONE;
        buffer->sideEnding = known->sideEnding;
        return;
    }
    tdResolved file;
    tdResolveStatus status = tdResolver_Read(&document->resolver, &document->allocator, uri, length, &file);
    tdReportResolveStatus(report, path, status, uri, length, file.why, document->resolver.maxBytes);
    document->lacksMemory = document->lacksMemory || status == TD_RESOLVE_OUT_OF_MEMORY;
    if (status == TD_RESOLVE_OK)
    {
        buffer->source = TD_BUFFER_FILE;
        buffer->data = file.data;
        buffer->fullSize = file.size;
        buffer->capacity = file.capacity;
    }
}

static void ReadGlbBuffer(const tdDocument* document, tdBuffer* buffer, int index, int value,
                          const tdPath* path, tdReport* report)
{
    const tdJson* json = document->json;
    int extension = tdJson_Find(json, tdJson_Find(json, value, "extensions"), "EXT_meshopt_compression");
    if (tdJson_GetType(json, tdJson_Find(json, extension, "fallback")) == TD_JSON_TRUE)
    {
        return; // a placeholder without bytes
    }
    if (document->kind != TD_DOCUMENT_GLB || !document->glb.hasBin || index != 0)
    {
        tdReport_Add(report, TD_DIAG_BUFFER_MISSING_GLB_DATA, path);
        return;
    }
    buffer->source = TD_BUFFER_GLB;
    buffer->data = document->bytes + document->glb.binOffset;
    buffer->fullSize = document->glb.binSize;
}

static void ReadBuffer(tdDocument* document, int index, int value, const tdDocumentDef* def, UriTable* table,
                       const tdPath* path, tdReport* report)
{
    const tdJson* json = document->json;
    tdBuffer* buffer = &document->buffers[index];
    int64_t byteLength = 0;
    int lengthValue = tdJson_Find(json, value, "byteLength");
    if (!tdJson_IsObject(json, value))
    {
        tdReport_Add(report, TD_DIAG_TYPE_MISMATCH, path, "an object");
        return;
    }
    if (lengthValue < 0)
    {
        tdReport_Add(report, TD_DIAG_UNDEFINED_PROPERTY, path, "byteLength");
    }
    else if (!tdJson_GetInteger(json, lengthValue, &byteLength) || byteLength < 1)
    {
        tdPath key = tdPath_Key(path, "byteLength");
        tdReport_Add(report, TD_DIAG_VALUE_NOT_IN_RANGE, &key, tdJson_GetNumber(json, lengthValue, 0.0));
        byteLength = 0;
    }
    int uriValue = tdJson_Find(json, value, "uri");
    size_t length = 0;
    const char* uri = tdJson_GetString(json, uriValue, &length);
    tdPath uriPath = tdPath_Key(path, "uri");
    if (def->side != NULL && def->sideBuffer == index)
    {
        if (CopyBytes(document, buffer, def->side, def->sideSize))
        {
            buffer->source = TD_BUFFER_SIDE;
            buffer->sideEnding = def->sideEnding;
        }
        else
        {
            tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, path, "copying added data");
            document->lacksMemory = true;
        }
    }
    else if (uri != NULL)
    {
        ReadUri(document, buffer, def, table, uri, length, &uriPath, report);
    }
    else if (uriValue >= 0)
    {
        tdReport_Add(report, TD_DIAG_TYPE_MISMATCH, &uriPath, "a string");
    }
    else
    {
        ReadGlbBuffer(document, buffer, index, value, path, report);
    }

    if (buffer->data == NULL)
    {
        return;
    }
    uint64_t claimed = (uint64_t)byteLength;
    buffer->size = claimed < buffer->fullSize ? (size_t)claimed : buffer->fullSize;
    if (claimed > buffer->fullSize)
    {
        tdReport_Add(report,
                     buffer->source == TD_BUFFER_FILE ? TD_DIAG_BUFFER_EXTERNAL_BYTELENGTH_MISMATCH
                                                      : TD_DIAG_BUFFER_EMBEDDED_BYTELENGTH_MISMATCH,
                     path, (unsigned long long)buffer->fullSize, (unsigned long long)claimed);
    }
    else if (buffer->source == TD_BUFFER_GLB && buffer->fullSize - claimed > 3)
    {
        tdReport_Add(report, TD_DIAG_BUFFER_GLB_CHUNK_TOO_BIG, path,
                     (unsigned long long)(buffer->fullSize - claimed));
    }
}

static bool ReadBuffers(tdDocument* document, const tdDocumentDef* def, tdReport* report)
{
    const tdJson* json = document->json;
    int list = tdJson_Find(json, 0, "buffers");
    tdPath root = tdPath_Root();
    tdPath listPath = tdPath_Key(&root, "buffers");
    if (list >= 0 && !tdJson_IsArray(json, list))
    {
        tdReport_Add(report, TD_DIAG_TYPE_MISMATCH, &listPath, "an array");
    }
    int count = tdJson_IsArray(json, list) ? tdJson_GetCount(json, list) : 0;
    if (count == 0)
    {
        return true;
    }
    document->buffers =
        tdAllocateZeroed(&document->allocator, (size_t)count * sizeof(tdBuffer), _Alignof(tdBuffer));
    if (document->buffers == NULL)
    {
        return false;
    }
    document->bufferCount = count;
    UriTable table = {.mask = 3};
    while (table.mask < (uint32_t)count * 2u)
    {
        table.mask = table.mask * 2 + 1;
    }
    size_t slotBytes = ((size_t)table.mask + 1) * sizeof(int), uriBytes = (size_t)count * sizeof(char*);
    size_t lengthBytes = (size_t)count * sizeof(size_t);
    table.slots = tdAllocateZeroed(&document->allocator, slotBytes, _Alignof(int));
    table.uris = tdAllocateZeroed(&document->allocator, uriBytes, _Alignof(char*));
    table.lengths = tdAllocateZeroed(&document->allocator, lengthBytes, _Alignof(size_t));
    bool hasMemory = table.slots != NULL && table.uris != NULL && table.lengths != NULL;
    int index = 0;
    for (int child = tdJson_GetFirst(json, list); child >= 0 && hasMemory;
         child = tdJson_GetNext(json, child))
    {
        tdPath path = tdPath_Index(&listPath, index);
        ReadBuffer(document, index, child, def, &table, &path, report);
        index += 1;
    }
    tdRelease(&document->allocator, table.lengths, lengthBytes);
    tdRelease(&document->allocator, (void*)table.uris, uriBytes);
    tdRelease(&document->allocator, table.slots, slotBytes);
    return hasMemory;
}

/// Reads the JSON text and the buffers. False if the document cannot be used.
static bool ReadContent(tdDocument* document, const tdDocumentDef* def, tdReport* report)
{
    size_t jsonOffset = 0, jsonSize = document->size;
    document->kind = tdIsGlb(document->bytes, document->size) ? TD_DOCUMENT_GLB : TD_DOCUMENT_GLTF;
    if (document->size == 0)
    {
        tdReport_AddAt(report, TD_DIAG_EMPTY_FILE, 0, 0, 0);
        return false;
    }
    if (document->kind == TD_DOCUMENT_GLB)
    {
        if (!tdReadGlb(document->bytes, document->size, &document->glb, report))
        {
            return false;
        }
        jsonOffset = document->glb.jsonOffset;
        jsonSize = document->glb.jsonSize;
    }
    const char* text = (const char*)document->bytes + jsonOffset;
    tdJsonError error = {0};
    tdProgress_Start(document->resolver.progress, TD_PROGRESS_PARSING, 2 * (uint64_t)jsonSize);
    document->json = tdParseJson(text, jsonSize, &document->allocator, &error);
    if (document->json == NULL)
    {
        ReportJsonError(document, &error, text, jsonOffset, report);
        return false;
    }
    if (tdJson_HasByteOrderMark(document->json))
    {
        tdReport_AddAt(report, TD_DIAG_BYTE_ORDER_MARK, (int64_t)jsonOffset, 1, 1);
    }
    tdReport_SetSource(report, document->name, tdDocument_Locate, document);
    if (!tdJson_IsObject(document->json, 0))
    {
        tdReport_Add(report, TD_DIAG_TYPE_MISMATCH, NULL, "an object");
        return false;
    }
    if (!ReadBuffers(document, def, report))
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading the buffers");
        return false;
    }
    return true;
}

tdDocument* tdCreateDocument(uint8_t* bytes, size_t size, const tdDocumentDef* def, tdReport* report)
{
    tdAllocator allocator = tdAllocator_Resolve(def->allocator);
    const char* name = def->name != NULL ? def->name : "";
    tdReport_SetSource(report, name, NULL, NULL);
    tdDocument* document = tdAllocateZeroed(&allocator, sizeof(tdDocument), _Alignof(tdDocument));
    if (document == NULL)
    {
        tdRelease(&allocator, bytes, size + 1);
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "opening the document");
        return NULL;
    }
    document->allocator = allocator;
    document->bytes = bytes;
    document->size = size;
    document->locatedArray = -1;
    document->name = CopyText(&allocator, name);
    bool hasMemory = document->name != NULL && CopyResolver(document, &def->resolver);
    if (!hasMemory)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "opening the document");
    }
    if (!hasMemory || !ReadContent(document, def, report))
    {
        tdReport_SetSource(report, name, NULL, NULL);
        tdDestroyDocument(document);
        return NULL;
    }
    return document;
}

tdDocument* tdCreateEditedDocument(uint8_t* bytes, size_t size, const tdDocumentDef* def, const char* work,
                                   tdReport* report)
{
    tdDocument* document = tdCreateDocument(bytes, size, def, NULL);
    if (document != NULL && document->lacksMemory)
    {
        tdDestroyDocument(document);
        document = NULL;
    }
    if (document == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, work);
    }
    return document;
}

void tdDestroyDocument(tdDocument* document)
{
    if (document == NULL)
    {
        return;
    }
    tdAllocator allocator = document->allocator;
    for (int i = 0; i < document->bufferCount; ++i)
    {
        if (document->buffers[i].capacity > 0)
        {
            tdRelease(&allocator, (void*)(uintptr_t)document->buffers[i].data, document->buffers[i].capacity);
        }
    }
    tdRelease(&allocator, document->buffers, (size_t)document->bufferCount * sizeof(tdBuffer));
    for (int i = 0; i < document->resolver.allowedFolderCount; ++i)
    {
        FreeText(&allocator, document->resolver.allowedFolders[i]);
    }
    tdRelease(&allocator, (void*)(uintptr_t)document->resolver.allowedFolders,
              (size_t)document->resolver.allowedFolderCount * sizeof(char*));
    FreeText(&allocator, document->resolver.folder);
    FreeText(&allocator, document->name);
    tdDestroyJson(document->json);
    tdRelease(&allocator, document->bytes, document->size + 1);
    tdRelease(&allocator, document, sizeof(tdDocument));
}

int tdDocument_GetBufferList(const tdDocument* document)
{
    int list = tdJson_Find(document->json, 0, "buffers");
    return tdJson_IsArray(document->json, list) ? list : TD_JSON_NONE;
}

size_t tdDocument_GetTotalBytes(const tdDocument* document)
{
    size_t total = document->size;
    for (int i = 0; i < document->bufferCount; ++i)
    {
        // Chunks and data URIs are part of the file; a borrowed buffer is counted where it is owned.
        const tdBuffer* buffer = &document->buffers[i];
        bool isOwn = buffer->capacity > 0 && buffer->source != TD_BUFFER_DATA;
        total += isOwn ? buffer->fullSize : 0;
    }
    return total;
}

int tdDocument_NextReference(const tdDocument* document, int after)
{
    const tdJson* json = document->json;
    int buffers = tdDocument_GetBufferList(document);
    int count = tdJson_GetValueCount(json);
    for (int value = after + 1; value < count;)
    {
        size_t length = 0;
        if (tdJson_KeyEquals(json, value, "uri") && tdJson_GetString(json, value, &length) != NULL)
        {
            return value;
        }
        bool isSkipped = value == buffers || tdJson_KeyEquals(json, value, "extras");
        value = isSkipped ? tdJson_GetEnd(json, value) : value + 1;
    }
    return TD_JSON_NONE;
}
