// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A stream over the bytes of a saved state. The same code counts, writes and reads a state, so the three
// modes always agree. A state contains no pointers; the length of an array precedes its elements.
#pragma once

#include "base/array.h"

typedef enum tdStateMode
{
    TD_STATE_COUNT,
    TD_STATE_WRITE,
    TD_STATE_READ,
} tdStateMode;

/// Kinds of records that packing knows more about (physics/world/state_pack.c).
typedef enum tdSectionKind
{
    TD_SECTION_PLAIN,
    TD_SECTION_SIMS, // tdBodySim
} tdSectionKind;

/// An array in a block.
typedef struct tdStateSection
{
    uint32_t at; // bytes from the start of the world's block
    uint32_t stride, count;
    uint32_t kind; // tdSectionKind
} tdStateSection;

#define TD_MAX_SECTIONS 24

/// The arrays of a block, in ascending order. All blocks of a version have the same ones.
typedef struct tdStateSections
{
    tdStateSection items[TD_MAX_SECTIONS];
    uint32_t count, unused;
} tdStateSections;

typedef struct tdStateStream
{
    tdStateMode mode;
    uint8_t* bytes; // read-only in TD_STATE_READ
    size_t at, size;
    bool failed;  // the bytes end too early or do not fit, a value is out of range, or memory ran out
    bool isCheck; // of TD_STATE_READ: values are validated and not stored
    tdStateSections* sections; // of TD_STATE_WRITE: receives the arrays; NULL: nothing does
} tdStateStream;

/// True if the stream reads and stores.
static inline bool tdState_Stores(const tdStateStream* stream)
{
    return stream->mode == TD_STATE_READ && !stream->isCheck && !stream->failed;
}

/// Count, write or read plain data of a fixed size.
void tdState_Bytes(tdStateStream* stream, void* data, size_t size);
/// Count, write or read an array whose length is known.
void tdState_Records(tdStateStream* stream, void* data, size_t count, size_t stride, tdSectionKind kind);
/// Notes that an array follows, whose records are streamed one by one.
void tdState_NoteSection(tdStateStream* stream, size_t count, size_t stride, tdSectionKind kind);
/// Count, write or read a bool, as a byte that is 0 or 1.
void tdState_Bool(tdStateStream* stream, bool* value);
/// Count, write or read a number between two bounds, both included.
void tdState_Int(tdStateStream* stream, int* value, int least, int most);
/// Count, write or read the length of a list, which steers the stream: a check reads it, too.
/// @param count of the list that is written
/// @return the length, at most `most`; 0 if the stream fails
int tdState_Count(tdStateStream* stream, int count, int most);
/// Count, write or read the length and the elements of a tdArray. Reading grows the array.
void tdState_ArrayBytes(tdStateStream* stream, const tdAllocator* allocator, void** data, int* count,
                        int* capacity, size_t elementSize);

#define tdState_Value(stream, value) tdState_Bytes((stream), (value), sizeof(*(value)))
#define tdState_Array(stream, allocator, array)                                                              \
    tdState_ArrayBytes((stream), (allocator), (void**)&(array)->data, &(array)->count, &(array)->capacity,   \
                       sizeof(*(array)->data))
