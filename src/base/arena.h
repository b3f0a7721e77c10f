// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// An arena: many allocations, one release. For immutable things (asset, clip) and for scratch memory that is
// reset again and again. Not thread-safe.
#pragma once

#include "memory.h"

typedef struct tdArenaBlock tdArenaBlock;

typedef struct tdArena
{
    tdAllocator allocator;
    tdArenaBlock* first;   // all blocks, oldest first
    tdArenaBlock* current; // the one being filled
    size_t blockSize;      // of the next block; grows
    size_t used;           // bytes handed out since the last reset
} tdArena;

/// @param firstBlockSize 0 for a default of 16 KiB
void tdArena_Init(tdArena* arena, const tdAllocator* allocator, size_t firstBlockSize);
void tdArena_Free(tdArena* arena);
/// Forget all allocations, keep the blocks.
void tdArena_Reset(tdArena* arena);

/// NULL when memory ran out. The memory is not cleared.
void* tdArena_Allocate(tdArena* arena, size_t size, size_t alignment);
/// `count` elements of `size` bytes, cleared; NULL also when the product overflows.
void* tdArena_AllocateArray(tdArena* arena, size_t count, size_t size, size_t alignment);
/// A copy that ends in a zero byte.
char* tdArena_CopyText(tdArena* arena, const char* text, size_t length);

#define tdArena_New(arena, T) ((T*)tdArena_AllocateArray((arena), 1, sizeof(T), _Alignof(T)))
#define tdArena_NewArray(arena, T, count)                                                                    \
    ((T*)tdArena_AllocateArray((arena), (size_t)(count), sizeof(T), _Alignof(T)))
