// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A JSON-aware mutator: most of its outputs are valid JSON with one value replaced, removed or
// duplicated. Each fuzzer includes it in one file, because libFuzzer finds the mutator by its name.
#pragma once

#include "json/json.h"
#include "json/parse.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

static unsigned int NextRandom(unsigned int* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/// Replaces [start, end) by `text`; does nothing if there is no room.
static size_t Splice(uint8_t* data, size_t size, size_t maxSize, size_t start, size_t end, const char* text,
                     size_t length)
{
    if (size - (end - start) + length > maxSize)
    {
        return size;
    }
    memmove(data + start + length, data + end, size - end);
    memcpy(data + start, text, length);
    return size - (end - start) + length;
}

/// Replaces one value by an odd one or by another value of the same document, or duplicates an array element.
static size_t MutateJson(uint8_t* data, size_t size, size_t maxSize, unsigned int seed, const tdJson* json)
{
    static const char* const odd[] = {"0",      "-1",         "1",         "2",     "0.5", "1e-40",   "1e999",
                                      "-3.5",   "2147483648", "null",      "true",  "[]",  "{}",      "\"\"",
                                      "[0]",    "[0,0,0]",    "[0,0,0,1]", "false", "100", "[1,1,1]", "65535",
                                      "3.4e38", "[[]]",       "\"x\"",     "4",     "3"};
    unsigned int random = seed;
    int count = tdJson_GetValueCount(json);
    int value = (int)(NextRandom(&random) % (unsigned int)count);
    int other = (int)(NextRandom(&random) % (unsigned int)count);
    size_t start = 0, end = 0, otherStart = 0, otherEnd = 0;
    tdJson_GetRange(json, value, &start, &end);
    tdJson_GetRange(json, other, &otherStart, &otherEnd);
    size_t copySize = otherEnd - otherStart;
    char* copy = malloc(copySize + 1);
    memcpy(copy, data + otherStart, copySize);
    size_t result = size;
    switch (NextRandom(&random) % 4)
    {
    case 0:
        result = Splice(data, size, maxSize, start, end, copy, copySize);
        break;
    case 1:
        if (tdJson_IsArray(json, value) && tdJson_GetCount(json, value) > 0)
        {
            copy[copySize] = ',';
            result = Splice(data, size, maxSize, start + 1, start + 1, copy, copySize + 1);
        }
        break;
    default:
    {
        const char* text = odd[NextRandom(&random) % (sizeof(odd) / sizeof(odd[0]))];
        result = Splice(data, size, maxSize, start, end, text, strlen(text));
        break;
    }
    }
    free(copy);
    return result;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed)
{
    tdJson* json = seed % 8 != 0 ? tdParseJson((const char*)data, size, NULL, NULL) : NULL;
    size_t result =
        json != NULL ? MutateJson(data, size, maxSize, seed, json) : LLVMFuzzerMutate(data, size, maxSize);
    tdDestroyJson(json);
    return result;
}
