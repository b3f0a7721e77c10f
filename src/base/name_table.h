// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A hash table that finds names in an array of structs whose first member is the name. The table holds places
// in the array; where a name is there twice, the first one.
#pragma once

#include "tendon/base.h"

typedef struct tdNameTable
{
    int* slots;    // place + 1; 0: free
    int slotCount; // a power of two, at least twice the number of names; 0: nothing is ever found
    const void* items;
    size_t stride; // bytes from name to name
} tdNameTable;

/// Slots to allocate for so many names.
int tdNameTable_GetSlotCount(int nameCount);
/// Forgets everything and adds items 0 to count - 1. `slots` were allocated before.
void tdNameTable_Fill(tdNameTable* table, const void* items, size_t stride, int count);
/// Adds an item unless the name is there.
void tdNameTable_Add(tdNameTable* table, int place);
/// @return the place of a name, -1: none
int tdNameTable_Find(const tdNameTable* table, const char* name);
