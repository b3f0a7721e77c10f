// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of arenas: alignment, no overlap, reuse after a reset, allocation failure.
#include "harness.h"

#include "base/arena.h"

TEST(AllocationsAreAlignedAndDisjoint)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdArena arena;
    tdArena_Init(&arena, &allocator, 256);
    unsigned char* blocks[300];
    size_t sizes[300];
    for (int i = 0; i < 300; ++i)
    {
        size_t alignment = (size_t)1 << (i % 7);
        sizes[i] = (size_t)(i * 37 % 500);
        blocks[i] = tdArena_Allocate(&arena, sizes[i], alignment);
        ENSURE(blocks[i] != NULL && (uintptr_t)blocks[i] % alignment == 0);
        memset(blocks[i], i & 0xff, sizes[i]);
    }
    for (int i = 0; i < 300; ++i)
    {
        bool intact = true;
        for (size_t k = 0; k < sizes[i]; ++k)
        {
            intact = intact && blocks[i][k] == (i & 0xff);
        }
        ENSURE(intact);
    }
    int64_t count = state.count;
    ENSURE(count < 20);
    tdArena_Reset(&arena);
    ENSURE_EQUAL_INT(arena.used, 0);
    for (int i = 0; i < 300; ++i)
    {
        ENSURE(tdArena_Allocate(&arena, sizes[i], 8) != NULL);
    }
    ENSURE(state.count <= count + 2); // blocks are reused
    tdArena_Free(&arena);
    ENSURE_EQUAL_INT(state.liveBlocks, 0);
    ENSURE_EQUAL_INT(state.liveBytes, 0);
}

TEST(ArraysAreClearedAndBounded)
{
    tdArena arena;
    tdArena_Init(&arena, NULL, 0);
    for (int round = 0; round < 2; ++round)
    {
        int* numbers = tdArena_NewArray(&arena, int, 1000);
        bool zero = true;
        for (int i = 0; i < 1000; ++i)
        {
            zero = zero && numbers[i] == 0;
            numbers[i] = -1;
        }
        ENSURE(zero);
        tdArena_Reset(&arena);
    }
    ENSURE(tdArena_AllocateArray(&arena, SIZE_MAX / 4, 8, 8) == NULL);
    ENSURE_EQUAL_TEXT(tdArena_CopyText(&arena, "hello world", 5), "hello");
    ENSURE_EQUAL_TEXT(tdArena_CopyText(&arena, "", 0), "");
    tdArena_Free(&arena);
}

TEST(MemoryRunsOut)
{
    for (int64_t failAt = 0; failAt < 5; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdArena arena;
        tdArena_Init(&arena, &allocator, 64);
        int made = 0;
        while (made < 10000 && tdArena_Allocate(&arena, 40, 8) != NULL)
        {
            ++made;
        }
        ENSURE(made < 10000 && (failAt == 0) == (made == 0));
        ENSURE_EQUAL_INT(state.liveBlocks, failAt);
        tdArena_Free(&arena);
        ENSURE_EQUAL_INT(state.liveBytes, 0);
    }
}

TEST_MAIN(RUN(AllocationsAreAlignedAndDisjoint) RUN(ArraysAreClearedAndBounded) RUN(MemoryRunsOut))
