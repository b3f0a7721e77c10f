// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Accessors of a document: checked once, decoded on demand into plain arrays, each at most once. All decoded
// arrays together are bounded by a multiple of the document's size (TD_DECODE_FACTOR), so a small file cannot
// claim much memory.
#pragma once

#include "document.h"

#include "base/arena.h"
#include "base/limits.h"

#define TD_DECODE_FACTOR 64
#define TD_DECODE_FLOOR (1 << 20)

typedef enum tdComponentType
{
    TD_COMPONENT_BYTE = 5120,
    TD_COMPONENT_UNSIGNED_BYTE = 5121,
    TD_COMPONENT_SHORT = 5122,
    TD_COMPONENT_UNSIGNED_SHORT = 5123,
    TD_COMPONENT_UNSIGNED_INT = 5125,
    TD_COMPONENT_FLOAT = 5126,
} tdComponentType;

typedef struct tdBufferView
{
    const uint8_t* data; // NULL: not available
    size_t size;
    size_t stride;     // 0: tightly packed
    bool isCompressed; // by EXT_meshopt_compression; `data` is set on first use
    bool isBroken;     // reported, not to be used
} tdBufferView;

typedef struct tdAccessor
{
    bool isValid;
    tdComponentType componentType;
    int rows, columns;  // VEC3: 3 x 1, MAT4: 4 x 4
    int componentCount; // rows * columns
    bool isNormalized;
    int count;
    int view;            // -1: zeros
    size_t offset;       // in the view
    int value;           // in the JSON, for members not kept here (sparse, min, max)
    int sparseCount;     // 0: none
    const float* floats; // decoded
    const uint32_t* integers;
    bool isBroken; // decoding failed (reported)
} tdAccessor;

typedef struct tdAccessors
{
    const tdDocument* document;
    tdArena* arena; // for the decoded arrays
    tdReport* report;
    uint64_t budget;        // bytes that may still be decoded
    uint64_t decodedBytes;  // claimed so far
    const tdLimits* limits; // resolved; NULL: none
    bool isOverLimit;       // reported
    tdBufferView* views;
    int viewCount;
    const int* viewValues; // JSON values
    tdAccessor* accessors;
    int accessorCount;
} tdAccessors;

/// Checks all buffer views and accessors. False when memory ran out (reported).
bool tdAccessors_Init(tdAccessors* accessors, const tdDocument* document, tdArena* arena, tdReport* report);

/// The accessor; NULL if there is none of that index or it is broken. Does not report.
const tdAccessor* tdAccessors_Get(const tdAccessors* accessors, int64_t index);

/// All elements as floats, componentCount each; normalised integers are converted, others keep their value.
/// Owned by the arena or by the document. NULL if the data is not available (reported once).
const float* tdAccessors_GetFloats(tdAccessors* accessors, int index);
/// All elements of an integer accessor. NULL if the data is not available (reported once) or is float.
const uint32_t* tdAccessors_GetIntegers(tdAccessors* accessors, int index);

/// Takes bytes from the budget; false if it or the limit is exceeded (reported at the path).
bool tdAccessors_Claim(tdAccessors* accessors, uint64_t bytes, const tdPath* path, const char* what);
