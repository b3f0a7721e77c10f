// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of the program. Every allocation goes through these functions, which remember each refusal: after
// one, no output file is written and the exit code is 3, even if a caller has overlooked it.
#pragma once

#include "tendon/tendon.h"

/// The allocator for library calls. Thread-safe.
const tdAllocator* GetMemory(void);

/// Whether an allocation was refused since the start or the last ForgetMemoryFailure.
bool HasMemoryFailed(void);
/// Forgets refusals: for the next request of a server, or if nothing is lost.
void ForgetMemoryFailure(void);
/// Records that a function of the system ran out of memory.
void NoteMemoryFailure(void);

/// The counterparts of malloc, calloc and realloc; free releases their blocks.
void* AllocateBytes(size_t size);
void* AllocateZeroed(size_t count, size_t size);
void* ResizeBytes(void* memory, size_t size);
