// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Allocation through a tdAllocator. Every owner keeps a copy of its allocator; all functions here return NULL
// when memory ran out and leave the caller's data as it was.
#pragma once

#include "tendon/base.h"

/// A copy of `allocator`, or malloc's when it is NULL.
tdAllocator tdAllocator_Resolve(const tdAllocator* allocator);

/// @param alignment a power of two, at most 64
void* tdAllocate(const tdAllocator* allocator, size_t size, size_t alignment);
void* tdAllocateZeroed(const tdAllocator* allocator, size_t size, size_t alignment);
/// `memory` may be NULL. `size` is the one it was allocated with.
void tdRelease(const tdAllocator* allocator, void* memory, size_t size);

/// True if a * b does not overflow; the product goes to `product`.
bool tdMultiplySizes(size_t a, size_t b, size_t* product);

/// An allocator for tests: passes on to malloc, counts, and fails from the n-th allocation on.
/// Counters are not atomic: one thread.
typedef struct tdFailingAllocator
{
    int64_t failAt;     // the allocation with this number (from 0) fails, and all after it; -1: none
    int64_t count;      // allocations asked for so far
    int64_t liveBlocks; // not yet released
    size_t liveBytes, peakBytes;
} tdFailingAllocator;

tdAllocator tdFailingAllocator_Make(tdFailingAllocator* state, int64_t failAt);
