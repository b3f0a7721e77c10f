// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pair exclusions, and the test of whether two shapes may collide.
#include "physics/broad_phase/exclusion.h"

#include "physics/broad_phase/proxy.h"
#include "physics/contact/contact.h"
#include "physics/data/world_data.h"

#include <string.h>

// Numbers of sides in pair keys: even for bodies, odd for shapes.
static int GetSideNumber(tdPairSide side)
{
    return side.shape >= 0 ? side.shape * 2 + 1 : side.body * 2;
}

static int* GetSideCounter(tdWorld* world, tdPairSide side)
{
    return side.shape >= 0 ? &world->shapes.data[side.shape].exclusionCount
                           : &world->bodies.data[side.body].exclusionCount;
}

static int GetSideBody(const tdWorld* world, tdPairSide side)
{
    return side.shape >= 0 ? world->shapes.data[side.shape].body : side.body;
}

static bool IsOnSide(tdPairSide side, int body, int shape)
{
    return side.shape >= 0 ? side.shape == shape : side.body == body;
}

bool tdWorld_AddPairExclusion(tdWorld* world, tdPairSide a, tdPairSide b)
{
    tdPairSet* set = &world->exclusions;
    uint64_t key = tdMakePairKey(GetSideNumber(a), GetSideNumber(b));
    int* count = tdPairSet_Find(set, key);
    if (count != NULL)
    {
        *count += 1;
        return true;
    }
    if (!tdPairSet_Reserve(set, &world->allocator, set->count + 1))
    {
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return false;
    }
    tdPairSet_Add(set, key, 1);
    *GetSideCounter(world, a) += 1;
    *GetSideCounter(world, b) += 1;
    // Visit the contacts of the body that has fewer.
    int bodyA = GetSideBody(world, a), bodyB = GetSideBody(world, b);
    if (world->bodies.data[bodyB].contactCount < world->bodies.data[bodyA].contactCount)
    {
        tdPairSide side = a;
        a = b;
        b = side;
        bodyA = GetSideBody(world, a);
    }
    for (int contactKey = world->bodies.data[bodyA].contactHead; contactKey >= 0;)
    {
        int index = contactKey >> 1, side = contactKey & 1;
        const tdContact* contact = &world->contacts.data[index];
        contactKey = contact->edges[side].next;
        int mine = side == 0 ? contact->shapeA : contact->shapeB;
        int other = side == 0 ? contact->shapeB : contact->shapeA;
        if (IsOnSide(a, bodyA, mine) && IsOnSide(b, contact->edges[1 - side].body, other))
        {
            tdWorld_DestroyContact(world, index, true);
        }
    }
    return true;
}

static void RefreshProxiesOfSide(tdWorld* world, tdPairSide side)
{
    if (side.shape >= 0)
    {
        tdWorld_RefreshProxy(world, side.shape);
        return;
    }
    for (int shape = world->bodies.data[side.body].shapeHead; shape >= 0;
         shape = world->shapes.data[shape].next)
    {
        tdWorld_RefreshProxy(world, shape);
    }
}

void tdWorld_RemovePairExclusion(tdWorld* world, tdPairSide a, tdPairSide b)
{
    tdPairSet* set = &world->exclusions;
    uint64_t key = tdMakePairKey(GetSideNumber(a), GetSideNumber(b));
    int* count = tdPairSet_Find(set, key);
    if (count == NULL)
    {
        return; // destroying the body removed it already
    }
    *count -= 1;
    if (*count == 0)
    {
        tdPairSet_Remove(set, key);
        *GetSideCounter(world, a) -= 1;
        *GetSideCounter(world, b) -= 1;
        RefreshProxiesOfSide(world, a);
        RefreshProxiesOfSide(world, b);
    }
}

void tdWorld_ForgetExclusions(tdWorld* world, tdPairSide side)
{
    tdPairSet* set = &world->exclusions;
    uint32_t number = (uint32_t)GetSideNumber(side);
    for (int i = 0; i < set->capacity;)
    {
        uint64_t key = set->entries[i].key;
        uint32_t high = (uint32_t)((key - 1) >> 32), low = (uint32_t)(key - 1);
        if (key == 0 || (high != number && low != number))
        {
            ++i;
            continue;
        }
        int other = (int)(high == number ? low : high);
        *((other & 1) != 0 ? &world->shapes.data[other >> 1].exclusionCount
                           : &world->bodies.data[other >> 1].exclusionCount) -= 1;
        tdPairSet_Remove(set, key); // may move another entry to index i: test it again
    }
    *GetSideCounter(world, side) = 0;
}

static bool HasExclusion(const tdWorld* world, int numberA, int numberB)
{
    return tdPairSet_Find(&world->exclusions, tdMakePairKey(numberA, numberB)) != NULL;
}

static bool IsExcluded(const tdWorld* world, int shapeA, int shapeB)
{
    const tdShape *a = &world->shapes.data[shapeA], *b = &world->shapes.data[shapeB];
    bool bodyA = world->bodies.data[a->body].exclusionCount > 0, isA = a->exclusionCount > 0;
    bool bodyB = world->bodies.data[b->body].exclusionCount > 0, isB = b->exclusionCount > 0;
    return (bodyA && bodyB && HasExclusion(world, a->body * 2, b->body * 2)) ||
           (isA && bodyB && HasExclusion(world, shapeA * 2 + 1, b->body * 2)) ||
           (bodyA && isB && HasExclusion(world, a->body * 2, shapeB * 2 + 1)) ||
           (isA && isB && HasExclusion(world, shapeA * 2 + 1, shapeB * 2 + 1));
}

bool tdWorld_ShouldCollide(const tdWorld* world, int shapeA, int shapeB)
{
    const tdShape *a = &world->shapes.data[shapeA], *b = &world->shapes.data[shapeB];
    if (a->body == b->body || ((a->flags | b->flags) & TD_SHAPE_DISABLED) != 0)
    {
        return false;
    }
    bool triggerA = (a->flags & TD_SHAPE_TRIGGER) != 0, triggerB = (b->flags & TD_SHAPE_TRIGGER) != 0;
    if (triggerA && triggerB)
    {
        return false;
    }
    if (!triggerA && !triggerB && world->bodies.data[a->body].motion != TD_MOTION_DYNAMIC &&
        world->bodies.data[b->body].motion != TD_MOTION_DYNAMIC)
    {
        return false;
    }
    return tdFilterTable_Pass(&world->filters, a->filter, b->filter) &&
           (world->exclusions.count == 0 || !IsExcluded(world, shapeA, shapeB));
}
