// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The typed array. `tdArray(int) numbers = {0};` is an empty one; it grows through an allocator that is
// passed in, so that its owner decides.
//
//     if (!tdArray_Push(&allocator, &numbers, 7)) { return false; }   // false: out of memory, array
//     unchanged for (int i = 0; i < numbers.count; ++i) { use(numbers.data[i]); } tdArray_Free(&allocator,
//     &numbers);
#pragma once

#include "assert.h"
#include "memory.h"

#define tdArray(T)                                                                                           \
    struct                                                                                                   \
    {                                                                                                        \
        T* data;                                                                                             \
        int count, capacity;                                                                                 \
    }

/// Room for at least `capacity` elements. False: out of memory, nothing changed.
#define tdArray_Reserve(allocator, array, wanted)                                                            \
    ((wanted) <= (array)->capacity ||                                                                        \
     tdArray_Grow((allocator), (void**)&(array)->data, &(array)->capacity, (array)->count, (wanted),         \
                  sizeof(*(array)->data), _Alignof(max_align_t)))

#define tdArray_Push(allocator, array, ...)                                                                  \
    (tdArray_Reserve((allocator), (array), (array)->count + 1)                                               \
         ? ((array)->data[(array)->count++] = (__VA_ARGS__), true)                                           \
         : false)

/// `count` elements more, not cleared. NULL: out of memory.
#define tdArray_Add(allocator, array, added)                                                                 \
    (tdArray_Reserve((allocator), (array), (array)->count + (added))                                         \
         ? ((array)->count += (added), (array)->data + (array)->count - (added))                             \
         : NULL)

#define tdArray_Get(array, index)                                                                            \
    (*(TD_ASSERT((index) >= 0 && (index) < (array)->count), &(array)->data[index]))

#define tdArray_RemoveSwap(array, index)                                                                     \
    (TD_ASSERT((index) >= 0 && (index) < (array)->count),                                                    \
     (void)((array)->data[index] = (array)->data[(array)->count - 1]), (void)((array)->count -= 1))

#define tdArray_Free(allocator, array)                                                                       \
    (tdRelease((allocator), (array)->data, (size_t)(array)->capacity * sizeof(*(array)->data)),              \
     (void)((array)->data = NULL), (void)((array)->count = (array)->capacity = 0))

bool tdArray_Grow(const tdAllocator* allocator, void** data, int* capacity, int count, int wanted,
                  size_t elementSize, size_t alignment);
