// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the JSON reader: every error with its code and position, then positions, texts, numbers, look-ups,
// hostile input.
// Labels: threads
#include "harness.h"

#include "base/platform.h"
#include "json/json.h"
#include "json/parse.h"

#include <stdlib.h>

static tdJson* Parse(const char* text)
{
    tdJsonError error;
    tdJson* json = tdParseJson(text, strlen(text), NULL, &error);
    if (!ENSURE(json != NULL))
    {
        printf("  %s at %zu of %.60s\n", error.message, error.offset, text);
    }
    return json;
}

static void EnsureRefused(const char* text, size_t size, tdJsonErrorCode code, size_t offset)
{
    // An exact copy, so that the address sanitizer detects a read past the end.
    char* copy = malloc(size + (size == 0));
    memcpy(copy, text, size);
    tdJsonError error;
    tdJson* json = tdParseJson(copy, size, NULL, &error);
    bool right = ENSURE(json == NULL);
    right = ENSURE_EQUAL_INT(error.code, code) && right;
    right = ENSURE_EQUAL_INT(error.offset, offset) && right;
    ENSURE(strlen(error.message) > 5 || json != NULL);
    if (!right)
    {
        printf("  in %.60s\n", text);
    }
    tdDestroyJson(json);
    free(copy);
}

TEST(RefusesWithCodeAndPlace)
{
    const struct
    {
        const char* text;
        tdJsonErrorCode code;
        size_t offset;
    } cases[] = {
        {"", TD_JSON_ERROR_SYNTAX, 0},
        {"  \n ", TD_JSON_ERROR_SYNTAX, 4},
        {"\xef\xbb\xbf", TD_JSON_ERROR_SYNTAX, 3},
        {"\xef\xbb", TD_JSON_ERROR_SYNTAX, 0},
        {"nul", TD_JSON_ERROR_SYNTAX, 0},
        {"True", TD_JSON_ERROR_SYNTAX, 0},
        {"NaN", TD_JSON_ERROR_SYNTAX, 0},
        {"'a'", TD_JSON_ERROR_SYNTAX, 0},
        {"// c\n1", TD_JSON_ERROR_SYNTAX, 0},
        {"\xa0 1", TD_JSON_ERROR_SYNTAX, 0},
        {"\f1", TD_JSON_ERROR_SYNTAX, 0},
        {"nullx", TD_JSON_ERROR_TRAILING, 4},
        {"1 2", TD_JSON_ERROR_TRAILING, 2},
        {"{}}", TD_JSON_ERROR_TRAILING, 2},
        {"[],", TD_JSON_ERROR_TRAILING, 2},
        {"[", TD_JSON_ERROR_SYNTAX, 1},
        {"[1", TD_JSON_ERROR_SYNTAX, 2},
        {"[1,", TD_JSON_ERROR_SYNTAX, 3},
        {"[1,]", TD_JSON_ERROR_SYNTAX, 3},
        {"[,1]", TD_JSON_ERROR_SYNTAX, 1},
        {"[1 2]", TD_JSON_ERROR_SYNTAX, 3},
        {"[1}", TD_JSON_ERROR_SYNTAX, 2},
        {"]", TD_JSON_ERROR_SYNTAX, 0},
        {"{", TD_JSON_ERROR_SYNTAX, 1},
        {"{1:2}", TD_JSON_ERROR_SYNTAX, 1},
        {"{a:2}", TD_JSON_ERROR_SYNTAX, 1},
        {"{,}", TD_JSON_ERROR_SYNTAX, 1},
        {"{\"a\"", TD_JSON_ERROR_SYNTAX, 4},
        {"{\"a\" 1}", TD_JSON_ERROR_SYNTAX, 5},
        {"{\"a\":", TD_JSON_ERROR_SYNTAX, 5},
        {"{\"a\":}", TD_JSON_ERROR_SYNTAX, 5},
        {"{\"a\":1", TD_JSON_ERROR_SYNTAX, 6},
        {"{\"a\":1,", TD_JSON_ERROR_SYNTAX, 7},
        {"{\"a\":1,}", TD_JSON_ERROR_SYNTAX, 7},
        {"{\"a\":1 \"b\":2}", TD_JSON_ERROR_SYNTAX, 7},
        {"{\"a\":1]", TD_JSON_ERROR_SYNTAX, 6},
        {"-", TD_JSON_ERROR_NUMBER, 1},
        {"-a", TD_JSON_ERROR_NUMBER, 1},
        {"01", TD_JSON_ERROR_NUMBER, 0},
        {"-01", TD_JSON_ERROR_NUMBER, 1},
        {"[1.]", TD_JSON_ERROR_NUMBER, 3},
        {"1.e5", TD_JSON_ERROR_NUMBER, 2},
        {"1e", TD_JSON_ERROR_NUMBER, 2},
        {"1e+", TD_JSON_ERROR_NUMBER, 3},
        {"1E-x", TD_JSON_ERROR_NUMBER, 3},
        {"+1", TD_JSON_ERROR_SYNTAX, 0},
        {".5", TD_JSON_ERROR_SYNTAX, 0},
        {"0x10", TD_JSON_ERROR_TRAILING, 1},
        {"\"", TD_JSON_ERROR_STRING, 1},
        {"\"abc", TD_JSON_ERROR_STRING, 4},
        {"\"abcdefghijklm", TD_JSON_ERROR_STRING, 14},
        {"\"a\nb\"", TD_JSON_ERROR_STRING, 2},
        {"\"0123456789\tb\"", TD_JSON_ERROR_STRING, 11},
        {"\"\\x\"", TD_JSON_ERROR_STRING, 1},
        {"\"a\\", TD_JSON_ERROR_STRING, 3},
        {"\"a\\\"", TD_JSON_ERROR_STRING, 4},
        {"\"\\u12\"", TD_JSON_ERROR_STRING, 1},
        {"\"\\u12g4\"", TD_JSON_ERROR_STRING, 1},
        {"\"\\u", TD_JSON_ERROR_STRING, 1},
        {"\"\\ud800\"", TD_JSON_ERROR_STRING, 1},
        {"\"\\ud800x\"", TD_JSON_ERROR_STRING, 1},
        {"\"\\ud800\\n\"", TD_JSON_ERROR_STRING, 1},
        {"\"\\ud800\\u0041\"", TD_JSON_ERROR_STRING, 1},
        {"\"\\udc00\"", TD_JSON_ERROR_STRING, 1},
        {"\"\\ud800\\ud800\"", TD_JSON_ERROR_STRING, 1},
        {"\"\x80\"", TD_JSON_ERROR_UTF8, 1},
        {"\"ab\xc3\"", TD_JSON_ERROR_UTF8, 3},
        {"\"\xc3", TD_JSON_ERROR_UTF8, 1},
        {"\"\xc0\xaf\"", TD_JSON_ERROR_UTF8, 1},
        {"\"\xe0\x9f\xbf\"", TD_JSON_ERROR_UTF8, 1},
        {"\"\xed\xa0\x80\"", TD_JSON_ERROR_UTF8, 1},
        {"\"\xf0\x8f\xbf\xbf\"", TD_JSON_ERROR_UTF8, 1},
        {"\"\xf4\x90\x80\x80\"", TD_JSON_ERROR_UTF8, 1},
        {"\"\xf5\x80\x80\x80\"", TD_JSON_ERROR_UTF8, 1},
        {"\"\xff\"", TD_JSON_ERROR_UTF8, 1},
        {"{\"\xff\":1}", TD_JSON_ERROR_UTF8, 2},
        {"{\"a\\q\":1}", TD_JSON_ERROR_STRING, 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        EnsureRefused(cases[i].text, strlen(cases[i].text), cases[i].code, cases[i].offset);
    }
    EnsureRefused("1\0", 2, TD_JSON_ERROR_TRAILING, 1);
    EnsureRefused("\"a\0b\"", 5, TD_JSON_ERROR_STRING, 2);
    EnsureRefused("\"\\\0\"", 4, TD_JSON_ERROR_STRING, 1);
    tdJsonError error;
    ENSURE(tdParseJson("x", (size_t)1 << 31, NULL, &error) == NULL && error.code == TD_JSON_ERROR_TOO_LARGE);
    ENSURE(tdParseJson("[", 1, NULL, NULL) == NULL);
}

TEST(EveryPrefixOfADocumentIsRefused)
{
    const char* text = "{\"a\":[1.5e+3,true,null,{\"\\u00e9\":\"\xc3\xa9\\n\"}],\"bcdefghijk\":-0}";
    for (size_t length = 0; length < strlen(text); ++length)
    {
        char* copy = malloc(length + (length == 0));
        memcpy(copy, text, length);
        tdJsonError error;
        ENSURE(tdParseJson(copy, length, NULL, &error) == NULL && error.offset <= length);
        free(copy);
    }
    tdDestroyJson(Parse(text));
}

TEST(OpenBracketsAlone)
{
    // The densest possible beginnings of a document: more values than half the bytes.
    char text[TD_JSON_MAX_DEPTH + 8];
    memset(text, '[', sizeof(text));
    for (size_t size = 1; size <= sizeof(text); size += 37)
    {
        EnsureRefused(text, size, size <= TD_JSON_MAX_DEPTH ? TD_JSON_ERROR_SYNTAX : TD_JSON_ERROR_DEPTH,
                      size <= TD_JSON_MAX_DEPTH ? size : TD_JSON_MAX_DEPTH);
    }
}

TEST(DepthIsLimited)
{
    static char text[2100];
    for (int depth = TD_JSON_MAX_DEPTH - 1; depth <= TD_JSON_MAX_DEPTH + 1; ++depth)
    {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        tdJsonError error;
        tdJson* json = tdParseJson(text, (size_t)(2 * depth), NULL, &error);
        ENSURE((json != NULL) == (depth <= TD_JSON_MAX_DEPTH));
        if (json == NULL)
        {
            ENSURE_EQUAL_INT(error.code, TD_JSON_ERROR_DEPTH);
            ENSURE_EQUAL_INT(error.offset, TD_JSON_MAX_DEPTH);
        }
        tdDestroyJson(json);
    }
}

TEST(DuplicateKeysNameBothPlaces)
{
    const struct
    {
        const char* text;
        size_t second, first;
    } cases[] = {{"{\"a\":1,\"a\":2}", 7, 1},
                 {"{\"a\":1,\"\\u0061\":2}", 7, 1},
                 {"{\"\\u0061\":1, \"b\":{}, \"a\":2}", 21, 1},
                 {"[{\"\":1,\"\":2}]", 7, 2},
                 {"{\"x\":{\"y\":1,\"y\":1}}", 12, 6},
                 {"{\"abcdefghijk\":1,\"abcdefghijl\":1,\"abcdefghijk\":1}", 33, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        tdJsonError error;
        ENSURE(tdParseJson(cases[i].text, strlen(cases[i].text), NULL, &error) == NULL);
        ENSURE_EQUAL_INT(error.code, TD_JSON_ERROR_DUPLICATE_KEY);
        ENSURE_EQUAL_INT(error.offset, cases[i].second);
        ENSURE_EQUAL_INT(error.otherOffset, cases[i].first);
    }
    // The same key in different objects is fine.
    tdDestroyJson(Parse("{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]},\"b\":{\"a\":1}}"));
}

/// An object of `count` members k0, k1, ...; if `repeat` >= 0 the last one has the key of that number.
static char* MakeWideObject(int count, int repeat, size_t* size)
{
    char* text = malloc((size_t)count * 24 + 3);
    size_t at = 0;
    text[at++] = '{';
    for (int i = 0; i < count; ++i)
    {
        int number = i == count - 1 && repeat >= 0 ? repeat : i;
        at += (size_t)sprintf(text + at, "%s\"k%d\":%d", i > 0 ? "," : "", number, i);
    }
    text[at++] = '}';
    *size = at;
    return text;
}

TEST(DuplicatesInWideObjects)
{
    const int counts[] = {15, 16, 17, 18, 100, 5000};
    for (int i = 0; i < 6; ++i)
    {
        for (int repeat = -1; repeat < counts[i] - 1; repeat += 1 + counts[i] / 7)
        {
            size_t size;
            char* text = MakeWideObject(counts[i], repeat, &size);
            tdJsonError error;
            tdJson* json = tdParseJson(text, size, NULL, &error);
            ENSURE((json == NULL) == (repeat >= 0));
            if (repeat >= 0)
            {
                char key[16];
                snprintf(key, sizeof(key), "\"k%d\"", repeat);
                ENSURE_EQUAL_INT(error.code, TD_JSON_ERROR_DUPLICATE_KEY);
                ENSURE(strncmp(text + error.offset, key, strlen(key)) == 0);
                ENSURE(strncmp(text + error.otherOffset, key, strlen(key)) == 0);
                ENSURE(error.otherOffset < error.offset);
            }
            tdDestroyJson(json);
            free(text);
        }
    }
    // Of several repeated keys the report names the one that repeats first in the file, with its first
    // position.
    char text[600] = "{";
    size_t at = 1;
    for (int i = 0; i < 26; ++i)
    {
        at += (size_t)sprintf(text + at, "\"%c\":0,", 'A' + i);
    }
    size_t second = at;
    at += (size_t)sprintf(text + at, "\"Q\":0,\"C\":0,\"Q\":0}");
    tdJsonError error;
    ENSURE(tdParseJson(text, at, NULL, &error) == NULL);
    ENSURE_EQUAL_INT(error.offset, second);
    ENSURE_EQUAL_INT(error.otherOffset, 1 + 6 * ('Q' - 'A'));
}

TEST(HostileDocumentsStayFast)
{
    // 100,000 members with long common prefixes: quadratic work would take minutes.
    int count = 100000;
    size_t capacity = (size_t)count * 64 + 2, at = 0;
    char* text = malloc(capacity);
    text[at++] = '{';
    for (int i = 0; i < count; ++i)
    {
        at += (size_t)sprintf(text + at, "%s\"the same beginning of every key %06d\":0", i > 0 ? "," : "", i);
    }
    text[at++] = '}';
    tdJson* json = tdParseJson(text, at, NULL, NULL);
    ENSURE_EQUAL_INT(tdJson_GetCount(json, 0), count);
    tdDestroyJson(json);

    // The first estimate counts commas in a string as values; the excess memory is released.
    memset(text, ',', 1000000);
    memcpy(text, "[\"", 2);
    memcpy(text + 1000000, "\"]", 2);
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    json = tdParseJson(text, 1000002, &allocator, NULL);
    ENSURE_EQUAL_INT(tdJson_GetValueCount(json), 2);
    ENSURE(state.liveBytes < 1000);
    ENSURE(state.peakBytes <= 10 * 1000002 + 20000);
    tdDestroyJson(json);
    free(text);
}

TEST(ValuesHaveTheirByteRanges)
{
    const char* text = " {\"a\" : [ 1.50 , \"x\\ty\" ],\n\t\"b\\u0062\":{\"c\":null} } ";
    tdJson* json = Parse(text);
    const struct
    {
        const char *pointer, *bytes, *key;
        tdJsonType type;
    } cases[] = {{"", "{\"a\" : [ 1.50 , \"x\\ty\" ],\n\t\"b\\u0062\":{\"c\":null} }", "", TD_JSON_OBJECT},
                 {"/a", "[ 1.50 , \"x\\ty\" ]", "\"a\"", TD_JSON_ARRAY},
                 {"/a/0", "1.50", "", TD_JSON_NUMBER},
                 {"/a/1", "\"x\\ty\"", "", TD_JSON_STRING},
                 {"/bb", "{\"c\":null}", "\"b\\u0062\"", TD_JSON_OBJECT},
                 {"/bb/c", "null", "\"c\"", TD_JSON_NULL}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        int value = tdJson_Resolve(json, cases[i].pointer);
        ENSURE_EQUAL_INT(tdJson_GetType(json, value), cases[i].type);
        size_t start, end;
        tdJson_GetRange(json, value, &start, &end);
        ENSURE(end - start == strlen(cases[i].bytes) &&
               memcmp(text + start, cases[i].bytes, end - start) == 0);
        tdJson_GetKeyRange(json, value, &start, &end);
        ENSURE(end - start == strlen(cases[i].key) && memcmp(text + start, cases[i].key, end - start) == 0);
    }
    ENSURE_EQUAL_INT(tdJson_GetValueCount(json), 6);
    size_t size;
    ENSURE(tdJson_GetSource(json, &size) == text && size == strlen(text));
    tdDestroyJson(json);
}

TEST(LocatesLinesAndColumns)
{
    const char* text = "{\n  \"\xc3\xa9\xe2\x82\xac\": 1,\r\n  \"b\": 2\n}";
    tdJson* json = Parse(text);
    const struct
    {
        const char* at;
        int line, column;
    } cases[] = {{"{", 1, 1}, {"\"\xc3", 2, 3}, {"1", 2, 9}, {"\"b", 3, 3}, {"2", 3, 8}, {"}", 4, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        int line, column;
        tdJson_Locate(json, (size_t)(strstr(text, cases[i].at) - text), &line, &column);
        ENSURE_EQUAL_INT(line, cases[i].line);
        ENSURE_EQUAL_INT(column, cases[i].column);
    }
    int line, column;
    tdJson_Locate(json, 1000, &line, &column);
    ENSURE(line == 4 && column == 2);
    tdDestroyJson(json);

    json = Parse("\xef\xbb\xbf[1]");
    ENSURE(tdJson_HasByteOrderMark(json));
    tdJson_Locate(json, 4, &line, &column);
    ENSURE(line == 1 && column == 2); // the byte order mark is not a character
    tdDestroyJson(json);
}

TEST(StringsAreDecoded)
{
    const char* text = "{\"plain\":\"abc\",\"\\u006bey\":\"\\\"\\\\\\/"
                       "\\b\\f\\n\\r\\t\",\"u\":\"\\u0041\\u00e9\\u20AC\\ud83d\\uDE00\","
                       "\"zero\":\"a\\u0000b\",\"empty\":\"\",\"utf8\":\"\xf0\x9f\x98\x80\"}";
    tdJson* json = Parse(text);
    const struct
    {
        const char *key, *text;
        size_t length;
    } cases[] = {{"plain", "abc", 3},
                 {"key", "\"\\/\b\f\n\r\t", 8},
                 {"u", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10},
                 {"zero", "a\0b", 3},
                 {"empty", "", 0},
                 {"utf8", "\xf0\x9f\x98\x80", 4}};
    int child = tdJson_GetFirst(json, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        int value = tdJson_Find(json, 0, cases[i].key);
        ENSURE_EQUAL_INT(value, child);
        child = tdJson_GetNext(json, child);
        size_t length;
        const char* own = tdJson_GetString(json, value, &length);
        ENSURE(own != NULL && length == cases[i].length && memcmp(own, cases[i].text, length) == 0);
        own = tdJson_GetKey(json, value, &length);
        ENSURE(own != NULL && length == strlen(cases[i].key) && memcmp(own, cases[i].key, length) == 0);
        ENSURE(tdJson_KeyEquals(json, value, cases[i].key));
        ENSURE(!tdJson_KeyEquals(json, value, "nothing") && !tdJson_KeyEquals(json, value, ""));
    }
    ENSURE_EQUAL_INT(child, TD_JSON_NONE);
    ENSURE(tdJson_StringEquals(json, tdJson_Find(json, 0, "plain"), "abc"));
    ENSURE(!tdJson_StringEquals(json, tdJson_Find(json, 0, "plain"), "ab"));
    ENSURE(!tdJson_StringEquals(json, tdJson_Find(json, 0, "zero"), "a"));
    ENSURE_EQUAL_INT(tdJson_Find(json, 0, "plai"), TD_JSON_NONE);
    ENSURE_EQUAL_INT(tdJson_Find(json, 0, "plain\":"), TD_JSON_NONE);
    tdDestroyJson(json);
}

// Escapes before, at and after the borders of words, alone and in runs, in the last bytes of the source too.
TEST(EscapesAtEveryOffset)
{
    static const struct
    {
        const char *source, *text;
    } escapes[] = {{"\\n", "\n"},
                   {"\\\\", "\\"},
                   {"\\u0041", "A"},
                   {"\\u20ac", "\xe2\x82\xac"},
                   {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"}};
    for (int kind = 0; kind < 5; ++kind)
    {
        for (int before = 0; before < 20; ++before)
        {
            for (int after = 0; after < 20; ++after)
            {
                char source[256], text[128];
                size_t size = 0, length = 0;
                source[size++] = '"';
                for (int i = 0; i < before + after; ++i)
                {
                    // A run of one to three escapes between the two parts.
                    for (int k = 0; i == before && k <= after % 3; ++k)
                    {
                        memcpy(source + size, escapes[kind].source, strlen(escapes[kind].source));
                        memcpy(text + length, escapes[kind].text, strlen(escapes[kind].text));
                        size += strlen(escapes[kind].source);
                        length += strlen(escapes[kind].text);
                    }
                    source[size++] = text[length++] = (char)('a' + i % 26);
                }
                source[size++] = '"';
                char* copy = malloc(size); // exact, for the address sanitizer
                memcpy(copy, source, size);
                tdJson* json = tdParseJson(copy, size, NULL, NULL);
                size_t decodedLength = 0;
                const char* decoded = tdJson_GetString(json, 0, &decodedLength);
                ENSURE(decoded != NULL && decodedLength == length && memcmp(decoded, text, length) == 0);
                tdDestroyJson(json);
                free(copy);
            }
        }
    }
}

TEST(NumbersKeepTheirValue)
{
    tdJson* json = Parse("[0,-0,1.5,1e2,1.0,-12,9223372036854775807,9223372036854775808,1e300,0.1,\"1\","
                         "9007199254740993.0,1e999]");
    const double values[] = {0,     -0.0, 1.5, 100, 1, -12, 9223372036854775807.0, 9223372036854775808.0,
                             1e300, 0.1};
    for (int i = 0; i < 10; ++i)
    {
        ENSURE(tdJson_GetNumber(json, tdJson_At(json, 0, i), -7.0) == values[i]);
    }
    ENSURE(tdJson_GetNumber(json, tdJson_At(json, 0, 10), -7.0) == -7.0);
    ENSURE(isinf(tdJson_GetNumber(json, tdJson_At(json, 0, 12), 0.0)));
    const struct
    {
        int index;
        bool isInteger;
        int64_t value;
    } cases[] = {{0, true, 0},
                 {1, true, 0},
                 {2, false, 0},
                 {3, true, 100},
                 {4, true, 1},
                 {5, true, -12},
                 {6, true, INT64_MAX},
                 {7, false, 0},
                 {8, false, 0},
                 {10, false, 0},
                 {11, true, 9007199254740992},
                 {12, false, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        int64_t integer = 0;
        ENSURE_EQUAL_INT(tdJson_GetInteger(json, tdJson_At(json, 0, cases[i].index), &integer),
                         cases[i].isInteger);
        ENSURE(!cases[i].isInteger || integer == cases[i].value);
    }
    tdDestroyJson(json);
}

TEST(WalksAndResolves)
{
    tdJson* json = Parse("{\"nodes\":[{\"name\":\"a\"},{},[[1,2],3]],\"a/b\":{\"m~n\":7},\"\":8,\"01\":9}");
    int nodes = tdJson_Find(json, 0, "nodes");
    ENSURE_EQUAL_INT(tdJson_GetCount(json, nodes), 3);
    int seen = 0;
    for (int child = tdJson_GetFirst(json, nodes); child >= 0; child = tdJson_GetNext(json, child))
    {
        ENSURE_EQUAL_INT(tdJson_At(json, nodes, seen), child);
        ++seen;
    }
    ENSURE_EQUAL_INT(seen, 3);
    ENSURE(tdJson_GetNumber(json, tdJson_Resolve(json, "/nodes/2/0/1"), 0) == 2.0);
    ENSURE(tdJson_GetNumber(json, tdJson_Resolve(json, "/nodes/2/1"), 0) == 3.0);
    ENSURE(tdJson_GetNumber(json, tdJson_Resolve(json, "/a~1b/m~0n"), 0) == 7.0);
    ENSURE(tdJson_GetNumber(json, tdJson_Resolve(json, "/"), 0) == 8.0);
    ENSURE(tdJson_GetNumber(json, tdJson_Resolve(json, "/01"), 0) == 9.0);
    ENSURE_EQUAL_INT(tdJson_Resolve(json, ""), 0);
    const char* const nothing[] = {"/nodes/3", "/nodes/01",  "/nodes/-1", "/nodes/99999999999999",
                                   "/nodes/x", "/x",         "nodes",     "/nodes/0/name/0",
                                   "/nodes//", "/a~1b/m~2n", "/nodes/-0", "/nodes/1e0"};
    for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); ++i)
    {
        ENSURE_EQUAL_INT(tdJson_Resolve(json, nothing[i]), TD_JSON_NONE);
    }
    // The values in (value, end) are the descendants.
    ENSURE_EQUAL_INT(tdJson_GetEnd(json, 0), tdJson_GetValueCount(json));
    ENSURE_EQUAL_INT(tdJson_GetEnd(json, nodes), tdJson_GetNext(json, nodes));
    tdDestroyJson(json);
}

TEST(NoneIsAcceptedEverywhere)
{
    tdJson* json = Parse("[1]");
    size_t start, end, length;
    int64_t integer;
    for (int value = -1; value <= 2; value += 3)
    {
        ENSURE_EQUAL_INT(tdJson_GetType(json, value), TD_JSON_MISSING);
        ENSURE(!tdJson_IsObject(json, value) && !tdJson_IsArray(json, value));
        tdJson_GetRange(json, value, &start, &end);
        ENSURE(start == 0 && end == 0);
        tdJson_GetKeyRange(json, value, &start, &end);
        ENSURE(start == 0 && end == 0);
        ENSURE(tdJson_GetCount(json, value) == 0 && tdJson_GetFirst(json, value) < 0 &&
               tdJson_GetNext(json, value) < 0);
        ENSURE(tdJson_Find(json, value, "a") < 0 && tdJson_At(json, value, 0) < 0 &&
               tdJson_GetEnd(json, value) < 0);
        ENSURE(tdJson_GetKey(json, value, &length) == NULL && tdJson_GetString(json, value, &length) == NULL);
        ENSURE(!tdJson_KeyEquals(json, value, "") && !tdJson_StringEquals(json, value, ""));
        ENSURE(tdJson_GetNumber(json, value, 3.0) == 3.0 && !tdJson_GetInteger(json, value, &integer));
    }
    ENSURE(tdJson_Find(json, 0, "a") < 0 && tdJson_At(json, 1, 0) < 0 && tdJson_At(json, 0, -1) < 0 &&
           tdJson_At(json, 0, 1) < 0);
    tdDestroyJson(json);
    tdDestroyJson(NULL);
}

static const tdJson* sharedJson;

static void AskShared(void* argument)
{
    // Escaped keys and strings, numbers and pointers: all queries that could cache an answer.
    double* sum = argument;
    for (int i = 0; i < 200; ++i)
    {
        size_t length;
        int value = tdJson_Find(sharedJson, 0, "key");
        const char* text = tdJson_GetString(sharedJson, tdJson_Resolve(sharedJson, "/key/1"), &length);
        *sum += tdJson_GetNumber(sharedJson, tdJson_At(sharedJson, value, 0), 0.0) + (double)length +
                (text[0] == 'A');
    }
}

TEST(ThreadsShareADocument)
{
    tdJson* json = Parse("{\"\\u006bey\":[2.5,\"\\u0041b\"]}");
    sharedJson = json;
    tdThread threads[3];
    double sums[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(tdThread_Start(&threads[i], AskShared, &sums[i]));
    }
    for (int i = 0; i < 3; ++i)
    {
        tdThread_Join(&threads[i]);
        ENSURE(sums[i] == 200 * (2.5 + 2.0 + 1.0));
    }
    tdDestroyJson(json);
}

TEST(MemoryRunsOut)
{
    char text[4000] = "{\"e\\n\":\"\\u0041\"";
    size_t at = strlen(text);
    for (int i = 0; i < 100; ++i)
    {
        at += (size_t)sprintf(text + at, ",\"k%d\":[%d,\"\\t\"]", i, i);
    }
    text[at++] = '}';
    for (int64_t failAt = 0;; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdJsonError error;
        tdJson* json = tdParseJson(text, at, &allocator, &error);
        bool whole = json != NULL && state.count <= failAt;
        if (json == NULL)
        {
            ENSURE_EQUAL_INT(error.code, TD_JSON_ERROR_OUT_OF_MEMORY);
        }
        else
        {
            ENSURE_EQUAL_INT(tdJson_GetCount(json, 0), 101);
            ENSURE_EQUAL_INT(error.code, TD_JSON_OK);
        }
        tdDestroyJson(json);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        ENSURE_EQUAL_INT(state.liveBytes, 0);
        if (whole || !ENSURE(failAt < 1000))
        {
            ENSURE(failAt > 5);
            break;
        }
    }
}

TEST_MAIN(RUN(RefusesWithCodeAndPlace) RUN(EveryPrefixOfADocumentIsRefused) RUN(OpenBracketsAlone)
              RUN(DepthIsLimited) RUN(DuplicateKeysNameBothPlaces) RUN(DuplicatesInWideObjects)
                  RUN(HostileDocumentsStayFast) RUN(ValuesHaveTheirByteRanges) RUN(LocatesLinesAndColumns)
                      RUN(StringsAreDecoded) RUN(EscapesAtEveryOffset) RUN(NumbersKeepTheirValue)
                          RUN(WalksAndResolves) RUN(NoneIsAcceptedEverywhere) RUN(ThreadsShareADocument)
                              RUN(MemoryRunsOut))
