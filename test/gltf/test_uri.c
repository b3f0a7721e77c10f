// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of URI references: types, percent-decoding, paths out of the folder, data URIs both ways.
#include "harness.h"

#include "gltf/uri.h"

static tdUriKind Classify(const char* uri)
{
    return tdClassifyUri(uri, strlen(uri));
}

TEST(ClassifiesUris)
{
    ENSURE_EQUAL_INT(Classify("a/b.bin"), TD_URI_RELATIVE);
    ENSURE_EQUAL_INT(Classify("1:2.bin"), TD_URI_RELATIVE); // a scheme starts with a letter
    ENSURE_EQUAL_INT(Classify("./a:b"), TD_URI_RELATIVE);
    ENSURE_EQUAL_INT(Classify(""), TD_URI_RELATIVE);
    ENSURE_EQUAL_INT(Classify("http://x/y"), TD_URI_SCHEME);
    ENSURE_EQUAL_INT(Classify("FILE:///etc/passwd"), TD_URI_SCHEME);
    ENSURE_EQUAL_INT(Classify("C:\\x"), TD_URI_SCHEME);
    ENSURE_EQUAL_INT(Classify("/etc/passwd"), TD_URI_ABSOLUTE);
    ENSURE_EQUAL_INT(Classify("\\\\server\\share"), TD_URI_ABSOLUTE);
    ENSURE_EQUAL_INT(Classify("data:,x"), TD_URI_DATA);
    ENSURE_EQUAL_INT(Classify("DATA:;base64,"), TD_URI_DATA);
}

static void EnsureDecoded(const char* uri, const char* expected)
{
    tdText text;
    tdText_Init(&text, NULL);
    bool isDecoded = tdDecodeUriPath(uri, strlen(uri), &text);
    ENSURE(isDecoded == (expected != NULL));
    if (isDecoded)
    {
        ENSURE_EQUAL_TEXT(text.data, expected);
    }
    tdText_Free(&text);
}

TEST(DecodesPercent)
{
    EnsureDecoded("a%20b.bin", "a b.bin");
    EnsureDecoded("%C3%a4", "\xC3\xA4");
    EnsureDecoded("a%2", NULL);
    EnsureDecoded("a%", NULL);
    EnsureDecoded("a%zz", NULL);
    EnsureDecoded("a%00b", NULL);
    EnsureDecoded("", NULL);
}

TEST(DetectsPathsOutOfTheFolder)
{
    static const char* const inside[] = {"a",   "a/b", "a/../b",      "./a", "a//b",
                                         "..a", "a..", "a/b/../../c", "..."};
    static const char* const outside[] = {"..",           "../a", "a/../../b", "./../a",
                                          "a\\..\\..\\b", "/a",   "\\a",       "C:a"};
    for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); ++i)
    {
        ENSURE(!tdLeavesFolder(inside[i]));
    }
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); ++i)
    {
        ENSURE(tdLeavesFolder(outside[i]));
    }
}

static void EnsureData(const char* uri, const char* expected)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdDataUri data;
    tdUriStatus status = tdDecodeDataUri(uri, strlen(uri), &allocator, &data);
    ENSURE_EQUAL_INT(status, expected != NULL ? TD_URI_OK : TD_URI_INVALID);
    if (status == TD_URI_OK)
    {
        ENSURE_EQUAL_INT(data.size, strlen(expected));
        ENSURE(memcmp(data.data, expected, data.size) == 0);
        tdRelease(&allocator, data.data, data.capacity);
    }
}

TEST(DecodesDataUris)
{
    EnsureData("data:;base64,", "");
    EnsureData("data:application/octet-stream;base64,Zm9v", "foo");
    EnsureData("data:;base64,Zm8=", "fo");
    EnsureData("data:;base64,Zm8", "fo");
    EnsureData("data:;base64,Zg==", "f");
    EnsureData("data:;base64,Z", NULL);
    EnsureData("data:;base64,Zm 9", NULL);
    EnsureData("data:;base64Zm9v", NULL);
    EnsureData("data:text/plain,a%20b", "a b");
    EnsureData("data:,a%2", NULL);
}

TEST(RoundTripsBase64)
{
    // Every length up to 64 with counting bytes: encode, decode, compare.
    for (size_t size = 0; size <= 64; ++size)
    {
        uint8_t bytes[64];
        for (size_t i = 0; i < size; ++i)
        {
            bytes[i] = (uint8_t)(i * 37 + size);
        }
        tdText text;
        tdText_Init(&text, NULL);
        tdText_AppendString(&text, "data:;base64,");
        tdAppendBase64(&text, bytes, size);
        tdAllocator allocator = tdAllocator_Resolve(NULL);
        tdDataUri data;
        ENSURE_EQUAL_INT(tdDecodeDataUri(text.data, text.length, &allocator, &data), TD_URI_OK);
        ENSURE_EQUAL_INT(data.size, size);
        ENSURE(memcmp(data.data, bytes, size) == 0);
        tdRelease(&allocator, data.data, data.capacity);
        tdText_Free(&text);
    }
}

TEST(EscapesFileNames)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdAppendUriPath(&text, "my file %\xC3\xA4.bin");
    ENSURE_EQUAL_TEXT(text.data, "my%20file%20%25%C3%A4.bin");
    EnsureDecoded(text.data, "my file %\xC3\xA4.bin");
    tdText_Free(&text);
}

TEST_MAIN(RUN(ClassifiesUris) RUN(DecodesPercent) RUN(DetectsPathsOutOfTheFolder) RUN(DecodesDataUris)
              RUN(RoundTripsBase64) RUN(EscapesFileNames))
