// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the name table against a linear search.
#include "harness.h"

#include "base/name_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Item
{
    const char* name;
    int other;
} Item;

TEST(FindsTheFirstOfEqualNames)
{
    enum
    {
        COUNT = 3000
    };
    static char names[COUNT][16];
    static Item items[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        snprintf(names[i], sizeof(names[i]), "%d", i * 37 % 1000); // each three times
        items[i] = (Item){names[i], i};
    }
    tdNameTable table = {.slotCount = tdNameTable_GetSlotCount(COUNT)};
    ENSURE(table.slotCount >= 2 * COUNT && (table.slotCount & (table.slotCount - 1)) == 0);
    table.slots = malloc((size_t)table.slotCount * sizeof(int));
    memset(table.slots, 0x55, (size_t)table.slotCount * sizeof(int)); // Fill replaces the contents
    tdNameTable_Fill(&table, items, sizeof(Item), COUNT / 2);
    for (int i = COUNT / 2; i < COUNT; ++i)
    {
        tdNameTable_Add(&table, i);
    }
    for (int i = -5; i < 1005; ++i)
    {
        char name[16];
        snprintf(name, sizeof(name), "%d", i);
        int first = 0;
        while (first < COUNT && strcmp(items[first].name, name) != 0)
        {
            first += 1;
        }
        ENSURE_EQUAL_INT(tdNameTable_Find(&table, name), first < COUNT ? first : -1);
    }
    free(table.slots);
}

TEST(EmptyTablesFindNothing)
{
    tdNameTable table = {0};
    tdNameTable_Fill(&table, NULL, sizeof(Item), 0);
    ENSURE_EQUAL_INT(tdNameTable_Find(&table, "a"), -1);
}

TEST_MAIN(RUN(FindsTheFirstOfEqualNames) RUN(EmptyTablesFindNothing))
