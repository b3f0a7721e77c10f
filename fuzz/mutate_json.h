// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A mutator that knows JSON and the extensions: most of its outputs are valid JSON with one value replaced,
// removed or duplicated, or with a member of an extension added. Each fuzzer includes it in one file,
// because libFuzzer finds the mutator by its name; a fuzzer with its own defines TD_OWN_MUTATOR.
#pragma once

#include "json/json.h"
#include "json/parse.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

static unsigned int NextRandom(unsigned int* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/// Replaces [start, end) by `text`; does nothing if there is no room.
static size_t Splice(uint8_t* data, size_t size, size_t maxSize, size_t start, size_t end, const char* text,
                     size_t length)
{
    if (size - (end - start) + length > maxSize)
    {
        return size;
    }
    memmove(data + start + length, data + end, size - end);
    memcpy(data + start, text, length);
    return size - (end - start) + length;
}

/// Adds a member that an extension defines, with small indices and odd numbers, to an object.
static size_t AddMember(uint8_t* data, size_t size, size_t maxSize, size_t start, bool isEmpty,
                        unsigned int* random)
{
    // "%u" becomes an index, "%n" a number.
    static const char* const members[] = {
        "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":%n,\"centerOfMass\":[%n,%n,%n]}}"
        "}",
        "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":{\"geometry\":{\"shape\":%"
        "u}}}}",
        "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"trigger\":{\"geometry\":{\"mesh\":%u,\"convexHull\":"
        "true}}}}",
        "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"joint\":{\"connectedNode\":%u,\"joint\":%u,"
        "\"enableCollision\":true}}}",
        "\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\",\"mass\":%n},\"collider\":{"
        "\"shape\":%u}}}",
        "\"extensions\":{\"OMI_physics_joint\":{\"nodeA\":%u,\"nodeB\":%u,\"joint\":%u}}",
        "\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{"
        "\"source\":%u,\"aimAxis\":"
        "\"PositiveX\",\"weight\":%n}}}}",
        "\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"roll\":{"
        "\"source\":%u,\"rollAxis\":"
        "\"Y\"}}}}",
        "\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"capsule\",\"capsule\":{\"height\":%n,\"radiusTop\":"
        "%n}},{\"type\":\"box\","
        "\"box\":{\"size\":[%n,1,%n]}},{\"type\":\"plane\",\"plane\":{}}]}",
        "\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[%u,1],\"min\":%n,"
        "\"max\":%n,\"stiffness\":%n},"
        "{\"angularAxes\":[%u],\"min\":%n}],\"drives\":[{\"type\":\"angular\",\"mode\":\"force\",\"axis\":%u,"
        "\"velocityTarget\":%n,"
        "\"maxForce\":%n}]}],\"collisionFilters\":[{\"collisionSystems\":[\"a\"],\"notCollideWithSystems\":["
        "\"a\",\"b\"]}],"
        "\"physicsMaterials\":[{\"staticFriction\":%n,\"restitution\":%n}]}",
        "\"VRMC_springBone\":{\"specVersion\":\"1.0\",\"colliders\":[{\"node\":%u,\"shape\":{\"capsule\":{"
        "\"offset\":[%n,0,0],\"radius\":%n,"
        "\"tail\":[0,%n,0]}}}],\"colliderGroups\":[{\"colliders\":[0]}],\"springs\":[{\"joints\":[{\"node\":%"
        "u,\"stiffness\":%n,"
        "\"gravityPower\":%n},{\"node\":%u}],\"colliderGroups\":[0],\"center\":%u}]}",
        "\"scale\":[%n,%n,%n]",
        "\"rotation\":[%n,%n,%n,%n]",
        "\"children\":[%u,%u]",
        "\"mesh\":%u",
        "\"skin\":%u",
        "\"weights\":[%n]",
    };
    static const char* const numbers[] = {"0",   "1",    "-1",   "0.5",  "1e-30",
                                          "1e7", "3e38", "-2.5", "0.01", "100"};
    const char* member = members[NextRandom(random) % (sizeof(members) / sizeof(members[0]))];
    char text[1024];
    size_t length = 0;
    for (; *member != 0 && length < sizeof(text) - 16; ++member)
    {
        if (*member == '%' && member[1] == 'u')
        {
            text[length++] = (char)('0' + NextRandom(random) % 6);
            ++member;
        }
        else if (*member == '%')
        {
            const char* number = numbers[NextRandom(random) % (sizeof(numbers) / sizeof(numbers[0]))];
            memcpy(text + length, number, strlen(number));
            length += strlen(number);
            ++member;
        }
        else
        {
            text[length++] = *member;
        }
    }
    if (!isEmpty)
    {
        text[length++] = ',';
    }
    return Splice(data, size, maxSize, start + 1, start + 1, text, length);
}

/// Replaces one value by an odd one or by another value of the same document, or duplicates an array element.
static size_t MutateJson(uint8_t* data, size_t size, size_t maxSize, unsigned int seed, const tdJson* json)
{
    static const char* const odd[] = {"0",      "-1",         "1",         "2",     "0.5", "1e-40",   "1e999",
                                      "-3.5",   "2147483648", "null",      "true",  "[]",  "{}",      "\"\"",
                                      "[0]",    "[0,0,0]",    "[0,0,0,1]", "false", "100", "[1,1,1]", "65535",
                                      "3.4e38", "[[]]",       "\"x\"",     "4",     "3"};
    unsigned int random = seed;
    int count = tdJson_GetValueCount(json);
    int value = (int)(NextRandom(&random) % (unsigned int)count);
    int other = (int)(NextRandom(&random) % (unsigned int)count);
    size_t start = 0, end = 0, otherStart = 0, otherEnd = 0;
    tdJson_GetRange(json, value, &start, &end);
    tdJson_GetRange(json, other, &otherStart, &otherEnd);
    size_t copySize = otherEnd - otherStart;
    char* copy = malloc(copySize + 1);
    memcpy(copy, data + otherStart, copySize);
    size_t result = size;
    switch (NextRandom(&random) % 5)
    {
    case 4:
        for (; value > 0 && !tdJson_IsObject(json, value); --value)
        {
        }
        tdJson_GetRange(json, value, &start, &end);
        result = tdJson_IsObject(json, value)
                     ? AddMember(data, size, maxSize, start, tdJson_GetCount(json, value) == 0, &random)
                     : size;
        break;
    case 0:
        result = Splice(data, size, maxSize, start, end, copy, copySize);
        break;
    case 1:
        if (tdJson_IsArray(json, value) && tdJson_GetCount(json, value) > 0)
        {
            copy[copySize] = ',';
            result = Splice(data, size, maxSize, start + 1, start + 1, copy, copySize + 1);
        }
        break;
    default:
    {
        const char* text = odd[NextRandom(&random) % (sizeof(odd) / sizeof(odd[0]))];
        result = Splice(data, size, maxSize, start, end, text, strlen(text));
        break;
    }
    }
    free(copy);
    return result;
}

/// Mutates a JSON text, or bytes where it is none.
static size_t MutateText(uint8_t* data, size_t size, size_t maxSize, unsigned int seed)
{
    tdJson* json = seed % 8 != 0 ? tdParseJson((const char*)data, size, NULL, NULL) : NULL;
    size_t result =
        json != NULL ? MutateJson(data, size, maxSize, seed, json) : LLVMFuzzerMutate(data, size, maxSize);
    tdDestroyJson(json);
    return result;
}

#ifndef TD_OWN_MUTATOR
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed)
{
    return MutateText(data, size, maxSize, seed);
}
#endif
