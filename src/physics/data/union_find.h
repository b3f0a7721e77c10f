// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Union-find over body indices: parents[i] is i for a root, else an index below i. Several workers may unite
// sets at the same time. The root of a set is its least index, whatever the order of the unions, so results
// are deterministic.
#pragma once

#include "base/compiler.h"

static inline int tdUnionFind_FindRoot(atomic_int* parents, int index)
{
    int parent = atomic_load_explicit(&parents[index], memory_order_relaxed);
    while (parent != index)
    {
        int above = atomic_load_explicit(&parents[parent], memory_order_relaxed);
        if (above != parent)
        {
            // Path halving. Every ancestor is valid here, so the last writer may win.
            atomic_store_explicit(&parents[index], above, memory_order_relaxed);
        }
        index = parent;
        parent = above;
    }
    return index;
}

static inline void tdUnionFind_Unite(atomic_int* parents, int a, int b)
{
    for (;;)
    {
        a = tdUnionFind_FindRoot(parents, a);
        b = tdUnionFind_FindRoot(parents, b);
        if (a == b)
        {
            return;
        }
        int upper = a > b ? a : b, lower = a > b ? b : a, expected = upper;
        if (atomic_compare_exchange_strong_explicit(&parents[upper], &expected, lower, memory_order_relaxed,
                                                    memory_order_relaxed))
        {
            return;
        }
    }
}
