// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// An allocator that refuses to go beyond a number of bytes alive at once. Thread-safe as far as the inner one
// is.
//
// See docs/decisions/021-bounded-decoding.md.
#pragma once

#include "memory.h"

typedef struct tdMemoryLimit tdMemoryLimit;

/// NULL when memory ran out. `inner` is copied.
tdMemoryLimit* tdCreateMemoryLimit(const tdAllocator* inner, size_t maximum);
/// Everything allocated through it must be gone.
void tdDestroyMemoryLimit(tdMemoryLimit* limit);
tdAllocator tdMemoryLimit_MakeAllocator(tdMemoryLimit* limit);
/// True once an allocation was refused.
bool tdMemoryLimit_IsReached(const tdMemoryLimit* limit);
size_t tdMemoryLimit_GetMaximum(const tdMemoryLimit* limit);
