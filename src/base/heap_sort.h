// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Heap sort: in place, without allocation, O(n log n) on every input.
#pragma once

#include "tendon/base.h"

/// Largest element that tdHeapSort accepts, in bytes.
#define TD_SORT_MAX_SIZE 128

/// True if `a` sorts before `b`.
typedef bool tdIsBeforeFcn(const void* a, const void* b, const void* context);

/// Sorts `count` elements of `size` bytes in ascending order. The sort is not stable: callers whose output
/// depends on the order of equal elements give `isBefore` a total order.
void tdHeapSort(void* items, int count, size_t size, tdIsBeforeFcn* isBefore, const void* context);
