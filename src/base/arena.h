// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Arena allocator: many allocations, one release. Immutable objects (assets, clips) and scratch memory use
// it. An arena is not thread-safe.
#pragma once

#include "memory.h"

typedef struct tdArenaBlock tdArenaBlock;

typedef struct tdArena
{
    tdAllocator allocator;
    tdArenaBlock* first;   // all blocks, oldest first
    tdArenaBlock* current; // the block that serves the next allocation
    size_t blockSize;      // payload of the next block, bytes
    size_t used;           // bytes allocated since the last reset
} tdArena;

/// Makes an empty arena. It allocates its first block with the first allocation.
/// @param firstBlockSize bytes; 0: 16 KiB
void tdArena_Init(tdArena* arena, const tdAllocator* allocator, size_t firstBlockSize);
/// Releases all blocks. The arena stays usable.
void tdArena_Free(tdArena* arena);
/// Invalidates all allocations and keeps the blocks for reuse.
void tdArena_Reset(tdArena* arena);

/// Allocates `size` bytes, not cleared.
/// @param alignment a power of two, at most TD_MAX_ALIGNMENT
/// @return NULL when out of memory
void* tdArena_Allocate(tdArena* arena, size_t size, size_t alignment);
/// Allocates `count` elements of `size` bytes, cleared.
/// @return NULL when out of memory or when the product overflows
void* tdArena_AllocateArray(tdArena* arena, size_t count, size_t size, size_t alignment);
/// Copies `length` bytes and appends a zero byte.
/// @return NULL when out of memory
char* tdArena_CopyText(tdArena* arena, const char* text, size_t length);

#define tdArena_New(arena, T) ((T*)tdArena_AllocateArray((arena), 1, sizeof(T), _Alignof(T)))
#define tdArena_NewArray(arena, T, count)                                                                    \
    ((T*)tdArena_AllocateArray((arena), (size_t)(count), sizeof(T), _Alignof(T)))
