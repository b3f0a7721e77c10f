// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The data of a parsed document, private to this folder. All values are in one array, a container directly
// before its children: the next sibling of a value is the first one after its descendants.
#pragma once

#include "json.h"

/// 20 bytes per value: a document of numbers takes about three times its source.
typedef struct tdJsonValue
{
    uint32_t start, end; // bytes of the value
    uint32_t key;        // byte of the key's first quote, 0: not a member
    uint32_t next;       // first value after this one and its children
    uint32_t info;       // type, flags, number of children
} tdJsonValue;

#define TD_JSON_TYPE_MASK 7u
#define TD_JSON_LAST 8u         // no sibling follows
#define TD_JSON_ESCAPED 16u     // a string with escapes
#define TD_JSON_KEY_ESCAPED 32u // the key has escapes
#define TD_JSON_COUNT_SHIFT 6
#define TD_JSON_COUNT_MANY ((1u << 26) - 1) // this many children or more: they are counted on demand

/// The decoded form of a string or key with escapes.
typedef struct tdJsonDecoded
{
    uint32_t owner; // 2 * value for its key, + 1 for the value itself
    uint32_t offset, length;
} tdJsonDecoded;

struct tdJson
{
    tdAllocator allocator;
    const char* source;
    size_t size;
    tdJsonValue* values;
    int valueCount, valueCapacity;
    tdArray(tdJsonDecoded) decoded; // by owner
    tdText pool;                    // the decoded bytes
    bool hasByteOrderMark;
};
