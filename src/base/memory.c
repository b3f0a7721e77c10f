// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The default allocator (malloc), and an allocator for tests that fails on demand.
#include "memory.h"

#include "assert.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

static void* DefaultAllocate(void* context, size_t size, size_t alignment)
{
    (void)context;
    return tdPlatform_Allocate(size, alignment);
}

static void DefaultRelease(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    tdPlatform_Free(memory);
}

tdAllocator tdAllocator_Resolve(const tdAllocator* allocator)
{
    if (allocator != NULL && allocator->allocate != NULL)
    {
        return *allocator;
    }
    return (tdAllocator){DefaultAllocate, DefaultRelease, NULL};
}

void* tdAllocate(const tdAllocator* allocator, size_t size, size_t alignment)
{
    TD_ASSERT(alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= TD_MAX_ALIGNMENT);
    return allocator->allocate(allocator->context, size != 0 ? size : 1, alignment);
}

void* tdAllocateZeroed(const tdAllocator* allocator, size_t size, size_t alignment)
{
    void* memory = tdAllocate(allocator, size, alignment);
    if (memory != NULL)
    {
        memset(memory, 0, size);
    }
    return memory;
}

void tdRelease(const tdAllocator* allocator, void* memory, size_t size)
{
    if (memory != NULL)
    {
        allocator->release(allocator->context, memory, size != 0 ? size : 1);
    }
}

bool tdMultiplySizes(size_t a, size_t b, size_t* product)
{
    if (b != 0 && a > SIZE_MAX / b)
    {
        return false;
    }
    *product = a * b;
    return true;
}

static void* FailingAllocate(void* context, size_t size, size_t alignment)
{
    tdFailingAllocator* state = context;
    int64_t number = state->count++;
    if (state->failAt >= 0 && (state->failsOnce ? number == state->failAt : number >= state->failAt))
    {
        return NULL;
    }
    void* memory = DefaultAllocate(NULL, size, alignment);
    if (memory != NULL)
    {
        state->liveBlocks += 1;
        state->liveBytes += size;
        state->peakBytes = state->liveBytes > state->peakBytes ? state->liveBytes : state->peakBytes;
    }
    return memory;
}

static void FailingRelease(void* context, void* memory, size_t size)
{
    tdFailingAllocator* state = context;
    state->liveBlocks -= 1;
    state->liveBytes -= size;
    free(memory);
}

tdAllocator tdFailingAllocator_Make(tdFailingAllocator* state, int64_t failAt)
{
    *state = (tdFailingAllocator){.failAt = failAt};
    return (tdAllocator){FailingAllocate, FailingRelease, state};
}
