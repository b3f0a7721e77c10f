// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash sets of pairs: the pairs of shapes that have a contact, and the pairs that must not collide. Open
// addressing on 64-bit keys. Nothing depends on the order of the entries, so it cannot influence a result.
#pragma once

#include "base/memory.h"

typedef struct tdPairEntry
{
    _Alignas(8) uint64_t key; // 0: empty
    int value;
} tdPairEntry;

typedef struct tdPairSet
{
    tdPairEntry* entries;
    int count, capacity; // capacity is a power of two or 0
} tdPairSet;

/// The key of an unordered pair; never 0.
static inline uint64_t tdMakePairKey(int a, int b)
{
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return ((uint64_t)low << 32 | high) + 1;
}

void tdPairSet_Free(tdPairSet* set, const tdAllocator* allocator);
/// Reserve memory for `count` pairs in total.
/// @return false if memory ran out
bool tdPairSet_Reserve(tdPairSet* set, const tdAllocator* allocator, int count);
/// The value of a key, NULL if the set does not contain it. Valid until the next change.
int* tdPairSet_Find(const tdPairSet* set, uint64_t key);
/// Add a key that is not in the set. Memory must have been reserved.
void tdPairSet_Add(tdPairSet* set, uint64_t key, int value);
/// Remove a key that is in the set.
void tdPairSet_Remove(tdPairSet* set, uint64_t key);
