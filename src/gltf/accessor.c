// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Accessors (glTF 2.0, section 3.6.2): checking, and decoding of every layout into floats or integers.
//
// See docs/decisions/021-bounded-decoding.md and docs/decisions/176-arrays-in-place.md.
#include "accessor.h"

#include "buffer_view.h"

#include <math.h>
#include <string.h>

static bool IsComponentType(int64_t type)
{
    return (type >= TD_COMPONENT_BYTE && type <= TD_COMPONENT_UNSIGNED_SHORT) ||
           type == TD_COMPONENT_UNSIGNED_INT || type == TD_COMPONENT_FLOAT;
}

static size_t GetComponentSize(tdComponentType type)
{
    switch (type)
    {
    case TD_COMPONENT_BYTE:
    case TD_COMPONENT_UNSIGNED_BYTE:
        return 1;
    case TD_COMPONENT_SHORT:
    case TD_COMPONENT_UNSIGNED_SHORT:
        return 2;
    case TD_COMPONENT_UNSIGNED_INT:
    case TD_COMPONENT_FLOAT:
        break;
    }
    return 4;
}

/// Columns of matrices start at multiples of four bytes.
static size_t GetColumnStride(const tdAccessor* accessor)
{
    size_t size = (size_t)accessor->rows * GetComponentSize(accessor->componentType);
    return accessor->columns > 1 ? (size + 3) / 4 * 4 : size;
}

static size_t GetElementSize(const tdAccessor* accessor)
{
    // The padding of the last column is optional, but every exporter writes it.
    return GetColumnStride(accessor) * (size_t)accessor->columns;
}

bool tdAccessors_Claim(tdAccessors* accessors, uint64_t bytes, const tdPath* path, const char* what)
{
    if (bytes > accessors->budget || bytes > SIZE_MAX / 2)
    {
        tdReport_Add(accessors->report, TD_DIAG_TOO_LARGE, path, what, (unsigned long long)accessors->budget);
        return false;
    }
    accessors->budget -= bytes;
    accessors->decodedBytes += bytes;
    if (accessors->limits != NULL &&
        !tdLimits_Allow(accessors->limits, TD_LIMIT_accessorBytes, (double)accessors->decodedBytes,
                        accessors->isOverLimit ? NULL : accessors->report, path))
    {
        accessors->isOverLimit = true;
        return false;
    }
    return true;
}

/// Reads an optional whole number in [lowest, highest]; false for anything else (reported).
static bool ReadInteger(tdAccessors* accessors, const tdPath* path, int object, const char* key,
                        int64_t lowest, int64_t* value)
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
    if (!tdJson_GetInteger(json, member, value) || *value < lowest)
    {
        tdReport_Add(accessors->report, TD_DIAG_VALUE_NOT_IN_RANGE, &memberPath,
                     tdJson_GetNumber(json, member, 0.0));
        return false;
    }
    return true;
}

static bool RequireInteger(tdAccessors* accessors, const tdPath* path, int object, const char* key,
                           int64_t lowest, int64_t* value)
{
    if (tdJson_Find(accessors->document->json, object, key) < 0)
    {
        tdReport_Add(accessors->report, TD_DIAG_UNDEFINED_PROPERTY, path, key);
        return false;
    }
    return ReadInteger(accessors, path, object, key, lowest, value);
}

static bool ReadType(tdAccessors* accessors, const tdPath* path, int value, tdAccessor* accessor)
{
    static const struct
    {
        const char* name;
        int rows, columns;
    } types[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                 {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    const tdJson* json = accessors->document->json;
    int type = tdJson_Find(json, value, "type");
    if (type < 0)
    {
        tdReport_Add(accessors->report, TD_DIAG_UNDEFINED_PROPERTY, path, "type");
        return false;
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i)
    {
        if (tdJson_StringEquals(json, type, types[i].name))
        {
            accessor->rows = types[i].rows;
            accessor->columns = types[i].columns;
            accessor->componentCount = types[i].rows * types[i].columns;
            return true;
        }
    }
    tdPath typePath = tdPath_Key(path, "type");
    size_t length = 0;
    const char* text = tdJson_GetString(json, type, &length);
    if (text == NULL)
    {
        tdReport_Add(accessors->report, TD_DIAG_TYPE_MISMATCH, &typePath, "a string");
        return false;
    }
    tdReport_AddAs(accessors->report, TD_SEVERITY_ERROR, TD_DIAG_VALUE_NOT_IN_LIST, &typePath, (int)length,
                   text);
    return false;
}

/// True if `count` elements from `offset` lie inside the view; reports it otherwise.
static bool CheckRange(tdAccessors* accessors, const tdPath* path, int viewIndex, size_t offset,
                       size_t elementSize, size_t componentSize, int64_t count, bool useStride)
{
    const tdBufferView* view = &accessors->views[viewIndex];
    if (view->isBroken)
    {
        return false; // reported with the view
    }
    if (offset % componentSize != 0)
    {
        tdPath key = tdPath_Key(path, "byteOffset");
        tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_OFFSET_ALIGNMENT, &key, (unsigned long long)offset,
                     (int)componentSize);
        return false;
    }
    size_t stride = useStride && view->stride != 0 ? view->stride : elementSize;
    if (stride < elementSize)
    {
        tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_SMALL_BYTESTRIDE, path, (int)stride,
                     (int)elementSize);
        return false;
    }
    // offset + stride * (count - 1) + elementSize <= size, without overflow: count is below 2^31 and the
    // stride below 2^8.
    uint64_t needed = (uint64_t)(count - 1) * stride + elementSize;
    if (offset > view->size || needed > view->size - offset)
    {
        tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_TOO_LONG, path, (unsigned long long)offset,
                     (unsigned long long)needed, (unsigned long long)view->size);
        return false;
    }
    return true;
}

static bool CheckViewIndex(tdAccessors* accessors, const tdPath* path, int64_t view)
{
    if (view < accessors->viewCount)
    {
        return true;
    }
    tdPath key = tdPath_Key(path, "bufferView");
    tdReport_Add(accessors->report, TD_DIAG_UNRESOLVED_REFERENCE, &key, "buffer view", (long long)view);
    return false;
}

static bool CheckSparse(tdAccessors* accessors, const tdPath* path, tdAccessor* accessor)
{
    const tdJson* json = accessors->document->json;
    int sparse = tdJson_Find(json, accessor->value, "sparse");
    if (sparse < 0)
    {
        return true;
    }
    tdPath sparsePath = tdPath_Key(path, "sparse");
    int64_t count = 0;
    if (!RequireInteger(accessors, &sparsePath, sparse, "count", 1, &count))
    {
        return false;
    }
    if (count > accessor->count)
    {
        tdPath key = tdPath_Key(&sparsePath, "count");
        tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE, &key, (long long)count,
                     (long long)accessor->count);
        return false;
    }
    static const char* const parts[] = {"indices", "values"};
    for (int i = 0; i < 2; ++i)
    {
        int part = tdJson_Find(json, sparse, parts[i]);
        tdPath partPath = tdPath_Key(&sparsePath, parts[i]);
        if (!tdJson_IsObject(json, part))
        {
            tdReport_Add(accessors->report, TD_DIAG_UNDEFINED_PROPERTY, &sparsePath, parts[i]);
            return false;
        }
        int64_t view = -1, offset = 0, type = accessor->componentType;
        if (!RequireInteger(accessors, &partPath, part, "bufferView", 0, &view) ||
            !ReadInteger(accessors, &partPath, part, "byteOffset", 0, &offset) ||
            !CheckViewIndex(accessors, &partPath, view))
        {
            return false;
        }
        size_t elementSize = GetElementSize(accessor);
        if (i == 0)
        {
            if (!RequireInteger(accessors, &partPath, part, "componentType", 0, &type))
            {
                return false;
            }
            if (type != TD_COMPONENT_UNSIGNED_BYTE && type != TD_COMPONENT_UNSIGNED_SHORT &&
                type != TD_COMPONENT_UNSIGNED_INT)
            {
                tdPath key = tdPath_Key(&partPath, "componentType");
                tdReport_Add(accessors->report, TD_DIAG_VALUE_NOT_IN_RANGE, &key, (double)type);
                return false;
            }
            elementSize = GetComponentSize((tdComponentType)type);
        }
        size_t componentSize = GetComponentSize((tdComponentType)type);
        if (!CheckRange(accessors, &partPath, (int)view, (size_t)offset, elementSize, componentSize, count,
                        false))
        {
            return false;
        }
    }
    accessor->sparseCount = (int)count;
    return true;
}

static void CheckAccessor(tdAccessors* accessors, int index, int value, const tdPath* path)
{
    const tdJson* json = accessors->document->json;
    tdAccessor* accessor = &accessors->accessors[index];
    accessor->value = value;
    accessor->view = -1;
    if (!tdJson_IsObject(json, value))
    {
        tdReport_Add(accessors->report, TD_DIAG_TYPE_MISMATCH, path, "an object");
        return;
    }
    int64_t view = -1, offset = 0, type = 0, count = 0;
    bool isFine = ReadInteger(accessors, path, value, "bufferView", 0, &view);
    isFine = ReadInteger(accessors, path, value, "byteOffset", 0, &offset) && isFine;
    isFine = RequireInteger(accessors, path, value, "componentType", 0, &type) && isFine;
    isFine = RequireInteger(accessors, path, value, "count", 1, &count) && isFine;
    isFine = ReadType(accessors, path, value, accessor) && isFine;
    if (!isFine)
    {
        return;
    }
    if (!IsComponentType(type))
    {
        tdPath key = tdPath_Key(path, "componentType");
        tdReport_Add(accessors->report, TD_DIAG_VALUE_NOT_IN_RANGE, &key, (double)type);
        return;
    }
    accessor->componentType = (tdComponentType)type;
    int normalized = tdJson_Find(json, value, "normalized");
    accessor->isNormalized = tdJson_GetType(json, normalized) == TD_JSON_TRUE;
    if (accessor->isNormalized && (type == TD_COMPONENT_FLOAT || type == TD_COMPONENT_UNSIGNED_INT))
    {
        tdPath key = tdPath_Key(path, "normalized");
        tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_NORMALIZED_INVALID, &key);
        accessor->isNormalized = false;
    }
    if (count > INT32_MAX)
    {
        tdPath key = tdPath_Key(path, "count");
        tdReport_Add(accessors->report, TD_DIAG_VALUE_NOT_IN_RANGE, &key, (double)count);
        return;
    }
    accessor->count = (int)count;
    if (view >= 0)
    {
        if (!CheckViewIndex(accessors, path, view) ||
            !CheckRange(accessors, path, (int)view, (size_t)offset, GetElementSize(accessor),
                        GetComponentSize(accessor->componentType), count, true))
        {
            return;
        }
        accessor->view = (int)view;
        accessor->offset = (size_t)offset;
    }
    accessor->isValid = CheckSparse(accessors, path, accessor);
}

bool tdAccessors_Init(tdAccessors* accessors, const tdDocument* document, tdArena* arena, tdReport* report)
{
    uint64_t budget = (uint64_t)tdDocument_GetTotalBytes(document) * TD_DECODE_FACTOR + TD_DECODE_FLOOR;
    *accessors = (tdAccessors){.document = document, .arena = arena, .report = report, .budget = budget};
    const tdJson* json = document->json;
    int list = tdJson_Find(json, 0, "accessors");
    tdPath listPath = tdPath_Key(&tdPath_root, "accessors");
    bool isArray = tdJson_IsArray(json, list);
    if (list >= 0 && !isArray)
    {
        tdReport_Add(report, TD_DIAG_TYPE_MISMATCH, &listPath, "an array");
    }
    int count = isArray ? tdJson_GetCount(json, list) : 0;
    accessors->accessors = tdArena_NewArray(arena, tdAccessor, count + 1);
    if (!tdAccessors_InitViews(accessors) || accessors->accessors == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading the accessors");
        return false;
    }
    accessors->accessorCount = count;
    int index = 0;
    for (int child = count > 0 ? tdJson_GetFirst(json, list) : -1; child >= 0;
         child = tdJson_GetNext(json, child))
    {
        tdPath path = tdPath_Index(&listPath, index);
        CheckAccessor(accessors, index, child, &path);
        index += 1;
    }
    return true;
}

const tdAccessor* tdAccessors_Get(const tdAccessors* accessors, int64_t index)
{
    if (index < 0 || index >= accessors->accessorCount)
    {
        return NULL;
    }
    const tdAccessor* accessor = &accessors->accessors[index];
    return accessor->isValid && !accessor->isBroken ? accessor : NULL;
}

// Single components. Files are little endian, and damaged ones are not aligned, so values are assembled byte
// by byte; compilers turn this into one load.

static uint32_t LoadUnsigned(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t LoadInteger(const uint8_t* bytes, tdComponentType type)
{
    switch (type)
    {
    case TD_COMPONENT_BYTE:
        return (uint32_t)(int32_t)(int8_t)bytes[0];
    case TD_COMPONENT_UNSIGNED_BYTE:
        return bytes[0];
    case TD_COMPONENT_SHORT:
        return (uint32_t)(int32_t)(int16_t)(uint16_t)(bytes[0] | bytes[1] << 8);
    case TD_COMPONENT_UNSIGNED_SHORT:
        return (uint32_t)(bytes[0] | bytes[1] << 8);
    case TD_COMPONENT_UNSIGNED_INT:
    case TD_COMPONENT_FLOAT:
        break;
    }
    return LoadUnsigned(bytes);
}

static float LoadFloat(const uint8_t* bytes, tdComponentType type, bool isNormalized)
{
    uint32_t raw = LoadInteger(bytes, type);
    switch (type)
    {
    case TD_COMPONENT_FLOAT:
    {
        float value;
        memcpy(&value, &raw, sizeof(value));
        return value;
    }
    case TD_COMPONENT_BYTE:
    {
        float value = (float)(int32_t)raw;
        return !isNormalized ? value : (value < -127.0f ? -1.0f : value / 127.0f);
    }
    case TD_COMPONENT_SHORT:
    {
        float value = (float)(int32_t)raw;
        return !isNormalized ? value : (value < -32767.0f ? -1.0f : value / 32767.0f);
    }
    case TD_COMPONENT_UNSIGNED_BYTE:
        return isNormalized ? (float)raw / 255.0f : (float)raw;
    case TD_COMPONENT_UNSIGNED_SHORT:
        return isNormalized ? (float)raw / 65535.0f : (float)raw;
    case TD_COMPONENT_UNSIGNED_INT:
        break;
    }
    return (float)raw;
}

/// Decodes consecutive components. One of the two outputs is NULL.
static void DecodeRun(const tdAccessor* accessor, const uint8_t* bytes, size_t count, float* floats,
                      uint32_t* integers)
{
    tdComponentType type = accessor->componentType;
    size_t componentSize = GetComponentSize(type);
    if (type == TD_COMPONENT_FLOAT || (type == TD_COMPONENT_UNSIGNED_INT && integers != NULL))
    {
        for (size_t i = 0; i < count; ++i)
        {
            uint32_t raw = LoadUnsigned(bytes + 4 * i);
            memcpy(floats != NULL ? (void*)(floats + i) : (void*)(integers + i), &raw, sizeof(raw));
        }
    }
    else if (type == TD_COMPONENT_UNSIGNED_SHORT && integers != NULL)
    {
        for (size_t i = 0; i < count; ++i)
        {
            integers[i] = (uint32_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
        }
    }
    else
    {
        for (size_t i = 0; i < count; ++i)
        {
            if (floats != NULL)
            {
                floats[i] = LoadFloat(bytes + componentSize * i, type, accessor->isNormalized);
            }
            else if (integers != NULL)
            {
                integers[i] = LoadInteger(bytes + componentSize * i, type);
            }
        }
    }
}

/// One of the two outputs is NULL.
static void DecodeElement(const tdAccessor* accessor, const uint8_t* bytes, float* floats, uint32_t* integers)
{
    size_t columnStride = GetColumnStride(accessor), rows = (size_t)accessor->rows;
    for (size_t column = 0; column < (size_t)accessor->columns; ++column)
    {
        DecodeRun(accessor, bytes + column * columnStride, rows,
                  floats != NULL ? floats + column * rows : NULL,
                  integers != NULL ? integers + column * rows : NULL);
    }
}

/// The bytes of all elements; NULL if they are not available (reported).
static const uint8_t* GetElements(tdAccessors* accessors, const tdAccessor* accessor, const tdPath* path,
                                  size_t* stride)
{
    size_t size = 0;
    const uint8_t* data = tdAccessors_GetView(accessors, accessor->view, &size);
    if (data == NULL)
    {
        return NULL;
    }
    size_t elementSize = GetElementSize(accessor);
    size_t viewStride = accessors->views[accessor->view].stride;
    *stride = viewStride != 0 ? viewStride : elementSize;
    // Decompression may have changed the view's size.
    if (accessor->offset > size ||
        (uint64_t)(accessor->count - 1) * *stride + elementSize > size - accessor->offset)
    {
        tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_TOO_LONG, path, (unsigned long long)accessor->offset,
                     (unsigned long long)(accessor->count - 1) * *stride + elementSize,
                     (unsigned long long)size);
        return NULL;
    }
    return data + accessor->offset;
}

static bool IsLittleEndian(void)
{
    uint32_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/// True if the bytes of the file are the decoded array.
static bool CanBorrow(const tdAccessor* accessor, const uint8_t* data, size_t stride, bool asFloats)
{
    tdComponentType type = asFloats ? TD_COMPONENT_FLOAT : TD_COMPONENT_UNSIGNED_INT;
    return accessor->componentType == type && stride == 4 * (size_t)accessor->componentCount &&
           (uintptr_t)data % _Alignof(uint32_t) == 0 && IsLittleEndian();
}

/// One of the two outputs is NULL.
static void DecodeBase(const tdAccessor* accessor, const uint8_t* data, size_t stride, float* floats,
                       uint32_t* integers)
{
    size_t width = (size_t)accessor->componentCount;
    if (accessor->columns == 1 && stride == GetElementSize(accessor))
    {
        DecodeRun(accessor, data, width * (size_t)accessor->count, floats, integers);
        return;
    }
    for (size_t i = 0; i < (size_t)accessor->count; ++i)
    {
        DecodeElement(accessor, data + i * stride, floats != NULL ? floats + i * width : NULL,
                      integers != NULL ? integers + i * width : NULL);
    }
}

static bool DecodeSparse(tdAccessors* accessors, const tdAccessor* accessor, const tdPath* path,
                         float* floats, uint32_t* integers)
{
    const tdJson* json = accessors->document->json;
    int sparse = tdJson_Find(json, accessor->value, "sparse");
    int indices = tdJson_Find(json, sparse, "indices"), values = tdJson_Find(json, sparse, "values");
    int64_t indexView = 0, indexOffset = 0, indexType = 0, valueView = 0, valueOffset = 0;
    tdJson_GetInteger(json, tdJson_Find(json, indices, "bufferView"), &indexView);
    tdJson_GetInteger(json, tdJson_Find(json, indices, "byteOffset"), &indexOffset);
    tdJson_GetInteger(json, tdJson_Find(json, indices, "componentType"), &indexType);
    tdJson_GetInteger(json, tdJson_Find(json, values, "bufferView"), &valueView);
    tdJson_GetInteger(json, tdJson_Find(json, values, "byteOffset"), &valueOffset);

    size_t elementSize = GetElementSize(accessor);
    size_t indexSize = GetComponentSize((tdComponentType)indexType);
    size_t count = (size_t)accessor->sparseCount, indexBytes = 0, valueBytes = 0;
    const uint8_t* indexData = tdAccessors_GetView(accessors, (int)indexView, &indexBytes);
    const uint8_t* valueData = tdAccessors_GetView(accessors, (int)valueView, &valueBytes);
    if (indexData == NULL || valueData == NULL || count * indexSize + (size_t)indexOffset > indexBytes ||
        count * elementSize + (size_t)valueOffset > valueBytes)
    {
        return false;
    }
    indexData += indexOffset;
    valueData += valueOffset;
    int64_t last = -1;
    tdPath sparsePath = tdPath_Key(path, "sparse");
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t index = LoadInteger(indexData + i * indexSize, (tdComponentType)indexType);
        if (index >= (uint32_t)accessor->count)
        {
            tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_SPARSE_INDEX_OOB, &sparsePath, index,
                         accessor->count);
            return false;
        }
        if ((int64_t)index <= last)
        {
            tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_SPARSE_INDICES_NON_INCREASING, &sparsePath,
                         index);
            return false;
        }
        last = index;
        size_t at = (size_t)index * (size_t)accessor->componentCount;
        DecodeElement(accessor, valueData + i * elementSize, floats != NULL ? floats + at : NULL,
                      integers != NULL ? integers + at : NULL);
    }
    return true;
}

/// Index of the first number that is not finite; `count`: all are.
static size_t FindNotFinite(const float* floats, size_t count)
{
    size_t i = 0;
    for (bool isFinite = true; i < count && isFinite;)
    {
        // Blocks without a branch per number, which compilers turn into wide comparisons.
        size_t end = count - i < 256 ? count : i + 256;
        uint32_t found = 0;
        for (size_t k = i; k < end; ++k)
        {
            uint32_t bits;
            memcpy(&bits, floats + k, sizeof(bits));
            found |= (uint32_t)((bits & 0x7f800000u) == 0x7f800000u);
        }
        isFinite = found == 0;
        i = isFinite ? end : i;
    }
    while (i < count && isfinite(floats[i]))
    {
        ++i;
    }
    return i;
}

/// The decoded array, or NULL with the accessor marked as broken. An array that the file has in the same form
/// is borrowed from the document.
static const void* DecodeAccessor(tdAccessors* accessors, int index, bool asFloats)
{
    tdAccessor* accessor = &accessors->accessors[index];
    tdPath list = tdPath_Key(&tdPath_root, "accessors");
    tdPath path = tdPath_Index(&list, index);
    uint64_t bytes = (uint64_t)accessor->count * (uint64_t)accessor->componentCount * 4;
    accessor->isBroken = true;
    if (!tdAccessors_Claim(accessors, bytes, &path, "This accessor"))
    {
        return NULL;
    }
    size_t total = (size_t)bytes / 4, stride = 0;
    const uint8_t* data = accessor->view >= 0 ? GetElements(accessors, accessor, &path, &stride) : NULL;
    if (accessor->view >= 0 && data == NULL)
    {
        return NULL;
    }
    const void* decoded = data;
    if (data == NULL || accessor->sparseCount > 0 || !CanBorrow(accessor, data, stride, asFloats))
    {
        void* out = tdArena_Allocate(accessors->arena, total * 4, 16);
        if (out == NULL)
        {
            tdReport_Add(accessors->report, TD_DIAG_OUT_OF_MEMORY, &path, "reading an accessor");
            return NULL;
        }
        float* floats = asFloats ? out : NULL;
        uint32_t* integers = asFloats ? NULL : out;
        if (data == NULL)
        {
            memset(out, 0, total * 4);
        }
        else
        {
            DecodeBase(accessor, data, stride, floats, integers);
        }
        if (accessor->sparseCount > 0 && !DecodeSparse(accessors, accessor, &path, floats, integers))
        {
            return NULL;
        }
        decoded = out;
    }
    size_t notFinite =
        asFloats && accessor->componentType == TD_COMPONENT_FLOAT ? FindNotFinite(decoded, total) : total;
    if (notFinite < total)
    {
        tdReport_Add(accessors->report, TD_DIAG_ACCESSOR_INVALID_FLOAT, &path,
                     (int)(notFinite / (size_t)accessor->componentCount));
        return NULL;
    }
    accessor->isBroken = false;
    return decoded;
}

const float* tdAccessors_GetFloats(tdAccessors* accessors, int index)
{
    if (tdAccessors_Get(accessors, index) == NULL)
    {
        return NULL;
    }
    tdAccessor* accessor = &accessors->accessors[index];
    if (accessor->floats == NULL)
    {
        accessor->floats = DecodeAccessor(accessors, index, true);
    }
    return accessor->floats;
}

const uint32_t* tdAccessors_GetIntegers(tdAccessors* accessors, int index)
{
    if (tdAccessors_Get(accessors, index) == NULL ||
        accessors->accessors[index].componentType == TD_COMPONENT_FLOAT)
    {
        return NULL;
    }
    tdAccessor* accessor = &accessors->accessors[index];
    if (accessor->integers == NULL)
    {
        accessor->integers = DecodeAccessor(accessors, index, false);
    }
    return accessor->integers;
}
