// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the hash: pinned values (other tests pin state hashes made with it), no trivial collisions.
#include "harness.h"

#include "base/hash.h"

#include <stdlib.h>

TEST(ValuesArePinned)
{
    // Pinned values: every stored state hash depends on them.
    const struct
    {
        const char* text;
        uint64_t hash;
    } cases[] = {{"", UINT64_C(0xf8bb92c91b3f5cc0)},
                 {"a", UINT64_C(0x0c73504041fa84d4)},
                 {"tendon", UINT64_C(0x50e06c958a5b6c30)},
                 {"tendon and bone", UINT64_C(0xdadd097c80ec3eca)}};
    for (int i = 0; i < 4; ++i)
    {
        ENSURE_EQUAL_INT(tdHash(TD_HASH_INIT, cases[i].text, strlen(cases[i].text)), cases[i].hash);
    }
}

static int CompareHashes(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

TEST(SmallInputsDoNotCollide)
{
    static uint64_t hashes[3 * 65536];
    int count = 0;
    for (int length = 1; length <= 3; ++length)
    {
        for (int i = 0; i < 65536; ++i)
        {
            unsigned char bytes[24] = {0};
            bytes[0] = (unsigned char)i;
            bytes[8 * length - 1] = (unsigned char)(i >> 8);
            hashes[count++] = tdHash(TD_HASH_INIT, bytes, (size_t)(8 * length));
        }
    }
    qsort(hashes, (size_t)count, sizeof(uint64_t), CompareHashes);
    int collisions = 0;
    for (int i = 1; i < count; ++i)
    {
        collisions += hashes[i] == hashes[i - 1];
    }
    ENSURE_EQUAL_INT(collisions, 0);
}

TEST(LengthAndOrderCount)
{
    const unsigned char zeros[32] = {0};
    for (size_t a = 0; a < 32; ++a)
    {
        for (size_t b = 0; b < a; ++b)
        {
            ENSURE(tdHash(TD_HASH_INIT, zeros, a) != tdHash(TD_HASH_INIT, zeros, b));
        }
    }
    ENSURE(tdHash(tdHash(TD_HASH_INIT, "a", 1), "b", 1) != tdHash(tdHash(TD_HASH_INIT, "b", 1), "a", 1));
}

TEST_MAIN(RUN(ValuesArePinned) RUN(SmallInputsDoNotCollide) RUN(LengthAndOrderCount))
