// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of packed states: blocks of many scenes come back to the byte, alone and as differences; damage.
#include "harness.h"

#include "scenes/setup.h"

#include <stdlib.h>
#include <string.h>

/// A block, packed or not.
typedef struct Block
{
    uint8_t* bytes;
    size_t size;
} Block;

static Block SaveWorld(const tdWorld* world)
{
    Block block = {NULL, tdWorld_SaveState(world, NULL, 0)};
    block.bytes = malloc(block.size);
    tdWorld_SaveState(world, block.bytes, block.size);
    return block;
}

static Block Pack(Block block, Block base)
{
    Block packed = {NULL, tdPackState(block.bytes, block.size, base.bytes, base.size, NULL, 0)};
    packed.bytes = malloc(packed.size);
    ENSURE(packed.size > 0 && tdPackState(block.bytes, block.size, base.bytes, base.size, packed.bytes,
                                          packed.size) == packed.size);
    return packed;
}

/// Unpacks and compares. Gives the packed size.
static size_t ExpectBack(Block block, Block base)
{
    Block packed = Pack(block, base);
    Block back = {malloc(block.size), block.size};
    ENSURE(tdUnpackState(packed.bytes, packed.size, base.bytes, base.size, NULL, 0) == block.size);
    ENSURE(tdUnpackState(packed.bytes, packed.size, base.bytes, base.size, back.bytes, back.size) ==
           block.size);
    ENSURE(memcmp(back.bytes, block.bytes, block.size) == 0);
    free(packed.bytes);
    free(back.bytes);
    return packed.size;
}

static const Block none = {NULL, 0};

TEST(BlocksComeBack)
{
    for (const tdSetupEntry* entry = tdSmallSetups; entry->name != NULL; ++entry)
    {
        tdSetup* setup = tdCreateSetup(entry->name);
        tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
        Block first = SaveWorld(instance.world), last = first;
        for (int step = 1; step <= 40; ++step)
        {
            tdSetupWorld_Step(&instance);
            Block block = SaveWorld(instance.world);
            if (step % 4 == 0)
            {
                size_t whole = ExpectBack(block, none), step1 = ExpectBack(block, last);
                ExpectBack(block, first);
                ENSURE(whole < block.size && step1 < whole);
            }
            free(last.bytes != first.bytes ? last.bytes : NULL);
            last = block;
        }
        // Against itself there is nothing but the heads of columns.
        ENSURE(ExpectBack(last, last) < 2000);
        free(last.bytes);
        free(first.bytes);
        tdDestroySetupWorld(&instance);
        tdDestroySetup(setup);
    }
}

TEST(UnpackedBlocksAreLoaded)
{
    tdSetup* setup = tdCreateSetup(tdSmallSetups[0].name);
    tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
    for (int step = 0; step < 20; ++step)
    {
        tdSetupWorld_Step(&instance);
    }
    Block base = SaveWorld(instance.world);
    tdSetupWorld_Step(&instance);
    Block block = SaveWorld(instance.world), packed = Pack(block, base),
          back = {malloc(block.size), block.size};
    uint64_t hash = tdWorld_GetStateHash(instance.world);
    tdSetupWorld_Step(&instance);
    ENSURE(tdUnpackState(packed.bytes, packed.size, base.bytes, base.size, back.bytes, back.size) ==
           back.size);
    ENSURE(tdWorld_LoadState(instance.world, back.bytes, back.size));
    ENSURE(tdWorld_GetStateHash(instance.world) == hash);
    free(base.bytes);
    free(block.bytes);
    free(packed.bytes);
    free(back.bytes);
    tdDestroySetupWorld(&instance);
    tdDestroySetup(setup);
}

TEST(DamagedPackedBlocksAreHarmless)
{
    tdSetup* setup = tdCreateSetup(tdSmallSetups[0].name);
    tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
    tdSetupWorld_Step(&instance);
    Block base = SaveWorld(instance.world);
    tdSetupWorld_Step(&instance);
    Block block = SaveWorld(instance.world), back = {malloc(block.size), block.size};
    uint64_t hash = tdWorld_GetStateHash(instance.world);
    uint32_t random = 12345;
    for (int hasBase = 0; hasBase < 2; ++hasBase)
    {
        Block other = hasBase ? base : none, packed = Pack(block, other);
        for (int i = 0; i < 4000; ++i)
        {
            random = random * 1664525u + 1013904223u;
            size_t at = random >> 8;
            at %= i < 1000 ? 500 : packed.size; // the head is damaged more often
            uint8_t former = packed.bytes[at], bit = (uint8_t)(1u << (random & 7));
            packed.bytes[at] ^= bit;
            size_t size =
                tdUnpackState(packed.bytes, packed.size, other.bytes, other.size, back.bytes, back.size);
            bool isSame = size == block.size && memcmp(back.bytes, block.bytes, size) == 0;
            // A block that differs has a wrong checksum.
            bool isLoaded =
                size > 0 && size <= back.size && tdWorld_LoadState(instance.world, back.bytes, size);
            ENSURE(isLoaded == isSame && tdWorld_GetStateHash(instance.world) == hash);
            packed.bytes[at] = former;
        }
        for (size_t size = 0; size < packed.size; size += 1 + size / 50)
        {
            ENSURE(tdUnpackState(packed.bytes, size, other.bytes, other.size, back.bytes, back.size) == 0);
        }
        free(packed.bytes);
    }
    Block packed = Pack(block, base);
    ENSURE(tdUnpackState(packed.bytes, packed.size, NULL, 0, back.bytes, back.size) == 0);
    ENSURE(tdUnpackState(packed.bytes, packed.size, block.bytes, block.size, back.bytes, back.size) == 0);
    ENSURE(tdPackState(NULL, 0, NULL, 0, NULL, 0) == 0 && tdUnpackState(NULL, 0, NULL, 0, NULL, 0) == 0);
    // Bytes that are no block are packed, too.
    uint8_t text[23] = "this is no saved state", again[23];
    Block small = {text, sizeof(text)}, odd = Pack(small, none);
    ENSURE(tdUnpackState(odd.bytes, odd.size, NULL, 0, again, sizeof(again)) == sizeof(text));
    ENSURE(memcmp(text, again, sizeof(text)) == 0);
    free(odd.bytes);
    free(packed.bytes);
    free(base.bytes);
    free(block.bytes);
    free(back.bytes);
    tdDestroySetupWorld(&instance);
    tdDestroySetup(setup);
}

TEST_MAIN(RUN(BlocksComeBack) RUN(UnpackedBlocksAreLoaded) RUN(DamagedPackedBlocksAreHarmless))
