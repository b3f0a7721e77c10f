// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A flat block of bytes that holds a world's state. One walk through the data serves to count, to write and
// to read, so that the three cannot disagree. No pointers go into the block; arrays are preceded by their
// length.
#pragma once

#include "base/array.h"

typedef enum tdStateMode
{
    TD_STATE_COUNT,
    TD_STATE_WRITE,
    TD_STATE_READ,
} tdStateMode;

typedef struct tdStateStream
{
    tdStateMode mode;
    uint8_t* bytes; // not written when reading
    size_t at, size;
    bool failed; // the block is too short, or memory ran out
} tdStateStream;

/// Plain data of a fixed size, in or out.
void tdState_Bytes(tdStateStream* stream, void* data, size_t size);
/// For tdArray: count and elements. Reading grows the array where needed.
void tdState_ArrayBytes(tdStateStream* stream, const tdAllocator* allocator, void** data, int* count,
                        int* capacity, size_t elementSize);

#define tdState_Value(stream, value) tdState_Bytes((stream), (value), sizeof(*(value)))
#define tdState_Array(stream, allocator, array)                                                              \
    tdState_ArrayBytes((stream), (allocator), (void**)&(array)->data, &(array)->count, &(array)->capacity,   \
                       sizeof(*(array)->data))
