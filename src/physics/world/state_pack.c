// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Packs blocks of saved states without loss (docs/decisions/172). A block is cut into its arrays and the gaps
// between them. Every column of an array, of four bytes each, is predicted: by zero, by the record before, or
// by the same record of an earlier block. Of the differences only the bytes that are not zero are written.
//
//     packed:  PackHead, the sections, then every gap and array in their order
//     column:  a byte (predictor, lengths), then groups of four differences: a byte with two bits for the
//              length of each, then their bytes. A group of zeros is followed by the number of such groups
#include "physics/world/state_pack.h"

#include "base/hash.h"
#include "physics/data/world_data.h"

#include <stddef.h>
#include <string.h>

#define PACK_MAGIC UINT32_C(0x5464506b) // "TdPk"
#define PACK_VERSION 1
/// Greatest record of an array, bytes: larger ones have no columns worth predicting.
#define MAX_STRIDE 4096

typedef struct PackHead
{
    uint32_t magic, version;
    uint64_t size;     // of the block
    uint64_t baseHash; // of the earlier block; 0: none
    uint32_t sectionCount, unused;
} PackHead;

enum // predictors
{
    PREDICT_ZERO,
    PREDICT_LAST, // record
    PREDICT_BASE, // same record of the earlier block; the last record where that has none
    PREDICTOR_COUNT,
    ALL_ZERO = 3 << 2, // in the place of the lengths: there are no differences
};

/// Numbers of bytes that two bits stand for, of which a column chooses one row.
static const uint8_t byteCounts[3][4] = {{0, 1, 2, 4}, {0, 2, 3, 4}, {0, 1, 3, 4}};

/// An array or a gap: `count` records of `columns` words, then `tail` bytes.
typedef struct Piece
{
    const uint8_t* bytes;
    size_t count;
    int columns, tail;
    uint32_t kind; // tdSectionKind
} Piece;

/// The pieces of a block: gap 0, array 0, gap 1, array 1, ..., last gap.
typedef struct Layout
{
    const uint8_t* bytes;
    size_t size, worldAt;
    tdStateSections sections;
} Layout;

// Words of a tdBodySim.
#define WORD(member) ((int)(offsetof(tdBodySim, member) / 4))

static uint32_t ReadBlockWord(const uint8_t* bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

/// Predicts words of a tdBodySim from its other members, as bits. Zero where nothing predicts them.
static void PredictSim(const uint8_t* bytes, uint32_t words[sizeof(tdBodySim) / 4])
{
    tdBodySim sim;
    memcpy(&sim, bytes, sizeof(sim));
    memset(words, 0, sizeof(tdBodySim));
    tdVec3 position = tdSub(sim.center, tdRotate(sim.transform.rotation, sim.localCenter));
    tdSym3 inertia = tdComputeWorldInvInertia(&sim);
    memcpy(words + WORD(transform.position), &position, sizeof(position));
    memcpy(words + WORD(invInertia), &inertia, sizeof(inertia));
    memcpy(words + WORD(startCenter), &sim.center, sizeof(sim.center));
    memcpy(words + WORD(startRotation), &sim.transform.rotation, sizeof(tdQuat));
}

static bool IsSimColumnPredicted(int column)
{
    return column < 3 || (column >= WORD(invInertia) && column < WORD(localCenter)) ||
           (column >= WORD(startCenter) && column < WORD(boxRoom));
}

/// A word of a record. Members of a tdBodySim that others determine are given as differences from that.
static uint32_t GetPieceWord(const Piece* piece, size_t record, int column)
{
    const uint8_t* bytes = piece->bytes + record * 4 * (size_t)piece->columns;
    uint32_t word = ReadBlockWord(bytes + 4 * (size_t)column);
    if (piece->kind == TD_SECTION_SIMS && IsSimColumnPredicted(column))
    {
        uint32_t predicted[sizeof(tdBodySim) / 4];
        PredictSim(bytes, predicted);
        word -= predicted[column];
    }
    return word;
}

/// Reads where the arrays of a block are. Arrays that cannot be where it says are not taken for such.
static Layout FindLayout(const void* block, size_t size)
{
    Layout layout = {.bytes = block, .size = size};
    tdBlockHead head;
    if (size < sizeof(head))
    {
        return layout;
    }
    memcpy(&head, block, sizeof(head));
    if (head.sectionsAt > size || size - head.sectionsAt < sizeof(tdStateSections))
    {
        return layout;
    }
    memcpy(&layout.sections, layout.bytes + head.sectionsAt, sizeof(tdStateSections));
    layout.worldAt = head.sectionsAt >= TD_SECTIONS_OFFSET ? (size_t)head.sectionsAt - TD_SECTIONS_OFFSET : 0;
    return layout;
}

/// Whether arrays are in ascending order inside a block.
static bool AreSectionsValid(const Layout* layout)
{
    uint64_t end = 0;
    bool isValid = layout->sections.count <= TD_MAX_SECTIONS;
    for (uint32_t i = 0; isValid && i < layout->sections.count; ++i)
    {
        const tdStateSection* item = &layout->sections.items[i];
        uint64_t start = (uint64_t)layout->worldAt + item->at, bytes = (uint64_t)item->stride * item->count;
        isValid = item->stride > 0 && item->stride % 4 == 0 && item->stride <= MAX_STRIDE && start >= end &&
                  start <= layout->size && bytes <= layout->size - start &&
                  (item->kind == TD_SECTION_PLAIN ||
                   (item->kind == TD_SECTION_SIMS && item->stride == sizeof(tdBodySim)));
        end = start + bytes;
    }
    return isValid;
}

static Piece GetPiece(const Layout* layout, int index)
{
    int section = index / 2;
    const tdStateSection* items = layout->sections.items;
    if (index % 2 == 1)
    {
        const tdStateSection* item = &items[section];
        return (Piece){layout->bytes + layout->worldAt + item->at, item->count, (int)(item->stride / 4), 0,
                       item->kind};
    }
    size_t start = 0, end = layout->size;
    if (section > 0)
    {
        const tdStateSection* before = &items[section - 1];
        start = layout->worldAt + before->at + (size_t)before->stride * before->count;
    }
    if (section < (int)layout->sections.count)
    {
        end = layout->worldAt + items[section].at;
    }
    return (Piece){layout->bytes + start, (end - start) / 4, 1, (int)((end - start) % 4), TD_SECTION_PLAIN};
}

static uint32_t Predict(const Piece* piece, const Piece* base, int predictor, size_t record, int column)
{
    if (predictor == PREDICT_BASE && record < base->count)
    {
        return GetPieceWord(base, record, column);
    }
    return predictor != PREDICT_ZERO && record > 0 ? GetPieceWord(piece, record - 1, column) : 0;
}

// Small differences of either sign become small numbers.
static uint32_t FoldDifference(uint32_t difference)
{
    return difference << 1 ^ (difference >> 31 != 0 ? UINT32_MAX : 0);
}

static uint32_t UnfoldDifference(uint32_t number)
{
    return number >> 1 ^ ((number & 1) != 0 ? UINT32_MAX : 0);
}

static int CountBytes(uint32_t number)
{
    return (number > 0) + (number > 0xff) + (number > 0xffff) + (number > 0xffffff);
}

/// Code of the shortest length in a row that holds so many bytes.
static int GetLengthCode(int row, int bytes)
{
    int code = 0;
    while (byteCounts[row][code] < bytes)
    {
        ++code;
    }
    return code;
}

// Packing

typedef struct Packer
{
    uint8_t* bytes; // NULL: only counts
    size_t at, capacity;
} Packer;

static void PutBytes(Packer* packer, const void* data, size_t size)
{
    if (packer->bytes != NULL && size <= packer->capacity && packer->at <= packer->capacity - size)
    {
        memcpy(packer->bytes + packer->at, data, size);
    }
    packer->at += size;
}

/// Chooses predictor and lengths of a column: those with the fewest bytes.
static int ChooseCoding(const Piece* piece, const Piece* base, int column)
{
    int best = ALL_ZERO;
    uint64_t least = UINT64_MAX;
    for (int predictor = 0; predictor < (base != NULL ? PREDICTOR_COUNT : PREDICT_BASE); ++predictor)
    {
        uint64_t counts[5] = {0};
        for (size_t i = 0; i < piece->count; ++i)
        {
            uint32_t word = GetPieceWord(piece, i, column) - Predict(piece, base, predictor, i, column);
            counts[CountBytes(FoldDifference(word))] += 1;
        }
        for (int row = 0; row < 3; ++row)
        {
            uint64_t total = 0;
            for (int bytes = 1; bytes < 5; ++bytes)
            {
                total += counts[bytes] * byteCounts[row][GetLengthCode(row, bytes)];
            }
            if (total < least)
            {
                least = total;
                best = predictor | (total > 0 ? row << 2 : ALL_ZERO);
            }
        }
    }
    return best;
}

static void PackColumn(Packer* packer, const Piece* piece, const Piece* base, int column)
{
    uint8_t coding = (uint8_t)ChooseCoding(piece, base, column);
    PutBytes(packer, &coding, 1);
    if ((coding & ALL_ZERO) == ALL_ZERO)
    {
        return;
    }
    int predictor = coding & 3, row = coding >> 2;
    int zeros = -1; // groups of zeros after the first of a run; -1: no run
    for (size_t first = 0; first < piece->count; first += 4)
    {
        uint8_t group[17] = {0};
        int length = 1;
        for (size_t i = first; i < first + 4 && i < piece->count; ++i)
        {
            uint32_t word = GetPieceWord(piece, i, column) - Predict(piece, base, predictor, i, column);
            uint32_t number = FoldDifference(word);
            int code = GetLengthCode(row, CountBytes(number));
            group[0] |= (uint8_t)(code << (2 * (i - first)));
            memcpy(group + length, &number, byteCounts[row][code]);
            length += byteCounts[row][code];
        }
        if (zeros >= 0 && (group[0] != 0 || zeros == 255))
        {
            uint8_t run = (uint8_t)zeros;
            PutBytes(packer, &run, 1);
            zeros = -1;
        }
        if (group[0] == 0 && zeros >= 0)
        {
            zeros += 1;
            continue;
        }
        PutBytes(packer, group, (size_t)length);
        zeros = group[0] == 0 ? 0 : -1;
    }
    if (zeros >= 0)
    {
        uint8_t run = (uint8_t)zeros;
        PutBytes(packer, &run, 1);
    }
}

size_t tdPackState(const void* block, size_t size, const void* base, size_t baseSize, void* packed,
                   size_t capacity)
{
    if (block == NULL || size == 0)
    {
        return 0;
    }
    Layout layout = FindLayout(block, size), former = {0};
    layout.sections.count = AreSectionsValid(&layout) ? layout.sections.count : 0;
    if (base != NULL)
    {
        former = FindLayout(base, baseSize);
        former.sections.count = AreSectionsValid(&former) ? former.sections.count : 0;
    }
    bool hasBase = base != NULL && former.sections.count == layout.sections.count;
    PackHead head = {PACK_MAGIC,
                     PACK_VERSION,
                     size,
                     hasBase ? tdHash(TD_HASH_INIT, base, baseSize) | 1 : 0,
                     layout.sections.count,
                     0};
    Packer packer = {packed, 0, packed != NULL ? capacity : 0};
    PutBytes(&packer, &head, sizeof(head));
    for (uint32_t i = 0; i < head.sectionCount; ++i)
    {
        tdStateSection item = layout.sections.items[i];
        item.at += (uint32_t)layout.worldAt;
        PutBytes(&packer, &item, sizeof(item));
    }
    for (int i = 0; i < 2 * (int)head.sectionCount + 1; ++i)
    {
        Piece piece = GetPiece(&layout, i), old = {0};
        if (hasBase)
        {
            old = GetPiece(&former, i);
        }
        bool isSame = old.columns == piece.columns;
        for (int column = 0; column < piece.columns; ++column)
        {
            PackColumn(&packer, &piece, isSame ? &old : NULL, column);
        }
        PutBytes(&packer, piece.bytes + 4 * piece.count * (size_t)piece.columns, (size_t)piece.tail);
    }
    return packer.at;
}

// Unpacking. The packed bytes are untrusted.

typedef struct Unpacker
{
    const uint8_t *at, *end;
    bool failed;
} Unpacker;

static void TakeBytes(Unpacker* unpacker, void* data, size_t size)
{
    unpacker->failed = unpacker->failed || (size_t)(unpacker->end - unpacker->at) < size;
    if (unpacker->failed)
    {
        memset(data, 0, size);
        return;
    }
    memcpy(data, unpacker->at, size);
    unpacker->at += size;
}

/// Reads a column into `bytes`, the memory of the piece.
static void UnpackColumn(Unpacker* unpacker, const Piece* piece, uint8_t* bytes, const Piece* base,
                         int column)
{
    uint8_t coding = 0;
    TakeBytes(unpacker, &coding, 1);
    int predictor = coding & 3, row = coding >> 2;
    bool isZero = (coding & ALL_ZERO) == ALL_ZERO;
    unpacker->failed = unpacker->failed || coding >= 16 || predictor >= PREDICTOR_COUNT ||
                       (predictor == PREDICT_BASE && base == NULL);
    // The words that are there already are differences from what the other members say, as this one is.
    Piece written = *piece;
    written.kind = TD_SECTION_PLAIN;
    uint32_t zeros = 0; // groups left of a run
    for (size_t first = 0; first < piece->count && !unpacker->failed; first += 4)
    {
        uint8_t group = 0;
        if (zeros > 0)
        {
            zeros -= 1;
        }
        else if (!isZero)
        {
            TakeBytes(unpacker, &group, 1);
            uint8_t run = 0;
            TakeBytes(unpacker, &run, group == 0 ? 1 : 0);
            zeros = run;
        }
        for (size_t i = first; i < first + 4 && i < piece->count; ++i)
        {
            uint32_t number = 0;
            TakeBytes(unpacker, &number, isZero ? 0 : byteCounts[row][group >> (2 * (i - first)) & 3]);
            uint32_t word = UnfoldDifference(number) + Predict(&written, base, predictor, i, column);
            memcpy(bytes + 4 * (i * (size_t)piece->columns + (size_t)column), &word, sizeof(word));
        }
    }
}

static void UnpackPiece(Unpacker* unpacker, const Piece* piece, uint8_t* bytes, const Piece* base)
{
    for (int column = 0; column < piece->columns && !unpacker->failed; ++column)
    {
        UnpackColumn(unpacker, piece, bytes, base, column);
    }
    TakeBytes(unpacker, bytes + 4 * piece->count * (size_t)piece->columns, (size_t)piece->tail);
    for (size_t i = 0; piece->kind == TD_SECTION_SIMS && i < piece->count && !unpacker->failed; ++i)
    {
        uint32_t words[sizeof(tdBodySim) / 4], predicted[sizeof(tdBodySim) / 4];
        uint8_t* record = bytes + i * sizeof(tdBodySim);
        PredictSim(record, predicted);
        memcpy(words, record, sizeof(words));
        for (size_t k = 0; k < sizeof(words) / 4; ++k)
        {
            words[k] += predicted[k];
        }
        memcpy(record, words, sizeof(words));
    }
}

size_t tdUnpackState(const void* packed, size_t packedSize, const void* base, size_t baseSize, void* block,
                     size_t capacity)
{
    PackHead head;
    if (packed == NULL || packedSize < sizeof(head))
    {
        return 0;
    }
    Unpacker unpacker = {packed, (const uint8_t*)packed + packedSize, false};
    TakeBytes(&unpacker, &head, sizeof(head));
    bool hasBase = head.baseHash != 0;
    if (head.magic != PACK_MAGIC || head.version != PACK_VERSION || head.size == 0 ||
        head.size > SIZE_MAX / 2 || head.sectionCount > TD_MAX_SECTIONS ||
        (hasBase && (base == NULL || (tdHash(TD_HASH_INIT, base, baseSize) | 1) != head.baseHash)))
    {
        return 0;
    }
    Layout layout = {.bytes = block, .size = (size_t)head.size}, former = {0};
    layout.sections.count = head.sectionCount;
    TakeBytes(&unpacker, layout.sections.items, head.sectionCount * sizeof(tdStateSection));
    if (hasBase)
    {
        former = FindLayout(base, baseSize);
        former.sections.count = AreSectionsValid(&former) ? former.sections.count : 0;
    }
    if (unpacker.failed || !AreSectionsValid(&layout) ||
        (hasBase && former.sections.count != layout.sections.count))
    {
        return 0;
    }
    if (block == NULL || capacity < layout.size)
    {
        return layout.size;
    }
    for (int i = 0; i < 2 * (int)head.sectionCount + 1 && !unpacker.failed; ++i)
    {
        Piece piece = GetPiece(&layout, i), old = {0};
        if (hasBase)
        {
            old = GetPiece(&former, i);
        }
        uint8_t* bytes = (uint8_t*)block + (piece.bytes - layout.bytes);
        UnpackPiece(&unpacker, &piece, bytes, old.columns == piece.columns ? &old : NULL);
    }
    return unpacker.failed || unpacker.at != unpacker.end ? 0 : layout.size;
}
