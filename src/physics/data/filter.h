// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Collision filters: interned sets of system numbers. Which two filters let each other pass is computed once,
// when a filter is made, into a bit matrix; a pair test is one bit, whatever the number of systems.
#pragma once

#include "base/array.h"

#include "tendon/physics.h"

typedef struct tdFilterSets
{
    int firstSystem, systemCount; // in tdFilterTable.numbers; sorted, distinct
    int firstWith, withCount;     // 0: no such list
    int firstNot, notCount;
} tdFilterSets;

typedef struct tdFilterTable
{
    tdArray(tdFilterSets) filters; // filter id is index + 1
    tdArray(uint32_t) numbers;
    uint64_t* passes; // rows of `rowWords` words: bit b of row a says whether a and b collide
    int rowWords, rowCapacity;
} tdFilterTable;

void tdFilterTable_Free(tdFilterTable* table, const tdAllocator* allocator);

/// @param a, b index1 of a filter, 0: no filter, which passes against everybody
static inline bool tdFilterTable_Pass(const tdFilterTable* table, uint32_t a, uint32_t b)
{
    return (table->passes[(size_t)a * (size_t)table->rowWords + (b >> 6)] >> (b & 63) & 1) != 0;
}

/// Makes the row and column of "no filter". False: out of memory.
bool tdFilterTable_Init(tdFilterTable* table, const tdAllocator* allocator);
