// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joining several buffers into the chunk of a GLB: every view keeps its bytes, and every buffer
// starts at a multiple of eight bytes.
#include "harness.h"

#include "gltf/accessor.h"
#include "gltf/uri.h"
#include "scene/asset.h"

#include "tendon/tendon.h"

#define BUFFER_COUNT 4
#define VIEW_COUNT 8

/// Byte `index` of buffer `buffer`.
static uint8_t GetByte(int buffer, int index)
{
    return (uint8_t)(37 * buffer + 11 * index + 5);
}

static const int sizes[BUFFER_COUNT] = {13, 8, 21, 5};
static const struct
{
    int buffer, offset, length;
} views[VIEW_COUNT] = {{0, 0, 13}, {0, 5, 4},  {1, 0, 8}, {1, 3, 5},
                       {2, 1, 20}, {2, 16, 5}, {3, 0, 5}, {3, 4, 1}};

TEST(JoinedBuffersKeepTheirBytes)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(&text, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[");
    for (int i = 0; i < BUFFER_COUNT; ++i)
    {
        uint8_t bytes[32];
        for (int k = 0; k < sizes[i]; ++k)
        {
            bytes[k] = GetByte(i, k);
        }
        tdText_AppendFormat(&text, "%s{\"byteLength\":%d,\"uri\":\"data:application/octet-stream;base64,",
                            i > 0 ? "," : "", sizes[i]);
        tdAppendBase64(&text, bytes, (size_t)sizes[i]);
        tdText_AppendString(&text, "\"}");
    }
    tdText_AppendString(&text, "],\"bufferViews\":[");
    for (int i = 0; i < VIEW_COUNT; ++i)
    {
        tdText_AppendFormat(&text, "%s{\"buffer\":%d,\"byteOffset\":%d,\"byteLength\":%d}", i > 0 ? "," : "",
                            views[i].buffer, views[i].offset, views[i].length);
    }
    tdText_AppendString(&text, "]}");
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, report);
    tdText_Free(&text);
    size_t size = 0;
    uint8_t* bytes = tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, &size, report);
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 0);
    if (ENSURE(again != NULL && again->document->bufferCount == 1))
    {
        tdArena arena;
        tdArena_Init(&arena, NULL, 0);
        tdAccessors accessors;
        ENSURE(tdAccessors_Init(&accessors, again->document, &arena, report));
        ENSURE_EQUAL_INT(accessors.viewCount, VIEW_COUNT);
        const uint8_t* start = again->document->buffers[0].data;
        for (int i = 0; i < VIEW_COUNT && i < accessors.viewCount; ++i)
        {
            const uint8_t* data = accessors.views[i].data;
            ENSURE_EQUAL_INT(accessors.views[i].size, views[i].length);
            for (int k = 0; data != NULL && k < views[i].length; ++k)
            {
                ENSURE_EQUAL_INT(data[k], GetByte(views[i].buffer, views[i].offset + k));
            }
            ENSURE(data != NULL && (data - start - views[i].offset) % 8 == 0);
        }
        tdArena_Free(&arena);
    }
    tdFreeSaved(bytes, size, NULL);
    tdDestroyAsset(again);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST_MAIN(RUN(JoinedBuffersKeepTheirBytes))
