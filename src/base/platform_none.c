// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The platform layer of WebAssembly: one thread and no files. file_none.c and threads_serial.c replace the
// sources that need the rest of platform.h.
#include "platform.h"

#if defined(__wasm__)

#include <stdlib.h>

void* tdPlatform_Allocate(size_t size, size_t alignment)
{
    if (alignment <= _Alignof(max_align_t))
    {
        return malloc(size);
    }
    // aligned_alloc requires a size that is a multiple of the alignment.
    size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

void tdPlatform_Free(void* memory)
{
    free(memory);
}

tdFileStatus tdPlatform_GetPathInfo(const char* path, tdFileInfo* info)
{
    (void)path;
    (void)info;
    return TD_FILE_NOT_FOUND;
}

bool tdPlatform_MakeFolder(const char* path)
{
    (void)path;
    return false;
}

void tdPlatform_RemoveFolder(const char* path)
{
    (void)path;
}

void tdPlatform_Yield(void)
{
}

int tdPlatform_CountProcessors(void)
{
    return 1;
}

#endif
