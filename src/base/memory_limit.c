// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// An allocator with an upper bound.
#include "memory_limit.h"

#include "compiler.h"

struct tdMemoryLimit
{
    tdAllocator inner;
    size_t maximum;
    atomic_size_t used;
    atomic_bool isReached;
};

static void* LimitedAllocate(void* context, size_t size, size_t alignment)
{
    tdMemoryLimit* limit = context;
    size_t before = atomic_fetch_add(&limit->used, size);
    if (size > limit->maximum || before > limit->maximum - size)
    {
        atomic_fetch_sub(&limit->used, size);
        atomic_store(&limit->isReached, true);
        return NULL;
    }
    void* memory = tdAllocate(&limit->inner, size, alignment);
    if (memory == NULL)
    {
        atomic_fetch_sub(&limit->used, size);
    }
    return memory;
}

static void LimitedRelease(void* context, void* memory, size_t size)
{
    tdMemoryLimit* limit = context;
    tdRelease(&limit->inner, memory, size);
    atomic_fetch_sub(&limit->used, size);
}

tdMemoryLimit* tdCreateMemoryLimit(const tdAllocator* inner, size_t maximum)
{
    tdMemoryLimit* limit = tdAllocateZeroed(inner, sizeof(tdMemoryLimit), _Alignof(tdMemoryLimit));
    if (limit != NULL)
    {
        limit->inner = *inner;
        limit->maximum = maximum;
        atomic_init(&limit->used, 0);
        atomic_init(&limit->isReached, false);
    }
    return limit;
}

void tdDestroyMemoryLimit(tdMemoryLimit* limit)
{
    if (limit != NULL)
    {
        tdAllocator inner = limit->inner;
        tdRelease(&inner, limit, sizeof(tdMemoryLimit));
    }
}

tdAllocator tdMemoryLimit_MakeAllocator(tdMemoryLimit* limit)
{
    return (tdAllocator){LimitedAllocate, LimitedRelease, limit};
}

bool tdMemoryLimit_IsReached(const tdMemoryLimit* limit)
{
    return atomic_load(&((tdMemoryLimit*)(uintptr_t)limit)->isReached);
}

size_t tdMemoryLimit_GetMaximum(const tdMemoryLimit* limit)
{
    return limit->maximum;
}
