// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of allocation: alignment, the caller's allocator, failure injection; the assert hook and the version.
#include "harness.h"

#include "base/assert.h"
#include "base/memory.h"

TEST(AllocationsAreAligned)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (size_t alignment = 1; alignment <= 64; alignment *= 2)
    {
        for (size_t size = 0; size < 300; size += 37)
        {
            unsigned char* memory = tdAllocateZeroed(&allocator, size, alignment);
            ENSURE(memory != NULL && (uintptr_t)memory % alignment == 0);
            bool zero = true;
            for (size_t i = 0; i < size; ++i)
            {
                zero = zero && memory[i] == 0;
            }
            ENSURE(zero);
            tdRelease(&allocator, memory, size);
        }
    }
    tdRelease(&allocator, NULL, 10);
}

typedef struct Ledger
{
    size_t taken, given, alignment;
} Ledger;

static unsigned char page[256];

static void* TakeFromPage(void* context, size_t size, size_t alignment)
{
    Ledger* ledger = context;
    ledger->taken += size;
    ledger->alignment = alignment;
    return page;
}

static void GiveToPage(void* context, void* memory, size_t size)
{
    ((Ledger*)context)->given += memory == page ? size : 0;
}

TEST(OwnAllocatorSeesEverySize)
{
    Ledger ledger = {0};
    tdAllocator own = {TakeFromPage, GiveToPage, &ledger};
    tdAllocator allocator = tdAllocator_Resolve(&own);
    void* memory = tdAllocate(&allocator, 100, 32);
    ENSURE(memory == page && ledger.taken == 100 && ledger.alignment == 32);
    tdRelease(&allocator, memory, 100);
    ENSURE_EQUAL_INT(ledger.given, 100);
    // An allocation of zero bytes counts as one byte when allocated and when freed.
    tdRelease(&allocator, tdAllocate(&allocator, 0, 1), 0);
    ENSURE(ledger.taken == 101 && ledger.given == 101);
}

TEST(FailsFromTheGivenAllocationOn)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, 3);
    void* blocks[6];
    for (int i = 0; i < 6; ++i)
    {
        blocks[i] = tdAllocate(&allocator, 10, 1);
        ENSURE((blocks[i] != NULL) == (i < 3));
    }
    ENSURE(state.count == 6 && state.liveBlocks == 3 && state.liveBytes == 30 && state.peakBytes == 30);
    for (int i = 0; i < 6; ++i)
    {
        tdRelease(&allocator, blocks[i], 10);
    }
    ENSURE(state.liveBlocks == 0 && state.liveBytes == 0 && state.peakBytes == 30);
    ENSURE(tdAllocateZeroed(&allocator, 10, 1) == NULL);
}

TEST(ProductsThatOverflowAreRefused)
{
    size_t product = 0;
    ENSURE(tdMultiplySizes(0, SIZE_MAX, &product) && product == 0);
    ENSURE(tdMultiplySizes(SIZE_MAX, 0, &product) && product == 0);
    ENSURE(tdMultiplySizes(SIZE_MAX, 1, &product) && product == SIZE_MAX);
    ENSURE(tdMultiplySizes(SIZE_MAX / 2, 2, &product) && product == SIZE_MAX - 1);
    ENSURE(!tdMultiplySizes(SIZE_MAX / 2 + 1, 2, &product));
    ENSURE(!tdMultiplySizes(SIZE_MAX, SIZE_MAX, &product));
}

static int assertCount;

static bool CountAssert(const char* condition, const char* file, int line)
{
    assertCount += strcmp(condition, "1 > 2") == 0 && file != NULL && line > 0;
    return false; // continue after the failure
}

TEST(AssertHookIsCalled)
{
    tdSetAssertHandler(CountAssert);
    tdAssertFailed("1 > 2", __FILE__, __LINE__);
    ENSURE_EQUAL_INT(assertCount, 1);
    tdSetAssertHandler(NULL);
    tdVersion version = tdGetVersion();
    ENSURE(version.major == TD_VERSION_MAJOR && version.minor == TD_VERSION_MINOR &&
           version.patch == TD_VERSION_PATCH);
}

TEST_MAIN(RUN(AllocationsAreAligned) RUN(OwnAllocatorSeesEverySize) RUN(FailsFromTheGivenAllocationOn)
              RUN(ProductsThatOverflowAreRefused) RUN(AssertHookIsCalled))
