// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the heap sort: ascending order and the same elements, for every count up to some hundred.
#include "harness.h"

#include "base/heap_sort.h"

typedef struct Item
{
    int key, payload;
} Item;

static bool IsItemBefore(const void* a, const void* b, const void* context)
{
    const int* sign = context;
    return *sign * ((const Item*)a)->key < *sign * ((const Item*)b)->key;
}

TEST(SortsEveryCount)
{
    Item items[200];
    for (int sign = -1; sign <= 1; sign += 2)
    {
        for (int count = 0; count <= 200; ++count)
        {
            int64_t sum = 0;
            for (int i = 0; i < count; ++i)
            {
                items[i].key = (i * 7919 + count) % 61; // repeats
                items[i].payload = 3 * items[i].key + 1;
                sum += items[i].key;
            }
            tdHeapSort(items, count, sizeof(Item), IsItemBefore, &sign);
            for (int i = 0; i < count; ++i)
            {
                sum -= items[i].key;
                ENSURE_EQUAL_INT(items[i].payload, 3 * items[i].key + 1);
                ENSURE(i == 0 || sign * items[i - 1].key <= sign * items[i].key);
            }
            ENSURE_EQUAL_INT(sum, 0);
        }
    }
}

TEST_MAIN(RUN(SortsEveryCount))
