// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of a step that only grows.
#include "physics/data/scratch.h"

#include "physics/data/world_data.h"

#include <string.h>

bool tdWorld_GrowScratch(tdWorld* world, void** memory, int* capacity, int count, int wanted,
                         size_t elementSize)
{
    if (wanted <= *capacity)
    {
        return true;
    }
    int larger = tdMaxInt(wanted, *capacity + *capacity / 2);
    size_t bytes;
    if (!tdMultiplySizes((size_t)larger, elementSize, &bytes))
    {
        return false;
    }
    void* grown = tdAllocate(&world->allocator, bytes, 64);
    if (grown == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(grown, *memory, (size_t)count * elementSize);
    }
    tdRelease(&world->allocator, *memory, (size_t)*capacity * elementSize);
    *memory = grown;
    *capacity = larger;
    return true;
}
