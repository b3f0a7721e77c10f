// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Eight bytes per round: xor, multiply by an odd constant, fold the high half into the low one. Words are
// read as little-endian on every platform.
#include "hash.h"

// Compilers turn this expression into one load, but not a loop over the bytes.
static uint32_t ReadHalf(const unsigned char* bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint64_t tdHash(uint64_t hash, const void* data, size_t size)
{
    const unsigned char* bytes = data;
    size_t i = 0;
    for (; i + 8 <= size; i += 8)
    {
        hash = tdHashWord(hash, (uint64_t)ReadHalf(bytes + i) | (uint64_t)ReadHalf(bytes + i + 4) << 32);
    }
    uint64_t tail = (uint64_t)(size - i) << 56;
    int shift = 0;
    if (i + 4 <= size)
    {
        tail |= ReadHalf(bytes + i);
        i += 4;
        shift = 32;
    }
    for (; i < size; ++i, shift += 8)
    {
        tail |= (uint64_t)bytes[i] << shift;
    }
    return tdHashWord(hash, tail);
}
