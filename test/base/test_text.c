// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of text: growth, formats, JSON strings, allocation failure, words.
#include "harness.h"

#include "base/text.h"

#include <limits.h>
#include <stdlib.h>

static tdText text;

static const char* Format(const char* format, ...)
{
    tdText_Clear(&text);
    va_list arguments;
    va_start(arguments, format);
    tdText_AppendFormatList(&text, format, arguments);
    va_end(arguments);
    return text.data;
}

static const char* JsonString(const char* bytes, size_t length)
{
    tdText_Clear(&text);
    tdText_AppendJsonString(&text, bytes, length);
    return text.data;
}

TEST(GrowsAndEndsInZero)
{
    tdText_Init(&text, NULL);
    char expected[3001] = {0};
    for (int i = 0; i < 3000; ++i)
    {
        expected[i] = (char)('a' + i % 26);
        tdText_AppendChar(&text, expected[i]);
        ENSURE(text.data[text.length] == 0);
    }
    ENSURE_EQUAL_INT(text.length, 3000);
    ENSURE_EQUAL_TEXT(text.data, expected);
    tdText_Clear(&text);
    ENSURE_EQUAL_TEXT(text.data, "");
    tdText_Append(&text, "a\0b", 3);
    ENSURE(text.length == 3 && memcmp(text.data, "a\0b", 4) == 0);
    tdText_Free(&text);
    ENSURE(text.data == NULL);
}

TEST(Formats)
{
    tdText_Init(&text, NULL);
    ENSURE_EQUAL_TEXT(Format("plain"), "plain");
    ENSURE_EQUAL_TEXT(Format("%s-%.*s-%c%%", "one", 2, "two", 'x'), "one-tw-x%");
    ENSURE_EQUAL_TEXT(Format("%d %d %u", INT_MIN, INT_MAX, UINT_MAX), "-2147483648 2147483647 4294967295");
    ENSURE_EQUAL_TEXT(Format("%lld %lld", LLONG_MIN, LLONG_MAX), "-9223372036854775808 9223372036854775807");
    ENSURE_EQUAL_TEXT(Format("%llu %zu %u", ULLONG_MAX, (size_t)4294967295u, 0u),
                      "18446744073709551615 4294967295 0");
    ENSURE_EQUAL_TEXT(Format("%g %g %g %g", (double)0.1f, 0.1, 1e-7, -2.5), "0.1 0.1 1e-7 -2.5");
    ENSURE_EQUAL_TEXT(Format("%g %g %g", (double)INFINITY, (double)-INFINITY, (double)NAN), "inf -inf nan");
    ENSURE_EQUAL_TEXT(Format("%g", 1e300), "1e300");
    ENSURE_EQUAL_TEXT(Format("%s", (const char*)NULL), "(null)");
    tdText_Free(&text);
}

TEST(JsonStrings)
{
    tdText_Init(&text, NULL);
    ENSURE_EQUAL_TEXT(JsonString("plain", 5), "\"plain\"");
    ENSURE_EQUAL_TEXT(JsonString("", 0), "\"\"");
    ENSURE_EQUAL_TEXT(JsonString("\"\\/\b\f\n\r\t\x01\x1f\x7f", 11),
                      "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
    ENSURE_EQUAL_TEXT(JsonString("a\0b", 3), "\"a\\u0000b\"");
    ENSURE_EQUAL_TEXT(JsonString("h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10),
                      "\"h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    // Invalid bytes become U+FFFD: stray continuation, truncated sequence, overlong, surrogate, too large.
    ENSURE_EQUAL_TEXT(JsonString("\x80", 1), "\"\xef\xbf\xbd\"");
    ENSURE_EQUAL_TEXT(JsonString("x\xc3", 2), "\"x\xef\xbf\xbd\"");
    ENSURE_EQUAL_TEXT(JsonString("\xc0\xaf", 2), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    ENSURE_EQUAL_TEXT(JsonString("\xed\xa0\x80", 3), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    ENSURE_EQUAL_TEXT(JsonString("\xf5zzz", 4), "\"\xef\xbf\xbdzzz\"");
    tdText_Free(&text);
}

TEST(FailureSticks)
{
    for (int64_t failAt = 0; failAt < 6; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdText_Init(&text, &allocator);
        for (int i = 0; i < 1000; ++i)
        {
            tdText_AppendFormat(&text, "%d,", i);
        }
        ENSURE(text.failed == (failAt < 6 && state.count > failAt));
        if (text.failed && text.data != NULL)
        {
            // The text is a gapless prefix of the full text.
            ENSURE(text.data[text.length] == 0 && strncmp(text.data, "0,1,2,3,", 8) == 0);
        }
        tdText_Free(&text);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        ENSURE_EQUAL_INT(state.liveBytes, 0);
    }
}

TEST(Words)
{
    ENSURE(tdStringsEqual("a", "a") && !tdStringsEqual("a", "b") && !tdStringsEqual(NULL, "") &&
           tdStringsEqual(NULL, NULL));
    ENSURE(tdStartsWith("KHR_x", "KHR_") && !tdStartsWith("KH", "KHR_") && tdStartsWith("a", ""));
    ENSURE(tdEndsWith("a.glb", ".glb") && !tdEndsWith("glb", ".glb") && tdEndsWith("a", ""));
}

TEST(FindsWordsOfAList)
{
    ENSURE(tdHasWord("mass type axis", "mass", 4));
    ENSURE(tdHasWord("mass type axis", "axis", 4));
    ENSURE(!tdHasWord("mass type axis", "mas", 3));
    ENSURE(!tdHasWord("mass type axis", "masss", 5));
    ENSURE(!tdHasWord("", "mass", 4));
}

TEST_MAIN(RUN(FindsWordsOfAList) RUN(GrowsAndEndsInZero) RUN(Formats) RUN(JsonStrings) RUN(FailureSticks)
              RUN(Words))
