// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lines and columns of JSON pointers. Findings mostly come in the order of the file, so each search starts at
// the last array element and line: many findings cost one pass.
#include "document_locate.h"

#include "document.h"

#include <string.h>

static int FindElement(tdDocument* document, int array, int index)
{
    const tdJson* json = document->json;
    int at = 0, child = tdJson_GetFirst(json, array);
    if (document->locatedArray == array && document->locatedIndex <= index)
    {
        at = document->locatedIndex;
        child = document->locatedChild;
    }
    while (at < index && child >= 0)
    {
        child = tdJson_GetNext(json, child);
        at += 1;
    }
    if (child >= 0 && index >= 64)
    {
        document->locatedArray = array;
        document->locatedIndex = at;
        document->locatedChild = child;
    }
    return child;
}

/// Follows one step of a pointer. Returns the child, or -1.
static int FindStep(tdDocument* document, int value, const char* step, size_t length)
{
    const tdJson* json = document->json;
    if (tdJson_IsArray(json, value))
    {
        int index = 0;
        for (size_t i = 0; i < length; ++i)
        {
            if (step[i] < '0' || step[i] > '9' || index > (INT32_MAX - 9) / 10)
            {
                return TD_JSON_NONE;
            }
            index = index * 10 + (step[i] - '0');
        }
        return FindElement(document, value, index);
    }
    for (int child = tdJson_GetFirst(json, value); child >= 0; child = tdJson_GetNext(json, child))
    {
        size_t keyLength = 0;
        const char* key = tdJson_GetKey(json, child, &keyLength);
        size_t i = 0, k = 0;
        while (i < length && k < keyLength)
        {
            char c = step[i];
            if (c == '~' && i + 1 < length)
            {
                i += 1;
                c = step[i] == '1' ? '/' : '~';
            }
            if (c != key[k])
            {
                break;
            }
            i += 1;
            k += 1;
        }
        if (i == length && k == keyLength)
        {
            return child;
        }
    }
    return TD_JSON_NONE;
}

void tdDocument_Locate(void* context, const char* pointer, int* line, int* column)
{
    tdDocument* document = context;
    int value = 0;
    // As far as the pointer exists: a missing member is located at its object.
    while (*pointer == '/')
    {
        size_t length = strcspn(pointer + 1, "/");
        int child = FindStep(document, value, pointer + 1, length);
        if (child < 0)
        {
            break;
        }
        value = child;
        pointer += 1 + length;
    }
    size_t start = 0, end = 0;
    tdJson_GetRange(document->json, value, &start, &end);
    size_t keyStart = 0, keyEnd = 0;
    tdJson_GetKeyRange(document->json, value, &keyStart, &keyEnd);
    start = keyEnd > keyStart ? keyStart : start;

    size_t size = 0;
    const char* source = tdJson_GetSource(document->json, &size);
    if (start < document->locatedOffset || document->locatedLine == 0)
    {
        document->locatedLine = 1;
        document->locatedColumn = 1;
        document->locatedOffset = tdJson_HasByteOrderMark(document->json) ? 3 : 0;
    }
    for (size_t i = document->locatedOffset; i < start; ++i)
    {
        bool isNewLine = source[i] == '\n';
        document->locatedLine += isNewLine ? 1 : 0;
        // The second and later bytes of a character do not count.
        document->locatedColumn =
            isNewLine ? 1 : document->locatedColumn + (((uint8_t)source[i] & 0xC0) != 0x80 ? 1 : 0);
    }
    document->locatedOffset = start > document->locatedOffset ? start : document->locatedOffset;
    *line = document->locatedLine;
    *column = document->locatedColumn;
}
