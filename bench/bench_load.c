// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures the time from the bytes of a large file to the first step: 10,000 bodies over 1,000,000 triangles,
// as one mesh and as sixteen. Prints one JSON line per run; exits with 1 if the state after the first step
// differs between numbers of workers.
#include "base/text.h"

#include "tendon/tendon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BODY_COUNT 10000
#define TRIANGLE_COUNT 1000000
#define HULL_POINTS 20

static double GetSeconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Bytes
{
    char* data;
    size_t size, capacity;
} Bytes;

static void Append(Bytes* bytes, const void* data, size_t size)
{
    if (bytes->size + size > bytes->capacity)
    {
        bytes->capacity = 2 * (bytes->size + size);
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (bytes->data == NULL)
        {
            abort();
        }
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static uint32_t randomState = 4242u;

static float NextNumber(void) // in [0, 1)
{
    randomState = randomState * 1664525u + 1013904223u;
    return (float)(randomState >> 8) / 16777216.0f;
}

static void GrowBounds(float bounds[2][3], const float* position)
{
    for (int i = 0; i < 3; ++i)
    {
        bounds[0][i] = position[i] < bounds[0][i] ? position[i] : bounds[0][i];
        bounds[1][i] = position[i] > bounds[1][i] ? position[i] : bounds[1][i];
    }
}

/// An accessor of positions with its bounds.
static void AppendPositions(tdText* json, int view, int count, float bounds[2][3])
{
    tdText_AppendFormat(json, "{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\",",
                        view, count);
    tdText_AppendFormat(json, "\"min\":[%g,%g,%g],", (double)bounds[0][0], (double)bounds[0][1],
                        (double)bounds[0][2]);
    tdText_AppendFormat(json, "\"max\":[%g,%g,%g]}", (double)bounds[1][0], (double)bounds[1][1],
                        (double)bounds[1][2]);
}

/// Positions and indices of a square wave field with columns x rows quads.
static void AppendTerrain(Bytes* binary, int columns, int rows, float pitch, float startX, float bounds[2][3])
{
    for (int i = 0; i < 3; ++i)
    {
        bounds[0][i] = 1e9f;
        bounds[1][i] = -1e9f;
    }
    for (int z = 0; z <= rows; ++z)
    {
        for (int x = 0; x <= columns; ++x)
        {
            float height = 0.05f * (float)((x * x + 7 * z) % 11) + 0.001f * (float)((3 * x + z * z) % 17);
            float position[3] = {startX + pitch * (float)x, height, pitch * ((float)z - 0.5f * (float)rows)};
            Append(binary, position, sizeof(position));
            GrowBounds(bounds, position);
        }
    }
    for (int z = 0; z < rows; ++z)
    {
        for (int x = 0; x < columns; ++x)
        {
            uint32_t a = (uint32_t)(z * (columns + 1) + x), c = a + (uint32_t)columns + 1;
            uint32_t quad[6] = {a, c, a + 1, a + 1, c, c + 1};
            Append(binary, quad, sizeof(quad));
        }
    }
}

static void AppendStone(Bytes* binary, float bounds[2][3])
{
    memset(bounds, 0, 6 * sizeof(float));
    for (int i = 0; i < HULL_POINTS; ++i)
    {
        float p[3] = {NextNumber() - 0.5f, NextNumber() - 0.5f, NextNumber() - 0.5f};
        Append(binary, p, sizeof(p));
        GrowBounds(bounds, p);
    }
}

static void AppendBodies(tdText* json, int firstNode, int stoneMesh)
{
    for (int i = 0; i < BODY_COUNT; ++i)
    {
        float x = 0.9f * (float)(i % 100 - 50), z = 0.9f * (float)(i / 100 - 50);
        tdText_AppendFormat(json, ",{\"translation\":[%g,%g,%g],", (double)x, (double)(1.5f + NextNumber()),
                            (double)z);
        if (i % 4 == 3)
        {
            tdText_AppendFormat(
                json,
                "\"mesh\":%d,\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":"
                "{\"geometry\":{\"node\":%d,\"convexHull\":true}}}}}",
                stoneMesh, firstNode + i);
        }
        else
        {
            tdText_AppendFormat(json,
                                "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":{"
                                "\"geometry\":{\"shape\":%d}}}}}",
                                i % 4);
        }
    }
}

/// A GLB with the given number of terrain meshes side by side, each a static collider.
static Bytes MakeFile(int meshCount)
{
    int rows = 500, columns = TRIANGLE_COUNT / (2 * rows * meshCount);
    Bytes binary = {0};
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendString(
        &json, "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_implicit_shapes\","
               "\"KHR_physics_rigid_bodies\"],\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":["
               "{\"type\":\"sphere\",\"sphere\":{\"radius\":0.3}},"
               "{\"type\":\"box\",\"box\":{\"size\":[0.6,0.5,0.4]}},"
               "{\"type\":\"capsule\",\"capsule\":{\"height\":0.4,\"radiusTop\":0.2,\"radiusBottom\":0.2}}"
               "]}},\"nodes\":[");
    for (int i = 0; i < meshCount; ++i)
    {
        tdText_AppendFormat(
            &json,
            "%s{\"mesh\":%d,\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{"
            "\"node\":%d}}}}}",
            i > 0 ? "," : "", i, i);
    }
    AppendBodies(&json, meshCount, meshCount);
    tdText_AppendString(&json, "],\"scene\":0,\"scenes\":[{\"nodes\":[0");
    for (int i = 1; i < meshCount + BODY_COUNT; ++i)
    {
        tdText_AppendFormat(&json, ",%d", i);
    }
    tdText_AppendString(&json, "]}],\"meshes\":[");
    for (int i = 0; i < meshCount; ++i)
    {
        tdText_AppendFormat(&json, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d}]},",
                            2 * i, 2 * i + 1);
    }
    tdText_AppendFormat(&json,
                        "{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"mode\":0}]}],\"accessors\":[",
                        2 * meshCount);
    int vertices = (columns + 1) * (rows + 1), indices = 6 * columns * rows;
    float pitch = 0.2f, width = pitch * (float)columns, bounds[2][3];
    for (int i = 0; i < meshCount; ++i)
    {
        float startX = width * ((float)i - 0.5f * (float)meshCount);
        AppendTerrain(&binary, columns, rows, pitch, startX, bounds);
        AppendPositions(&json, 2 * i, vertices, bounds);
        tdText_AppendFormat(&json,
                            ",{\"bufferView\":%d,\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"},",
                            2 * i + 1, indices);
    }
    AppendStone(&binary, bounds);
    AppendPositions(&json, 2 * meshCount, HULL_POINTS, bounds);
    tdText_AppendString(&json, "],\"bufferViews\":[");
    size_t offset = 0, vertexBytes = 12 * (size_t)vertices, indexBytes = 4 * (size_t)indices;
    for (int i = 0; i < meshCount; ++i)
    {
        tdText_AppendFormat(&json, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu},", offset,
                            vertexBytes);
        tdText_AppendFormat(&json, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu},",
                            offset + vertexBytes, indexBytes);
        offset += vertexBytes + indexBytes;
    }
    tdText_AppendFormat(
        &json, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%d}],\"buffers\":[{\"byteLength\":%zu}]}",
        offset, 12 * HULL_POINTS, binary.size);
    while (json.length % 4 != 0)
    {
        tdText_AppendString(&json, " ");
    }
    Bytes file = {0};
    uint32_t header[5] = {0x46546c67u, 2, (uint32_t)(28 + json.length + binary.size), (uint32_t)json.length,
                          0x4e4f534au};
    uint32_t chunk[2] = {(uint32_t)binary.size, 0x004e4942u};
    Append(&file, header, sizeof(header));
    Append(&file, json.data, json.length);
    Append(&file, chunk, sizeof(chunk));
    Append(&file, binary.data, binary.size);
    free(binary.data);
    tdText_Free(&json);
    return file;
}

/// @return the state hash after the first step, 0 on failure
static uint64_t Run(const Bytes* file, int meshCount, int workers, int repeat)
{
    const tdTasks* tasks = workers > 1 ? tdCreateThreads(workers) : NULL;
    uint64_t hash = 0;
    double best[3] = {1e9, 1e9, 1e9}, bestSum = 1e9;
    for (int i = 0; i < repeat; ++i)
    {
        tdReport* report = tdCreateReport(NULL);
        tdLoadDef def = tdDefaultLoadDef();
        def.tasks = tasks;
        double start = GetSeconds();
        tdAsset* asset = tdLoadAssetFromMemory(file->data, file->size, &def, report);
        double loaded = GetSeconds();
        tdStageDef stageDef = tdDefaultStageDef();
        stageDef.tasks = tasks;
        tdStage* stage = asset != NULL ? tdCreateStage(&stageDef) : NULL;
        tdActor* actor = stage != NULL ? tdCreateActor(stage, asset, NULL, report) : NULL;
        double built = GetSeconds();
        bool stepped = actor != NULL && tdStage_Step(stage);
        double end = GetSeconds();
        if (!stepped)
        {
            fprintf(stderr, "%s\n", tdReport_GetText(report));
        }
        else
        {
            hash = tdWorld_GetStateHash(tdStage_GetWorld(stage));
            if (end - start < bestSum)
            {
                bestSum = end - start;
                best[0] = loaded - start;
                best[1] = built - loaded;
                best[2] = end - built;
            }
        }
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
    tdDestroyThreads(tasks);
    printf("{\"bench\":\"load\",\"bodies\":%d,\"triangles\":%d,\"meshes\":%d,\"bytes\":%zu,\"threads\":%d,"
           "\"s_total\":%.3f,"
           "\"s_load\":%.3f,\"s_actor\":%.3f,\"s_first_step\":%.3f,\"state_hash\":\"%016llx\"}\n",
           BODY_COUNT, TRIANGLE_COUNT, meshCount, file->size, workers, bestSum, best[0], best[1], best[2],
           (unsigned long long)hash);
    fflush(stdout);
    return hash;
}

int main(int argc, char** argv)
{
    int repeat = argc > 1 ? atoi(argv[1]) : 3;
    if (repeat < 1)
    {
        fprintf(stderr, "usage: %s [repetitions]\n", argv[0]);
        return 2;
    }
    bool isSame = true;
    for (int meshCount = 1; meshCount <= 16; meshCount *= 16)
    {
        randomState = 4242u;
        Bytes file = MakeFile(meshCount);
        uint64_t one = Run(&file, meshCount, 1, repeat), two = Run(&file, meshCount, 2, repeat);
        isSame = isSame && one != 0 && one == two;
        free(file.data);
    }
    return isSame ? 0 : 1;
}
