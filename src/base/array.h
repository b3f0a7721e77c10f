// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The typed array. `tdArray(int) numbers = {0};` is an empty one. Its owner passes the allocator to every
// call that can allocate or release:
//
//     if (!tdArray_Push(&allocator, &numbers, 7)) // false: out of memory, the array is unchanged
//     {
//         return false;
//     }
//     tdArray_Free(&allocator, &numbers);
#pragma once

#include "assert.h"
#include "memory.h"

#define tdArray(T)                                                                                           \
    struct                                                                                                   \
    {                                                                                                        \
        T* data;                                                                                             \
        int count, capacity;                                                                                 \
    }

/// Makes room for at least `wanted` elements in total. False: out of memory, the array is unchanged.
#define tdArray_Reserve(allocator, array, wanted)                                                            \
    ((wanted) <= (array)->capacity ||                                                                        \
     tdArray_Grow((allocator), (void**)&(array)->data, &(array)->capacity, (array)->count, (wanted),         \
                  sizeof(*(array)->data), _Alignof(max_align_t)))

/// Appends an element. False: out of memory, the array is unchanged.
#define tdArray_Push(allocator, array, ...)                                                                  \
    (tdArray_Reserve((allocator), (array), (array)->count + 1)                                               \
         ? ((array)->data[(array)->count++] = (__VA_ARGS__), true)                                           \
         : false)

/// Appends `added` elements, not cleared, and gives the first of them. NULL: out of memory.
#define tdArray_Add(allocator, array, added)                                                                 \
    (tdArray_Reserve((allocator), (array), (array)->count + (added))                                         \
         ? ((array)->count += (added), (array)->data + (array)->count - (added))                             \
         : NULL)

/// The element at `index`, as an lvalue. Checked builds assert that it exists.
#define tdArray_Get(array, index)                                                                            \
    (*(TD_ASSERT((index) >= 0 && (index) < (array)->count), &(array)->data[index]))

/// Removes an element; the last element takes its place, so the order changes.
#define tdArray_RemoveSwap(array, index)                                                                     \
    (TD_ASSERT((index) >= 0 && (index) < (array)->count),                                                    \
     (void)((array)->data[index] = (array)->data[(array)->count - 1]), (void)((array)->count -= 1))

/// Releases the elements and leaves an empty array.
#define tdArray_Free(allocator, array)                                                                       \
    (tdRelease((allocator), (array)->data, (size_t)(array)->capacity * sizeof(*(array)->data)),              \
     (void)((array)->data = NULL), (void)((array)->count = (array)->capacity = 0))

/// Reallocates `*data` for at least `wanted` elements; tdArray_Reserve calls it.
/// @return false: out of memory, or `wanted` is negative because the caller's sum overflowed
bool tdArray_Grow(const tdAllocator* allocator, void** data, int* capacity, int count, int wanted,
                  size_t elementSize, size_t alignment);
