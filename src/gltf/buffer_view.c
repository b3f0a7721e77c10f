// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Buffer views: checked against their buffers, and decompressed (EXT_meshopt_compression) on first use.
#include "buffer_view.h"

#include "accessor.h"

#if defined(TD_HAVE_MESHOPTIMIZER)
#include <meshoptimizer.h>
#endif

static const char meshoptName[] = "EXT_meshopt_compression";

/// Reads an optional whole number >= 0. False for anything else (reported).
static bool ReadSize(tdAccessors* accessors, const tdPath* path, int object, const char* key, int64_t* value)
{
    const tdJson* json = accessors->document->json;
    int member = tdJson_Find(json, object, key);
    if (member < 0)
    {
        return true;
    }
    tdPath memberPath = tdPath_Key(path, key);
    if (tdJson_GetType(json, member) != TD_JSON_NUMBER)
    {
        tdReport_Add(accessors->report, TD_DIAG_TYPE_MISMATCH, &memberPath, "a whole number");
        return false;
    }
    if (!tdJson_GetInteger(json, member, value) || *value < 0)
    {
        tdReport_Add(accessors->report, TD_DIAG_VALUE_NOT_IN_RANGE, &memberPath,
                     tdJson_GetNumber(json, member, 0.0));
        return false;
    }
    return true;
}

/// Bytes [offset, offset + length) of a buffer; NULL if they are missing (reported).
static const uint8_t* GetBufferBytes(tdAccessors* accessors, const tdPath* path, int object, int64_t* length)
{
    int64_t buffer = -1, offset = 0;
    *length = -1;
    bool isFine = ReadSize(accessors, path, object, "buffer", &buffer);
    isFine = ReadSize(accessors, path, object, "byteOffset", &offset) && isFine;
    isFine = ReadSize(accessors, path, object, "byteLength", length) && isFine;
    if (!isFine)
    {
        return NULL;
    }
    if (buffer < 0 || *length < 1)
    {
        tdReport_Add(accessors->report, TD_DIAG_UNDEFINED_PROPERTY, path,
                     buffer < 0 ? "buffer" : "byteLength");
        return NULL;
    }
    const tdDocument* document = accessors->document;
    if (buffer >= document->bufferCount)
    {
        tdPath key = tdPath_Key(path, "buffer");
        tdReport_Add(accessors->report, TD_DIAG_UNRESOLVED_REFERENCE, &key, "buffer", (long long)buffer);
        return NULL;
    }
    const tdBuffer* bytes = &document->buffers[buffer];
    if (bytes->data == NULL)
    {
        return NULL; // reported with the buffer
    }
    if ((uint64_t)offset > bytes->size || (uint64_t)*length > bytes->size - (uint64_t)offset)
    {
        tdReport_Add(accessors->report, TD_DIAG_BUFFER_VIEW_TOO_LONG, path, (long long)offset,
                     (long long)*length, (long long)buffer, (unsigned long long)bytes->size);
        return NULL;
    }
    return bytes->data + offset;
}

static void CheckView(tdAccessors* accessors, int index, int value, const tdPath* path)
{
    const tdJson* json = accessors->document->json;
    tdBufferView* view = &accessors->views[index];
    view->isBroken = true;
    if (!tdJson_IsObject(json, value))
    {
        tdReport_Add(accessors->report, TD_DIAG_TYPE_MISMATCH, path, "an object");
        return;
    }
    int64_t stride = 0, length = 0;
    if (!ReadSize(accessors, path, value, "byteStride", &stride))
    {
        return;
    }
    if (stride != 0 && (stride < 4 || stride > 252 || stride % 4 != 0))
    {
        tdPath key = tdPath_Key(path, "byteStride");
        tdReport_Add(accessors->report, TD_DIAG_BUFFER_VIEW_INVALID_BYTE_STRIDE, &key, (long long)stride);
        return;
    }
    view->stride = (size_t)stride;
    int extension = tdJson_Find(json, tdJson_Find(json, value, "extensions"), meshoptName);
    if (extension >= 0)
    {
        // The view itself describes the decompressed bytes, often in a placeholder buffer without data.
        view->isCompressed = true;
        view->isBroken = !ReadSize(accessors, path, value, "byteLength", &length);
        view->size = (size_t)length;
        return;
    }
    view->data = GetBufferBytes(accessors, path, value, &length);
    view->size = view->data != NULL ? (size_t)length : 0;
    view->isBroken = view->data == NULL;
}

bool tdAccessors_InitViews(tdAccessors* accessors)
{
    const tdJson* json = accessors->document->json;
    int list = tdJson_Find(json, 0, "bufferViews");
    tdPath root = tdPath_Root();
    tdPath listPath = tdPath_Key(&root, "bufferViews");
    if (list >= 0 && !tdJson_IsArray(json, list))
    {
        tdReport_Add(accessors->report, TD_DIAG_TYPE_MISMATCH, &listPath, "an array");
        return true;
    }
    int count = tdJson_GetCount(json, list);
    int* values = tdArena_NewArray(accessors->arena, int, count + 1);
    accessors->views = tdArena_NewArray(accessors->arena, tdBufferView, count + 1);
    accessors->viewValues = values;
    if (accessors->views == NULL || values == NULL)
    {
        return false;
    }
    accessors->viewCount = count;
    int index = 0;
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child))
    {
        tdPath path = tdPath_Index(&listPath, index);
        values[index] = child;
        CheckView(accessors, index, child, &path);
        index += 1;
    }
    return true;
}

#if defined(TD_HAVE_MESHOPTIMIZER)

typedef struct Compressed
{
    const uint8_t* data;
    size_t size, count, stride;
    int mode, filter; // values in the JSON
} Compressed;

/// The decoders assert on bad strides and counts, so all values are checked here.
static bool IsSound(const tdJson* json, const Compressed* c)
{
    if (tdJson_StringEquals(json, c->mode, "ATTRIBUTES"))
    {
        bool needs8 = tdJson_StringEquals(json, c->filter, "QUATERNION");
        bool needs4Or8 = tdJson_StringEquals(json, c->filter, "OCTAHEDRAL");
        return c->stride % 4 == 0 && c->stride >= 4 && c->stride <= 256 && (!needs8 || c->stride == 8) &&
               (!needs4Or8 || c->stride == 4 || c->stride == 8);
    }
    bool isTriangles = tdJson_StringEquals(json, c->mode, "TRIANGLES");
    bool isIndices = tdJson_StringEquals(json, c->mode, "INDICES");
    return (isTriangles || isIndices) && (c->stride == 2 || c->stride == 4) &&
           (!isTriangles || c->count % 3 == 0);
}

static bool DecompressView(const tdJson* json, const Compressed* c, uint8_t* out)
{
    if (tdJson_StringEquals(json, c->mode, "TRIANGLES"))
    {
        return meshopt_decodeIndexBuffer(out, c->count, c->stride, c->data, c->size) == 0;
    }
    if (tdJson_StringEquals(json, c->mode, "INDICES"))
    {
        return meshopt_decodeIndexSequence(out, c->count, c->stride, c->data, c->size) == 0;
    }
    if (meshopt_decodeVertexBuffer(out, c->count, c->stride, c->data, c->size) != 0)
    {
        return false;
    }
    if (tdJson_StringEquals(json, c->filter, "OCTAHEDRAL"))
    {
        meshopt_decodeFilterOct(out, c->count, c->stride);
    }
    else if (tdJson_StringEquals(json, c->filter, "QUATERNION"))
    {
        meshopt_decodeFilterQuat(out, c->count, c->stride);
    }
    else if (tdJson_StringEquals(json, c->filter, "EXPONENTIAL"))
    {
        meshopt_decodeFilterExp(out, c->count, c->stride);
    }
    return true;
}

static bool DecodeView(tdAccessors* accessors, int index, const tdPath* path)
{
    const tdJson* json = accessors->document->json;
    tdBufferView* view = &accessors->views[index];
    int extension =
        tdJson_Find(json, tdJson_Find(json, accessors->viewValues[index], "extensions"), meshoptName);
    tdPath extensionsPath = tdPath_Key(path, "extensions");
    tdPath extensionPath = tdPath_Key(&extensionsPath, meshoptName);
    int64_t size = 0, stride = 0, count = 0;
    Compressed c = {.mode = tdJson_Find(json, extension, "mode"),
                    .filter = tdJson_Find(json, extension, "filter")};
    c.data = GetBufferBytes(accessors, &extensionPath, extension, &size);
    bool isFine = ReadSize(accessors, &extensionPath, extension, "byteStride", &stride);
    isFine = ReadSize(accessors, &extensionPath, extension, "count", &count) && isFine && c.data != NULL;
    if (!isFine)
    {
        return false;
    }
    c.size = (size_t)size;
    c.stride = (size_t)stride;
    c.count = (size_t)count;
    if (count > INT32_MAX || stride > 256 || !IsSound(json, &c) || c.count * c.stride < view->size)
    {
        tdReport_Add(accessors->report, TD_DIAG_MESHOPT_INVALID, &extensionPath, index);
        return false;
    }
    size_t bytes = c.count * c.stride;
    if (!tdAccessors_Claim(accessors, bytes, &extensionPath, "This compressed buffer view"))
    {
        return false;
    }
    uint8_t* out = tdArena_Allocate(accessors->arena, bytes + 16, 16);
    if (out == NULL)
    {
        tdReport_Add(accessors->report, TD_DIAG_OUT_OF_MEMORY, path, "decompressing a buffer view");
        return false;
    }
    if (!DecompressView(json, &c, out))
    {
        tdReport_Add(accessors->report, TD_DIAG_MESHOPT_INVALID, &extensionPath, index);
        return false;
    }
    view->data = out;
    view->size = bytes;
    return true;
}

#else

static bool DecodeView(tdAccessors* accessors, int index, const tdPath* path)
{
    (void)index;
    tdReport_Add(accessors->report, TD_DIAG_MESHOPT_UNAVAILABLE, path);
    return false;
}

#endif

const uint8_t* tdAccessors_GetView(tdAccessors* accessors, int index, size_t* size)
{
    tdBufferView* view = &accessors->views[index];
    if (view->isCompressed && view->data == NULL && !view->isBroken)
    {
        tdPath root = tdPath_Root();
        tdPath list = tdPath_Key(&root, "bufferViews");
        tdPath path = tdPath_Index(&list, index);
        view->isBroken = !DecodeView(accessors, index, &path);
    }
    *size = view->size;
    return view->isBroken ? NULL : view->data;
}
