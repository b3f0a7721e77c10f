// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Collision filters: interned sets of collision systems. Creating one of the first filters computes once
// which others it collides with, into a bit matrix; testing a pair reads one bit. Pairs of later filters
// compare their lists, so that creating N filters takes time and memory in proportion to N.
#pragma once

#include "base/array.h"

#include "tendon/physics.h"

typedef struct tdFilterSets
{
    int firstSystem, systemCount; // membership: range in tdFilterTable.numbers; sorted, distinct
    int firstWith, withCount;     // systems it collides with; 0: no such list
    int firstNot, notCount;       // systems it does not collide with
} tdFilterSets;

/// Filters of the bit matrix, "no filter" included: 128 kB.
#define TD_FILTER_MATRIX_SIZE 1024

typedef struct tdFilterTable
{
    tdArray(tdFilterSets) filters; // the id of a filter is its index + 1
    tdArray(uint32_t) numbers;
    uint64_t* passes; // bit matrix, rows of `rowWords` words: bit b of row a is set if a and b collide
    int rowWords, rowCapacity;
    tdArray(int) slots; // hash table of the lists: id of a filter, 0: free; a power of two
} tdFilterTable;

void tdFilterTable_Free(tdFilterTable* table, const tdAllocator* allocator);

/// Do two filters let their shapes collide? Compares their lists.
bool tdFilterTable_Compare(const tdFilterTable* table, uint32_t a, uint32_t b);

/// Do two filters let their shapes collide?
/// @param a, b index1 of a filter; 0: no filter, which collides with everything
static inline bool tdFilterTable_Pass(const tdFilterTable* table, uint32_t a, uint32_t b)
{
    if ((a | b) >= TD_FILTER_MATRIX_SIZE)
    {
        return tdFilterTable_Compare(table, a, b);
    }
    return (table->passes[(size_t)a * (size_t)table->rowWords + (b >> 6)] >> (b & 63) & 1) != 0;
}

/// Create the row and column of "no filter".
/// @return false if memory ran out
bool tdFilterTable_Init(tdFilterTable* table, const tdAllocator* allocator);
