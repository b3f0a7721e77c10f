// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash of bytes. It gives the same value on every platform, so that tests can pin it. Not cryptographic.
#pragma once

#include "tendon/base.h"

#define TD_HASH_INIT UINT64_C(0xcbf29ce484222325)

static inline uint64_t tdHashWord(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

/// tdHash of one byte. Inline, because the state hash of a world is computed in every step of a recording.
static inline uint64_t tdHashByte(uint64_t hash, uint8_t byte)
{
    return tdHashWord(hash, UINT64_C(1) << 56 | byte);
}

/// tdHash of 32-bit numbers, likewise.
static inline uint64_t tdHashNumbers(uint64_t hash, const uint32_t* numbers, int count)
{
    int i = 0;
    for (; i + 2 <= count; i += 2)
    {
        hash = tdHashWord(hash, (uint64_t)numbers[i] | (uint64_t)numbers[i + 1] << 32);
    }
    return tdHashWord(hash, i < count ? UINT64_C(4) << 56 | numbers[i] : 0);
}

/// Continues `hash`, which starts as TD_HASH_INIT, with `size` bytes.
uint64_t tdHash(uint64_t hash, const void* data, size_t size);
