// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Converts between .gltf and .glb. Only `buffers`, `buffer` and `byteOffset` of the views, and the same
// members of compression extensions change.
#include "repack.h"

#include "document_edit.h"

#include <string.h>

/// The new place of the bytes of an old buffer.
typedef struct Move
{
    int buffer;    // new index
    size_t offset; // added to offsets into it
} Move;

static size_t Align8(size_t value)
{
    return (value + 7) / 8 * 8;
}

static void EditNumber(tdJsonEdit* edit, const tdJson* json, int object, const char* key, uint64_t number)
{
    char text[24];
    size_t length = 0;
    char reversed[24];
    do
    {
        reversed[length++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (size_t i = 0; i < length; ++i)
    {
        text[i] = reversed[length - 1 - i];
    }
    int member = tdJson_Find(json, object, key);
    if (member >= 0)
    {
        tdJsonEdit_Replace(edit, member, text, length);
    }
    else
    {
        tdJsonEdit_AddMember(edit, object, key, text, length);
    }
}

/// Updates an object with `buffer` and `byteOffset`: a buffer view or its compression extension.
static void MoveReference(tdJsonEdit* edit, const tdDocument* document, int object, const Move* moves)
{
    const tdJson* json = document->json;
    int64_t buffer = -1, offset = 0;
    if (!tdJson_GetInteger(json, tdJson_Find(json, object, "buffer"), &buffer) || buffer < 0 ||
        buffer >= document->bufferCount)
    {
        return;
    }
    const Move* move = &moves[buffer];
    int offsetValue = tdJson_Find(json, object, "byteOffset");
    if (offsetValue >= 0 && (!tdJson_GetInteger(json, offsetValue, &offset) || offset < 0))
    {
        return;
    }
    if (move->buffer != buffer)
    {
        EditNumber(edit, json, object, "buffer", (uint64_t)move->buffer);
    }
    if (move->offset != 0)
    {
        EditNumber(edit, json, object, "byteOffset", (uint64_t)offset + move->offset);
    }
}

static void MoveViews(tdJsonEdit* edit, const tdDocument* document, const Move* moves)
{
    const tdJson* json = document->json;
    int list = tdJson_Find(json, 0, "bufferViews");
    for (int view = tdJson_GetFirst(json, list); view >= 0; view = tdJson_GetNext(json, view))
    {
        MoveReference(edit, document, view, moves);
        int extensions = tdJson_Find(json, view, "extensions");
        MoveReference(edit, document, tdJson_Find(json, extensions, "EXT_meshopt_compression"), moves);
        MoveReference(edit, document, tdJson_Find(json, extensions, "KHR_meshopt_compression"), moves);
    }
}

/// Writes the new `buffers`: one for the chunk, then those without bytes, unchanged.
static void EditBufferList(tdJsonEdit* edit, const tdDocument* document, size_t total, tdText* text)
{
    const tdJson* json = document->json;
    int list = tdDocument_GetBufferList(document);
    int first = tdJson_GetFirst(json, list);
    if (document->bufferCount == 1)
    {
        // The object only loses its reference.
        int uri = tdJson_Find(json, first, "uri");
        if (uri >= 0)
        {
            tdJsonEdit_Remove(edit, uri);
        }
        return;
    }
    tdText_AppendFormat(text, "[{\"byteLength\":%zu}", total);
    int index = 0;
    for (int buffer = first; buffer >= 0; buffer = tdJson_GetNext(json, buffer), ++index)
    {
        if (document->buffers[index].data == NULL)
        {
            size_t size = 0, start = 0, end = 0;
            const char* source = tdJson_GetSource(json, &size);
            tdJson_GetRange(json, buffer, &start, &end);
            tdText_AppendChar(text, ',');
            tdText_Append(text, source + start, end - start);
        }
    }
    tdText_AppendChar(text, ']');
    if (!text->failed)
    {
        tdJsonEdit_Replace(edit, list, text->data, text->length);
    }
}

static tdDocument* MakeDocument(const tdDocument* document, const tdAllocator* allocator, uint8_t* bytes,
                                size_t size, const uint8_t* side, size_t sideSize, tdReport* report)
{
    tdDocumentDef def = {.allocator = allocator,
                         .name = document->name,
                         .resolver = document->resolver,
                         .base = document,
                         .side = side,
                         .sideSize = sideSize,
                         .sideBuffer = 0,
                         .sideEnding = TD_SIDE_CHUNK};
    return tdCreateEditedDocument(bytes, size, &def, "converting a document", report);
}

static tdDocument* JoinBuffers(const tdDocument* document, const tdAllocator* allocator, tdJsonEdit* edit,
                               Move* moves, tdFilePiece* pieces, tdReport* report)
{
    static const char zeros[8] = {0};
    size_t total = 0;
    int pieceCount = 0, left = 1;
    for (int i = 0; i < document->bufferCount; ++i)
    {
        const tdBuffer* buffer = &document->buffers[i];
        if (buffer->data == NULL)
        {
            moves[i] = (Move){left++, 0};
            continue;
        }
        size_t start = Align8(total);
        pieces[pieceCount++] = (tdFilePiece){zeros, start - total};
        pieces[pieceCount++] = (tdFilePiece){buffer->data, buffer->size};
        moves[i] = (Move){0, start};
        total = start + buffer->size;
    }
    tdText list, text;
    tdText_Init(&list, allocator);
    tdText_Init(&text, allocator);
    tdDocument* result = NULL;
    if (pieceCount > 0)
    {
        EditBufferList(edit, document, total, &list);
        MoveViews(edit, document, moves);
    }
    if (list.failed || !tdJsonEdit_Write(edit, &text))
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing a GLB");
    }
    else
    {
        size_t size = 0;
        uint8_t* bytes =
            tdMakeGlb(NULL, allocator, text.data, text.length, pieces, pieceCount, &size, report);
        result = bytes != NULL ? MakeDocument(document, allocator, bytes, size, NULL, 0, report) : NULL;
    }
    tdText_Free(&text);
    tdText_Free(&list);
    return result;
}

/// Reports chunks that a .gltf cannot contain.
void tdReportLostChunks(const tdDocument* document, tdReport* report)
{
    bool isBinUsed = document->bufferCount > 0 && document->buffers[0].source == TD_BUFFER_GLB;
    size_t end = tdGlb_GetEnd(document->bytes, document->size), offset = 12;
    tdGlbChunk chunk;
    while (tdGlb_NextChunk(document->bytes, end, &offset, &chunk))
    {
        bool isKept = chunk.dataOffset == document->glb.jsonOffset ||
                      (isBinUsed && chunk.dataOffset == document->glb.binOffset);
        if (!isKept)
        {
            tdReport_AddAt(report, TD_DIAG_GLB_CHUNK_DROPPED, (int64_t)chunk.dataOffset - 8, 0, 0,
                           (unsigned long long)chunk.size);
        }
    }
}

static tdDocument* TakeChunkOut(const tdDocument* document, const tdAllocator* allocator, tdJsonEdit* edit,
                                tdReport* report)
{
    const tdJson* json = document->json;
    bool isUsed = document->bufferCount > 0 && document->buffers[0].source == TD_BUFFER_GLB;
    tdText uri, text;
    tdText_Init(&uri, allocator);
    tdText_Init(&text, allocator);
    if (isUsed)
    {
        tdText_AppendChar(&uri, '"');
        tdAppendSideUri(&uri, document, document->name, TD_SIDE_CHUNK);
        tdText_AppendChar(&uri, '"');
        if (!uri.failed)
        {
            int buffer = tdJson_GetFirst(json, tdDocument_GetBufferList(document));
            tdJsonEdit_AddMember(edit, buffer, "uri", uri.data, uri.length);
        }
    }
    uint8_t* bytes = NULL;
    if (!uri.failed && tdJsonEdit_Write(edit, &text))
    {
        // The padding of the chunk is not part of the text.
        while (text.length > 0 && text.data[text.length - 1] == ' ')
        {
            text.length -= 1;
        }
        bytes = tdAllocate(allocator, text.length + 1, 16);
    }
    tdDocument* result = NULL;
    if (bytes == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing a .gltf");
    }
    else
    {
        memcpy(bytes, text.data, text.length);
        bytes[text.length] = 0;
        result =
            MakeDocument(document, allocator, bytes, text.length, isUsed ? document->buffers[0].data : NULL,
                         isUsed ? document->buffers[0].size : 0, report);
    }
    tdText_Free(&text);
    tdText_Free(&uri);
    return result;
}

tdDocument* tdRepackDocument(const tdDocument* document, tdDocumentKind kind, const tdAllocator* allocator,
                             tdReport* report)
{
    TD_ASSERT(kind != document->kind);
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdJsonEdit* edit = tdCreateJsonEdit(document->json, &resolved);
    size_t count = (size_t)document->bufferCount + 1;
    Move* moves = tdAllocateZeroed(&resolved, count * sizeof(Move), _Alignof(Move));
    tdFilePiece* pieces = tdAllocateZeroed(&resolved, 2 * count * sizeof(tdFilePiece), _Alignof(tdFilePiece));
    tdDocument* result = NULL;
    if (edit == NULL || moves == NULL || pieces == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "converting a document");
    }
    else if (kind == TD_DOCUMENT_GLB)
    {
        result = JoinBuffers(document, &resolved, edit, moves, pieces, report);
    }
    else
    {
        result = TakeChunkOut(document, &resolved, edit, report);
    }
    tdRelease(&resolved, pieces, 2 * count * sizeof(tdFilePiece));
    tdRelease(&resolved, moves, count * sizeof(Move));
    tdDestroyJsonEdit(edit);
    return result;
}
