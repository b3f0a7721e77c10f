// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of the program: malloc with a record of refusals.
#include "memory.h"

#include "compiler.h"

#include <stdlib.h>
#include <string.h>

static atomic_bool hasFailed;

static void* Refuse(void)
{
    atomic_store(&hasFailed, true);
    return NULL;
}

static void* AllocateWatched(void* context, size_t size, size_t alignment)
{
    (void)context;
    // Not every system has an aligned malloc: the pointer of malloc is kept in front of the block.
    size_t extra = alignment + sizeof(char*);
    char* raw = size <= SIZE_MAX - extra ? malloc(size + extra) : NULL;
    if (raw == NULL)
    {
        return Refuse();
    }
    char* memory = raw + extra - ((uintptr_t)raw + extra) % alignment;
    memcpy(memory - sizeof(char*), &raw, sizeof raw);
    return memory;
}

static void ReleaseWatched(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    char* raw;
    memcpy(&raw, (char*)memory - sizeof(char*), sizeof raw);
    free(raw);
}

const tdAllocator* GetMemory(void)
{
    static const tdAllocator allocator = {AllocateWatched, ReleaseWatched, NULL};
    return &allocator;
}

bool HasMemoryFailed(void)
{
    return atomic_load(&hasFailed);
}

void ForgetMemoryFailure(void)
{
    atomic_store(&hasFailed, false);
}

void NoteMemoryFailure(void)
{
    Refuse();
}

void* AllocateBytes(size_t size)
{
    void* memory = malloc(size);
    return memory != NULL ? memory : Refuse();
}

void* AllocateZeroed(size_t count, size_t size)
{
    void* memory = calloc(count, size);
    return memory != NULL ? memory : Refuse();
}

void* ResizeBytes(void* memory, size_t size)
{
    void* resized = realloc(memory, size);
    return resized != NULL ? resized : Refuse();
}
