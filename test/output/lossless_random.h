// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Random glTF scenes for the lossless tests: valid, with unusual formatting.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char scenePool[1 << 20];
static size_t scenePoolUsed;
static uint32_t sceneState;

static unsigned Random(unsigned range)
{
    sceneState ^= sceneState << 13;
    sceneState ^= sceneState >> 17;
    sceneState ^= sceneState << 5;
    return (sceneState >> 8) % range;
}

/// Room for a text in the pool; texts live until the next scene.
static char* TakeText(size_t size)
{
    if (scenePoolUsed + size > sizeof scenePool)
    {
        printf("the pool of lossless_random.h is too small\n");
        abort();
    }
    char* text = scenePool + scenePoolUsed;
    scenePoolUsed += size;
    return text;
}

static const char* Blank(void)
{
    static const char* const blanks[] = {"", "", "", " ", "  ", "\n", "\n\t", "\r\n    ", " \t "};
    return blanks[Random(sizeof blanks / sizeof blanks[0])];
}

/// Writes open item, item close, optionally in another order.
static const char* JoinItems(char open, char close, const char** items, int count, bool isShuffled)
{
    size_t size = 16;
    for (int i = 0; i < count; ++i)
    {
        size += strlen(items[i]) + 16;
        int other = isShuffled ? (int)Random((unsigned)i + 1) : i;
        const char* item = items[i];
        items[i] = items[other];
        items[other] = item;
    }
    char* text = TakeText(size);
    int length = sprintf(text, "%c%s", open, Blank());
    for (int i = 0; i < count; ++i)
    {
        length += sprintf(text + length, "%s%s%s", i > 0 ? "," : "", i > 0 ? Blank() : "", items[i]);
        length += sprintf(text + length, "%s", Blank());
    }
    sprintf(text + length, "%c", close);
    return text;
}

static const char* Member(const char* key, const char* value)
{
    char* text = TakeText(strlen(key) + strlen(value) + 32);
    sprintf(text, "\"%s\"%s:%s%s", key, Blank(), Blank(), value);
    return text;
}

/// A number in a random spelling.
static const char* Number(double value)
{
    static const char* const forms[] = {"%g", "%.1f", "%.3f", "%.4e", "%.6E"};
    char* text = TakeText(40);
    sprintf(text, forms[Random(5)], value);
    return text;
}

static const char* Numbers(const double* values, int count)
{
    const char* items[16];
    for (int i = 0; i < count; ++i)
    {
        items[i] = Number(values[i]);
    }
    return JoinItems('[', ']', items, count, false);
}

/// Any JSON value.
static const char* Junk(int depth)
{
    static const char* const leaves[] = {"true",
                                         "null",
                                         "-0",
                                         "1.50e-07",
                                         "0.10",
                                         "1e0",
                                         "3.14159265358979323846",
                                         "\"\\u00e9t\\u00e9 \\/ \\\"x\\\"\"",
                                         "\"\"",
                                         "\"☀\"",
                                         "9007199254740993",
                                         "[ ]"};
    if (depth == 0 || Random(3) == 0)
    {
        return leaves[Random(sizeof leaves / sizeof leaves[0])];
    }
    const char* items[4];
    int count = 1 + (int)Random(4);
    bool isObject = Random(2) == 0;
    for (int i = 0; i < count; ++i)
    {
        char key[16];
        sprintf(key, "k%d", i);
        const char* value = Junk(depth - 1);
        items[i] = isObject ? Member(key, value) : value;
    }
    return JoinItems(isObject ? '{' : '[', isObject ? '}' : ']', items, count, isObject);
}

static const char* AddJunk(const char** members, int* count)
{
    if (Random(2) == 0)
    {
        members[(*count)++] = Member("extras", Junk(3));
    }
    return NULL;
}

static const char* WriteNode(int index, bool isMoving, bool isPhysical, bool hasMatrix)
{
    const char* members[8];
    int count = 0;
    double place[3] = {2.0 * index, isMoving ? 5.0 : -1.0, 0.25 * Random(5)};
    if (hasMatrix)
    {
        double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, place[0], place[1], place[2], 1};
        members[count++] = Member("matrix", Numbers(matrix, 16));
    }
    else
    {
        members[count++] = Member("translation", Numbers(place, 3));
    }
    AddJunk(members, &count);
    const char* extensions[3];
    int extensionCount = 0;
    if (isPhysical)
    {
        const char* shape[] = {Member("shape", isMoving ? "0" : "1")};
        const char* geometry[] = {Member("geometry", JoinItems('{', '}', shape, 1, false)), NULL, NULL};
        int colliderCount = 1;
        AddJunk(geometry, &colliderCount);
        const char* motion[4] = {Member("mass", Number(1.0 + Random(3)))};
        int motionCount = 1;
        AddJunk(motion, &motionCount);
        const char* body[2] = {Member("collider", JoinItems('{', '}', geometry, colliderCount, true)), NULL};
        int bodyCount = 1;
        if (isMoving)
        {
            body[bodyCount++] = Member("motion", JoinItems('{', '}', motion, motionCount, true));
        }
        extensions[extensionCount++] =
            Member("KHR_physics_rigid_bodies", JoinItems('{', '}', body, bodyCount, true));
    }
    if (Random(2) == 0)
    {
        extensions[extensionCount++] = Member("X_noded", Junk(2));
    }
    if (extensionCount > 0)
    {
        members[count++] = Member("extensions", JoinItems('{', '}', extensions, extensionCount, true));
    }
    return JoinItems('{', '}', members, count, true);
}

/// A floor, falling balls, and a node with its own animation.
/// @param mayHaveMatrix moving nodes may have a matrix, which an animation replaces
static const char* WriteRandomScene(unsigned seed, bool mayHaveMatrix)
{
    scenePoolUsed = 0;
    sceneState = seed * 2654435761u + 1u;
    const char *root[16], *nodes[8], *list[8];
    int count = 0, nodeCount = 4 + (int)Random(4);
    for (int i = 0; i < nodeCount; ++i)
    {
        bool isMoving = i > 1 && i < nodeCount - 1; // 0: floor, 1: animated, last: plain
        bool hasMatrix = isMoving && mayHaveMatrix && Random(3) == 0;
        nodes[i] = WriteNode(i, isMoving, i != 1 && i < nodeCount - 1, hasMatrix);
        char* number = TakeText(8);
        sprintf(number, "%d", i);
        list[i] = number;
    }
    const char* asset[] = {Member("version", "\"2.0\""), Member("generator", "\"a hand\""),
                           Member("extras", Junk(2))};
    root[count++] = Member("asset", JoinItems('{', '}', asset, 3, true));
    root[count++] = Member("nodes", JoinItems('[', ']', nodes, nodeCount, false));
    const char* scene[] = {Member("nodes", JoinItems('[', ']', list, nodeCount, false)),
                           Member("extras", Junk(2))};
    const char* scenes[] = {JoinItems('{', '}', scene, 2, true)};
    root[count++] = Member("scenes", JoinItems('[', ']', scenes, 1, false));
    root[count++] = Member("scene", "0");
    const char* used[] = {"\"X_rooted\"", "\"KHR_physics_rigid_bodies\"", "\"X_noded\"",
                          "\"KHR_implicit_shapes\""};
    root[count++] = Member("extensionsUsed", JoinItems('[', ']', used, 4, true));
    const char* shapes = "[ {\"type\":\"sphere\" ,\"sphere\":{\"radius\":0.5}}, "
                         "{\"type\":\"box\",\"box\":{\"size\":[99,1,99]}} ]";
    const char* shapeTable[] = {Member("shapes", shapes)};
    const char* extensions[] = {Member("KHR_implicit_shapes", JoinItems('{', '}', shapeTable, 1, false)),
                                Member("X_rooted", Junk(4))};
    root[count++] = Member("extensions", JoinItems('{', '}', extensions, 2, true));
    // Two keys at 0 s and 1 s, and two places.
    root[count++] = Member("buffers", "[{\"byteLength\" : 32,\"uri\":\"data:application/octet-stream;base64,"
                                      "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAQAAAQEA=\"}]");
    root[count++] =
        Member("bufferViews",
               "[ {\"buffer\":0,\"byteLength\":8},{\"byteOffset\":8, \"buffer\":0,\"byteLength\":24} ]");
    root[count++] =
        Member("accessors",
               "[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],"
               "\"max\":[1]},\n{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}]");
    const char* animation[] = {
        Member("samplers", "[{\"input\":0,\"output\":1}]"),
        Member("channels", "[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}}]"),
        Member("extras", Junk(2))};
    const char* animations[] = {JoinItems('{', '}', animation, 3, true)};
    root[count++] = Member("animations", JoinItems('[', ']', animations, 1, false));
    if (Random(2) == 0)
    {
        root[count++] = Member("extras", Junk(4));
    }
    return JoinItems('{', '}', root, count, true);
}
