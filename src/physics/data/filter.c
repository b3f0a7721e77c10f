// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Collision filters as KHR_physics_rigid_bodies defines them ("Collision Filtering"). A pair collides if each
// side accepts the systems of the other. The bit matrix holds the result for all pairs of the first filters.
#include "physics/data/filter.h"

#include "base/hash.h"
#include "base/heap_sort.h"
#include "physics/data/call_log.h"
#include "physics/data/world_data.h"

#include <string.h>

void tdFilterTable_Free(tdFilterTable* table, const tdAllocator* allocator)
{
    tdArray_Free(allocator, &table->filters);
    tdArray_Free(allocator, &table->numbers);
    tdArray_Free(allocator, &table->slots);
    tdRelease(allocator, table->passes,
              (size_t)table->rowCapacity * (size_t)table->rowWords * sizeof(uint64_t));
    *table = (tdFilterTable){0};
}

// Grow the matrix to `count` filters, "no filter" included.
static bool ReserveFilterRows(tdFilterTable* table, const tdAllocator* allocator, int count)
{
    if (count <= table->rowCapacity || count > TD_FILTER_MATRIX_SIZE)
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

bool tdFilterTable_Compare(const tdFilterTable* table, uint32_t a, uint32_t b)
{
    return AcceptsFilter(table, (int)a, (int)b) && AcceptsFilter(table, (int)b, (int)a);
}

static bool IsLessNumber(const void* a, const void* b, const void* context)
{
    (void)context;
    return *(const uint32_t*)a < *(const uint32_t*)b;
}

// Append the values to `numbers`, sorted and without repetition. Memory is reserved.
static int AppendSortedNumbers(tdFilterTable* table, const uint32_t* values, int count)
{
    int first = table->numbers.count;
    if (count == 0)
    {
        return first; // the table may have no memory yet
    }
    uint32_t* numbers = table->numbers.data + first;
    memcpy(numbers, values, (size_t)count * sizeof(uint32_t));
    tdHeapSort(numbers, count, sizeof(uint32_t), IsLessNumber, NULL);
    int kept = 1;
    for (int i = 1; i < count; ++i)
    {
        if (numbers[i] != numbers[kept - 1])
        {
            numbers[kept++] = numbers[i];
        }
    }
    table->numbers.count += kept;
    return first;
}

static bool AreListsEqual(const tdFilterTable* table, int firstA, int countA, int firstB, int countB)
{
    return countA == countB &&
           (countA == 0 || memcmp(table->numbers.data + firstA, table->numbers.data + firstB,
                                  (size_t)countA * sizeof(uint32_t)) == 0);
}

static uint64_t HashFilterSets(const tdFilterTable* table, const tdFilterSets* sets)
{
    const uint32_t* numbers = table->numbers.data;
    int counts[3] = {sets->systemCount, sets->withCount, sets->notCount};
    uint64_t hash = tdHash(TD_HASH_INIT, counts, sizeof(counts));
    // The three lists follow each other.
    return sets->systemCount + sets->withCount + sets->notCount > 0
               ? tdHash(hash, numbers + sets->firstSystem,
                        (size_t)(sets->systemCount + sets->withCount + sets->notCount) * sizeof(uint32_t))
               : hash;
}

static bool AreFilterSetsEqual(const tdFilterTable* table, const tdFilterSets* a, const tdFilterSets* b)
{
    return AreListsEqual(table, a->firstSystem, a->systemCount, b->firstSystem, b->systemCount) &&
           AreListsEqual(table, a->firstWith, a->withCount, b->firstWith, b->withCount) &&
           AreListsEqual(table, a->firstNot, a->notCount, b->firstNot, b->notCount);
}

// Slot of a filter with equal lists, or the free slot where it belongs.
static int* FindFilterSlot(const tdFilterTable* table, const tdFilterSets* sets)
{
    uint32_t mask = (uint32_t)table->slots.count - 1;
    uint32_t slot = (uint32_t)HashFilterSets(table, sets) & mask;
    while (table->slots.data[slot] != 0 &&
           !AreFilterSetsEqual(table, sets, &table->filters.data[table->slots.data[slot] - 1]))
    {
        slot = (slot + 1) & mask;
    }
    return &table->slots.data[slot];
}

// Keep at least half of the slots free for `count` filters.
static bool ReserveFilterSlots(tdFilterTable* table, const tdAllocator* allocator, int count)
{
    if (2 * (int64_t)count <= table->slots.count)
    {
        return true;
    }
    int slotCount = table->slots.count > 0 ? 2 * table->slots.count : 64;
    if (!tdArray_Reserve(allocator, &table->slots, slotCount))
    {
        return false;
    }
    table->slots.count = slotCount;
    memset(table->slots.data, 0, (size_t)slotCount * sizeof(int));
    for (int i = 0; i < table->filters.count; ++i)
    {
        *FindFilterSlot(table, &table->filters.data[i]) = i + 1;
    }
    return true;
}

static void FillMatrixRow(tdFilterTable* table, int id)
{
    for (int other = 0; other <= id; ++other)
    {
        if (tdFilterTable_Compare(table, (uint32_t)id, (uint32_t)other))
        {
            table->passes[(size_t)id * (size_t)table->rowWords + (size_t)(other >> 6)] |= UINT64_C(1)
                                                                                          << (other & 63);
            table->passes[(size_t)other * (size_t)table->rowWords + (size_t)(id >> 6)] |= UINT64_C(1)
                                                                                          << (id & 63);
        }
    }
}

static tdFilterId LogFilter(tdWorld* world, const tdFilterDef* def, uint32_t number)
{
    tdFilterId id = tdWorld_MakeFilterId(world, number);
    if (tdCallLog_IsOn(world->calls))
    {
        tdCallLog_AddFilter(world->calls, def, id);
    }
    return id;
}

tdFilterId tdCreateFilter(tdWorld* world, const tdFilterDef* def)
{
    TD_ASSERT(def->collisionSystemCount >= 0 && def->collideWithCount >= 0 && def->notCollideWithCount >= 0);
    tdFilterTable* table = &world->filters;
    int total = def->collisionSystemCount + def->collideWithCount + def->notCollideWithCount;
    if (!tdArray_Reserve(&world->allocator, &table->numbers, table->numbers.count + total) ||
        !tdArray_Reserve(&world->allocator, &table->filters, table->filters.count + 1) ||
        !ReserveFilterSlots(table, &world->allocator, table->filters.count + 1) ||
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
    int* slot = FindFilterSlot(table, &sets);
    if (*slot != 0)
    {
        table->numbers.count = numberCount;
        return LogFilter(world, def, (uint32_t)*slot);
    }
    table->filters.data[table->filters.count++] = sets;
    int id = table->filters.count;
    *slot = id;
    if (id < TD_FILTER_MATRIX_SIZE)
    {
        FillMatrixRow(table, id);
    }
    return LogFilter(world, def, (uint32_t)id);
}

bool tdWorld_TestFilters(const tdWorld* world, tdFilterId a, tdFilterId b)
{
    TD_ASSERT(tdWorld_OwnsFilter(world, a) && tdWorld_OwnsFilter(world, b));
    return tdFilterTable_Pass(&world->filters, a.index1, b.index1);
}
