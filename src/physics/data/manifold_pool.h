// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of contact manifolds: one pool per world, handed out in blocks of 1, 2, 4 ... 64.
#pragma once

#include "physics/data/contact_data.h"

/// Log2 of the block that holds so many manifolds.
static inline int tdGetManifoldClass(int count)
{
    int class = 0;
    while ((1 << class) < count)
    {
        ++class;
    }
    return class;
}

/// Room for manifolds that were never used before, or for blocks of 2^k: blockCounts[k] of each, of which the
/// free ones need no room. Take returns the first index.
bool tdManifoldPool_Reserve(tdWorld* world, int manifoldCount);
bool tdManifoldPool_ReserveBlocks(tdWorld* world, const int blockCounts[TD_MANIFOLD_CLASSES]);
int tdManifoldPool_Acquire(tdWorld* world, int count, int* capacity);
void tdManifoldPool_Release(tdWorld* world, int first, int capacity);
