// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Heap sort over elements of any size (Williams 1964).
#include "heap_sort.h"

#include "assert.h"

#include <string.h>

typedef struct Heap
{
    unsigned char* items;
    size_t size;
    tdIsBeforeFcn* isBefore;
    const void* context;
} Heap;

static unsigned char* GetItem(const Heap* heap, int index)
{
    return heap->items + (size_t)index * heap->size;
}

/// Restores the heap order below `root`: every parent sorts after its children.
static void SiftDown(const Heap* heap, int root, int count)
{
    unsigned char moving[TD_SORT_MAX_SIZE];
    memcpy(moving, GetItem(heap, root), heap->size);
    for (int child = 2 * root + 1; child < count; child = 2 * root + 1)
    {
        if (child + 1 < count &&
            heap->isBefore(GetItem(heap, child), GetItem(heap, child + 1), heap->context))
        {
            child += 1;
        }
        if (!heap->isBefore(moving, GetItem(heap, child), heap->context))
        {
            break;
        }
        memcpy(GetItem(heap, root), GetItem(heap, child), heap->size);
        root = child;
    }
    memcpy(GetItem(heap, root), moving, heap->size);
}

void tdHeapSort(void* items, int count, size_t size, tdIsBeforeFcn* isBefore, const void* context)
{
    TD_ASSERT(size <= TD_SORT_MAX_SIZE);
    Heap heap = {items, size, isBefore, context};
    for (int i = count / 2 - 1; i >= 0; --i)
    {
        SiftDown(&heap, i, count);
    }
    for (int last = count - 1; last > 0; --last)
    {
        unsigned char top[TD_SORT_MAX_SIZE];
        memcpy(top, GetItem(&heap, 0), size);
        memcpy(GetItem(&heap, 0), GetItem(&heap, last), size);
        memcpy(GetItem(&heap, last), top, size);
        SiftDown(&heap, 0, last);
    }
}
