// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of PNG decoding: every image of test/data/png gives its pixels, and broken ones are refused.
#include "files.h"
#include "harness.h"

#include "render/inflate.h"
#include "render/png_decode.h"
#include "render/texture.h"

static bool IsPng(const char* name)
{
    return tdEndsWith(name, ".png");
}

static uint8_t* ReadWhole(const char* path, size_t* size)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    void* data = NULL;
    return tdReadFile(path, &allocator, 1 << 24, NULL, &data, size) == TD_FILE_OK ? data : NULL;
}

TEST(EveryKindDecodes)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    FileList list = {0};
    CollectFiles(&list, TD_TEST_DATA "/png", IsPng);
    ENSURE(list.paths.count >= 20);
    for (int i = 0; i < list.paths.count; ++i)
    {
        char expectedPath[PATH_MAX];
        snprintf(expectedPath, sizeof expectedPath, "%.*s.rgba", (int)strlen(list.paths.data[i]) - 4,
                 list.paths.data[i]);
        size_t size = 0, expectedSize = 0;
        uint8_t* bytes = ReadWhole(list.paths.data[i], &size);
        uint8_t* expected = ReadWhole(expectedPath, &expectedSize);
        tdPixels pixels;
        bool isDecoded = tdDecodePng(bytes, size, &allocator, &pixels);
        size_t pixelSize = (size_t)pixels.width * (size_t)pixels.height * 4;
        if (!ENSURE(isDecoded && pixelSize == expectedSize &&
                    memcmp(pixels.rgba, expected, expectedSize) == 0))
        {
            printf("  of %s\n", list.paths.data[i]);
        }
        tdRelease(&allocator, pixels.rgba, pixelSize);
        tdRelease(&allocator, bytes, size + 1);
        tdRelease(&allocator, expected, expectedSize + 1);
    }
    FreeFiles(&list);
}

// Every image cut short and with every byte changed either decodes or is refused; nothing is leaked.
TEST(BrokenImagesAreRefused)
{
    tdFailingAllocator state;
    tdAllocator counting = tdFailingAllocator_Make(&state, -1);
    size_t size = 0;
    uint8_t* bytes = ReadWhole(TD_TEST_DATA "/png/interlaced.png", &size);
    int refused = 0;
    for (size_t i = 0; i < size; ++i)
    {
        tdPixels pixels;
        refused += tdDecodePng(bytes, i, &counting, &pixels) ? 0 : 1;
        tdRelease(&counting, pixels.rgba, (size_t)pixels.width * (size_t)pixels.height * 4);
        bytes[i] ^= 0x55;
        bool isDecoded = tdDecodePng(bytes, size, &counting, &pixels);
        tdRelease(&counting, pixels.rgba, isDecoded ? (size_t)pixels.width * (size_t)pixels.height * 4 : 0);
        bytes[i] ^= 0x55;
    }
    ENSURE(refused > (int)size - 20); // the end chunk alone may be missing
    ENSURE_EQUAL_INT(state.liveBlocks, 0);
    for (int64_t failAt = 0; failAt < 3; ++failAt)
    {
        tdPixels pixels;
        tdAllocator failing = tdFailingAllocator_Make(&state, failAt);
        ENSURE(!tdDecodePng(bytes, size, &failing, &pixels));
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdRelease(&allocator, bytes, size + 1);
}

TEST(StreamsOfTheWrongSizeAreRefused)
{
    static const uint8_t stored[] = {0x78, 0x01, 0x01, 3, 0, 0xFC, 0xFF, 'a', 'b', 'c', 0, 0, 0, 0};
    uint8_t out[8];
    ENSURE(tdInflate(stored, sizeof stored, out, 3) && memcmp(out, "abc", 3) == 0);
    ENSURE(!tdInflate(stored, sizeof stored, out, 2));
    ENSURE(!tdInflate(stored, sizeof stored, out, 4));
    ENSURE(!tdInflate(stored, 8, out, 3));
    ENSURE(!tdInflate(stored, 1, out, 3));
    static const uint8_t endless[] = {0x78, 0x01, 0x4B};
    ENSURE(!tdInflate(endless, sizeof endless, out, 8));
}

TEST(SrgbRoundTrips)
{
    tdPrepareSrgb();
    for (int i = 0; i < 256; ++i)
    {
        ENSURE_EQUAL_INT(tdEncodeSrgb(tdDecodeSrgb((uint8_t)i)), i);
        ENSURE(i == 0 || tdDecodeSrgb((uint8_t)i) > tdDecodeSrgb((uint8_t)(i - 1)));
    }
    ENSURE_NEAR(tdDecodeSrgb(188), 0.5028865f, 1e-6);
    ENSURE_EQUAL_INT(tdEncodeSrgb(-1.0f), 0);
    ENSURE_EQUAL_INT(tdEncodeSrgb(NAN), 0);
    ENSURE_EQUAL_INT(tdEncodeSrgb(2.0f), 255);
}

TEST_MAIN(RUN(EveryKindDecodes) RUN(BrokenImagesAreRefused) RUN(StreamsOfTheWrongSizeAreRefused)
              RUN(SrgbRoundTrips))
