// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the typed array: growth, removal, allocation failure.
#include "harness.h"

#include "base/array.h"

#include <limits.h>

TEST(PushGetRemove)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdArray(int) numbers = {0};
    for (int i = 0; i < 1000; ++i)
    {
        ENSURE(tdArray_Push(&allocator, &numbers, 3 * i));
    }
    ENSURE_EQUAL_INT(numbers.count, 1000);
    for (int i = 0; i < 1000; ++i)
    {
        ENSURE(tdArray_Get(&numbers, i) == 3 * i);
    }
    tdArray_RemoveSwap(&numbers, 10);
    ENSURE_EQUAL_INT(numbers.count, 999);
    ENSURE_EQUAL_INT(numbers.data[10], 3 * 999);
    int* added = tdArray_Add(&allocator, &numbers, 50);
    ENSURE(added == numbers.data + 999 && numbers.count == 1049);
    tdArray_Free(&allocator, &numbers);
    ENSURE(numbers.data == NULL && numbers.capacity == 0);
}

TEST(GrowsInFewSteps)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdArray(uint64_t) words = {0};
    for (int i = 0; i < 100000; ++i)
    {
        tdArray_Push(&allocator, &words, (uint64_t)i);
    }
    ENSURE(state.count < 30); // each growth is by half
    ENSURE_EQUAL_INT(state.liveBytes, (size_t)words.capacity * sizeof(uint64_t));
    tdArray_Free(&allocator, &words);
    ENSURE_EQUAL_INT(state.liveBlocks, 0);
    ENSURE_EQUAL_INT(state.liveBytes, 0);
}

TEST(FailureLeavesTheArrayUnchanged)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, 2);
    tdArray(int) numbers = {0};
    int pushed = 0;
    while (tdArray_Push(&allocator, &numbers, pushed))
    {
        ++pushed;
    }
    ENSURE(pushed > 8 && numbers.count == pushed);
    for (int i = 0; i < pushed; ++i)
    {
        ENSURE(numbers.data[i] == i);
    }
    ENSURE(tdArray_Add(&allocator, &numbers, 1000) == NULL && numbers.count == pushed);
    ENSURE(!tdArray_Reserve(&allocator, &numbers, INT_MAX));
    tdArray_Free(&allocator, &numbers);
    ENSURE_EQUAL_INT(state.liveBytes, 0);
}

TEST(RefusesCountsBeyondInt)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    int capacity = 0;
    void* data = NULL;
    ENSURE(!tdArray_Grow(&allocator, &data, &capacity, 0, INT_MIN, 1, 1));
    ENSURE(!tdArray_Grow(&allocator, &data, &capacity, 0, INT_MAX, SIZE_MAX / 2, 1));
    ENSURE(data == NULL && capacity == 0);
}

TEST_MAIN(RUN(PushGetRemove) RUN(GrowsInFewSteps) RUN(FailureLeavesTheArrayUnchanged)
              RUN(RefusesCountsBeyondInt))
