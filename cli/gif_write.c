// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// GIF89a: each frame has a palette of its own by median cut (Heckbert 1982), and leaves out the pixels that
// did not change.
#include "gif_write.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define PALETTE_SIZE 255 // one more entry is the transparent one
#define TRANSPARENT 255
#define CELL_COUNT 32768 // colours with 5 bits per channel
#define LARGEST_CODE 4096

// A colour cell with its pixels.
typedef struct Cell
{
    uint32_t count;
    uint32_t sum[3];
    uint16_t key; // 5 bits per channel
} Cell;

struct GifWriter
{
    OutputFile* file;
    int width, height;
    double rate;
    int frameCount;
    int writtenTime;       // 1/100 s, sum of the delays so far
    uint8_t* last;         // pixels of the frame before
    uint8_t* indices;      // of the frame
    Cell* cells;           // used cells, then all cells by key
    uint8_t* entries;      // cell key to palette entry
    int16_t (*codes)[256]; // LZW: next code by code and byte
    bool isFine;
};

// --- palette ----------------------------------------------------------------------------------------------

typedef struct ColorBox
{
    int first, count; // of the used cells
    uint32_t pixels;
    int axis, extent; // the longest side
} ColorBox;

static int GetChannel(uint16_t key, int channel)
{
    return key >> (5 * channel) & 31;
}

static int CompareRed(const void* a, const void* b)
{
    return GetChannel(((const Cell*)a)->key, 0) - GetChannel(((const Cell*)b)->key, 0);
}

static int CompareGreen(const void* a, const void* b)
{
    return GetChannel(((const Cell*)a)->key, 1) - GetChannel(((const Cell*)b)->key, 1);
}

static int CompareBlue(const void* a, const void* b)
{
    return GetChannel(((const Cell*)a)->key, 2) - GetChannel(((const Cell*)b)->key, 2);
}

// qsort is not stable: equal channels are ordered by the whole key, so that the result does not depend on it.
static int CompareKeys(const void* a, const void* b, int axis)
{
    int order = axis == 0 ? CompareRed(a, b) : axis == 1 ? CompareGreen(a, b) : CompareBlue(a, b);
    return order != 0 ? order : ((const Cell*)a)->key - ((const Cell*)b)->key;
}

static int CompareByRed(const void* a, const void* b)
{
    return CompareKeys(a, b, 0);
}

static int CompareByGreen(const void* a, const void* b)
{
    return CompareKeys(a, b, 1);
}

static int CompareByBlue(const void* a, const void* b)
{
    return CompareKeys(a, b, 2);
}

static void MeasureBox(const Cell* cells, ColorBox* box)
{
    box->pixels = 0;
    box->extent = -1;
    for (int axis = 0; axis < 3; ++axis)
    {
        int lower = 31, upper = 0;
        for (int i = box->first; i < box->first + box->count; ++i)
        {
            int value = GetChannel(cells[i].key, axis);
            lower = value < lower ? value : lower;
            upper = value > upper ? value : upper;
            box->pixels += axis == 0 ? cells[i].count : 0;
        }
        if (upper - lower > box->extent)
        {
            box->extent = upper - lower;
            box->axis = axis;
        }
    }
}

// Splits a box at the median of its pixels.
static void SplitBox(Cell* cells, ColorBox* box, ColorBox* other)
{
    static int (*const compare[3])(const void*, const void*) = {CompareByRed, CompareByGreen, CompareByBlue};
    qsort(cells + box->first, (size_t)box->count, sizeof(Cell), compare[box->axis]);
    uint32_t seen = 0;
    int cut = 0;
    while (cut < box->count - 1 && (seen < box->pixels / 2 || cut == 0))
    {
        seen += cells[box->first + cut++].count;
    }
    *other = (ColorBox){.first = box->first + cut, .count = box->count - cut};
    box->count = cut;
    MeasureBox(cells, box);
    MeasureBox(cells, other);
}

// Makes the palette of the pixels that changed. Returns the number of its colours.
static int MakePalette(GifWriter* gif, const uint8_t* pixels, const bool isFirst,
                       uint8_t palette[PALETTE_SIZE + 1][3])
{
    Cell *used = gif->cells, *all = gif->cells + CELL_COUNT;
    memset(all, 0, sizeof(Cell) * CELL_COUNT);
    size_t count = (size_t)gif->width * (size_t)gif->height;
    for (size_t i = 0; i < count; ++i)
    {
        const uint8_t* pixel = pixels + 4 * i;
        if (isFirst || memcmp(pixel, gif->last + 4 * i, 3) != 0)
        {
            Cell* cell = &all[pixel[0] >> 3 | pixel[1] >> 3 << 5 | pixel[2] >> 3 << 10];
            cell->count += 1;
            for (int k = 0; k < 3; ++k)
            {
                cell->sum[k] += pixel[k];
            }
        }
    }
    int usedCount = 0, boxCount = 1;
    for (int i = 0; i < CELL_COUNT; ++i)
    {
        if (all[i].count > 0)
        {
            used[usedCount] = all[i];
            used[usedCount++].key = (uint16_t)i;
        }
    }
    if (usedCount == 0)
    {
        return 0;
    }
    ColorBox boxes[PALETTE_SIZE] = {{.first = 0, .count = usedCount}};
    MeasureBox(used, &boxes[0]);
    while (boxCount < PALETTE_SIZE)
    {
        int widest = -1;
        double most = 0.0;
        for (int i = 0; i < boxCount; ++i)
        {
            double weight = (double)boxes[i].extent * boxes[i].extent * boxes[i].pixels;
            if (boxes[i].count > 1 && weight > most)
            {
                most = weight;
                widest = i;
            }
        }
        if (widest < 0)
        {
            break;
        }
        SplitBox(used, &boxes[widest], &boxes[boxCount++]);
    }
    for (int i = 0; i < boxCount; ++i)
    {
        uint64_t sum[3] = {0, 0, 0};
        for (int k = boxes[i].first; k < boxes[i].first + boxes[i].count; ++k)
        {
            gif->entries[used[k].key] = (uint8_t)i;
            for (int c = 0; c < 3; ++c)
            {
                sum[c] += used[k].sum[c];
            }
        }
        for (int c = 0; c < 3; ++c)
        {
            palette[i][c] = (uint8_t)(sum[c] / boxes[i].pixels);
        }
    }
    return boxCount;
}

// --- LZW --------------------------------------------------------------------------------------------------

typedef struct BlockWriter
{
    OutputFile* file;
    uint8_t block[256]; // its length, then bytes
    uint32_t bits;
    int bitCount;
    bool isFine;
} BlockWriter;

static void FlushBlock(BlockWriter* writer)
{
    if (writer->block[0] > 0)
    {
        writer->isFine = writer->isFine &&
                         WriteOutput(writer->file, (const char*)writer->block, (size_t)writer->block[0] + 1);
        writer->block[0] = 0;
    }
}

static void PutCode(BlockWriter* writer, unsigned code, int size)
{
    writer->bits |= code << writer->bitCount;
    writer->bitCount += size;
    while (writer->bitCount >= 8)
    {
        writer->block[++writer->block[0]] = (uint8_t)writer->bits;
        writer->bits >>= 8;
        writer->bitCount -= 8;
        if (writer->block[0] == 255)
        {
            FlushBlock(writer);
        }
    }
}

static bool WriteIndices(GifWriter* gif, size_t count)
{
    const unsigned clear = 256, end = 257;
    BlockWriter writer = {.file = gif->file, .isFine = WriteOutput(gif->file, "\x08", 1)};
    int size = 9;
    unsigned next = 258, code = gif->indices[0];
    memset(gif->codes, 0xFF, sizeof(int16_t) * 256 * LARGEST_CODE);
    PutCode(&writer, clear, size);
    for (size_t i = 1; i < count; ++i)
    {
        uint8_t byte = gif->indices[i];
        if (gif->codes[code][byte] >= 0)
        {
            code = (unsigned)gif->codes[code][byte];
            continue;
        }
        PutCode(&writer, code, size);
        if (next < LARGEST_CODE)
        {
            gif->codes[code][byte] = (int16_t)next;
            size += next == 1u << size ? 1 : 0;
            next += 1;
        }
        else
        {
            PutCode(&writer, clear, size);
            memset(gif->codes, 0xFF, sizeof(int16_t) * 256 * LARGEST_CODE);
            size = 9;
            next = 258;
        }
        code = byte;
    }
    PutCode(&writer, code, size);
    size += next == 1u << size && size < 12 ? 1 : 0;
    PutCode(&writer, end, size);
    PutCode(&writer, 0, 7); // the rest of the last byte
    FlushBlock(&writer);
    return writer.isFine && WriteOutput(gif->file, "\0", 1);
}

// --- the file ---------------------------------------------------------------------------------------------

static void Store16(uint8_t* to, int value)
{
    to[0] = (uint8_t)(value & 255);
    to[1] = (uint8_t)(value >> 8);
}

GifWriter* StartGif(OutputFile* file, int width, int height, double rate)
{
    if (width > 65535 || height > 65535)
    {
        return NULL;
    }
    size_t count = (size_t)width * (size_t)height;
    GifWriter* gif = AllocateZeroed(1, sizeof *gif);
    if (gif != NULL)
    {
        *gif = (GifWriter){.file = file, .width = width, .height = height, .rate = rate};
        gif->last = AllocateBytes(count * 4);
        gif->indices = AllocateBytes(count);
        gif->cells = AllocateBytes(sizeof(Cell) * 2 * CELL_COUNT);
        gif->entries = AllocateBytes(CELL_COUNT);
        gif->codes = AllocateBytes(sizeof(int16_t[256]) * LARGEST_CODE);
    }
    if (gif == NULL || gif->last == NULL || gif->indices == NULL || gif->cells == NULL ||
        gif->entries == NULL || gif->codes == NULL)
    {
        EndGif(gif);
        return NULL;
    }
    uint8_t head[13] = "GIF89a";
    Store16(head + 6, width);
    Store16(head + 8, height);
    head[10] = 0x70; // no global palette
    static const char repeat[] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0";
    gif->isFine = WriteOutput(file, (const char*)head, 13) && WriteOutput(file, repeat, 19);
    return gif;
}

bool AddGifFrame(GifWriter* gif, const uint8_t* pixels)
{
    uint8_t palette[PALETTE_SIZE + 1][3] = {{0}};
    size_t count = (size_t)gif->width * (size_t)gif->height;
    bool isFirst = gif->frameCount == 0;
    MakePalette(gif, pixels, isFirst, palette);
    for (size_t i = 0; i < count; ++i)
    {
        const uint8_t* pixel = pixels + 4 * i;
        bool isSame = !isFirst && memcmp(pixel, gif->last + 4 * i, 3) == 0;
        gif->indices[i] =
            isSame ? TRANSPARENT : gif->entries[pixel[0] >> 3 | pixel[1] >> 3 << 5 | pixel[2] >> 3 << 10];
    }
    memcpy(gif->last, pixels, count * 4);
    gif->frameCount += 1;
    // Delays are whole hundredths; their sum follows the rate.
    int until = (int)(gif->frameCount * 100.0 / gif->rate + 0.5);
    uint8_t control[8] = {0x21, 0xF9, 4, 1 << 2 | 1, 0, 0, TRANSPARENT, 0};
    Store16(control + 4, until - gif->writtenTime);
    gif->writtenTime = until;
    uint8_t image[10] = {0x2C};
    Store16(image + 5, gif->width);
    Store16(image + 7, gif->height);
    image[9] = 0x87; // a local palette of 256 colours
    gif->isFine = gif->isFine && WriteOutput(gif->file, (const char*)control, 8) &&
                  WriteOutput(gif->file, (const char*)image, 10) &&
                  WriteOutput(gif->file, (const char*)palette, sizeof palette) && WriteIndices(gif, count);
    return gif->isFine;
}

bool EndGif(GifWriter* gif)
{
    if (gif == NULL)
    {
        return false;
    }
    bool isFine = gif->isFine && WriteOutput(gif->file, ";", 1);
    free(gif->last);
    free(gif->indices);
    free(gif->cells);
    free(gif->entries);
    free((void*)gif->codes);
    free(gif);
    return isFine;
}
