// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parts of recordings and the transforms of bodies in them. The bits of a float are predicted linearly from
// the last two steps, and the difference is written with as few bytes as it needs, one to four: two bits for
// each of the seven numbers give their lengths, in two bytes before them.
#include "record_file.h"

#include "base/hash.h"

#include <string.h>

void tdRecordReader_Read(tdRecordReader* reader, void* value, size_t size)
{
    const uint8_t* bytes = tdRecordReader_Take(reader, size);
    if (bytes != NULL)
    {
        memcpy(value, bytes, size);
    }
    else
    {
        memset(value, 0, size);
    }
}

const uint8_t* tdRecordReader_Take(tdRecordReader* reader, uint64_t size)
{
    if (reader->failed || (uint64_t)(reader->end - reader->at) < size)
    {
        reader->failed = true;
        return NULL;
    }
    reader->at += size;
    return reader->at - size;
}

uint32_t tdComputeRecordCheck(const void* data, size_t size, uint64_t seed)
{
    uint64_t hash = tdHash(TD_HASH_INIT ^ seed, data, size);
    return (uint32_t)(hash >> 32); // which every bit of the last word changes
}

void tdFinishRecordPart(uint8_t* part, size_t size, uint32_t tag, uint64_t offset)
{
    uint32_t header[3] = {tag, (uint32_t)(size - TD_RECORD_PART_SIZE),
                          tdComputeRecordCheck(part + TD_RECORD_PART_SIZE, size - TD_RECORD_PART_SIZE, 0)};
    uint32_t check = tdComputeRecordCheck(header, sizeof(header), offset);
    memcpy(part, header, sizeof(header));
    memcpy(part + sizeof(header), &check, sizeof(check));
}

bool tdBodyTracks_Reserve(tdBodyTracks* tracks, const tdAllocator* allocator, int body)
{
    if (body < tracks->count)
    {
        return true;
    }
    if (!tdArray_Reserve(allocator, tracks, body + 1))
    {
        return false;
    }
    memset(tracks->data + tracks->count, 0, (size_t)(body + 1 - tracks->count) * sizeof(tdBodyTrack));
    tracks->count = body + 1;
    return true;
}

tdTransform tdBodyTracks_Get(const tdBodyTracks* tracks, int body)
{
    tdTransform transform = tdTransform_identity;
    if (body >= 0 && body < tracks->count)
    {
        memcpy(&transform, tracks->data[body].last, sizeof(transform));
    }
    return transform;
}

static uint8_t* WriteVariableNumber(uint8_t* at, uint32_t number)
{
    for (; number >= 0x80; number >>= 7)
    {
        *at++ = (uint8_t)(number | 0x80);
    }
    *at++ = (uint8_t)number;
    return at;
}

static uint32_t ReadVariableNumber(tdRecordReader* reader)
{
    uint32_t number = 0;
    for (int shift = 0; shift < 35; shift += 7)
    {
        uint8_t byte;
        TD_READ(reader, byte);
        number |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
        {
            return number;
        }
    }
    reader->failed = true;
    return 0;
}

// Small differences of either sign become small numbers.
static uint32_t FoldSign(uint32_t difference)
{
    return difference << 1 ^ (difference >> 31 != 0 ? UINT32_MAX : 0);
}

static uint32_t UnfoldSign(uint32_t number)
{
    return number >> 1 ^ ((number & 1) != 0 ? UINT32_MAX : 0);
}

uint8_t* tdBodyTracks_Write(tdBodyTracks* tracks, int body, int lastBody, tdTransform transform, uint8_t* at)
{
    tdBodyTrack* track = &tracks->data[body];
    uint32_t bits[7];
    memcpy(bits, &transform, sizeof(bits));
    at = WriteVariableNumber(at, FoldSign((uint32_t)body - (uint32_t)lastBody));
    uint8_t* lengths = at;
    uint32_t code = 0;
    at += 2;
    for (int i = 0; i < 7; ++i)
    {
        uint32_t predicted = 2 * track->last[i] - track->before[i];
        uint32_t number = FoldSign(bits[i] - predicted);
        uint32_t length = (uint32_t)(number > 0xff) + (number > 0xffff) + (number > 0xffffff);
        memcpy(at, &number, sizeof(number)); // bytes after its length are overwritten
        at += length + 1;
        code |= length << (2 * i);
        track->before[i] = track->last[i];
        track->last[i] = bits[i];
    }
    lengths[0] = (uint8_t)code;
    lengths[1] = (uint8_t)(code >> 8);
    return at;
}

tdRecordedStep tdReadRecordedStep(tdRecordReader* reader)
{
    tdRecordedStep step = {0};
    TD_READ(reader, step.seconds);
    TD_READ(reader, step.hash);
    TD_READ(reader, step.bodyCount);
    reader->failed = reader->failed || !(step.seconds >= 0.0 && step.seconds < 1.0e6);
    return step;
}

bool tdBodyTracks_Read(tdBodyTracks* tracks, const tdAllocator* allocator, tdRecordReader* reader, int* body)
{
    uint32_t index = (uint32_t)*body + UnfoldSign(ReadVariableNumber(reader));
    reader->failed = reader->failed || index >= TD_RECORD_MAX_BODIES;
    if (reader->failed)
    {
        return true;
    }
    *body = (int)index;
    if (!tdBodyTracks_Reserve(tracks, allocator, *body))
    {
        return false;
    }
    tdBodyTrack* track = &tracks->data[index];
    uint16_t lengths;
    TD_READ(reader, lengths);
    for (int i = 0; i < 7; ++i)
    {
        uint32_t predicted = 2 * track->last[i] - track->before[i], number = 0;
        tdRecordReader_Read(reader, &number, (size_t)(lengths >> (2 * i) & 3) + 1);
        track->before[i] = track->last[i];
        track->last[i] = predicted + UnfoldSign(number);
    }
    return true;
}
