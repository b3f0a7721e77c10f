// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// PNG with filters chosen per row and deflate with fixed codes (RFC 1951): small enough, and the same bytes
// everywhere.
#include "png_write.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_SIZE 32768
#define HASH_SIZE 32768
#define SHORTEST_MATCH 4
#define LONGEST_MATCH 258
#define CHAIN_LENGTH 32 // candidates per match; more gains little on rendered pictures

// --- deflate ----------------------------------------------------------------------------------------------

typedef struct Deflater
{
    uint8_t* out;
    size_t size, capacity;
    uint32_t bits;
    int bitCount;
    bool isOutOfMemory;
} Deflater;

static void PutByte(Deflater* deflater, unsigned byte)
{
    if (deflater->size == deflater->capacity)
    {
        size_t capacity = deflater->capacity * 2 + 65536;
        uint8_t* out = ResizeBytes(deflater->out, capacity);
        if (out == NULL)
        {
            deflater->isOutOfMemory = true;
            deflater->size = 0;
            return;
        }
        deflater->out = out;
        deflater->capacity = capacity;
    }
    deflater->out[deflater->size++] = (uint8_t)byte;
}

static void PutBits(Deflater* deflater, unsigned bits, int count)
{
    deflater->bits |= bits << deflater->bitCount;
    deflater->bitCount += count;
    while (deflater->bitCount >= 8)
    {
        PutByte(deflater, deflater->bits & 255);
        deflater->bits >>= 8;
        deflater->bitCount -= 8;
    }
}

// Codes start with their highest bit.
static void PutCode(Deflater* deflater, unsigned code, int count)
{
    unsigned reversed = 0;
    for (int i = 0; i < count; ++i)
    {
        reversed |= (code >> i & 1u) << (count - 1 - i);
    }
    PutBits(deflater, reversed, count);
}

static void PutSymbol(Deflater* deflater, unsigned symbol)
{
    if (symbol < 144)
    {
        PutCode(deflater, 0x30 + symbol, 8);
    }
    else if (symbol < 256)
    {
        PutCode(deflater, 0x190 + symbol - 144, 9);
    }
    else if (symbol < 280)
    {
        PutCode(deflater, symbol - 256, 7);
    }
    else
    {
        PutCode(deflater, 0xC0 + symbol - 280, 8);
    }
}

// Number of extra bits of the codes of lengths and distances: groups of `groupSize` codes share it.
static void PutMatch(Deflater* deflater, unsigned length, unsigned distance)
{
    unsigned rest = length - 3, extra = 0;
    if (length == LONGEST_MATCH)
    {
        PutSymbol(deflater, 285);
    }
    else
    {
        while (rest >> extra >= 8)
        {
            extra += 1;
        }
        unsigned code = rest < 8 ? rest : 4 * extra + (rest >> extra);
        PutSymbol(deflater, 257 + code);
        PutBits(deflater, rest & ((1u << extra) - 1), (int)extra);
    }
    rest = distance - 1;
    extra = 0;
    while (rest >> extra >= 4)
    {
        extra += 1;
    }
    PutCode(deflater, rest < 4 ? rest : 2 * extra + (rest >> extra), 5);
    PutBits(deflater, rest & ((1u << extra) - 1), (int)extra);
}

static unsigned HashFour(const uint8_t* bytes)
{
    uint32_t value =
        (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return value * 2654435761u >> 17;
}

// Longest match of the bytes at `at` among earlier ones with the same hash.
static size_t FindMatch(const uint8_t* bytes, size_t size, size_t at, const int32_t* previous,
                        int32_t candidate, size_t* distance)
{
    size_t best = 0, limit = size - at < LONGEST_MATCH ? size - at : LONGEST_MATCH;
    for (int i = 0; i < CHAIN_LENGTH && candidate >= 0 && at - (size_t)candidate <= WINDOW_SIZE; ++i)
    {
        size_t length = 0;
        while (length < limit && bytes[(size_t)candidate + length] == bytes[at + length])
        {
            length += 1;
        }
        if (length > best)
        {
            best = length;
            *distance = at - (size_t)candidate;
        }
        candidate = previous[(size_t)candidate % WINDOW_SIZE];
    }
    return best;
}

static bool Deflate(Deflater* deflater, const uint8_t* bytes, size_t size)
{
    int32_t* heads = AllocateBytes(sizeof(int32_t) * (HASH_SIZE + WINDOW_SIZE));
    if (heads == NULL)
    {
        return false;
    }
    int32_t* previous = heads + HASH_SIZE;
    memset(heads, 0xFF, sizeof(int32_t) * (HASH_SIZE + WINDOW_SIZE));
    PutByte(deflater, 0x78);
    PutByte(deflater, 0x01);
    PutBits(deflater, 1, 1); // the last block
    PutBits(deflater, 1, 2); // fixed codes
    for (size_t at = 0; at < size;)
    {
        size_t distance = 0, length = 0, step;
        if (size - at >= SHORTEST_MATCH)
        {
            length = FindMatch(bytes, size, at, previous, heads[HashFour(bytes + at)], &distance);
        }
        if (length >= SHORTEST_MATCH)
        {
            PutMatch(deflater, (unsigned)length, (unsigned)distance);
        }
        else
        {
            PutSymbol(deflater, bytes[at]);
        }
        step = length >= SHORTEST_MATCH ? length : 1;
        for (size_t end = at + step; at < end; ++at)
        {
            if (size - at >= SHORTEST_MATCH)
            {
                unsigned hash = HashFour(bytes + at);
                previous[at % WINDOW_SIZE] = heads[hash];
                heads[hash] = (int32_t)at;
            }
        }
    }
    PutSymbol(deflater, 256);
    PutBits(deflater, 0, 7);
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; ++i)
    {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    for (int i = 0; i < 4; ++i)
    {
        PutByte(deflater, (b << 16 | a) >> (24 - 8 * i) & 255);
    }
    free(heads);
    return !deflater->isOutOfMemory;
}

// --- rows -------------------------------------------------------------------------------------------------

static int PredictPaeth(int left, int up, int corner)
{
    int a = abs(up - corner), b = abs(left - corner), c = abs(left + up - 2 * corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

// Filters a row into `to`; returns the sum of the absolute differences, which tells how well it packs.
static long FilterRow(const uint8_t* row, const uint8_t* above, size_t size, size_t pixel, int filter,
                      uint8_t* to)
{
    long sum = 0;
    to[0] = (uint8_t)filter;
    for (size_t i = 0; i < size; ++i)
    {
        int left = i >= pixel ? row[i - pixel] : 0, up = above != NULL ? above[i] : 0;
        int corner = above != NULL && i >= pixel ? above[i - pixel] : 0;
        int guess = filter == 0 ? 0 : filter == 1 ? left : filter == 2 ? up : PredictPaeth(left, up, corner);
        to[1 + i] = (uint8_t)(row[i] - guess);
        sum += abs((int8_t)to[1 + i]);
    }
    return sum;
}

static const int rowFilters[4] = {0, 1, 2, 4};

static void FilterImage(const uint8_t* rows, int height, size_t rowSize, size_t pixel, uint8_t* filtered,
                        uint8_t* scratch)
{
    for (int y = 0; y < height; ++y)
    {
        const uint8_t* row = rows + rowSize * (size_t)y;
        uint8_t* to = filtered + (rowSize + 1) * (size_t)y;
        long best = -1;
        for (int i = 0; i < 4; ++i)
        {
            long sum = FilterRow(row, y > 0 ? row - rowSize : NULL, rowSize, pixel, rowFilters[i], scratch);
            if (best < 0 || sum < best)
            {
                best = sum;
                memcpy(to, scratch, rowSize + 1);
            }
        }
    }
}

// --- chunks -----------------------------------------------------------------------------------------------

static void StoreBig32(uint8_t* to, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static uint32_t UpdateCrc(uint32_t crc, const uint8_t* bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i)
    {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
        }
    }
    return crc;
}

static bool WriteChunk(OutputFile* file, const char* type, const uint8_t* data, size_t size)
{
    uint8_t head[8], tail[4];
    StoreBig32(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    StoreBig32(tail, ~UpdateCrc(UpdateCrc(0xFFFFFFFFu, head + 4, 4), data, size));
    return WriteOutput(file, (const char*)head, 8) &&
           (size == 0 || WriteOutput(file, (const char*)data, size)) &&
           WriteOutput(file, (const char*)tail, 4);
}

bool WritePng(OutputFile* file, const uint8_t* pixels, int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    bool isOpaque = true;
    for (size_t i = 0; i < count && isOpaque; ++i)
    {
        isOpaque = pixels[4 * i + 3] == 255;
    }
    size_t pixel = isOpaque ? 3 : 4, rowSize = pixel * (size_t)width;
    uint8_t* rows = AllocateBytes(rowSize * (size_t)height + (rowSize + 1) * (size_t)(height + 1));
    if (rows == NULL)
    {
        return false;
    }
    uint8_t* filtered = rows + rowSize * (size_t)height;
    for (size_t i = 0; i < count; ++i)
    {
        memcpy(rows + pixel * i, pixels + 4 * i, pixel);
    }
    FilterImage(rows, height, rowSize, pixel, filtered, filtered + (rowSize + 1) * (size_t)height);
    Deflater deflater = {0};
    uint8_t header[13] = {[8] = 8, [9] = isOpaque ? 2 : 6};
    StoreBig32(header, (uint32_t)width);
    StoreBig32(header + 4, (uint32_t)height);
    bool isFine = Deflate(&deflater, filtered, (rowSize + 1) * (size_t)height) &&
                  WriteOutput(file, "\x89PNG\r\n\x1A\n", 8) && WriteChunk(file, "IHDR", header, 13) &&
                  WriteChunk(file, "IDAT", deflater.out, deflater.size) && WriteChunk(file, "IEND", NULL, 0);
    free(deflater.out);
    free(rows);
    return isFine;
}
