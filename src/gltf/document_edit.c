// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Collects edits of a document and creates the new document.
#include "document_edit.h"

#include "uri.h"

#include "base/number.h"

#include <string.h>

#define MAX_ROOT_ARRAYS 8

/// Elements added to one root array.
typedef struct RootArray
{
    char key[32];
    int value;     // in the base's JSON; TD_JSON_NONE: there is none
    int baseCount; // elements it has there
    int added;
    tdText text; // of the added elements, when the array is new
} RootArray;

struct tdDocumentEdit
{
    const tdDocument* base;
    tdAllocator allocator;
    tdJsonEdit* json;
    RootArray arrays[MAX_ROOT_ARRAYS];
    int arrayCount;
    tdText data;       // added bytes
    size_t dataOffset; // of the first of them in their buffer
    int buffer;        // they go to
    bool hasFailed;
};

static size_t AlignUp(size_t value, size_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/// True if added data can go into the BIN chunk: it is buffer 0, or there is no buffer yet.
static bool UsesChunk(const tdDocument* base)
{
    return base->kind == TD_DOCUMENT_GLB &&
           (base->bufferCount == 0 ? !base->glb.hasBin : base->buffers[0].source == TD_BUFFER_GLB);
}

tdDocumentEdit* tdCreateDocumentEdit(const tdDocument* base, const tdAllocator* allocator)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdDocumentEdit* edit = tdAllocateZeroed(&resolved, sizeof(tdDocumentEdit), _Alignof(tdDocumentEdit));
    if (edit == NULL)
    {
        return NULL;
    }
    edit->base = base;
    edit->allocator = resolved;
    edit->json = tdCreateJsonEdit(base->json, &resolved);
    tdText_InitPart(&edit->data, &resolved, &edit->hasFailed);
    if (edit->json == NULL)
    {
        tdDestroyDocumentEdit(edit);
        return NULL;
    }
    // The old data of the chunk is kept with its padding; new data starts after it.
    bool usesChunk = UsesChunk(base);
    edit->buffer = usesChunk ? 0 : base->bufferCount;
    edit->dataOffset = usesChunk && base->bufferCount > 0 ? AlignUp(base->buffers[0].fullSize, 8) : 0;
    return edit;
}

void tdDestroyDocumentEdit(tdDocumentEdit* edit)
{
    if (edit == NULL)
    {
        return;
    }
    tdAllocator allocator = edit->allocator;
    for (int i = 0; i < edit->arrayCount; ++i)
    {
        tdText_Free(&edit->arrays[i].text);
    }
    tdText_Free(&edit->data);
    tdDestroyJsonEdit(edit->json);
    tdRelease(&allocator, edit, sizeof(tdDocumentEdit));
}

tdJsonEdit* tdDocumentEdit_GetJson(tdDocumentEdit* edit)
{
    return edit->json;
}

static RootArray* FindArray(tdDocumentEdit* edit, const char* key)
{
    for (int i = 0; i < edit->arrayCount; ++i)
    {
        if (tdStringsEqual(edit->arrays[i].key, key))
        {
            return &edit->arrays[i];
        }
    }
    TD_ASSERT(edit->arrayCount < MAX_ROOT_ARRAYS && strlen(key) < sizeof(edit->arrays[0].key));
    RootArray* array = &edit->arrays[edit->arrayCount++];
    memcpy(array->key, key, strlen(key) + 1);
    array->value = tdJson_Find(edit->base->json, 0, key);
    array->baseCount =
        tdJson_IsArray(edit->base->json, array->value) ? tdJson_GetCount(edit->base->json, array->value) : 0;
    tdText_InitPart(&array->text, &edit->allocator, &edit->hasFailed);
    return array;
}

int tdDocumentEdit_AddElement(tdDocumentEdit* edit, const char* rootArray, const char* text, size_t length)
{
    RootArray* array = FindArray(edit, rootArray);
    if (tdJson_IsArray(edit->base->json, array->value))
    {
        tdJsonEdit_AddElement(edit->json, array->value, text, length);
    }
    else
    {
        tdText_AppendString(&array->text, array->added > 0 ? "," : "");
        tdText_Append(&array->text, text, length);
        edit->hasFailed = edit->hasFailed || array->text.failed;
    }
    array->added += 1;
    return edit->hasFailed ? -1 : array->baseCount + array->added - 1;
}

bool* tdDocumentEdit_GetFailure(tdDocumentEdit* edit)
{
    return &edit->hasFailed;
}

int tdDocumentEdit_AddView(tdDocumentEdit* edit, const void* data, size_t size)
{
    static const char zeros[8] = {0};
    size_t start = AlignUp(edit->data.length, 8);
    tdText_Append(&edit->data, zeros, start - edit->data.length);
    tdText_Append(&edit->data, data, size);
    tdText text;
    tdText_InitPart(&text, &edit->allocator, &edit->hasFailed);
    tdText_AppendFormat(&text, "{\"buffer\":%d,\"byteOffset\":%zu,\"byteLength\":%zu}", edit->buffer,
                        edit->dataOffset + start, size);
    edit->hasFailed = edit->hasFailed || edit->data.failed || text.failed;
    int index = edit->hasFailed ? -1 : tdDocumentEdit_AddElement(edit, "bufferViews", text.data, text.length);
    tdText_Free(&text);
    return index;
}

static void AppendBounds(tdText* text, const tdNewAccessor* accessor)
{
    static const char* const names[] = {"min", "max"};
    for (int which = 0; which < 2; ++which)
    {
        tdText_AppendFormat(text, ",\"%s\":[", names[which]);
        for (int c = 0; c < accessor->componentCount; ++c)
        {
            float bound = accessor->values[c];
            for (int i = 1; i < accessor->count; ++i)
            {
                float value = accessor->values[i * accessor->componentCount + c];
                bound = which == 0 ? (value < bound ? value : bound) : (value > bound ? value : bound);
            }
            // Reads back as the same float32 also when parsed as a double.
            char number[TD_NUMBER_TEXT_SIZE];
            tdWriteDouble(number, (double)bound);
            tdText_AppendFormat(text, "%s%s", c > 0 ? "," : "", number);
        }
        tdText_AppendChar(text, ']');
    }
}

int tdDocumentEdit_AddAccessorIn(tdDocumentEdit* edit, const tdNewAccessor* accessor, int view,
                                 size_t byteOffset)
{
    const char* type = accessor->componentCount == 1    ? "SCALAR"
                       : accessor->componentCount == 2  ? "VEC2"
                       : accessor->componentCount == 3  ? "VEC3"
                       : accessor->componentCount == 4  ? "VEC4"
                       : accessor->componentCount == 16 ? "MAT4"
                                                        : NULL;
    TD_ASSERT(type != NULL && accessor->count > 0);
    tdText text;
    tdText_InitPart(&text, &edit->allocator, &edit->hasFailed);
    tdText_AppendFormat(&text, "{\"bufferView\":%d", view);
    if (byteOffset > 0)
    {
        tdText_AppendFormat(&text, ",\"byteOffset\":%zu", byteOffset);
    }
    tdText_AppendFormat(&text, ",\"componentType\":5126,\"count\":%d,\"type\":\"%s\"", accessor->count, type);
    if (accessor->writeBounds)
    {
        AppendBounds(&text, accessor);
    }
    tdText_AppendChar(&text, '}');
    edit->hasFailed = edit->hasFailed || text.failed || view < 0;
    int index = edit->hasFailed ? -1 : tdDocumentEdit_AddElement(edit, "accessors", text.data, text.length);
    tdText_Free(&text);
    return index;
}

int tdDocumentEdit_AddAccessor(tdDocumentEdit* edit, const tdNewAccessor* accessor)
{
    // Files are little endian, like all supported machines.
    size_t size = (size_t)accessor->count * (size_t)accessor->componentCount * sizeof(float);
    return tdDocumentEdit_AddAccessorIn(edit, accessor, tdDocumentEdit_AddView(edit, accessor->values, size),
                                        0);
}

/// True if a buffer of the base document has this reference.
static bool IsUriTaken(const tdDocument* base, const char* uri)
{
    int list = tdDocument_GetBufferList(base);
    for (int child = tdJson_GetFirst(base->json, list); child >= 0; child = tdJson_GetNext(base->json, child))
    {
        if (tdJson_StringEquals(base->json, tdJson_Find(base->json, child, "uri"), uri))
        {
            return true;
        }
    }
    return false;
}

void tdAppendSideName(tdText* out, const char* path, const char* ending, int number)
{
    const char* name = tdGetFileName(path);
    const char* dot = strrchr(name, '.');
    size_t stemLength = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    bool isNameless = stemLength == 0 || tdStringsEqual(name, "-");
    tdText_Append(out, isNameless ? "asset" : name, isNameless ? 5 : stemLength);
    if (number == 1)
    {
        tdText_AppendString(out, ending);
        return;
    }
    // x.tendon.bin, x.tendon-2.bin, …
    tdText_Append(out, ending, strlen(ending) - strlen(".bin"));
    tdText_AppendFormat(out, "-%d.bin", number);
}

void tdAppendSideUri(tdText* out, const tdDocument* document, const char* path, const char* ending)
{
    tdText name;
    tdText_Init(&name, &out->allocator);
    size_t start = out->length;
    for (int number = 1; !out->failed; ++number)
    {
        tdText_Clear(&name);
        tdAppendSideName(&name, path, ending, number);
        out->length = start;
        if (name.failed)
        {
            out->failed = true;
            break;
        }
        tdAppendUriPath(out, name.data);
        if (!out->failed && !IsUriTaken(document, out->data + start))
        {
            break;
        }
    }
    tdText_Free(&name);
}

/// The buffers of the new document: a longer chunk, or one more buffer.
static void EditBuffers(tdDocumentEdit* edit)
{
    const tdDocument* base = edit->base;
    if (edit->data.length == 0)
    {
        return;
    }
    tdText text;
    tdText_InitPart(&text, &edit->allocator, &edit->hasFailed);
    size_t total = edit->dataOffset + edit->data.length;
    if (UsesChunk(base))
    {
        int buffer = tdJson_GetFirst(base->json, tdDocument_GetBufferList(base));
        if (buffer >= 0)
        {
            tdText_AppendFormat(&text, "%zu", total);
            int length = tdJson_Find(base->json, buffer, "byteLength");
            if (!text.failed && length >= 0)
            {
                tdJsonEdit_Replace(edit->json, length, text.data, text.length);
            }
            else if (!text.failed)
            {
                tdJsonEdit_AddMember(edit->json, buffer, "byteLength", text.data, text.length);
            }
        }
        else
        {
            tdText_AppendFormat(&text, "{\"byteLength\":%zu}", total);
        }
    }
    else
    {
        tdText_AppendFormat(&text, "{\"byteLength\":%zu,\"uri\":\"", total);
        if (base->kind == TD_DOCUMENT_GLB)
        {
            // Only buffer 0 may be in the chunk, and it is elsewhere.
            tdText_AppendString(&text, "data:application/octet-stream;base64,");
            tdAppendBase64(&text, (const uint8_t*)edit->data.data, edit->data.length);
        }
        else
        {
            tdAppendSideUri(&text, base, base->name, TD_SIDE_ADDED);
        }
        tdText_AppendString(&text, "\"}");
    }
    edit->hasFailed = edit->hasFailed || text.failed;
    if (!text.failed && text.data[0] == '{')
    {
        tdDocumentEdit_AddElement(edit, "buffers", text.data, text.length);
    }
    tdText_Free(&text);
}

static void AddNewArrays(tdDocumentEdit* edit)
{
    for (int i = 0; i < edit->arrayCount; ++i)
    {
        RootArray* array = &edit->arrays[i];
        if (array->added == 0 || tdJson_IsArray(edit->base->json, array->value))
        {
            continue;
        }
        tdText text;
        tdText_InitPart(&text, &edit->allocator, &edit->hasFailed);
        tdText_AppendChar(&text, '[');
        tdText_Append(&text, array->text.data, array->text.length);
        tdText_AppendChar(&text, ']');
        if (text.failed)
        {
            edit->hasFailed = true;
        }
        else if (array->value >= 0)
        {
            tdJsonEdit_Replace(edit->json, array->value, text.data, text.length);
        }
        else
        {
            tdJsonEdit_AddMember(edit->json, 0, array->key, text.data, text.length);
        }
        tdText_Free(&text);
    }
}

uint8_t* tdMakeGlb(const tdDocument* base, const tdAllocator* allocator, const char* json, size_t jsonSize,
                   const tdFilePiece* bin, int binCount, size_t* size, tdReport* report)
{
    size_t binSize = 0;
    for (int i = 0; i < binCount; ++i)
    {
        binSize += bin[i].size;
    }
    bool isBase = base != NULL && base->kind == TD_DOCUMENT_GLB;
    size_t end = isBase ? tdGlb_GetEnd(base->bytes, base->size) : 0;
    size_t rest = 0, offset = 12;
    tdGlbChunk chunk;
    while (isBase && tdGlb_NextChunk(base->bytes, end, &offset, &chunk))
    {
        bool isOurs = chunk.dataOffset == base->glb.jsonOffset ||
                      (base->glb.hasBin && chunk.dataOffset == base->glb.binOffset);
        rest += isOurs ? 0 : 8 + AlignUp(chunk.size, 4);
    }
    uint64_t total = 12 + 8 + (uint64_t)AlignUp(jsonSize, 4) +
                     (binCount > 0 ? 8 + (uint64_t)AlignUp(binSize, 4) : 0) + rest;
    uint64_t trailing = isBase ? base->size - end : 0;
    if (total > UINT32_MAX)
    {
        tdReport_Add(report, TD_DIAG_IO_WRITE_ERROR, NULL, "GLB", "it is larger than 4294967295 bytes");
        return NULL;
    }
    *size = (size_t)(total + trailing);
    uint8_t* bytes = tdAllocateZeroed(allocator, *size + 1, 16);
    if (bytes == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing a GLB");
        return NULL;
    }
    uint8_t* at = bytes;
    tdStoreU32(at, TD_GLB_MAGIC);
    tdStoreU32(at + 4, 2);
    tdStoreU32(at + 8, (uint32_t)total);
    tdStoreU32(at + 12, (uint32_t)AlignUp(jsonSize, 4));
    tdStoreU32(at + 16, TD_GLB_JSON);
    at += 20;
    memcpy(at, json, jsonSize);
    memset(at + jsonSize, ' ', AlignUp(jsonSize, 4) - jsonSize);
    at += AlignUp(jsonSize, 4);
    if (binCount > 0)
    {
        tdStoreU32(at, (uint32_t)AlignUp(binSize, 4));
        tdStoreU32(at + 4, TD_GLB_BIN);
        at += 8;
        uint8_t* start = at;
        for (int i = 0; i < binCount; ++i)
        {
            if (bin[i].size > 0)
            {
                memcpy(at, bin[i].data, bin[i].size);
            }
            at += bin[i].size;
        }
        at = start + AlignUp(binSize, 4);
    }
    offset = 12;
    while (isBase && tdGlb_NextChunk(base->bytes, end, &offset, &chunk))
    {
        if (chunk.dataOffset == base->glb.jsonOffset ||
            (base->glb.hasBin && chunk.dataOffset == base->glb.binOffset))
        {
            continue;
        }
        tdStoreU32(at, (uint32_t)AlignUp(chunk.size, 4));
        tdStoreU32(at + 4, chunk.type);
        memcpy(at + 8, base->bytes + chunk.dataOffset, chunk.size);
        at += 8 + AlignUp(chunk.size, 4);
    }
    if (trailing > 0)
    {
        memcpy(at, base->bytes + end, (size_t)trailing);
    }
    return bytes;
}

/// JSON text of the base without the padding of the chunk.
static uint8_t* MakeBytes(tdDocumentEdit* edit, size_t* size, tdReport* report)
{
    const tdDocument* base = edit->base;
    tdText text;
    tdText_InitPart(&text, &edit->allocator, &edit->hasFailed);
    bool isWritten = tdJsonEdit_Write(edit->json, &text) && !edit->hasFailed;
    uint8_t* bytes = NULL;
    if (!isWritten)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing a document");
    }
    else if (base->kind == TD_DOCUMENT_GLB)
    {
        static const char zeros[8] = {0};
        size_t old = base->glb.hasBin ? base->glb.binSize : 0;
        bool isLonger = UsesChunk(base) && edit->data.length > 0;
        tdFilePiece pieces[3] = {{base->bytes + base->glb.binOffset, old},
                                 {zeros, isLonger ? edit->dataOffset - old : 0},
                                 {edit->data.data, isLonger ? edit->data.length : 0}};
        bytes = tdMakeGlb(base, &edit->allocator, text.data, text.length, pieces,
                          base->glb.hasBin || isLonger ? 3 : 0, size, report);
    }
    else
    {
        bytes = tdAllocate(&edit->allocator, text.length + 1, 16);
        *size = text.length;
        if (bytes != NULL)
        {
            memcpy(bytes, text.data, text.length);
            bytes[text.length] = 0;
        }
        else
        {
            tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing a document");
        }
    }
    tdText_Free(&text);
    return bytes;
}

tdDocument* tdDocumentEdit_Finish(tdDocumentEdit* edit, tdReport* report)
{
    if (edit == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing a document");
        return NULL;
    }
    EditBuffers(edit);
    AddNewArrays(edit);
    size_t size = 0;
    uint8_t* bytes = MakeBytes(edit, &size, report);
    if (bytes == NULL)
    {
        return NULL;
    }
    bool hasSide = edit->base->kind == TD_DOCUMENT_GLTF && edit->data.length > 0;
    tdDocumentDef def = {.allocator = &edit->allocator,
                         .name = edit->base->name,
                         .resolver = edit->base->resolver,
                         .base = edit->base,
                         .side = hasSide ? (const uint8_t*)edit->data.data : NULL,
                         .sideSize = edit->data.length,
                         .sideBuffer = edit->buffer,
                         .sideEnding = TD_SIDE_ADDED};
    return tdCreateEditedDocument(bytes, size, &def, "writing a document", report);
}
