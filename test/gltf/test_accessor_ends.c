// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of accessor bounds: any offset, count, stride and layout is accepted exactly when its last byte is
// inside its view, and a view exactly when its last byte is inside the buffer.
#include "harness.h"

#include "gltf/accessor.h"
#include "gltf/uri.h"

#define BUFFER_SIZE 256

/// Whether the first accessor of a document with these views and accessors is accepted.
static bool IsAccepted(const char* rest)
{
    static const uint8_t bytes[BUFFER_SIZE] = {0};
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendFormat(&json, "{\"buffers\":[{\"byteLength\":%d,\"uri\":\"data:;base64,", BUFFER_SIZE);
    tdAppendBase64(&json, bytes, sizeof(bytes));
    tdText_AppendFormat(&json, "\"}],%s}", rest);
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    uint8_t* copy = tdAllocate(&allocator, json.length + 1, 16);
    memcpy(copy, json.data, json.length + 1);
    tdDocumentDef def = {.name = "test"};
    tdReport* report = tdCreateReport(NULL);
    tdDocument* document = tdCreateDocument(copy, json.length, &def, report);
    tdArena arena;
    tdArena_Init(&arena, NULL, 0);
    tdAccessors accessors;
    ENSURE(tdAccessors_Init(&accessors, document, &arena, report));
    bool isAccepted = accessors.accessorCount > 0 && accessors.accessors[0].isValid;
    ENSURE(isAccepted == (tdReport_CountSeverity(report, TD_SEVERITY_ERROR) == 0));
    ENSURE(isAccepted == (tdAccessors_GetFloats(&accessors, 0) != NULL));
    tdArena_Free(&arena);
    tdReport_SetSource(report, "", NULL, NULL);
    tdDestroyDocument(document);
    tdDestroyReport(report);
    tdText_Free(&json);
    return isAccepted;
}

TEST(AccessorsEndInsideTheirView)
{
    static const struct
    {
        const char* type;
        int component, align, size;
    } layouts[] = {{"SCALAR", 5121, 1, 1}, {"SCALAR", 5123, 2, 2}, {"VEC3", 5121, 1, 3},
                   {"VEC3", 5126, 4, 12},  {"MAT2", 5121, 1, 8},   {"MAT4", 5126, 4, 64}};
    for (int i = 0; i < 6; ++i)
    {
        for (int count = 1; count <= 3; ++count)
        {
            for (int stride = 0; stride <= 80; stride += 16)
            {
                if (stride != 0 && (stride < layouts[i].size || stride < 4))
                {
                    continue;
                }
                for (int offset = 0; offset <= 8; offset += 4)
                {
                    int step = stride != 0 ? stride : layouts[i].size;
                    int end = offset + (count - 1) * step + layouts[i].size; // one past the last byte
                    for (int length = end - 2; length <= end + 2; ++length)
                    {
                        if (length < 1 || length > BUFFER_SIZE)
                        {
                            continue;
                        }
                        char rest[512], strideText[40] = "";
                        if (stride != 0)
                        {
                            snprintf(strideText, sizeof(strideText), ",\"byteStride\":%d", stride);
                        }
                        snprintf(rest, sizeof(rest),
                                 "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d%s}],\"accessors\":[{"
                                 "\"bufferView\":0,"
                                 "\"byteOffset\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"}]",
                                 length, strideText, offset, layouts[i].component, count, layouts[i].type);
                        ENSURE(IsAccepted(rest) == (end <= length));
                    }
                }
            }
        }
    }
}

TEST(SparseListsEndInsideTheirView)
{
    // Two substituted elements: indices of 2 bytes each and values of 12.
    for (int indices = 2; indices <= 6; ++indices)
    {
        for (int values = 22; values <= 26; ++values)
        {
            char rest[640];
            snprintf(rest, sizeof(rest),
                     "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d},{\"buffer\":0,\"byteOffset\":16,"
                     "\"byteLength\":%d}],"
                     "\"accessors\":[{\"componentType\":5126,\"count\":8,\"type\":\"VEC3\",\"sparse\":{"
                     "\"count\":1,"
                     "\"indices\":{\"bufferView\":0,\"componentType\":5123,\"byteOffset\":2},\"values\":{"
                     "\"bufferView\":1,"
                     "\"byteOffset\":12}}}]",
                     indices, values);
            ENSURE(IsAccepted(rest) == (2 + 2 <= indices && 12 + 12 <= values));
        }
    }
}

TEST(ViewsEndInsideTheirBuffer)
{
    for (int offset = 0; offset <= BUFFER_SIZE; offset += 64)
    {
        for (int length = BUFFER_SIZE - offset - 2; length <= BUFFER_SIZE - offset + 2; ++length)
        {
            if (length < 4)
            {
                continue;
            }
            char rest[320];
            snprintf(rest, sizeof(rest),
                     "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}],\"accessors\":[{"
                     "\"bufferView\":0,"
                     "\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}]",
                     offset, length);
            ENSURE(IsAccepted(rest) == (offset + length <= BUFFER_SIZE));
        }
    }
}

TEST_MAIN(RUN(AccessorsEndInsideTheirView) RUN(SparseListsEndInsideTheirView) RUN(ViewsEndInsideTheirBuffer))
