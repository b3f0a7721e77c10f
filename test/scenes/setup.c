// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds, reads and frees setups. Test code: an allocation failure ends the program.
#include "setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tdQuat noTurn = {0.0f, 0.0f, 0.0f, 1.0f};

static void* Grow(void* items, int count, int* capacity, size_t itemSize)
{
    if (count <= *capacity)
    {
        return items;
    }
    int wanted = *capacity < 8 ? 16 : 2 * *capacity;
    *capacity = wanted > count ? wanted : count;
    void* grown = realloc(items, (size_t)*capacity * itemSize);
    if (grown == NULL)
    {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    return grown;
}

#define GROW(setup, items, count, capacity, extra)                                                           \
    ((setup)->items =                                                                                        \
         Grow((setup)->items, (setup)->count + (extra), &(setup)->capacity, sizeof((setup)->items[0])))

tdSetup* tdCreateEmptySetup(const char* name)
{
    tdSetup* setup = calloc(1, sizeof(tdSetup));
    char* copy = malloc(strlen(name) + 1);
    if (setup == NULL || copy == NULL)
    {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    strcpy(copy, name);
    setup->name = copy;
    setup->timeStep = 1.0f / 60.0f;
    setup->gravity.y = -9.81f;
    setup->stepCount = 120;
    setup->floorHeight = -1000.0f;
    return setup;
}

tdSetup* tdCreateSetup(const char* name)
{
    const tdSetupEntry* lists[] = {tdBenchmarkSetups, tdSecondSetups, tdSmallSetups};
    for (int list = 0; list < 3; ++list)
    {
        for (const tdSetupEntry* entry = lists[list]; entry->name != NULL; ++entry)
        {
            if (strcmp(entry->name, name) == 0)
            {
                tdSetup* setup = tdCreateEmptySetup(name);
                entry->build(setup);
                return setup;
            }
        }
    }
    return NULL;
}

void tdDestroySetup(tdSetup* setup)
{
    if (setup == NULL)
    {
        return;
    }
    free((void*)(uintptr_t)setup->name);
    free(setup->shapes);
    free(setup->points);
    free(setup->triangles);
    free(setup->bodies);
    free(setup->parts);
    free(setup->joints);
    free(setup);
}

static int AddShape(tdSetup* setup, tdSetupShapeKind kind, float x, float y, float z)
{
    GROW(setup, shapes, shapeCount, shapeCapacity, 1);
    tdSetupShape* shape = &setup->shapes[setup->shapeCount];
    memset(shape, 0, sizeof(*shape));
    shape->kind = kind;
    shape->size = (tdVec3){x, y, z};
    return setup->shapeCount++;
}

int tdSetup_AddSphere(tdSetup* setup, float radius)
{
    return AddShape(setup, TD_SETUP_SPHERE, radius, 0.0f, 0.0f);
}

int tdSetup_AddBox(tdSetup* setup, float halfX, float halfY, float halfZ)
{
    return AddShape(setup, TD_SETUP_BOX, halfX, halfY, halfZ);
}

int tdSetup_AddCapsule(tdSetup* setup, float halfHeight, float radiusBottom, float radiusTop)
{
    return AddShape(setup, TD_SETUP_CAPSULE, halfHeight, radiusBottom, radiusTop);
}

int tdSetup_AddCylinder(tdSetup* setup, float halfHeight, float radiusBottom, float radiusTop)
{
    return AddShape(setup, TD_SETUP_CYLINDER, halfHeight, radiusBottom, radiusTop);
}

int tdSetup_AddPlane(tdSetup* setup)
{
    return AddShape(setup, TD_SETUP_PLANE, 0.0f, 0.0f, 0.0f);
}

int tdSetup_AddHull(tdSetup* setup, const tdVec3* points, int count)
{
    int index = AddShape(setup, TD_SETUP_HULL, 0.0f, 0.0f, 0.0f);
    GROW(setup, points, pointCount, pointCapacity, count);
    setup->shapes[index].firstPoint = setup->pointCount;
    setup->shapes[index].pointCount = count;
    memcpy(setup->points + setup->pointCount, points, (size_t)count * sizeof(tdVec3));
    setup->pointCount += count;
    return index;
}

int tdSetup_AddMesh(tdSetup* setup, const tdVec3* points, int count, const int (*triangles)[3],
                    int triangleCount)
{
    int index = tdSetup_AddHull(setup, points, count);
    setup->shapes[index].kind = TD_SETUP_MESH;
    GROW(setup, triangles, triangleCount, triangleCapacity, triangleCount);
    setup->shapes[index].firstTriangle = setup->triangleCount;
    setup->shapes[index].triangleCount = triangleCount;
    memcpy(setup->triangles + setup->triangleCount, triangles, (size_t)triangleCount * sizeof(triangles[0]));
    setup->triangleCount += triangleCount;
    return index;
}

int tdSetup_AddBody(tdSetup* setup, tdMotion motion, tdVec3 position)
{
    GROW(setup, bodies, bodyCount, bodyCapacity, 1);
    tdSetupBody* body = &setup->bodies[setup->bodyCount];
    memset(body, 0, sizeof(*body));
    body->motion = motion;
    body->density = 1000.0f;
    body->staticFriction = 0.5f;
    body->dynamicFriction = 0.5f;
    body->category = 1;
    body->mask = 0xffff;
    body->transform = (tdTransform){position, noTurn};
    body->firstPart = setup->partCount;
    return setup->bodyCount++;
}

void tdSetup_AddPart(tdSetup* setup, int body, int shape, tdTransform local)
{
    GROW(setup, parts, partCount, partCapacity, 1);
    setup->parts[setup->partCount++] = (tdSetupPart){shape, local};
    setup->bodies[body].partCount += 1;
}

int tdSetup_AddSimpleBody(tdSetup* setup, tdMotion motion, int shape, tdVec3 position, tdQuat rotation)
{
    int body = tdSetup_AddBody(setup, motion, position);
    setup->bodies[body].transform.rotation = rotation;
    tdSetup_AddPart(setup, body, shape, (tdTransform){{0.0f, 0.0f, 0.0f}, noTurn});
    return body;
}

int tdSetup_AddJoint(tdSetup* setup, tdSetupJointKind kind, int bodyA, int bodyB, tdTransform frameA,
                     tdTransform frameB)
{
    GROW(setup, joints, jointCount, jointCapacity, 1);
    tdSetupJoint* joint = &setup->joints[setup->jointCount];
    memset(joint, 0, sizeof(*joint));
    joint->kind = kind;
    joint->bodyA = bodyA;
    joint->bodyB = bodyB;
    joint->frameA = frameA;
    joint->frameB = frameB;
    return setup->jointCount++;
}

// ---- The text form ----

typedef struct Reader
{
    const char* at;
    bool failed;
} Reader;

static float ReadFloat(Reader* reader)
{
    char* end = NULL;
    float value = strtof(reader->at, &end);
    reader->failed = reader->failed || end == reader->at;
    reader->at = end;
    return value;
}

static int ReadInt(Reader* reader)
{
    char* end = NULL;
    long value = strtol(reader->at, &end, 10);
    reader->failed = reader->failed || end == reader->at || value < -0x7fffffffL || value > 0x7fffffffL;
    reader->at = end;
    return (int)value;
}

static tdVec3 ReadVec3(Reader* reader)
{
    float x = ReadFloat(reader), y = ReadFloat(reader), z = ReadFloat(reader);
    return (tdVec3){x, y, z};
}

static tdTransform ReadTransform(Reader* reader)
{
    tdVec3 position = ReadVec3(reader);
    float x = ReadFloat(reader), y = ReadFloat(reader), z = ReadFloat(reader), w = ReadFloat(reader);
    return (tdTransform){position, {x, y, z, w}};
}

static bool ReadWord(Reader* reader, char word[32])
{
    while (*reader->at == ' ' || *reader->at == '\n')
    {
        reader->at += 1;
    }
    int length = 0;
    while (reader->at[length] > ' ' && length < 31)
    {
        word[length] = reader->at[length];
        length += 1;
    }
    word[length] = '\0';
    reader->at += length;
    return length > 0;
}

static void ReadPoints(Reader* reader, tdSetup* setup, int shape, int pointCount, int triangleCount)
{
    if (reader->failed || pointCount < 0 || triangleCount < 0 || pointCount > 4000000 ||
        triangleCount > 4000000)
    {
        reader->failed = true;
        return;
    }
    tdSetupShape* target = &setup->shapes[shape];
    target->firstPoint = setup->pointCount;
    target->pointCount = pointCount;
    target->firstTriangle = setup->triangleCount;
    target->triangleCount = triangleCount;
    GROW(setup, points, pointCount, pointCapacity, pointCount);
    GROW(setup, triangles, triangleCount, triangleCapacity, triangleCount);
    for (int i = 0; i < pointCount && !reader->failed; ++i)
    {
        setup->points[setup->pointCount++] = ReadVec3(reader);
    }
    for (int i = 0; i < triangleCount && !reader->failed; ++i)
    {
        int* corner = setup->triangles[setup->triangleCount++];
        corner[0] = ReadInt(reader);
        corner[1] = ReadInt(reader);
        corner[2] = ReadInt(reader);
    }
}

static void ReadShape(Reader* reader, tdSetup* setup)
{
    char kind[32];
    ReadWord(reader, kind);
    if (strcmp(kind, "sphere") == 0)
    {
        tdSetup_AddSphere(setup, ReadFloat(reader));
    }
    else if (strcmp(kind, "box") == 0)
    {
        tdVec3 half = ReadVec3(reader);
        tdSetup_AddBox(setup, half.x, half.y, half.z);
    }
    else if (strcmp(kind, "capsule") == 0 || strcmp(kind, "cylinder") == 0)
    {
        float halfHeight = ReadFloat(reader), radius = ReadFloat(reader);
        AddShape(setup, kind[1] == 'a' ? TD_SETUP_CAPSULE : TD_SETUP_CYLINDER, halfHeight, radius, radius);
    }
    else if (strcmp(kind, "hull") == 0)
    {
        ReadPoints(reader, setup, AddShape(setup, TD_SETUP_HULL, 0.0f, 0.0f, 0.0f), ReadInt(reader), 0);
    }
    else if (strcmp(kind, "mesh") == 0)
    {
        int pointCount = ReadInt(reader), triangleCount = ReadInt(reader);
        ReadPoints(reader, setup, AddShape(setup, TD_SETUP_MESH, 0.0f, 0.0f, 0.0f), pointCount,
                   triangleCount);
    }
    else
    {
        reader->failed = true;
    }
}

static void ReadBody(Reader* reader, tdSetup* setup)
{
    int motion = ReadInt(reader);
    int index = tdSetup_AddBody(setup, (tdMotion)motion, (tdVec3){0.0f, 0.0f, 0.0f});
    tdSetupBody* body = &setup->bodies[index];
    body->density = ReadFloat(reader);
    body->staticFriction = ReadFloat(reader);
    body->dynamicFriction = body->staticFriction;
    body->restitution = ReadFloat(reader);
    body->category = (uint32_t)ReadInt(reader);
    body->mask = (uint32_t)ReadInt(reader);
    body->transform = ReadTransform(reader);
    body->linearVelocity = ReadVec3(reader);
    body->angularVelocity = ReadVec3(reader);
    int partCount = ReadInt(reader);
    for (int i = 0; i < partCount && !reader->failed; ++i)
    {
        int shape = ReadInt(reader);
        tdTransform local = ReadTransform(reader);
        reader->failed = reader->failed || shape < 0 || shape >= setup->shapeCount;
        tdSetup_AddPart(setup, index, shape, local);
    }
}

static void ReadJoint(Reader* reader, tdSetup* setup)
{
    int kind = ReadInt(reader), bodyA = ReadInt(reader), bodyB = ReadInt(reader);
    tdTransform frameA = ReadTransform(reader), frameB = ReadTransform(reader);
    int index = tdSetup_AddJoint(setup, (tdSetupJointKind)kind, bodyA, bodyB, frameA, frameB);
    setup->joints[index].cone = ReadFloat(reader);
    setup->joints[index].lower = ReadFloat(reader);
    setup->joints[index].upper = ReadFloat(reader);
}

static tdSetup* ParseSetup(const char* text)
{
    Reader reader = {text, false};
    char word[32];
    if (!ReadWord(&reader, word) || strcmp(word, "T") != 0 || !ReadWord(&reader, word))
    {
        return NULL;
    }
    tdSetup* setup = tdCreateEmptySetup(word);
    setup->timeStep = ReadFloat(&reader);
    setup->gravity = ReadVec3(&reader);
    setup->stepCount = ReadInt(&reader);
    setup->windowStart = ReadInt(&reader);
    setup->enableSleep = ReadInt(&reader) != 0;
    while (!reader.failed && ReadWord(&reader, word))
    {
        switch (word[0])
        {
        case 'N':
            ReadInt(&reader), ReadInt(&reader), ReadInt(&reader);
            break;
        case 'S':
            ReadShape(&reader, setup);
            break;
        case 'B':
            ReadBody(&reader, setup);
            break;
        case 'J':
            ReadJoint(&reader, setup);
            break;
        default:
            reader.failed = true;
            break;
        }
    }
    if (reader.failed)
    {
        tdDestroySetup(setup);
        return NULL;
    }
    return setup;
}

tdSetup* tdReadSetup(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return NULL;
    }
    char* text = NULL;
    int capacity = 0, size = 0;
    size_t got = 0;
    do
    {
        text = Grow(text, size + 65537, &capacity, 1);
        got = fread(text + size, 1, 65536, file);
        size += (int)got;
    } while (got > 0);
    fclose(file);
    text[size] = '\0';
    tdSetup* setup = ParseSetup(text);
    free(text);
    return setup;
}
