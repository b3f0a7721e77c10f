// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Eight bytes per round: xor, multiply by an odd constant, fold the high half into the low one. Words are
// read as little-endian on every platform.
#include "hash.h"

static uint64_t HashWord(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

uint64_t tdHash(uint64_t hash, const void* data, size_t size)
{
    const unsigned char* bytes = data;
    size_t i = 0;
    for (; i + 8 <= size; i += 8)
    {
        uint64_t word = 0;
        for (int k = 0; k < 8; ++k)
        {
            word |= (uint64_t)bytes[i + (size_t)k] << (8 * k);
        }
        hash = HashWord(hash, word);
    }
    uint64_t tail = (uint64_t)(size - i) << 56;
    for (int k = 0; i < size; ++i, ++k)
    {
        tail |= (uint64_t)bytes[i] << (8 * k);
    }
    return HashWord(hash, tail);
}
