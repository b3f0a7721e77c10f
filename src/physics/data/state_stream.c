// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Counts, writes and reads a state.
#include "physics/data/state_stream.h"

#include <string.h>

void tdState_Bytes(tdStateStream* stream, void* data, size_t size)
{
    if (stream->failed || size == 0)
    {
        return;
    }
    if (stream->mode != TD_STATE_COUNT)
    {
        if (size > stream->size - stream->at)
        {
            stream->failed = true;
            return;
        }
        if (stream->mode == TD_STATE_WRITE)
        {
            memcpy(stream->bytes + stream->at, data, size);
        }
        else
        {
            memcpy(data, stream->bytes + stream->at, size);
        }
    }
    stream->at += size;
}

void tdState_ArrayBytes(tdStateStream* stream, const tdAllocator* allocator, void** data, int* count,
                        int* capacity, size_t elementSize)
{
    int saved = *count;
    tdState_Value(stream, &saved);
    if (stream->mode == TD_STATE_READ && !stream->failed)
    {
        if (saved < 0 || (size_t)saved > (stream->size - stream->at) / elementSize)
        {
            stream->failed = true;
            return;
        }
        if (saved > *capacity &&
            !tdArray_Grow(allocator, data, capacity, *count, saved, elementSize, _Alignof(max_align_t)))
        {
            stream->failed = true;
            return;
        }
        *count = saved;
    }
    tdState_Bytes(stream, *data, (size_t)saved * elementSize);
}
