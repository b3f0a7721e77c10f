// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// PNG (ISO/IEC 15948): chunks, filters, palettes, the seven passes of interlaced images.
#include "png_decode.h"

#include "inflate.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PNG_SIDE 16384

typedef struct PngHeader
{
    int width, height, depth, colorType;
    bool isInterlaced;
    int channelCount;
    uint8_t palette[256][4];
    int keyCount; // values of tRNS for grey and colour images: 0, 1 or 3
    int key[3];
} PngHeader;

static uint32_t ReadBig32(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool ReadPngHeader(const uint8_t* data, size_t size, PngHeader* header)
{
    static const int channels[7] = {1, 0, 3, 1, 2, 0, 4};
    if (size < 13 || data[9] > 6 || channels[data[9]] == 0 || data[10] != 0 || data[11] != 0 || data[12] > 1)
    {
        return false;
    }
    uint32_t width = ReadBig32(data), height = ReadBig32(data + 4);
    int depth = data[8], type = data[9];
    bool isDepth = depth == 8 || (depth == 16 && type != 3) ||
                   ((depth == 1 || depth == 2 || depth == 4) && (type == 0 || type == 3));
    *header = (PngHeader){(int)width, (int)height, depth, type, data[12] == 1, channels[type], {{0}}, 0, {0}};
    return isDepth && width > 0 && height > 0 && width <= MAX_PNG_SIDE && height <= MAX_PNG_SIDE;
}

static void ReadPalette(const uint8_t* data, size_t size, PngHeader* header)
{
    for (size_t i = 0; i < size / 3 && i < 256; ++i)
    {
        memcpy(header->palette[i], data + 3 * i, 3);
        header->palette[i][3] = 255;
    }
}

static void ReadTransparency(const uint8_t* data, size_t size, PngHeader* header)
{
    if (header->colorType == 3)
    {
        for (size_t i = 0; i < size && i < 256; ++i)
        {
            header->palette[i][3] = data[i];
        }
    }
    else if (header->channelCount % 2 == 1 && size >= (size_t)header->channelCount * 2)
    {
        header->keyCount = header->channelCount;
        for (int i = 0; i < header->keyCount; ++i)
        {
            header->key[i] = data[2 * i] * 256 + data[2 * i + 1];
        }
    }
}

static int PredictPaeth(int left, int up, int corner)
{
    int a = abs(up - corner), b = abs(left - corner), c = abs(left + up - 2 * corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

// Undoes the filter of a row in place. `above` is a row of zeros for the first row. One loop per filter: a
// picture of bombs spends most of its time here.
static bool Unfilter(uint8_t* row, const uint8_t* above, size_t size, size_t pixelSize, int filter)
{
    size_t first = pixelSize < size ? pixelSize : size;
    switch (filter)
    {
    case 0:
        return true;
    case 1:
        for (size_t i = first; i < size; ++i)
        {
            row[i] = (uint8_t)(row[i] + row[i - pixelSize]);
        }
        return true;
    case 2:
        for (size_t i = 0; i < size; ++i)
        {
            row[i] = (uint8_t)(row[i] + above[i]);
        }
        return true;
    case 3:
    case 4:
        for (size_t i = 0; i < first; ++i) // left and corner are 0
        {
            row[i] = (uint8_t)(row[i] + (filter == 3 ? above[i] / 2 : above[i]));
        }
        for (size_t i = first; i < size; ++i)
        {
            int left = row[i - pixelSize], up = above[i];
            row[i] = (uint8_t)(row[i] + (filter == 3 ? (left + up) / 2
                                                     : PredictPaeth(left, up, above[i - pixelSize])));
        }
        return true;
    default:
        return false;
    }
}

// Sample `index` of a row, as stored.
static int GetSample(const uint8_t* row, int depth, int index)
{
    if (depth == 8)
    {
        return row[index];
    }
    if (depth == 16)
    {
        return row[2 * index] * 256 + row[2 * index + 1];
    }
    int perByte = 8 / depth;
    return row[index / perByte] >> (8 - depth * (index % perByte + 1)) & ((1 << depth) - 1);
}

static void StorePixel(const PngHeader* header, const uint8_t* row, int x, uint8_t* to)
{
    int samples[4] = {0}, values[4] = {0}, depth = header->depth;
    for (int i = 0; i < header->channelCount; ++i)
    {
        samples[i] = GetSample(row, depth, x * header->channelCount + i);
    }
    if (header->colorType == 3)
    {
        memcpy(to, header->palette[samples[0]], 4);
        return;
    }
    bool isKey = header->keyCount > 0;
    for (int i = 0; i < header->keyCount; ++i)
    {
        isKey = isKey && samples[i] == header->key[i];
    }
    for (int i = 0; i < header->channelCount; ++i)
    {
        values[i] = depth == 16 ? samples[i] >> 8 : samples[i] * 255 / ((1 << depth) - 1);
    }
    bool isColor = header->channelCount >= 3;
    for (int i = 0; i < 3; ++i)
    {
        to[i] = (uint8_t)values[isColor ? i : 0];
    }
    bool hasAlpha = header->channelCount % 2 == 0;
    to[3] = (uint8_t)(hasAlpha ? values[header->channelCount - 1] : isKey ? 0 : 255);
}

// One pass covers the pixels start + k * step along each axis; an image that is not interlaced has one pass.
typedef struct PngPass
{
    int startX, startY, stepX, stepY;
} PngPass;

static const PngPass wholePass = {0, 0, 1, 1};
static const PngPass interlacedPasses[7] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                            {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

static int CountSteps(int size, int start, int step)
{
    return size > start ? (size - start + step - 1) / step : 0;
}

static size_t GetPassSize(const PngHeader* header, const PngPass* pass)
{
    int width = CountSteps(header->width, pass->startX, pass->stepX);
    int height = CountSteps(header->height, pass->startY, pass->stepY);
    size_t row = ((size_t)width * (size_t)(header->channelCount * header->depth) + 7) / 8;
    return width > 0 ? (row + 1) * (size_t)height : 0;
}

// @param blankRow zeros, as many as the longest row has bytes
static bool DecodePass(const PngHeader* header, const PngPass* pass, const uint8_t* blankRow, uint8_t* data,
                       uint8_t* rgba)
{
    int width = CountSteps(header->width, pass->startX, pass->stepX);
    int height = CountSteps(header->height, pass->startY, pass->stepY);
    int bits = header->channelCount * header->depth;
    size_t rowSize = ((size_t)width * (size_t)bits + 7) / 8;
    const uint8_t* above = blankRow;
    for (int y = 0; y < height && width > 0; ++y)
    {
        uint8_t* row = data + (rowSize + 1) * (size_t)y;
        if (!Unfilter(row + 1, above, rowSize, bits >= 8 ? (size_t)bits / 8 : 1, row[0]))
        {
            return false;
        }
        above = row + 1;
        size_t line = (size_t)(pass->startY + y * pass->stepY) * (size_t)header->width;
        if (header->depth == 8 && header->colorType == 6 && pass->stepX == 1)
        {
            memcpy(rgba + 4 * line, above, rowSize);
            continue;
        }
        for (int x = 0; x < width; ++x)
        {
            StorePixel(header, above, x, rgba + 4 * (line + (size_t)(pass->startX + x * pass->stepX)));
        }
    }
    return true;
}

// Reads all chunks; joins the compressed data at `data`, which has room for the file.
static bool ReadChunks(const uint8_t* bytes, size_t size, PngHeader* header, uint8_t* data, size_t* dataSize)
{
    bool hasHeader = false;
    for (size_t at = 8; size - at >= 12;)
    {
        size_t length = ReadBig32(bytes + at);
        const uint8_t *type = bytes + at + 4, *content = bytes + at + 8;
        if (length > size - at - 12)
        {
            return false;
        }
        if (memcmp(type, "IHDR", 4) == 0 && !hasHeader)
        {
            hasHeader = ReadPngHeader(content, length, header);
        }
        else if (!hasHeader)
        {
            return false;
        }
        else if (memcmp(type, "PLTE", 4) == 0)
        {
            ReadPalette(content, length, header);
        }
        else if (memcmp(type, "tRNS", 4) == 0)
        {
            ReadTransparency(content, length, header);
        }
        else if (memcmp(type, "IDAT", 4) == 0)
        {
            memcpy(data + *dataSize, content, length);
            *dataSize += length;
        }
        else if (memcmp(type, "IEND", 4) == 0)
        {
            return true;
        }
        at += length + 12;
    }
    return hasHeader; // without IEND
}

static bool IsPng(const uint8_t* bytes, size_t size)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    return size >= 33 && memcmp(bytes, signature, 8) == 0;
}

bool tdReadPngSize(const uint8_t* bytes, size_t size, int* width, int* height)
{
    PngHeader header;
    bool isFine = IsPng(bytes, size) && memcmp(bytes + 12, "IHDR", 4) == 0 &&
                  ReadPngHeader(bytes + 16, size - 16, &header);
    *width = isFine ? header.width : 0;
    *height = isFine ? header.height : 0;
    return isFine;
}

bool tdDecodePng(const uint8_t* bytes, size_t size, const tdAllocator* allocator, tdPixels* pixels)
{
    *pixels = (tdPixels){0};
    if (!IsPng(bytes, size))
    {
        return false;
    }
    PngHeader header;
    size_t packedSize = 0;
    uint8_t* packed = tdAllocate(allocator, size, 1);
    bool isFine = packed != NULL && ReadChunks(bytes, size, &header, packed, &packedSize);
    if (isFine)
    {
        const PngPass* passes = header.isInterlaced ? interlacedPasses : &wholePass;
        int passCount = header.isInterlaced ? 7 : 1;
        size_t rawSize = 0, used = 0, rgbaSize = (size_t)header.width * (size_t)header.height * 4;
        for (int i = 0; i < passCount; ++i)
        {
            rawSize += GetPassSize(&header, &passes[i]);
        }
        // A stream cannot expand by more than about a thousand; a larger claim is not worth the memory.
        isFine = rawSize / 1100 <= packedSize;
        size_t longestRow = (size_t)header.width * 8;
        uint8_t* raw = isFine ? tdAllocate(allocator, rawSize, 1) : NULL;
        uint8_t* blankRow = raw != NULL ? tdAllocate(allocator, longestRow, 1) : NULL;
        uint8_t* rgba = blankRow != NULL ? tdAllocate(allocator, rgbaSize, 4) : NULL;
        if (blankRow != NULL)
        {
            memset(blankRow, 0, longestRow);
        }
        isFine = rgba != NULL && tdInflate(packed, packedSize, raw, rawSize);
        for (int i = 0; i < passCount && isFine; ++i)
        {
            isFine = DecodePass(&header, &passes[i], blankRow, raw + used, rgba);
            used += GetPassSize(&header, &passes[i]);
        }
        if (isFine)
        {
            *pixels = (tdPixels){header.width, header.height, rgba};
        }
        else
        {
            tdRelease(allocator, rgba, rgbaSize);
        }
        tdRelease(allocator, blankRow, longestRow);
        tdRelease(allocator, raw, rawSize);
    }
    tdRelease(allocator, packed, size);
    return isFine;
}
