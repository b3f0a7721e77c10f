// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of contact manifolds: one pool per world, handed out in blocks of 1, 2, 4 ... 64.
#pragma once

#include "physics/data/contact_data.h"

/// Log2 of the size of the block that holds `count` manifolds.
static inline int tdGetManifoldClass(int count)
{
    int class = 0;
    while ((1 << class) < count)
    {
        ++class;
    }
    return class;
}

/// Reserve memory for `manifoldCount` manifolds beyond those in use.
/// @return false if memory ran out
bool tdManifoldPool_Reserve(tdWorld* world, int manifoldCount);
/// Reserve memory for blockCounts[k] blocks of 2^k manifolds each; free blocks count as memory.
/// @return false if memory ran out
bool tdManifoldPool_ReserveBlocks(tdWorld* world, const int blockCounts[TD_MANIFOLD_CLASSES]);
/// Take a zeroed block for at least `count` manifolds. Memory must have been reserved.
/// @param capacity out: the size of the block
/// @return index of its first manifold
int tdManifoldPool_Acquire(tdWorld* world, int count, int* capacity);
/// Return a block to the pool.
void tdManifoldPool_Release(tdWorld* world, int first, int capacity);
