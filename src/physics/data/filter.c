// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Collision filters as KHR_physics_rigid_bodies defines them ("Collision Filtering"). A pair collides if each
// side accepts the systems of the other. The bit matrix holds the result for all pairs of distinct filters.
#include "physics/data/filter.h"

#include "physics/data/world_data.h"

#include <string.h>

void tdFilterTable_Free(tdFilterTable* table, const tdAllocator* allocator)
{
    tdArray_Free(allocator, &table->filters);
    tdArray_Free(allocator, &table->numbers);
    tdRelease(allocator, table->passes,
              (size_t)table->rowCapacity * (size_t)table->rowWords * sizeof(uint64_t));
    *table = (tdFilterTable){0};
}

// Grow the matrix to `count` filters, "no filter" included.
static bool ReserveFilterRows(tdFilterTable* table, const tdAllocator* allocator, int count)
{
    if (count <= table->rowCapacity)
    {
        return true;
    }
    int capacity = count + table->rowCapacity + 63;
    capacity -= capacity % 64;
    int words = capacity / 64;
    uint64_t* passes =
        tdAllocateZeroed(allocator, (size_t)capacity * (size_t)words * sizeof(uint64_t), _Alignof(uint64_t));
    if (passes == NULL)
    {
        return false;
    }
    for (int row = 0; row < table->rowCapacity; ++row)
    {
        memcpy(passes + (size_t)row * (size_t)words, table->passes + (size_t)row * (size_t)table->rowWords,
               (size_t)table->rowWords * sizeof(uint64_t));
    }
    tdRelease(allocator, table->passes,
              (size_t)table->rowCapacity * (size_t)table->rowWords * sizeof(uint64_t));
    table->passes = passes;
    table->rowWords = words;
    table->rowCapacity = capacity;
    return true;
}

bool tdFilterTable_Init(tdFilterTable* table, const tdAllocator* allocator)
{
    *table = (tdFilterTable){0};
    if (!ReserveFilterRows(table, allocator, 1))
    {
        return false;
    }
    table->passes[0] = 1; // no filter against no filter
    return true;
}

// Do two sorted lists have a number in common?
static bool HaveCommonNumber(const uint32_t* a, int countA, const uint32_t* b, int countB)
{
    for (int i = 0, j = 0; i < countA && j < countB;)
    {
        if (a[i] == b[j])
        {
            return true;
        }
        if (a[i] < b[j])
        {
            ++i;
        }
        else
        {
            ++j;
        }
    }
    return false;
}

// Lists of a filter; "no filter" has none.
static tdFilterSets GetFilterSets(const tdFilterTable* table, int id)
{
    return id > 0 ? table->filters.data[id - 1] : (tdFilterSets){0};
}

static bool AcceptsFilter(const tdFilterTable* table, int a, int b)
{
    const uint32_t* numbers = table->numbers.data;
    tdFilterSets setsA = GetFilterSets(table, a), setsB = GetFilterSets(table, b);
    if (a == 0)
    {
        return true; // a shape without a filter collides with everything
    }
    if (setsB.withCount > 0 && !HaveCommonNumber(numbers + setsA.firstSystem, setsA.systemCount,
                                                 numbers + setsB.firstWith, setsB.withCount))
    {
        return false;
    }
    return setsB.notCount == 0 || !HaveCommonNumber(numbers + setsA.firstSystem, setsA.systemCount,
                                                    numbers + setsB.firstNot, setsB.notCount);
}

// Append the values to `numbers`, sorted and without repetition. Memory is reserved. Lists are short:
// insertion sort.
static int AppendSortedNumbers(tdFilterTable* table, const uint32_t* values, int count)
{
    int first = table->numbers.count;
    for (int i = 0; i < count; ++i)
    {
        uint32_t value = values[i];
        int at = table->numbers.count;
        while (at > first && table->numbers.data[at - 1] > value)
        {
            --at;
        }
        if (at > first && table->numbers.data[at - 1] == value)
        {
            continue;
        }
        memmove(table->numbers.data + at + 1, table->numbers.data + at,
                (size_t)(table->numbers.count - at) * sizeof(uint32_t));
        table->numbers.data[at] = value;
        table->numbers.count += 1;
    }
    return first;
}

static bool AreListsEqual(const tdFilterTable* table, int firstA, int countA, int firstB, int countB)
{
    return countA == countB &&
           (countA == 0 || memcmp(table->numbers.data + firstA, table->numbers.data + firstB,
                                  (size_t)countA * sizeof(uint32_t)) == 0);
}

tdFilterId tdCreateFilter(tdWorld* world, const tdFilterDef* def)
{
    TD_ASSERT(def->collisionSystemCount >= 0 && def->collideWithCount >= 0 && def->notCollideWithCount >= 0);
    tdFilterTable* table = &world->filters;
    int total = def->collisionSystemCount + def->collideWithCount + def->notCollideWithCount;
    if (!tdArray_Reserve(&world->allocator, &table->numbers, table->numbers.count + total) ||
        !tdArray_Reserve(&world->allocator, &table->filters, table->filters.count + 1) ||
        !ReserveFilterRows(table, &world->allocator, table->filters.count + 2))
    {
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return (tdFilterId){0};
    }
    int numberCount = table->numbers.count;
    tdFilterSets sets;
    sets.firstSystem = AppendSortedNumbers(table, def->collisionSystems, def->collisionSystemCount);
    sets.systemCount = table->numbers.count - sets.firstSystem;
    sets.firstWith = AppendSortedNumbers(table, def->collideWith, def->collideWithCount);
    sets.withCount = table->numbers.count - sets.firstWith;
    sets.firstNot = AppendSortedNumbers(table, def->notCollideWith, def->notCollideWithCount);
    sets.notCount = table->numbers.count - sets.firstNot;
    for (int i = 0; i < table->filters.count; ++i)
    {
        const tdFilterSets* other = &table->filters.data[i];
        if (AreListsEqual(table, sets.firstSystem, sets.systemCount, other->firstSystem,
                          other->systemCount) &&
            AreListsEqual(table, sets.firstWith, sets.withCount, other->firstWith, other->withCount) &&
            AreListsEqual(table, sets.firstNot, sets.notCount, other->firstNot, other->notCount))
        {
            table->numbers.count = numberCount;
            return tdWorld_MakeFilterId(world, (uint32_t)i + 1);
        }
    }
    table->filters.data[table->filters.count++] = sets;
    int id = table->filters.count;
    for (int other = 0; other <= id; ++other)
    {
        if (AcceptsFilter(table, id, other) && AcceptsFilter(table, other, id))
        {
            table->passes[(size_t)id * (size_t)table->rowWords + (size_t)(other >> 6)] |= UINT64_C(1)
                                                                                          << (other & 63);
            table->passes[(size_t)other * (size_t)table->rowWords + (size_t)(id >> 6)] |= UINT64_C(1)
                                                                                          << (id & 63);
        }
    }
    return tdWorld_MakeFilterId(world, (uint32_t)id);
}

bool tdWorld_TestFilters(const tdWorld* world, tdFilterId a, tdFilterId b)
{
    TD_ASSERT(tdWorld_OwnsFilter(world, a) && tdWorld_OwnsFilter(world, b));
    return tdFilterTable_Pass(&world->filters, a.index1, b.index1);
}
