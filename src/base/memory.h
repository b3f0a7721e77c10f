// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Allocation through a tdAllocator. Every owner keeps a copy of its allocator. A failed allocation returns
// NULL and leaves the caller's data unchanged.
#pragma once

#include "tendon/base.h"

/// Largest alignment that an allocation may ask for, in bytes: a cache line.
#define TD_MAX_ALIGNMENT 64

/// A copy of `allocator`, or the default allocator (malloc) when it is NULL or empty.
tdAllocator tdAllocator_Resolve(const tdAllocator* allocator);

/// Allocates `size` bytes, not cleared. A size of 0 allocates 1 byte.
/// @param alignment a power of two, at most TD_MAX_ALIGNMENT
/// @return NULL when out of memory
void* tdAllocate(const tdAllocator* allocator, size_t size, size_t alignment);
/// As tdAllocate, with all bytes zero.
void* tdAllocateZeroed(const tdAllocator* allocator, size_t size, size_t alignment);
/// Releases an allocation. `memory` may be NULL; `size` is the size that was allocated.
void tdRelease(const tdAllocator* allocator, void* memory, size_t size);

/// Rounds a size up to a multiple of 32 bytes, the alignment of AVX2 registers and of packed blocks.
static inline size_t tdAlign32(size_t size)
{
    return (size + 31) & ~(size_t)31;
}

/// Multiplies two sizes.
/// @return false when the product overflows; `product` is then unchanged
bool tdMultiplySizes(size_t a, size_t b, size_t* product);

/// An allocator for tests: it forwards to malloc, counts, and fails from a given allocation on. The counters
/// are not atomic, so only one thread may use it.
typedef struct tdFailingAllocator
{
    int64_t failAt;     // index of the first allocation that fails; -1: none
    bool failsOnce;     // only that one; false: all later ones fail, too
    int64_t count;      // allocations requested so far
    int64_t liveBlocks; // blocks not yet released
    size_t liveBytes, peakBytes;
} tdFailingAllocator;

/// Resets `state` and makes an allocator that uses it. `state` must outlive the allocator's users.
tdAllocator tdFailingAllocator_Make(tdFailingAllocator* state, int64_t failAt);
