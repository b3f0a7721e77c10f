// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash table with open addressing and linear probing; at most half of the slots are in use.
#include "name_table.h"

#include "assert.h"
#include "hash.h"

#include <string.h>

int tdNameTable_GetSlotCount(int nameCount)
{
    int count = 8;
    while (count < 2 * nameCount && count < 1 << 30)
    {
        count *= 2;
    }
    return count;
}

static const char* GetNameOfItem(const tdNameTable* table, int index)
{
    return *(const char* const*)((const char*)table->items + (size_t)index * table->stride);
}

/// The slot that holds a name, or the free slot where it belongs.
static int* FindNameSlot(const tdNameTable* table, const char* name)
{
    uint64_t mask = (uint64_t)table->slotCount - 1;
    uint64_t at = tdHash(TD_HASH_INIT, name, strlen(name)) & mask;
    while (table->slots[at] != 0 && strcmp(GetNameOfItem(table, table->slots[at] - 1), name) != 0)
    {
        at = (at + 1) & mask;
    }
    return &table->slots[at];
}

void tdNameTable_Fill(tdNameTable* table, const void* items, size_t stride, int count)
{
    TD_ASSERT(table->slotCount >= 2 * count);
    table->items = items;
    table->stride = stride;
    if (table->slotCount > 0)
    {
        memset(table->slots, 0, (size_t)table->slotCount * sizeof(int));
    }
    for (int i = 0; i < count; ++i)
    {
        tdNameTable_Add(table, i);
    }
}

void tdNameTable_Add(tdNameTable* table, int index)
{
    int* slot = FindNameSlot(table, GetNameOfItem(table, index));
    *slot = *slot != 0 ? *slot : index + 1;
}

int tdNameTable_Find(const tdNameTable* table, const char* name)
{
    return table->slotCount > 0 ? *FindNameSlot(table, name) - 1 : -1;
}
