// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory that will be needed soon. Where the processor waits for memory, lines asked for together arrive
// together.
#pragma once

#include <stddef.h>

// Asks for the lines of a record that exists. WebAssembly has no such instruction; reading a byte of each
// line does the same as long as several records are asked for before the first one is used.
static inline void tdPrefetch(const void* record, size_t size)
{
    for (size_t i = 0; i < size; i += 64)
    {
#if defined(__wasm__)
        (void)*((const volatile char*)record + i);
#elif defined(__GNUC__)
        __builtin_prefetch((const char*)record + i);
#else
        (void)record;
#endif
    }
}
