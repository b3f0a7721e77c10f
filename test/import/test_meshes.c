// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of mesh import: every triangle mode gives the same surface, quantised positions, morph targets.
#include "harness.h"

#include "base/report.h"
#include "base/text.h"
#include "gltf/uri.h"
#include "scene/asset.h"

static tdVec3 AreaVector(const tdPrimitive* primitive)
{
    tdVec3 sum = tdVec3_zero;
    for (int i = 0; i + 2 < primitive->indexCount; i += 3)
    {
        tdVec3 corner[3];
        for (int k = 0; k < 3; ++k)
        {
            uint32_t index = primitive->indices != NULL ? primitive->indices[i + k] : (uint32_t)(i + k);
            corner[k] = primitive->positions[index];
        }
        sum = tdMulAdd(sum, 0.5f, tdCross(tdSub(corner[1], corner[0]), tdSub(corner[2], corner[0])));
    }
    return sum;
}

/// A regular polygon in the plane z = 0 around the origin, in the vertex order of each mode.
static tdAsset* LoadPolygon(int corners, int mode, tdReport* report)
{
    float positions[64][3];
    for (int i = 0; i < corners; ++i)
    {
        // Strips zigzag: 0, 1, n-1, 2, n-2, …
        int at = mode == 5 && i > 0 ? (i % 2 == 1 ? (i + 1) / 2 : corners - i / 2) : i;
        double angle = 2.0 * 3.14159265358979 * at / corners;
        positions[i][0] = (float)cos(angle);
        positions[i][1] = (float)sin(angle);
        positions[i][2] = 0.0f;
    }
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendString(&json, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"data:;base64,");
    tdAppendBase64(&json, (const uint8_t*)positions, (size_t)corners * 12);
    tdText_AppendFormat(
        &json,
        "\",\"byteLength\":%d}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"accessors\":[{"
        "\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"}],\"meshes\":[{"
        "\"primitives\":[{\"mode\":%d,\"attributes\":{\"POSITION\":0}}]}]}",
        corners * 12, corners * 12, corners, mode);
    tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, report);
    tdText_Free(&json);
    return asset;
}

TEST(StripsAndFansGiveTheSameSurface)
{
    for (int corners = 3; corners <= 40; ++corners)
    {
        // n triangles of area sin(2 pi / n) / 2, all facing +z.
        double area = 0.5 * corners * sin(2.0 * 3.14159265358979 / corners);
        for (int mode = 5; mode <= 6; ++mode)
        {
            tdAsset* asset = LoadPolygon(corners, mode, NULL);
            const tdPrimitive* primitive = &asset->scene.meshes[0].primitives[0];
            ENSURE_EQUAL_INT(primitive->mode, TD_PRIMITIVE_TRIANGLES);
            ENSURE_EQUAL_INT(primitive->indexCount, 3 * (corners - 2));
            tdVec3 sum = AreaVector(primitive);
            // A wrong winding anywhere would reduce the sum. 40 sums of float32 products.
            ENSURE_NEAR(sum.z, area, 40 * 1.2e-7 * area);
            tdDestroyAsset(asset);
        }
    }
}

TEST(PointsAndLinesAreKept)
{
    static const tdPrimitiveMode expected[] = {TD_PRIMITIVE_POINTS, TD_PRIMITIVE_LINES, TD_PRIMITIVE_LINES,
                                               TD_PRIMITIVE_LINES};
    for (int mode = 0; mode < 4; ++mode)
    {
        tdAsset* asset = LoadPolygon(6, mode, NULL);
        ENSURE_EQUAL_INT(asset->scene.meshes[0].primitives[0].mode, expected[mode]);
        ENSURE_EQUAL_INT(asset->scene.meshes[0].primitives[0].vertexCount, 6);
        tdDestroyAsset(asset);
    }
}

TEST(ReadsQuantisedPositions)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/valid/quantized.gltf", NULL, report);
    const tdVec3* positions = asset->scene.meshes[0].primitives[0].positions;
    // Shorts divided by 32767; -32768 is clamped to -1.
    ENSURE_NEAR(positions[1].x, 1.0, 0.0);
    ENSURE_NEAR(positions[2].y, -1.0, 0.0);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(ReadsMorphTargets)
{
    tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/valid/weights.gltf", NULL, NULL);
    const tdPrimitive* primitive = &asset->scene.meshes[0].primitives[0];
    ENSURE_EQUAL_INT(primitive->targetCount, 2);
    ENSURE(primitive->targets[0] != NULL && primitive->targets[1] == NULL);
    ENSURE_EQUAL_INT(asset->scene.meshes[0].weightCount, 2);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(StripsAndFansGiveTheSameSurface) RUN(PointsAndLinesAreKept) RUN(ReadsQuantisedPositions)
              RUN(ReadsMorphTargets))
