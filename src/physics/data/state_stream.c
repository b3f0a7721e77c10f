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
        else if (!stream->isCheck)
        {
            memcpy(data, stream->bytes + stream->at, size);
        }
    }
    stream->at += size;
}

void tdState_NoteSection(tdStateStream* stream, size_t count, size_t stride, tdSectionKind kind)
{
    tdStateSections* sections = stream->sections;
    if (sections != NULL && sections->count < TD_MAX_SECTIONS)
    {
        sections->items[sections->count++] =
            (tdStateSection){(uint32_t)stream->at, (uint32_t)stride, (uint32_t)count, (uint32_t)kind};
    }
}

void tdState_Records(tdStateStream* stream, void* data, size_t count, size_t stride, tdSectionKind kind)
{
    tdState_NoteSection(stream, count, stride, kind);
    tdState_Bytes(stream, data, count * stride);
}

void tdState_Bool(tdStateStream* stream, bool* value)
{
    uint8_t byte = stream->mode != TD_STATE_READ && *value; // memory that is read into may be new
    bool isCheck = stream->isCheck;
    stream->isCheck = false;
    tdState_Bytes(stream, &byte, 1);
    stream->isCheck = isCheck;
    stream->failed = stream->failed || byte > 1;
    if (tdState_Stores(stream))
    {
        *value = byte != 0;
    }
}

int tdState_Count(tdStateStream* stream, int count, int most)
{
    int32_t number = count;
    bool isCheck = stream->isCheck;
    stream->isCheck = false;
    tdState_Bytes(stream, &number, sizeof(number));
    stream->isCheck = isCheck;
    stream->failed = stream->failed || number < 0 || number > most;
    return stream->failed ? 0 : number;
}

void tdState_Int(tdStateStream* stream, int* value, int least, int most)
{
    int32_t number = stream->mode != TD_STATE_READ ? *value : 0;
    bool isCheck = stream->isCheck;
    stream->isCheck = false;
    tdState_Bytes(stream, &number, sizeof(number));
    stream->isCheck = isCheck;
    stream->failed = stream->failed || (stream->mode == TD_STATE_READ && (number < least || number > most));
    if (tdState_Stores(stream))
    {
        *value = number;
    }
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
    tdState_Records(stream, *data, (size_t)saved, elementSize, TD_SECTION_PLAIN);
}
