// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Inflate: streams that the test writes itself, with codes of every length, and with many blocks.
#include "harness.h"

#include "render/inflate.h"
#include "render/png_decode.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_CODE 15

typedef struct BitWriter
{
    uint8_t bytes[1 << 17];
    size_t bitCount;
} BitWriter;

static BitWriter writer;

static void StartStream(void)
{
    memset(&writer, 0, sizeof writer);
    writer.bytes[0] = 0x78;
    writer.bytes[1] = 0x9C;
    writer.bitCount = 16;
}

/// Numbers are written from their lowest bit on, codes from their highest.
static void WriteNumber(unsigned value, int bits)
{
    for (int i = 0; i < bits; ++i, ++writer.bitCount)
    {
        writer.bytes[writer.bitCount / 8] |= (uint8_t)((value >> i & 1u) << writer.bitCount % 8);
    }
}

static void WriteCode(unsigned code, int bits)
{
    for (int i = bits - 1; i >= 0; --i)
    {
        WriteNumber(code >> i & 1u, 1);
    }
}

static bool Inflate(uint8_t* out, size_t size)
{
    return tdInflate(writer.bytes, (writer.bitCount + 7) / 8, out, size);
}

/// Length of the code of a literal: 1 to 14 for 0 to 13, 15 for 14 and for the end of the block.
static int GetCodeLength(int symbol)
{
    return symbol < 14 ? symbol + 1 : symbol == 14 || symbol == 256 ? LONGEST_CODE : 0;
}

/// Codes of one symbol per length are ones with a zero behind; the two longest differ in their last bit.
static void WriteSymbol(int symbol)
{
    int length = GetCodeLength(symbol);
    unsigned ones = (1u << length) - 1;
    WriteCode(symbol == 256 ? ones : ones - 1, length);
}

static void WriteLongCodes(void)
{
    WriteNumber(0, 5);  // 257 literals
    WriteNumber(0, 5);  // 1 distance
    WriteNumber(15, 4); // 19 lengths of the code of lengths
    for (int i = 0; i < 19; ++i)
    {
        WriteNumber(i < 3 ? 0 : 4, 3); // the first three repeat; the other 16 have codes of 4 bits
    }
    for (int symbol = 0; symbol <= 256; ++symbol)
    {
        WriteCode((unsigned)GetCodeLength(symbol), 4);
    }
    WriteCode(0, 4);
}

TEST(CodesOfEveryLength)
{
    StartStream();
    WriteNumber(1, 1);
    WriteNumber(2, 2);
    WriteLongCodes();
    uint8_t expected[600], found[600];
    for (int i = 0; i < 600; ++i)
    {
        expected[i] = (uint8_t)(i * 7 % 15);
        WriteSymbol(expected[i]);
    }
    WriteSymbol(256);
    ENSURE(Inflate(found, sizeof found) && memcmp(found, expected, sizeof found) == 0);
    ENSURE(!Inflate(found, sizeof found - 1));
}

// A block of 10 bits without content. Tables of the size of the longest code would take 8 s for these blocks.
TEST(ManyEmptyBlocks)
{
    const int blockCount = 100000;
    StartStream();
    for (int i = 0; i <= blockCount; ++i)
    {
        WriteNumber(i == blockCount ? 1 : 0, 1);
        WriteNumber(1, 2);
        if (i == blockCount)
        {
            WriteCode(0x30 + 'x', 8);
        }
        WriteCode(0, 7);
    }
    uint8_t found = 0;
    ENSURE(Inflate(&found, 1) && found == 'x');
}

TEST(BrokenStreamsAreRefused)
{
    uint8_t found[64];
    unsigned random = 1;
    for (int round = 0; round < 20000; ++round)
    {
        StartStream();
        for (int i = 0; i < 40; ++i)
        {
            random = random * 1664525u + 1013904223u;
            WriteNumber(random >> 16, 8);
        }
        size_t size = (random >> 8) % sizeof found;
        uint8_t* exact = malloc(size + 1); // a write behind the end is found by the sanitizer
        Inflate(exact, size);
        free(exact);
    }
    StartStream();
    ENSURE(!Inflate(found, 1));
}

TEST(SizesAreReadWithoutDecoding)
{
    static const uint8_t start[33] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I',
                                      'H',  'D', 'R', 0,   0,    1,    2,    0,    0, 3, 4, 8,  6};
    int width = 0, height = 0;
    ENSURE(tdReadPngSize(start, sizeof start, &width, &height) && width == 258 && height == 772);
    ENSURE(!tdReadPngSize(start, sizeof start - 1, &width, &height) && width == 0 && height == 0);
}

TEST_MAIN(RUN(CodesOfEveryLength) RUN(ManyEmptyBlocks) RUN(BrokenStreamsAreRefused)
              RUN(SizesAreReadWithoutDecoding))
