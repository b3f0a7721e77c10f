// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the reader against jansson: the same verdict and the same values on generated and mutated
// documents.
//
// Intended differences, each with its test below:
// - depth: the reader stops at 512 containers, jansson at 2048
// - overflow: the reader accepts 1e999 and 99999999999999999999, jansson refuses them
// - NUL: the reader accepts "\u0000", jansson refuses it; a zero byte after a number is an error for the
//   reader, jansson ignores it
// - byte order mark: the reader skips it with a finding, jansson refuses it
// - duplicate keys: no difference, because jansson runs with JSON_REJECT_DUPLICATES
// Needs: jansson
#include "harness.h"

#include "json/json.h"
#include "json/parse.h"

#include <jansson.h>
#include <stdlib.h>

static uint32_t randomState;

static int NextInt(int limit)
{
    randomState ^= randomState << 13;
    randomState ^= randomState >> 17;
    randomState ^= randomState << 5;
    return (int)(randomState % (uint32_t)limit);
}

static const char* const pieces[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     ",",
                                     ":",
                                     "\"",
                                     "\\",
                                     " ",
                                     "\n",
                                     "\t",
                                     "\r",
                                     "0",
                                     "1",
                                     "-",
                                     ".",
                                     "e",
                                     "E",
                                     "+",
                                     "true",
                                     "false",
                                     "null",
                                     "\"a\"",
                                     "\"b\":",
                                     "\\u0041",
                                     "\\ud83d\\ude00",
                                     "\\ud800",
                                     "\\udc00",
                                     "\\n",
                                     "\\/",
                                     "\xc3\xa9",
                                     "\xe2\x82\xac",
                                     "\xf0\x9f\x98\x80",
                                     "\xc3",
                                     "\x80",
                                     "\xed\xa0\x80",
                                     "\xff",
                                     "1e5",
                                     "-0",
                                     "0.5",
                                     "01",
                                     "\x01",
                                     "\x7f",
                                     "\f",
                                     "{}",
                                     "[]",
                                     "\\u0000",
                                     "1e999",
                                     "/",
                                     "'",
                                     "NaN",
                                     "\\x",
                                     "tru"};
#define PIECE_COUNT ((int)(sizeof(pieces) / sizeof(pieces[0])))

static void AppendSpace(tdText* text)
{
    const char* const spaces[] = {"", "", "", " ", "\n", "\t \r\n"};
    tdText_AppendString(text, spaces[NextInt(6)]);
}

static void AppendString(tdText* text)
{
    tdText_AppendChar(text, '"');
    for (int count = NextInt(6); count > 0; --count)
    {
        const char* const parts[] = {"a",    "key",      "\\u00e9",          "\\\\",
                                     "\\\"", "\xc3\xa9", "\xf0\x9f\x98\x80", "long enough for words ",
                                     "\\t"};
        tdText_AppendString(text, parts[NextInt(9)]);
    }
    tdText_AppendChar(text, '"');
}

static void AppendValue(tdText* text, int depth)
{
    AppendSpace(text);
    int kind = NextInt(depth > 0 ? 8 : 5);
    if (kind == 0)
    {
        AppendString(text);
    }
    else if (kind < 4)
    {
        const char* const numbers[] = {"0",
                                       "-0",
                                       "12",
                                       "-3.25",
                                       "1e5",
                                       "6.02E+23",
                                       "1e-7",
                                       "0.1",
                                       "9223372036854775807",
                                       "123456789.123456789"};
        tdText_AppendString(text, numbers[NextInt(10)]);
    }
    else if (kind == 4)
    {
        const char* const words[] = {"true", "false", "null"};
        tdText_AppendString(text, words[NextInt(3)]);
    }
    else
    {
        bool isObject = kind > 6;
        tdText_AppendChar(text, isObject ? '{' : '[');
        for (int i = 0, count = NextInt(5); i < count; ++i)
        {
            tdText_AppendString(text, i > 0 ? "," : "");
            AppendSpace(text);
            if (isObject)
            {
                AppendString(text);
                AppendSpace(text);
                tdText_AppendChar(text, ':');
            }
            AppendValue(text, depth - 1);
        }
        AppendSpace(text);
        tdText_AppendChar(text, isObject ? '}' : ']');
    }
    AppendSpace(text);
}

/// Makes a few changes: replaces a byte, inserts a piece, removes or duplicates a range.
static void Mutate(tdText* text, tdText* scratch)
{
    for (int count = 1 + NextInt(3); count > 0; --count)
    {
        size_t at = text->length > 0 ? (size_t)NextInt((int)text->length) : 0;
        size_t stretch = (size_t)NextInt(8);
        stretch = at + stretch > text->length ? text->length - at : stretch;
        tdText_Clear(scratch);
        tdText_Append(scratch, text->data, at);
        switch (NextInt(4))
        {
        case 0:
            tdText_AppendChar(scratch, (char)NextInt(256));
            stretch = text->length > at;
            break;
        case 1:
            tdText_AppendString(scratch, pieces[NextInt(PIECE_COUNT)]);
            stretch = 0;
            break;
        case 2:
            break;
        default:
            tdText_Append(scratch, text->data + at, stretch);
            stretch = 0;
        }
        tdText_Append(scratch, text->data + at + stretch, text->length - at - stretch);
        tdText_Clear(text);
        tdText_Append(text, scratch->data, scratch->length);
    }
}

static bool IsSameValue(const tdJson* json, int value, const json_t* other)
{
    size_t length;
    switch (tdJson_GetType(json, value))
    {
    case TD_JSON_NULL:
        return json_is_null(other);
    case TD_JSON_TRUE:
        return json_is_true(other);
    case TD_JSON_FALSE:
        return json_is_false(other);
    case TD_JSON_NUMBER:
        return json_is_number(other) &&
               tdJson_GetNumber(json, value, (double)NAN) == json_number_value(other);
    case TD_JSON_STRING:
    {
        const char* text = tdJson_GetString(json, value, &length);
        return json_is_string(other) && json_string_length(other) == length &&
               memcmp(json_string_value(other), text, length) == 0;
    }
    case TD_JSON_ARRAY:
    case TD_JSON_OBJECT:
    {
        bool isObject = tdJson_IsObject(json, value);
        size_t count = isObject ? json_object_size(other) : json_array_size(other);
        if (isObject != json_is_object(other) || (size_t)tdJson_GetCount(json, value) != count)
        {
            return false;
        }
        size_t index = 0;
        bool same = true;
        for (int child = tdJson_GetFirst(json, value); child >= 0 && same;
             child = tdJson_GetNext(json, child), ++index)
        {
            const char* key = tdJson_GetKey(json, child, &length);
            const json_t* otherChild =
                isObject ? json_object_getn(other, key, length) : json_array_get(other, index);
            same = otherChild != NULL && IsSameValue(json, child, otherChild);
        }
        return same && index == count;
    }
    default:
        return false;
    }
}

typedef enum Verdict
{
    BOTH_ACCEPT,
    BOTH_REFUSE,
    INTENDED,
    DIFFERENT,
} Verdict;

static Verdict Compare(const char* text, size_t size)
{
    tdJsonError error;
    json_error_t otherError;
    // An exact copy, so that the address sanitizer detects a read past the end.
    char* copy = malloc(size + (size == 0));
    memcpy(copy, text, size);
    tdJson* json = tdParseJson(copy, size, NULL, &error);
    size_t skip = json != NULL && tdJson_HasByteOrderMark(json) ? 3 : 0;
    json_t* other =
        json_loadb(copy + skip, size - skip, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &otherError);
    Verdict verdict = DIFFERENT;
    if (json != NULL && other != NULL)
    {
        verdict = IsSameValue(json, 0, other) ? (skip != 0 ? INTENDED : BOTH_ACCEPT) : DIFFERENT;
    }
    else if (json == NULL && other == NULL)
    {
        verdict = BOTH_REFUSE;
    }
    else if (json != NULL)
    {
        enum json_error_code code = json_error_code(&otherError);
        bool intended = code == json_error_numeric_overflow || code == json_error_null_character ||
                        code == json_error_null_byte_in_key;
        verdict = intended ? INTENDED : DIFFERENT;
    }
    else
    {
        bool isZero = error.offset > 0 && error.offset < size && text[error.offset] == 0;
        verdict = error.code == TD_JSON_ERROR_DEPTH || isZero ? INTENDED : DIFFERENT;
    }
    if (verdict == DIFFERENT)
    {
        printf("tendon: %s at %zu; jansson: %s\n%.*s\n", json != NULL ? "accepts" : error.message,
               error.offset, other != NULL ? "accepts" : otherError.text, (int)size, text);
    }
    json_decref(other);
    tdDestroyJson(json);
    free(copy);
    return verdict;
}

TEST(IntendedDifferences)
{
    static char deep[2000];
    memset(deep, '[', 1000);
    memset(deep + 1000, ']', 1000);
    ENSURE_EQUAL_INT(Compare(deep, 2000), INTENDED);
    ENSURE_EQUAL_INT(Compare(deep + 488, 1024), BOTH_ACCEPT);
    const char* const texts[] = {"1e999",       "[-1e400]",          "99999999999999999999",
                                 "\"\\u0000\"", "{\"a\\u0000b\":1}", "\xef\xbb\xbf{}"};
    for (int i = 0; i < 6; ++i)
    {
        ENSURE_EQUAL_INT(Compare(texts[i], strlen(texts[i])), INTENDED);
    }
    ENSURE_EQUAL_INT(Compare("[1\0]", 4), INTENDED);
    const char* duplicate = "{\"a\":1,\"\\u0061\":2}";
    ENSURE_EQUAL_INT(Compare(duplicate, strlen(duplicate)), BOTH_REFUSE);
}

TEST(GeneratedDocuments)
{
    randomState = 101u;
    tdText text;
    tdText_Init(&text, NULL);
    int counts[4] = {0};
    for (int i = 0; i < 4000; ++i)
    {
        tdText_Clear(&text);
        AppendValue(&text, 5);
        counts[Compare(text.data, text.length)] += 1;
    }
    tdText_Free(&text);
    ENSURE_EQUAL_INT(counts[DIFFERENT], 0);
    ENSURE(counts[BOTH_ACCEPT] > 2000); // the rest has repeated keys
}

TEST(MutatedDocuments)
{
    randomState = 102u;
    tdText text, scratch;
    tdText_Init(&text, NULL);
    tdText_Init(&scratch, NULL);
    int counts[4] = {0};
    for (int i = 0; i < 20000; ++i)
    {
        tdText_Clear(&text);
        AppendValue(&text, 3);
        Mutate(&text, &scratch);
        counts[Compare(text.data, text.length)] += 1;
    }
    tdText_Free(&text);
    tdText_Free(&scratch);
    ENSURE_EQUAL_INT(counts[DIFFERENT], 0);
    ENSURE(counts[BOTH_ACCEPT] > 3000 && counts[BOTH_REFUSE] > 3000 && counts[INTENDED] > 10);
}

TEST(ArbitraryPieces)
{
    randomState = 103u;
    tdText text;
    tdText_Init(&text, NULL);
    int counts[4] = {0};
    for (int i = 0; i < 20000; ++i)
    {
        tdText_Clear(&text);
        bool isString = NextInt(3) == 0; // inside quotes, so that escapes and UTF-8 are covered
        tdText_AppendString(&text, isString ? "\"" : "");
        for (int count = 1 + NextInt(6); count > 0; --count)
        {
            tdText_AppendString(&text, pieces[NextInt(PIECE_COUNT)]);
        }
        tdText_AppendString(&text, isString ? "\"" : "");
        counts[Compare(text.data, text.length)] += 1;
    }
    tdText_Free(&text);
    ENSURE_EQUAL_INT(counts[DIFFERENT], 0);
    ENSURE(counts[BOTH_ACCEPT] > 500 && counts[BOTH_REFUSE] > 5000);
}

TEST_MAIN(RUN(IntendedDifferences) RUN(GeneratedDocuments) RUN(MutatedDocuments) RUN(ArbitraryPieces))
