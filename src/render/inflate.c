// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Inflate. Short codes are looked up in a table, longer ones are compared length by length. The table is
// small, because a stream can begin a new code every few bits.
#include "inflate.h"

#include <string.h>

#define MAX_CODE_BITS 15
#define TABLE_BITS 9
#define LITERAL_COUNT 288
#define DISTANCE_COUNT 32

typedef struct BitStream
{
    const uint8_t* bytes;
    size_t size, next;
    uint64_t bits; // the next bit is the lowest
    int count;
    size_t overrun; // zero bytes that were added behind the end
} BitStream;

// A canonical code: codes of one length are consecutive, in the order of their symbols.
typedef struct CodeTable
{
    uint16_t entries[1 << TABLE_BITS];  // next bits to symbol * 16 + length; 0: no code, or a longer one
    uint16_t firsts[MAX_CODE_BITS + 1]; // first code of a length
    uint16_t counts[MAX_CODE_BITS + 1]; // codes of a length
    uint16_t starts[MAX_CODE_BITS + 1]; // place of the first one in `symbols`
    uint16_t symbols[LITERAL_COUNT];    // by length, then by symbol
} CodeTable;

static void FillBits(BitStream* stream)
{
    while (stream->count <= 56)
    {
        bool isEnd = stream->next >= stream->size;
        stream->bits |= (uint64_t)(isEnd ? 0 : stream->bytes[stream->next]) << stream->count;
        stream->next += isEnd ? 0 : 1;
        stream->overrun += isEnd ? 1 : 0;
        stream->count += 8;
    }
}

static unsigned TakeBits(BitStream* stream, int count)
{
    FillBits(stream);
    unsigned bits = (unsigned)(stream->bits & ((UINT64_C(1) << count) - 1));
    stream->bits >>= count;
    stream->count -= count;
    return bits;
}

// Whether bits behind the end of the stream were used.
static bool IsBeyondEnd(const BitStream* stream)
{
    return stream->overrun * 8 > (size_t)stream->count;
}

// Builds a code from the lengths of its symbols. False when the lengths give more codes than there are.
static bool BuildCode(CodeTable* table, const uint8_t* lengths, int count)
{
    memset(table, 0, sizeof *table);
    for (int i = 0; i < count; ++i)
    {
        table->counts[lengths[i]] += 1;
    }
    table->counts[0] = 0;
    unsigned code = 0, start = 0;
    for (int length = 1; length <= MAX_CODE_BITS; ++length)
    {
        code = (code + table->counts[length - 1]) << 1;
        table->firsts[length] = (uint16_t)code;
        table->starts[length] = (uint16_t)start;
        start += table->counts[length];
        if (code + table->counts[length] > 1u << length)
        {
            return false;
        }
    }
    unsigned used[MAX_CODE_BITS + 1] = {0};
    for (int i = 0; i < count; ++i)
    {
        int length = lengths[i];
        if (length == 0)
        {
            continue;
        }
        unsigned rank = used[length]++, value = table->firsts[length] + rank;
        table->symbols[table->starts[length] + rank] = (uint16_t)i;
        unsigned reversed = 0; // codes start with their highest bit
        for (int bit = 0; bit < length; ++bit)
        {
            reversed |= (value >> bit & 1) << (length - 1 - bit);
        }
        for (unsigned window = reversed; length <= TABLE_BITS && window < 1u << TABLE_BITS;
             window += 1u << length)
        {
            table->entries[window] = (uint16_t)(i * 16 + length);
        }
    }
    return true;
}

// The next symbol; -1 when the bits are no code.
static int TakeSymbol(BitStream* stream, const CodeTable* table)
{
    FillBits(stream);
    unsigned entry = table->entries[stream->bits & ((1u << TABLE_BITS) - 1)];
    if (entry != 0)
    {
        stream->bits >>= entry & 15;
        stream->count -= (int)(entry & 15);
        return (int)(entry >> 4);
    }
    unsigned code = 0;
    for (int length = 1; length <= MAX_CODE_BITS; ++length)
    {
        code = code << 1 | (unsigned)(stream->bits & 1);
        stream->bits >>= 1;
        stream->count -= 1;
        unsigned rank = code - table->firsts[length];
        if (code >= table->firsts[length] && rank < table->counts[length])
        {
            return table->symbols[table->starts[length] + rank];
        }
    }
    return -1;
}

static bool ReadCodes(BitStream* stream, CodeTable* literals, CodeTable* distances)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int literalCount = (int)TakeBits(stream, 5) + 257;
    int distanceCount = (int)TakeBits(stream, 5) + 1;
    int orderCount = (int)TakeBits(stream, 4) + 4;
    uint8_t lengths[LITERAL_COUNT + DISTANCE_COUNT] = {0};
    for (int i = 0; i < orderCount; ++i)
    {
        lengths[order[i]] = (uint8_t)TakeBits(stream, 3);
    }
    if (literalCount > 286 || !BuildCode(literals, lengths, 19))
    {
        return false;
    }
    memset(lengths, 0, sizeof lengths);
    for (int i = 0; i < literalCount + distanceCount;)
    {
        int symbol = TakeSymbol(stream, literals), repeat = 1, length = symbol;
        if (symbol < 0 || (symbol == 16 && i == 0))
        {
            return false;
        }
        if (symbol >= 16)
        {
            length = symbol == 16 ? lengths[i - 1] : 0;
            repeat = symbol == 16   ? 3 + (int)TakeBits(stream, 2)
                     : symbol == 17 ? 3 + (int)TakeBits(stream, 3)
                                    : 11 + (int)TakeBits(stream, 7);
        }
        if (i + repeat > literalCount + distanceCount)
        {
            return false;
        }
        memset(lengths + i, length, (size_t)repeat);
        i += repeat;
    }
    return BuildCode(literals, lengths, literalCount) &&
           BuildCode(distances, lengths + literalCount, distanceCount);
}

typedef struct Inflater
{
    BitStream stream;
    uint8_t* out;
    size_t size, used;
    CodeTable literals, distances;
    CodeTable fixedLiterals, fixedDistances; // of blocks without codes of their own; made by the first one
    bool hasFixedCodes;
} Inflater;

static bool CopyStored(Inflater* inflater)
{
    BitStream* stream = &inflater->stream;
    TakeBits(stream, stream->count % 8);
    unsigned length = TakeBits(stream, 16), inverse = TakeBits(stream, 16);
    if ((length ^ inverse) != 0xFFFFu || length > inflater->size - inflater->used)
    {
        return false;
    }
    for (unsigned i = 0; i < length; ++i)
    {
        inflater->out[inflater->used++] = (uint8_t)TakeBits(stream, 8);
    }
    return !IsBeyondEnd(stream);
}

static bool DecodeBlock(Inflater* inflater, const CodeTable* literals, const CodeTable* distances)
{
    static const uint16_t lengthBases[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                             31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t lengthBits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    BitStream* stream = &inflater->stream;
    for (;;)
    {
        int symbol = TakeSymbol(stream, literals);
        if (symbol < 0 || symbol > 285 || IsBeyondEnd(stream))
        {
            return false;
        }
        if (symbol == 256)
        {
            return true;
        }
        if (symbol < 256)
        {
            if (inflater->used >= inflater->size)
            {
                return false;
            }
            inflater->out[inflater->used++] = (uint8_t)symbol;
            continue;
        }
        size_t length = lengthBases[symbol - 257] + TakeBits(stream, lengthBits[symbol - 257]);
        int code = TakeSymbol(stream, distances);
        if (code < 0 || code > 29)
        {
            return false;
        }
        int extra = code < 4 ? 0 : code / 2 - 1;
        size_t base = code < 4 ? (size_t)code + 1 : ((size_t)(2 + code % 2) << extra) + 1;
        size_t distance = base + TakeBits(stream, extra);
        if (distance > inflater->used || length > inflater->size - inflater->used)
        {
            return false;
        }
        for (size_t i = 0; i < length; ++i, ++inflater->used) // source and target may overlap
        {
            inflater->out[inflater->used] = inflater->out[inflater->used - distance];
        }
    }
}

// Blocks with the codes that the format fixes.
static bool DecodeFixedBlock(Inflater* inflater)
{
    if (!inflater->hasFixedCodes)
    {
        uint8_t lengths[LITERAL_COUNT], same[DISTANCE_COUNT];
        for (int i = 0; i < LITERAL_COUNT; ++i)
        {
            lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        }
        memset(same, 5, sizeof same);
        inflater->hasFixedCodes = BuildCode(&inflater->fixedLiterals, lengths, LITERAL_COUNT) &&
                                  BuildCode(&inflater->fixedDistances, same, DISTANCE_COUNT);
    }
    return DecodeBlock(inflater, &inflater->fixedLiterals, &inflater->fixedDistances);
}

static bool DecodeOwnBlock(Inflater* inflater)
{
    return ReadCodes(&inflater->stream, &inflater->literals, &inflater->distances) &&
           DecodeBlock(inflater, &inflater->literals, &inflater->distances);
}

bool tdInflate(const uint8_t* in, size_t inSize, uint8_t* out, size_t outSize)
{
    if (inSize < 2 || (in[0] & 15) != 8 || (in[0] * 256 + in[1]) % 31 != 0 || (in[1] & 32) != 0)
    {
        return false;
    }
    Inflater inflater = {.stream = {.bytes = in, .size = inSize, .next = 2}, .out = out, .size = outSize};
    for (bool isLast = false; !isLast;)
    {
        isLast = TakeBits(&inflater.stream, 1) != 0;
        unsigned kind = TakeBits(&inflater.stream, 2);
        bool isFine = kind == 0   ? CopyStored(&inflater)
                      : kind == 1 ? DecodeFixedBlock(&inflater)
                      : kind == 2 ? DecodeOwnBlock(&inflater)
                                  : false;
        if (!isFine)
        {
            return false;
        }
    }
    return inflater.used == outSize;
}
