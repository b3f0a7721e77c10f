// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes saved states: blocks of a world with bodies, joints, a compound and triggers are changed by the
// input and get a correct checksum. A refused block leaves the world unchanged; an accepted one can be
// saved again.
#include "base/hash.h"

#include "tendon/joint.h"
#include "tendon/physics.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define HEADER_SIZE 80 // the last 8 bytes are the checksum

static tdWorld* MakeWorld(void)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef bodyDef = tdDefaultBodyDef();
    tdBodyId ground = tdCreateBody(world, &bodyDef);
    tdCreateBox(world, ground, NULL, (tdVec3){10.0f, 0.5f, 10.0f});
    tdShapeDef trigger = tdDefaultShapeDef();
    trigger.isTrigger = true;
    tdCreateSphere(world, ground, &trigger, 3.0f);
    bodyDef.motion = TD_MOTION_DYNAMIC;
    tdBodyId before = ground;
    for (int i = 0; i < 8; ++i)
    {
        bodyDef.transform.position = (tdVec3){0.3f * (float)i, 1.0f + 0.5f * (float)i, 0.0f};
        tdBodyId body = tdCreateBody(world, &bodyDef);
        tdShapeDef def = tdDefaultShapeDef();
        for (int k = 0; k < (i == 0 ? 20 : 1); ++k)
        {
            def.local.position = (tdVec3){0.0f, 0.0f, 0.6f * (float)k};
            tdCreateBox(world, body, &def, (tdVec3){0.25f, 0.25f, 0.25f});
        }
        if (i % 3 == 2)
        {
            tdJointDef joint = tdMakeBallJointDef(world, before, body, bodyDef.transform.position);
            tdCreateJoint(world, &joint);
        }
        before = body;
    }
    for (int i = 0; i < 30; ++i)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
    }
    return world;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static tdWorld* world; // kept for all inputs
    static uint8_t *block, *forged;
    static size_t blockSize;
    if (world == NULL)
    {
        world = MakeWorld();
        blockSize = tdWorld_SaveState(world, NULL, 0);
        block = malloc(blockSize);
        forged = malloc(blockSize);
        tdWorld_SaveState(world, block, blockSize);
    }
    // Each change takes seven bytes: place, kind, value.
    memcpy(forged, block, blockSize);
    for (size_t i = 0; i + 7 <= size; i += 7)
    {
        uint32_t place = (uint32_t)data[i] | (uint32_t)data[i + 1] << 8 | (uint32_t)(data[i + 2] & 15) << 16;
        size_t at = HEADER_SIZE + 4 * (place % ((blockSize - HEADER_SIZE) / 4));
        uint32_t value;
        memcpy(&value, forged + at, 4);
        uint32_t given = (uint32_t)data[i + 3] | (uint32_t)data[i + 4] << 8 | (uint32_t)data[i + 5] << 16 |
                         (uint32_t)data[i + 6] << 24;
        value = data[i + 2] >> 4 < 8 ? value + (uint32_t)(int32_t)(int8_t)given : given;
        memcpy(forged + at, &value, 4);
    }
    uint64_t checksum = tdHash(TD_HASH_INIT, forged + HEADER_SIZE, blockSize - HEADER_SIZE);
    memcpy(forged + HEADER_SIZE - 8, &checksum, 8);
    uint64_t hash = tdWorld_GetStateHash(world);
    size_t used = size % 5 == 4 ? size * 97 % blockSize : blockSize;
    if (!tdWorld_LoadState(world, forged, used))
    {
        if (tdWorld_GetStateHash(world) != hash)
        {
            abort();
        }
        return 0;
    }
    // Numbers of an accepted block may be anything, so it is not stepped.
    if (tdWorld_SaveState(world, forged, blockSize) == 0 || !tdWorld_LoadState(world, block, blockSize))
    {
        abort();
    }
    return 0;
}
