// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The pool of contact manifolds: blocks of 2^k manifolds; free blocks are linked through their first point.
#include "physics/data/manifold_pool.h"

#include "physics/data/world_data.h"

#include <string.h>

bool tdManifoldPool_Reserve(tdWorld* world, int manifoldCount)
{
    int wanted = world->manifoldCount + manifoldCount;
    if (wanted <= world->manifoldCapacity)
    {
        return true;
    }
    int capacity = tdMaxInt(wanted, world->manifoldCapacity + world->manifoldCapacity / 2 + 64);
    tdContactManifold* manifolds =
        tdAllocate(&world->allocator, (size_t)capacity * sizeof(tdContactManifold), 64);
    if (manifolds == NULL)
    {
        return false;
    }
    if (world->manifoldCount > 0)
    {
        memcpy(manifolds, world->manifolds, (size_t)world->manifoldCount * sizeof(tdContactManifold));
    }
    tdRelease(&world->allocator, world->manifolds,
              (size_t)world->manifoldCapacity * sizeof(tdContactManifold));
    world->manifolds = manifolds;
    world->manifoldCapacity = capacity;
    return true;
}

bool tdManifoldPool_ReserveBlocks(tdWorld* world, const int blockCounts[TD_MANIFOLD_CLASSES])
{
    int wanted = 0;
    for (int i = 0; i < TD_MANIFOLD_CLASSES; ++i)
    {
        wanted += tdMaxInt(blockCounts[i] - world->freeManifoldCounts[i], 0) << i;
    }
    return tdManifoldPool_Reserve(world, wanted);
}

int tdManifoldPool_Acquire(tdWorld* world, int count, int* capacity)
{
    int class = tdGetManifoldClass(count);
    int size = 1 << class;
    *capacity = size;
    world->liveManifolds += size;
    int first = world->freeManifolds[class];
    if (first >= 0)
    {
        world->freeManifolds[class] = (int)world->manifolds[first].points[0].feature;
        world->freeManifoldCounts[class] -= 1;
    }
    else
    {
        TD_ASSERT(world->manifoldCount + size <= world->manifoldCapacity);
        first = world->manifoldCount;
        world->manifoldCount += size;
    }
    memset(world->manifolds + first, 0, (size_t)size * sizeof(tdContactManifold));
    return first;
}

void tdManifoldPool_Release(tdWorld* world, int first, int capacity)
{
    int class = tdGetManifoldClass(capacity);
    world->liveManifolds -= capacity;
    world->freeManifoldCounts[class] += 1;
    world->manifolds[first].points[0].feature = (uint32_t)world->freeManifolds[class];
    world->freeManifolds[class] = first;
}
