// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Sets of pairs by hash: the pairs that have a contact already, and the pairs that a joint keeps from
// colliding. Open addressing on 64-bit keys; iteration order is never used, so it cannot influence a result.
#pragma once

#include "base/memory.h"

typedef struct tdPairEntry
{
    uint64_t key; // 0: empty
    int value;
} tdPairEntry;

typedef struct tdPairSet
{
    tdPairEntry* entries;
    int count, capacity; // capacity is a power of two or 0
} tdPairSet;

static inline uint64_t tdMakePairKey(int a, int b)
{
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return ((uint64_t)low << 32 | high) + 1;
}

void tdPairSet_Free(tdPairSet* set, const tdAllocator* allocator);
/// Room for `count` pairs in total without another allocation.
bool tdPairSet_Reserve(tdPairSet* set, const tdAllocator* allocator, int count);
/// Pointer to the value, NULL if the key is not there. Valid until the next change.
int* tdPairSet_Find(const tdPairSet* set, uint64_t key);
/// The key must be new and room must have been reserved.
void tdPairSet_Add(tdPairSet* set, uint64_t key, int value);
void tdPairSet_Remove(tdPairSet* set, uint64_t key);
