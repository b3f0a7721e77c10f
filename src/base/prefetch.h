// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Prefetching: a processor that waits for memory loads several requested cache lines at the same time.
#pragma once

#include "compiler.h"

#define TD_CACHE_LINE 64 // bytes

/// Requests the cache lines of a record, which must be readable memory. WebAssembly has no prefetch
/// instruction: there it reads a byte of each line, which helps when the caller requests several records
/// before it uses the first.
static inline void tdPrefetch(const void* record, size_t size)
{
    for (size_t i = 0; i < size; i += TD_CACHE_LINE)
    {
        tdPrefetchLine((const char*)record + i);
    }
}
