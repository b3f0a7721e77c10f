// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the JSON reader and writer: parses, queries every value, edits as the input's last bytes say,
// writes, parses again. Nothing may crash, ranges must nest, an unedited document must be written byte for
// byte, and an edited one must be valid JSON.
#include "json/edit.h"
#include "json/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void Require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

/// Calls every query on a value and checks the invariants of the results.
static void AskAll(const tdJson* json, int value)
{
    size_t start, end, keyStart, keyEnd, length, size;
    tdJson_GetSource(json, &size);
    tdJson_GetRange(json, value, &start, &end);
    tdJson_GetKeyRange(json, value, &keyStart, &keyEnd);
    Require(start < end && end <= size && keyEnd <= start);
    const char* key = tdJson_GetKey(json, value, &length);
    Require((key != NULL) == (keyEnd > keyStart));
    if (key != NULL && memchr(key, 0, length) == NULL)
    {
        char* copy = malloc(length + 1);
        memcpy(copy, key, length);
        copy[length] = 0;
        Require(tdJson_KeyEquals(json, value, copy));
        free(copy);
    }
    tdJsonType type = tdJson_GetType(json, value);
    Require((tdJson_GetString(json, value, &length) != NULL) == (type == TD_JSON_STRING));
    double number = tdJson_GetNumber(json, value, (double)NAN);
    Require(!isnan(number) == (type == TD_JSON_NUMBER));
    int64_t integer;
    if (tdJson_GetInteger(json, value, &integer))
    {
        Require(number == (double)integer);
    }
    int count = 0, last = value;
    for (int child = tdJson_GetFirst(json, value); child >= 0; child = tdJson_GetNext(json, child))
    {
        size_t childStart, childEnd;
        tdJson_GetRange(json, child, &childStart, &childEnd);
        Require(childStart > start && childEnd < end && child > last);
        last = child;
        ++count;
    }
    Require(count == tdJson_GetCount(json, value));
}

/// Turns bytes into edits. Added keys carry a number, so that they are distinct unless the file contains the
/// same keys.
static void EditByBytes(tdJsonEdit* edit, const tdJson* json, const uint8_t* data, size_t size)
{
    for (size_t i = 0; i + 1 < size && i < 32; i += 2)
    {
        int value = data[i] % tdJson_GetValueCount(json);
        size_t keyStart, keyEnd;
        tdJson_GetKeyRange(json, value, &keyStart, &keyEnd);
        char key[] = "\x01 new a";
        key[6] = (char)('a' + (int)i);
        switch (data[i + 1] % 4)
        {
        case 0:
            tdJsonEdit_Replace(edit, value, "[\"replaced\"]", 12);
            break;
        case 1:
            if (value != 0)
            {
                tdJsonEdit_Remove(edit, value);
            }
            break;
        case 2:
            if (value != 0)
            {
                tdJsonEdit_InsertBefore(edit, value, keyEnd > keyStart ? key : NULL, "1", 1);
            }
            break;
        default:
            if (tdJson_IsObject(json, value))
            {
                tdJsonEdit_Set(edit, value, key, "{}", 2);
            }
            else if (tdJson_IsArray(json, value))
            {
                tdJsonEdit_AddElement(edit, value, "true", 4);
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tdJsonError error;
    tdJson* json = tdParseJson((const char*)data, size, NULL, &error);
    if (json == NULL)
    {
        Require(error.code != TD_JSON_OK && error.offset <= size && error.otherOffset <= error.offset);
        return 0;
    }
    for (int value = 0; value < tdJson_GetValueCount(json); ++value)
    {
        AskAll(json, value);
    }
    int line, column;
    tdJson_Locate(json, size, &line, &column);
    Require(line > 0 && column > 0);

    tdText out;
    tdText_Init(&out, NULL);
    tdJsonEdit* edit = tdCreateJsonEdit(json, NULL);
    Require(tdJsonEdit_Write(edit, &out) && out.length == size && memcmp(out.data, data, size) == 0);
    EditByBytes(edit, json, data + size / 2, size - size / 2);
    tdText_Clear(&out);
    Require(tdJsonEdit_Write(edit, &out));
    tdJson* edited = tdParseJson(out.data, out.length, NULL, &error);
    // A new value can exceed the depth limit by one level, and the file may contain the added keys already.
    Require(edited != NULL || error.code == TD_JSON_ERROR_DEPTH || error.code == TD_JSON_ERROR_DUPLICATE_KEY);
    tdDestroyJson(edited);
    tdDestroyJsonEdit(edit);
    tdText_Free(&out);
    tdDestroyJson(json);
    return 0;
}
