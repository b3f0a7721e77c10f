// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes saved states of stages: a block of a stage with bodies, a joint, triggers and a playing clip is
// changed by the input and gets a correct checksum. A refused block leaves the stage unchanged; an accepted
// one can be saved again.
#include "base/hash.h"

#include "tendon/tendon.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define HEADER_SIZE 48 // the last 8 bytes are the checksum

#define BODY(name, members)                                                                                  \
    "\"extensions\":{\"KHR_physics_rigid_bodies\":{" members "}},\"name\":\"" name "\""

static const char text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
    "shapes\"],"
    "\"buffers\":[{\"byteLength\":32,\"uri\":\"data:;base64,"
    "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":24}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],"
    "\"max\":[1]},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
    "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{"
    "\"node\":3,"
    "\"path\":\"translation\"}}]}],\"nodes\":["
    "{\"translation\":[0,-0.5,0]," BODY(
        "floor",
        "\"collider\":{\"geometry\":{\"shape\":0}}") "},"
                                                     "{\"translation\":[0,1,0]," BODY(
                                                         "box",
                                                         "\"motion\":{},\"collider\":{\"geometry\":{"
                                                         "\"shape\":1}}") "},"
                                                                          "{\"translation\":[0,2,0]," BODY(
                                                                              "hung",
                                                                              "\"motion\":{},"
                                                                              "\"collider\":{"
                                                                              "\"geometry\":{"
                                                                              "\"shape\":1}},"
                                                                              "\"joint\":{\"joint\":"
                                                                              "0,\"connectedNode\":"
                                                                              "3}") "},"
                                                                                    "{\"name\":"
                                                                                    "\"mover\"},"
                                                                                    "{\"children\":["
                                                                                    "5]," BODY(
                                                                                        "zone",
                                                                                        "\"trigger\":"
                                                                                        "{\"nodes\":["
                                                                                        "5]}") "},"
                                                                                               "{" BODY(
                                                                                                   "p"
                                                                                                   "a"
                                                                                                   "r"
                                                                                                   "t",
                                                                                                   "\"trigger"
                                                                                                   "\":{"
                                                                                                   "\"geometr"
                                                                                                   "y\":{"
                                                                                                   "\"shape\""
                                                                                                   ":1}}") "}"
                                                                                                           "]"
                                                                                                           ","
                                                                                                           "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\",\"box\":{\"size\":[10,1,10]}},"
                                                                                                           "{"
                                                                                                           "\"type\":\"box\"}]},\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0,1,2],"
                                                                                                           "\"min\":0,\"max\":0}]}]}}}";

static tdStage* MakeStage(void)
{
    tdAsset* asset = tdLoadAssetFromMemory(text, sizeof(text) - 1, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    if (actor == NULL || clip == NULL)
    {
        abort();
    }
    tdActor_Play(actor, clip, NULL);
    tdActor_SetLocal(actor, 4, TD_LOCAL_TRANSLATION, (tdTrs){{0, 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}});
    for (int i = 0; i < 40; ++i)
    {
        tdStage_Step(stage);
    }
    return stage;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static tdStage* stage; // kept for all inputs, with its asset and clip
    static uint8_t *block, *forged;
    static size_t blockSize;
    if (stage == NULL)
    {
        stage = MakeStage();
        blockSize = tdStage_Save(stage, NULL, 0);
        block = malloc(blockSize);
        forged = malloc(blockSize);
        tdStage_Save(stage, block, blockSize);
    }
    // Each change takes seven bytes: place, kind, value. Places of odd inputs are in the stage's own part.
    memcpy(forged, block, blockSize);
    uint64_t worldSize;
    memcpy(&worldSize, block + 32, sizeof(worldSize));
    size_t first = size % 2 == 1 ? HEADER_SIZE + 4 + (size_t)worldSize : HEADER_SIZE;
    for (size_t i = 0; i + 7 <= size; i += 7)
    {
        uint32_t place = (uint32_t)data[i] | (uint32_t)data[i + 1] << 8;
        size_t at = first + place % (blockSize - first - 3);
        uint32_t value, given = (uint32_t)data[i + 3] | (uint32_t)data[i + 4] << 8 |
                                (uint32_t)data[i + 5] << 16 | (uint32_t)data[i + 6] << 24;
        memcpy(&value, forged + at, 4);
        value = data[i + 2] < 128 ? value + (uint32_t)(int32_t)(int8_t)given : given;
        memcpy(forged + at, &value, 4);
    }
    size_t used = size % 5 == 4 ? size * 97 % blockSize : blockSize;
    uint64_t checksum =
        used > HEADER_SIZE ? tdHash(TD_HASH_INIT, forged + HEADER_SIZE, used - HEADER_SIZE) : 0;
    memcpy(forged + HEADER_SIZE - 8, &checksum, 8);
    uint64_t hash = tdStage_GetStateHash(stage);
    if (!tdStage_Load(stage, forged, used))
    {
        if (tdStage_GetStateHash(stage) != hash)
        {
            abort();
        }
        return 0;
    }
    // Numbers of an accepted block may be anything, so it is not stepped.
    if (tdStage_Save(stage, NULL, 0) == 0 || !tdStage_Load(stage, block, blockSize))
    {
        abort();
    }
    return 0;
}
