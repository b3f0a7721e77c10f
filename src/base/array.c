// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Growth of the typed array: by at least half of the capacity, up to INT_MAX elements.
#include "array.h"

#include <limits.h>
#include <string.h>

bool tdArray_Grow(const tdAllocator* allocator, void** data, int* capacity, int count, int wanted,
                  size_t elementSize, size_t alignment)
{
    if (wanted < 0)
    {
        return false; // count + 1 overflowed
    }
    int larger = *capacity > INT_MAX / 2 ? INT_MAX : *capacity + *capacity / 2 + 8;
    int newCapacity = larger > wanted ? larger : wanted;
    size_t size;
    if (!tdMultiplySizes((size_t)newCapacity, elementSize, &size))
    {
        return false;
    }
    void* memory = tdAllocate(allocator, size, alignment);
    if (memory == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(memory, *data, (size_t)count * elementSize);
    }
    tdRelease(allocator, *data, (size_t)*capacity * elementSize);
    *data = memory;
    *capacity = newCapacity;
    return true;
}
