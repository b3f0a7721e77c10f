// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Embeds the files of a document: as data URIs, and the images of a GLB as views of its chunk.
#include "embed.h"

#include "document_edit.h"
#include "repack.h"
#include "resolver.h"
#include "uri.h"

#include <string.h>

typedef struct Embedding
{
    const tdDocument* document;
    tdDocumentEdit* edit;
    tdAllocator allocator;
    tdReport* report;
    bool hasFailed;
} Embedding;

static void FailEmbeddingMemory(Embedding* self)
{
    self->hasFailed = true;
    tdReport_Add(self->report, TD_DIAG_OUT_OF_MEMORY, NULL, "embedding files");
}

/// By the first bytes of the file, as viewers do.
static const char* GetMediaType(const uint8_t* data, size_t size)
{
    static const struct
    {
        const char* start;
        size_t offset, length;
        const char* type;
    } types[] = {
        {"\x89PNG\r\n\x1a\n", 0, 8, "image/png"},
        {"\xff\xd8\xff", 0, 3, "image/jpeg"},
        {"WEBP", 8, 4, "image/webp"},
        {"\xabKTX 20\xbb\r\n\x1a\n", 0, 12, "image/ktx2"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
    {
        if (size >= types[i].offset + types[i].length &&
            memcmp(data + types[i].offset, types[i].start, types[i].length) == 0)
        {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

static void ReplaceByDataUri(Embedding* self, int value, const uint8_t* data, size_t size)
{
    tdText text;
    tdText_InitPart(&text, &self->allocator, &self->hasFailed);
    tdText_AppendFormat(&text, "\"data:%s;base64,", GetMediaType(data, size));
    tdAppendBase64(&text, data, size);
    tdText_AppendChar(&text, '"');
    if (text.failed)
    {
        FailEmbeddingMemory(self);
    }
    else
    {
        tdJsonEdit_Replace(tdDocumentEdit_GetJson(self->edit), value, text.data, text.length);
    }
    tdText_Free(&text);
}

/// Replaces the file of an image by a view.
static void MoveImage(Embedding* self, int image, int uri, const uint8_t* data, size_t size)
{
    tdJsonEdit* json = tdDocumentEdit_GetJson(self->edit);
    int view = tdDocumentEdit_AddView(self->edit, data, size);
    tdText text;
    tdText_InitPart(&text, &self->allocator, &self->hasFailed);
    tdText_AppendFormat(&text, "%d", view);
    if (view < 0 || text.failed)
    {
        FailEmbeddingMemory(self);
    }
    else
    {
        tdJsonEdit_Remove(json, uri);
        tdJsonEdit_AddMember(json, image, "bufferView", text.data, text.length);
        if (tdJson_Find(self->document->json, image, "mimeType") < 0)
        {
            tdText_Clear(&text);
            tdText_AppendFormat(&text, "\"%s\"", GetMediaType(data, size));
            tdJsonEdit_AddMember(json, image, "mimeType", text.failed ? "\"\"" : text.data,
                                 text.failed ? 2 : text.length);
        }
    }
    tdText_Free(&text);
}

/// The image that a member belongs to; TD_JSON_NONE if it is not an image.
static int FindImage(const tdJson* json, int uri)
{
    int images = tdJson_Find(json, 0, "images");
    for (int image = tdJson_GetFirst(json, images); image >= 0; image = tdJson_GetNext(json, image))
    {
        if (tdJson_Find(json, image, "uri") == uri)
        {
            return image;
        }
    }
    return TD_JSON_NONE;
}

static void EmbedReference(Embedding* self, int value)
{
    const tdJson* json = self->document->json;
    size_t length = 0;
    const char* uri = tdJson_GetString(json, value, &length);
    if (tdClassifyUri(uri, length) == TD_URI_DATA)
    {
        return;
    }
    tdResolved file;
    tdResolveStatus status = tdResolver_Read(&self->document->resolver, &self->allocator, uri, length, &file);
    if (status == TD_RESOLVE_OUT_OF_MEMORY)
    {
        FailEmbeddingMemory(self);
        return;
    }
    if (status != TD_RESOLVE_OK)
    {
        tdReport_Add(self->report, TD_DIAG_RESOURCE_NOT_COPIED, NULL, tdGetShownLength(uri, length), uri,
                     file.why != NULL && file.why[0] != 0 ? file.why : "it cannot be read");
        return;
    }
    int image = self->document->kind == TD_DOCUMENT_GLB ? FindImage(json, value) : TD_JSON_NONE;
    if (image >= 0)
    {
        MoveImage(self, image, value, file.data, file.size);
    }
    else
    {
        ReplaceByDataUri(self, value, file.data, file.size);
    }
    tdRelease(&self->allocator, file.data, file.capacity);
}

static void EmbedBuffers(Embedding* self)
{
    const tdJson* json = self->document->json;
    int index = 0;
    for (int buffer = tdJson_GetFirst(json, tdDocument_GetBufferList(self->document)); buffer >= 0;
         buffer = tdJson_GetNext(json, buffer), ++index)
    {
        const tdBuffer* bytes = &self->document->buffers[index];
        int uri = tdJson_Find(json, buffer, "uri");
        if (uri >= 0 && (bytes->source == TD_BUFFER_FILE || bytes->source == TD_BUFFER_SIDE))
        {
            ReplaceByDataUri(self, uri, bytes->data, bytes->fullSize);
        }
    }
}

tdDocument* tdEmbedDocument(const tdDocument* document, tdDocumentKind kind, const tdAllocator* allocator,
                            tdReport* report)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdDocument* repacked = NULL;
    if (kind != document->kind)
    {
        repacked = tdRepackDocument(document, kind, &resolved, report);
        if (repacked == NULL)
        {
            return NULL;
        }
        if (kind == TD_DOCUMENT_GLTF)
        {
            tdReportLostChunks(document, report);
        }
        document = repacked;
    }
    Embedding self = {.document = document,
                      .edit = tdCreateDocumentEdit(document, &resolved),
                      .allocator = resolved,
                      .report = report};
    if (self.edit == NULL)
    {
        FailEmbeddingMemory(&self);
    }
    else
    {
        EmbedBuffers(&self);
        for (int value = tdDocument_NextReference(document, -1); value >= 0 && !self.hasFailed;
             value = tdDocument_NextReference(document, value))
        {
            EmbedReference(&self, value);
        }
    }
    if (self.hasFailed)
    {
        tdReport_AddOutOfMemory(report); // unless it is reported already
    }
    tdDocument* result = self.hasFailed ? NULL : tdDocumentEdit_Finish(self.edit, report);
    if (result != NULL)
    {
        result->resolver.isEmbedded = true;
    }
    tdDestroyDocumentEdit(self.edit);
    tdDestroyDocument(repacked);
    return result;
}
