// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash table from names to indices of an array of structs whose first member is the name. Of equal names the
// table holds the first.
#pragma once

#include "tendon/base.h"

typedef struct tdNameTable
{
    int* slots;    // index + 1; 0: free
    int slotCount; // a power of two, at least twice the number of names; 0: the table is empty
    const void* items;
    size_t stride; // bytes from one item to the next
} tdNameTable;

/// Number of slots that the caller allocates for `nameCount` names.
int tdNameTable_GetSlotCount(int nameCount);
/// Clears the table and adds items 0 to count - 1. The caller has set `slots` and `slotCount`.
void tdNameTable_Fill(tdNameTable* table, const void* items, size_t stride, int count);
/// Adds an item unless the table holds its name.
void tdNameTable_Add(tdNameTable* table, int index);
/// @return index of the item with that name, -1: none
int tdNameTable_Find(const tdNameTable* table, const char* name);
