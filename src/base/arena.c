// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Blocks of growing size in a list; an allocation larger than a block gets one of its own.
#include "arena.h"

#include "assert.h"

#include <string.h>

struct tdArenaBlock
{
    tdArenaBlock* next;
    size_t size; // of the payload
    size_t used;
};

#define HEADER_SIZE ((sizeof(tdArenaBlock) + 63) & ~(size_t)63)
#define MAX_BLOCK_SIZE ((size_t)4 << 20)

static unsigned char* Payload(tdArenaBlock* block)
{
    return (unsigned char*)block + HEADER_SIZE;
}

void tdArena_Init(tdArena* arena, const tdAllocator* allocator, size_t firstBlockSize)
{
    *arena = (tdArena){
        .allocator = tdAllocator_Resolve(allocator),
        .blockSize = firstBlockSize != 0 ? firstBlockSize : (size_t)16 << 10,
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

static void* TakeFromBlock(tdArenaBlock* block, size_t size, size_t alignment)
{
    size_t start = (block->used + alignment - 1) & ~(alignment - 1);
    if (start > block->size || size > block->size - start)
    {
        return NULL;
    }
    block->used = start + size;
    return Payload(block) + start;
}

void* tdArena_Allocate(tdArena* arena, size_t size, size_t alignment)
{
    TD_ASSERT(alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= 64);
    while (arena->current != NULL)
    {
        void* memory = TakeFromBlock(arena->current, size, alignment);
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
    tdArenaBlock* block = tdAllocate(&arena->allocator, HEADER_SIZE + payload, 64);
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
    return TakeFromBlock(block, size, alignment);
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
