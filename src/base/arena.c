// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The arena is a list of blocks. Each new block is twice as large as the last, up to MAX_BLOCK_SIZE, or as
// large as the allocation that needs it.
#include "arena.h"

#include "assert.h"

#include <string.h>

struct tdArenaBlock
{
    tdArenaBlock* next;
    size_t size; // of the payload
    size_t used;
};

// Bytes before the payload, rounded up so that the payload has the largest supported alignment.
#define HEADER_SIZE ((sizeof(tdArenaBlock) + TD_MAX_ALIGNMENT - 1) & ~(size_t)(TD_MAX_ALIGNMENT - 1))
#define DEFAULT_BLOCK_SIZE ((size_t)16 << 10) // bytes
#define MAX_BLOCK_SIZE ((size_t)4 << 20) // bytes; doubling stops here, so that little memory stays unused

static unsigned char* GetPayload(tdArenaBlock* block)
{
    return (unsigned char*)block + HEADER_SIZE;
}

void tdArena_Init(tdArena* arena, const tdAllocator* allocator, size_t firstBlockSize)
{
    *arena = (tdArena){
        .allocator = tdAllocator_Resolve(allocator),
        .blockSize = firstBlockSize != 0 ? firstBlockSize : DEFAULT_BLOCK_SIZE,
    };
}

void tdArena_Free(tdArena* arena)
{
    tdArenaBlock* block = arena->first;
    while (block != NULL)
    {
        tdArenaBlock* next = block->next;
        tdRelease(&arena->allocator, block, HEADER_SIZE + block->size);
        block = next;
    }
    arena->first = arena->current = NULL;
    arena->used = 0;
}

void tdArena_Reset(tdArena* arena)
{
    for (tdArenaBlock* block = arena->first; block != NULL; block = block->next)
    {
        block->used = 0;
    }
    arena->current = arena->first;
    arena->used = 0;
}

/// @return NULL when the block has too little room left
static void* AllocateFromBlock(tdArenaBlock* block, size_t size, size_t alignment)
{
    size_t start = (block->used + alignment - 1) & ~(alignment - 1);
    if (start > block->size || size > block->size - start)
    {
        return NULL;
    }
    block->used = start + size;
    return GetPayload(block) + start;
}

void* tdArena_Allocate(tdArena* arena, size_t size, size_t alignment)
{
    TD_ASSERT(alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= TD_MAX_ALIGNMENT);
    while (arena->current != NULL)
    {
        void* memory = AllocateFromBlock(arena->current, size, alignment);
        if (memory != NULL)
        {
            arena->used += size;
            return memory;
        }
        if (arena->current->next == NULL)
        {
            break;
        }
        arena->current = arena->current->next;
    }

    size_t payload = size > arena->blockSize ? size : arena->blockSize;
    if (payload > SIZE_MAX - HEADER_SIZE)
    {
        return NULL;
    }
    tdArenaBlock* block = tdAllocate(&arena->allocator, HEADER_SIZE + payload, TD_MAX_ALIGNMENT);
    if (block == NULL)
    {
        return NULL;
    }
    *block = (tdArenaBlock){.size = payload};
    if (arena->current != NULL)
    {
        arena->current->next = block;
    }
    else
    {
        arena->first = block;
    }
    arena->current = block;
    if (arena->blockSize < MAX_BLOCK_SIZE)
    {
        arena->blockSize *= 2;
    }
    arena->used += size;
    return AllocateFromBlock(block, size, alignment);
}

void* tdArena_AllocateArray(tdArena* arena, size_t count, size_t size, size_t alignment)
{
    size_t total;
    if (!tdMultiplySizes(count, size, &total))
    {
        return NULL;
    }
    void* memory = tdArena_Allocate(arena, total, alignment);
    if (memory != NULL)
    {
        memset(memory, 0, total);
    }
    return memory;
}

char* tdArena_CopyText(tdArena* arena, const char* text, size_t length)
{
    char* copy = tdArena_Allocate(arena, length + 1, 1);
    if (copy != NULL)
    {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}
