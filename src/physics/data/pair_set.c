// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash sets of pairs: linear probing, deletion by shifting entries back.
#include "physics/data/pair_set.h"

#include "base/assert.h"

static uint32_t HashPairKey(uint64_t key)
{
    // A 64-bit finalizer: every input bit affects every output bit.
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 33;
    key *= UINT64_C(0xc4ceb9fe1a85ec53);
    key ^= key >> 33;
    return (uint32_t)key;
}

void tdPairSet_Free(tdPairSet* set, const tdAllocator* allocator)
{
    tdRelease(allocator, set->entries, (size_t)set->capacity * sizeof(tdPairEntry));
    *set = (tdPairSet){0};
}

bool tdPairSet_Reserve(tdPairSet* set, const tdAllocator* allocator, int count)
{
    if (count > (1 << 29))
    {
        return false;
    }
    int capacity = set->capacity > 0 ? set->capacity : 16;
    while (capacity < 2 * count)
    {
        capacity *= 2;
    }
    if (capacity == set->capacity)
    {
        return true;
    }
    tdPairEntry* entries =
        tdAllocateZeroed(allocator, (size_t)capacity * sizeof(tdPairEntry), _Alignof(tdPairEntry));
    if (entries == NULL)
    {
        return false;
    }
    tdPairSet larger = {entries, 0, capacity};
    for (int i = 0; i < set->capacity; ++i)
    {
        if (set->entries[i].key != 0)
        {
            tdPairSet_Add(&larger, set->entries[i].key, set->entries[i].value);
        }
    }
    tdPairSet_Free(set, allocator);
    *set = larger;
    return true;
}

int* tdPairSet_Find(const tdPairSet* set, uint64_t key)
{
    if (set->capacity == 0)
    {
        return NULL;
    }
    uint32_t mask = (uint32_t)set->capacity - 1;
    for (uint32_t i = HashPairKey(key) & mask; set->entries[i].key != 0; i = (i + 1) & mask)
    {
        if (set->entries[i].key == key)
        {
            return &set->entries[i].value;
        }
    }
    return NULL;
}

void tdPairSet_Add(tdPairSet* set, uint64_t key, int value)
{
    TD_ASSERT(2 * set->count < set->capacity);
    uint32_t mask = (uint32_t)set->capacity - 1;
    uint32_t i = HashPairKey(key) & mask;
    while (set->entries[i].key != 0)
    {
        TD_ASSERT(set->entries[i].key != key);
        i = (i + 1) & mask;
    }
    set->entries[i] = (tdPairEntry){key, value};
    set->count += 1;
}

void tdPairSet_Remove(tdPairSet* set, uint64_t key)
{
    uint32_t mask = (uint32_t)set->capacity - 1;
    uint32_t i = HashPairKey(key) & mask;
    while (set->entries[i].key != key)
    {
        TD_ASSERT(set->entries[i].key != 0);
        i = (i + 1) & mask;
    }
    // Move later entries of the cluster into the hole unless their home slot is behind it.
    uint32_t hole = i;
    for (uint32_t j = (i + 1) & mask; set->entries[j].key != 0; j = (j + 1) & mask)
    {
        uint32_t home = HashPairKey(set->entries[j].key) & mask;
        if (((j - home) & mask) >= ((j - hole) & mask))
        {
            set->entries[hole] = set->entries[j];
            hole = j;
        }
    }
    set->entries[hole] = (tdPairEntry){0, 0};
    set->count -= 1;
}
