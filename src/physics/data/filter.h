// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Collision filters: interned sets of collision systems. Creating a filter computes once which other filters
// it collides with, into a bit matrix. Testing a pair reads one bit.
#pragma once

#include "base/array.h"

#include "tendon/physics.h"

typedef struct tdFilterSets
{
    int firstSystem, systemCount; // membership: range in tdFilterTable.numbers; sorted, distinct
    int firstWith, withCount;     // systems it collides with; 0: no such list
    int firstNot, notCount;       // systems it does not collide with
} tdFilterSets;

typedef struct tdFilterTable
{
    tdArray(tdFilterSets) filters; // the id of a filter is its index + 1
    tdArray(uint32_t) numbers;
    uint64_t* passes; // bit matrix, rows of `rowWords` words: bit b of row a is set if a and b collide
    int rowWords, rowCapacity;
} tdFilterTable;

void tdFilterTable_Free(tdFilterTable* table, const tdAllocator* allocator);

/// Do two filters let their shapes collide?
/// @param a, b index1 of a filter; 0: no filter, which collides with everything
static inline bool tdFilterTable_Pass(const tdFilterTable* table, uint32_t a, uint32_t b)
{
    return (table->passes[(size_t)a * (size_t)table->rowWords + (b >> 6)] >> (b & 63) & 1) != 0;
}

/// Create the row and column of "no filter".
/// @return false if memory ran out
bool tdFilterTable_Init(tdFilterTable* table, const tdAllocator* allocator);
