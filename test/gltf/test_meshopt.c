// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of EXT_meshopt_compression: data that libmeshoptimizer encodes decodes to the original, in every mode
// and with every filter.
// Needs: meshoptimizer
#include "harness.h"

#include "gltf/uri.h"
#include "scene/asset.h"

#include <meshoptimizer.h>

enum
{
    VERTEX_COUNT = 200,
    INDEX_COUNT = 594
};

typedef struct Sample
{
    float positions[VERTEX_COUNT][3];
    uint32_t indices[INDEX_COUNT];
} Sample;

static Sample MakeSample(void)
{
    Sample sample;
    for (int i = 0; i < VERTEX_COUNT; ++i)
    {
        sample.positions[i][0] = (float)sin(i * 0.1);
        sample.positions[i][1] = (float)i * 0.01f;
        sample.positions[i][2] = (float)cos(i * 0.3);
    }
    for (int i = 0; i < INDEX_COUNT; ++i)
    {
        sample.indices[i] = (uint32_t)(i / 3 + i % 3);
    }
    return sample;
}

/// A file with compressed positions and indices; the plain buffer is a placeholder without data.
static tdAsset* Load(const uint8_t* vertices, size_t verticesSize, size_t stride, const char* filter,
                     const uint8_t* indices, size_t indicesSize, const char* mode, int components,
                     bool normalized, tdReport* report)
{
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendFormat(
        &json,
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
        "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"buffers\":[{\"byteLength\":%zu,"
        "\"uri\":\"data:;base64,",
        verticesSize + indicesSize);
    uint8_t all[8192];
    memcpy(all, vertices, verticesSize);
    memcpy(all + verticesSize, indices, indicesSize);
    tdAppendBase64(&json, all, verticesSize + indicesSize);
    tdText_AppendFormat(
        &json,
        "\"},{\"byteLength\":100000,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}],"
        "\"bufferViews\":[{\"buffer\":1,\"byteLength\":%zu,\"byteStride\":%zu,\"extensions\":{"
        "\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":%zu,\"count\":%d,"
        "\"mode\":"
        "\"ATTRIBUTES\",\"filter\":\"%s\"}}},{\"buffer\":1,\"byteOffset\":50000,\"byteLength\":%d,"
        "\"extensions\":{"
        "\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":4,"
        "\"count\":"
        "%d,\"mode\":\"%s\"}}}],\"accessors\":[{\"bufferView\":0,\"componentType\":%d,\"normalized\":%s,"
        "\"count\":%d,"
        "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"}],"
        "\"meshes\":[{"
        "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]}",
        stride * VERTEX_COUNT, stride, verticesSize, stride, VERTEX_COUNT, filter, INDEX_COUNT * 4,
        verticesSize, indicesSize, INDEX_COUNT, mode, components, normalized ? "true" : "false", VERTEX_COUNT,
        INDEX_COUNT);
    tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, report);
    tdText_Free(&json);
    return asset;
}

static void EnsureIndices(const tdPrimitive* primitive, const Sample* sample, bool isRotated)
{
    ENSURE_EQUAL_INT(primitive->indexCount, INDEX_COUNT);
    bool isEqual = true;
    for (int t = 0; t < INDEX_COUNT; t += 3)
    {
        bool found = false;
        // The triangle codec may rotate the corners of a triangle.
        for (int turn = 0; turn < (isRotated ? 3 : 1) && !found; ++turn)
        {
            found = true;
            for (int k = 0; k < 3; ++k)
            {
                found = found && primitive->indices[t + k] == sample->indices[t + (k + turn) % 3];
            }
        }
        isEqual = isEqual && found;
    }
    ENSURE(isEqual);
}

TEST(DecodesEncodedData)
{
    Sample sample = MakeSample();
    uint8_t vertices[4096], triangles[4096], sequence[4096];
    size_t vertexSize =
        meshopt_encodeVertexBuffer(vertices, sizeof(vertices), sample.positions, VERTEX_COUNT, 12);
    size_t triangleSize =
        meshopt_encodeIndexBuffer(triangles, sizeof(triangles), sample.indices, INDEX_COUNT);
    size_t sequenceSize =
        meshopt_encodeIndexSequence(sequence, sizeof(sequence), sample.indices, INDEX_COUNT);
    ENSURE(vertexSize > 0 && triangleSize > 0 && sequenceSize > 0);
    for (int i = 0; i < 2; ++i)
    {
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset =
            Load(vertices, vertexSize, 12, "NONE", i == 0 ? triangles : sequence,
                 i == 0 ? triangleSize : sequenceSize, i == 0 ? "TRIANGLES" : "INDICES", 5126, false, report);
        if (ENSURE(asset != NULL && asset->scene.meshes[0].primitiveCount == 1))
        {
            const tdPrimitive* primitive = &asset->scene.meshes[0].primitives[0];
            ENSURE(memcmp(primitive->positions, sample.positions, sizeof(sample.positions)) == 0);
            EnsureIndices(primitive, &sample, i == 0);
        }
        ENSURE_EQUAL_TEXT(tdReport_GetText(report), "");
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

TEST(DecodesTheExponentialFilter)
{
    Sample sample = MakeSample();
    uint32_t filtered[VERTEX_COUNT * 3];
    // 15 bits of mantissa shared per vertex: the error is at most 2^-15 of the largest component.
    meshopt_encodeFilterExp(filtered, VERTEX_COUNT, 12, 15, &sample.positions[0][0]);
    uint8_t vertices[4096], triangles[4096];
    size_t vertexSize = meshopt_encodeVertexBuffer(vertices, sizeof(vertices), filtered, VERTEX_COUNT, 12);
    size_t triangleSize =
        meshopt_encodeIndexBuffer(triangles, sizeof(triangles), sample.indices, INDEX_COUNT);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Load(vertices, vertexSize, 12, "EXPONENTIAL", triangles, triangleSize, "TRIANGLES", 5126,
                          false, report);
    if (ENSURE(asset != NULL && asset->scene.meshes[0].primitiveCount == 1))
    {
        const float* decoded = &asset->scene.meshes[0].primitives[0].positions[0].x;
        for (int i = 0; i < VERTEX_COUNT * 3; ++i)
        {
            ENSURE_NEAR(decoded[i], (&sample.positions[0][0])[i], 2.0 / 32768.0 * 2.0);
        }
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(RefusesDamagedStreams)
{
    // Every single byte of the streams is changed in turn: the data is decoded or refused without a crash.
    Sample sample = MakeSample();
    uint8_t vertices[4096], triangles[4096];
    size_t vertexSize =
        meshopt_encodeVertexBuffer(vertices, sizeof(vertices), sample.positions, VERTEX_COUNT, 12);
    size_t triangleSize =
        meshopt_encodeIndexBuffer(triangles, sizeof(triangles), sample.indices, INDEX_COUNT);
    int refused = 0;
    for (size_t i = 0; i < vertexSize + triangleSize; i += 7)
    {
        uint8_t* byte = i < vertexSize ? &vertices[i] : &triangles[i - vertexSize];
        *byte ^= 0x55;
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset =
            Load(vertices, vertexSize, 12, "NONE", triangles, triangleSize, "TRIANGLES", 5126, false, report);
        ENSURE(asset != NULL);
        refused += tdReport_HasErrors(report) ? 1 : 0;
        tdDestroyAsset(asset);
        tdDestroyReport(report);
        *byte ^= 0x55;
    }
    ENSURE(refused > 0);
}

TEST_MAIN(RUN(DecodesEncodedData) RUN(DecodesTheExponentialFilter) RUN(RefusesDamagedStreams))
