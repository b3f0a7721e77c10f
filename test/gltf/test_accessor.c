// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of accessors of every layout against a second, naive reader of the same bytes, and of accessors that
// claim more data than the file has.
#include "harness.h"

#include "gltf/accessor.h"
#include "gltf/buffer_view.h"
#include "gltf/uri.h"

typedef struct Fixture
{
    tdDocument* document;
    tdArena arena;
    tdReport* report;
    tdAccessors accessors;
} Fixture;

/// A document of one data-URI buffer and the given rest of the JSON.
static void Open(Fixture* f, const uint8_t* bytes, size_t size, const char* rest)
{
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendFormat(&json, "{\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:;base64,", size);
    tdAppendBase64(&json, bytes, size);
    tdText_AppendFormat(&json, "\"}],%s}", rest);
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    uint8_t* copy = tdAllocate(&allocator, json.length + 1, 16);
    memcpy(copy, json.data, json.length + 1);
    tdDocumentDef def = {.name = "test"};
    f->report = tdCreateReport(NULL);
    f->document = tdCreateDocument(copy, json.length, &def, f->report);
    tdArena_Init(&f->arena, NULL, 0);
    ENSURE(tdAccessors_Init(&f->accessors, f->document, &f->arena, f->report));
    tdText_Free(&json);
}

static void Close(Fixture* f)
{
    tdArena_Free(&f->arena);
    tdReport_SetSource(f->report, "", NULL, NULL);
    tdDestroyDocument(f->document);
    tdDestroyReport(f->report);
}

static uint8_t pattern[1024];

static void FillPattern(void)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < sizeof(pattern); ++i)
    {
        state = state * 1664525u + 1013904223u;
        pattern[i] = (uint8_t)(state >> 24);
    }
    // Floats must be finite: clear the top exponent bit of every fourth byte.
    for (size_t i = 3; i < sizeof(pattern); i += 4)
    {
        pattern[i] &= 0xBF;
    }
}

/// The specification's formulas, a second time with native types.
static double ReadNaive(const uint8_t* at, int type, bool isNormalized)
{
    int8_t s8;
    uint16_t u16;
    int16_t s16;
    uint32_t u32;
    float f32;
    switch (type)
    {
    case 5120:
        memcpy(&s8, at, 1);
        return isNormalized ? fmax(s8 / 127.0, -1.0) : s8;
    case 5121:
        return isNormalized ? *at / 255.0 : *at;
    case 5122:
        memcpy(&s16, at, 2);
        return isNormalized ? fmax(s16 / 32767.0, -1.0) : s16;
    case 5123:
        memcpy(&u16, at, 2);
        return isNormalized ? u16 / 65535.0 : u16;
    case 5125:
        memcpy(&u32, at, 4);
        return u32;
    default:
        memcpy(&f32, at, 4);
        return (double)f32;
    }
}

TEST(DecodesEveryLayout)
{
    FillPattern();
    static const struct
    {
        const char* name;
        int rows, columns;
    } types[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                 {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    static const int components[] = {5120, 5121, 5122, 5123, 5125, 5126};
    static const int sizes[] = {1, 1, 2, 2, 4, 4};
    for (int t = 0; t < 7; ++t)
    {
        for (int c = 0; c < 6; ++c)
        {
            for (int variant = 0; variant < 4; ++variant)
            {
                bool isNormalized = variant % 2 == 1 && sizes[c] < 4;
                int column = types[t].rows * sizes[c];
                column = types[t].columns > 1 ? (column + 3) / 4 * 4 : column;
                int element = column * types[t].columns;
                int stride = variant >= 2 ? (element + 3) / 4 * 4 + 8 : element;
                char rest[512], byteStride[40] = "";
                if (variant >= 2)
                {
                    snprintf(byteStride, sizeof(byteStride), ",\"byteStride\":%d", stride);
                }
                snprintf(
                    rest, sizeof(rest),
                    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":8,\"byteLength\":900%s}],\"accessors\":[{"
                    "\"bufferView\":0,\"byteOffset\":4,\"componentType\":%d,\"count\":7,\"type\":\"%s\","
                    "\"normalized\":%s}]",
                    byteStride, components[c], types[t].name, isNormalized ? "true" : "false");
                Fixture f;
                Open(&f, pattern, sizeof(pattern), rest);
                const float* floats = tdAccessors_GetFloats(&f.accessors, 0);
                const uint32_t* integers = tdAccessors_GetIntegers(&f.accessors, 0);
                ENSURE(floats != NULL && (integers != NULL) == (components[c] != 5126));
                int k = 0;
                for (int i = 0; i < 7 && floats != NULL; ++i)
                {
                    for (int col = 0; col < types[t].columns; ++col)
                    {
                        for (int row = 0; row < types[t].rows; ++row, ++k)
                        {
                            const uint8_t* at = pattern + 12 + i * stride + col * column + row * sizes[c];
                            double expected = ReadNaive(at, components[c], isNormalized);
                            ENSURE(floats[k] == (float)expected);
                            double plain = ReadNaive(at, components[c], false);
                            ENSURE(integers == NULL || integers[k] == (uint32_t)(int64_t)plain);
                        }
                    }
                }
                ENSURE_EQUAL_INT(tdReport_GetCount(f.report), 0);
                Close(&f);
            }
        }
    }
}

TEST(SubstitutesSparseElements)
{
    // 5 scalars from byte 0, elements 1 and 4 replaced; and the same on zeros.
    float values[8] = {10, 11, 12, 13, 14, 21, 24, 0};
    uint8_t bytes[36];
    memcpy(bytes, values, 28);
    bytes[28] = 1;
    bytes[29] = 4;
    for (int hasBase = 0; hasBase < 2; ++hasBase)
    {
        char rest[512];
        snprintf(
            rest, sizeof(rest),
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":20},{\"buffer\":0,\"byteOffset\":20,"
            "\"byteLength\":8}"
            ",{\"buffer\":0,\"byteOffset\":28,\"byteLength\":2}],\"accessors\":[{%s\"componentType\":5126,"
            "\"count\":5,\"type\":\"SCALAR\",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":2,"
            "\"componentType\":5121},\"values\":{\"bufferView\":1}}}]",
            hasBase ? "\"bufferView\":0," : "");
        Fixture f;
        Open(&f, bytes, 30, rest);
        const float* floats = tdAccessors_GetFloats(&f.accessors, 0);
        ENSURE(floats != NULL);
        for (int i = 0; i < 5 && floats != NULL; ++i)
        {
            float expected = i == 1 ? 21.0f : (i == 4 ? 24.0f : (hasBase ? values[i] : 0.0f));
            ENSURE(floats[i] == expected);
        }
        Close(&f);
    }
}

TEST(RefusesOversizedAccessors)
{
    // Each of these claims data that is not in the file. None may be decoded, none may allocate much.
    static const char* const cases[] = {
        "\"accessors\":[{\"componentType\":5126,\"count\":2000000000,\"type\":\"MAT4\"}]",
        "\"accessors\":[{\"componentType\":5126,\"count\":9007199254740991,\"type\":\"SCALAR\"}]",
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,"
        "\"count\":2147483647,\"type\":\"MAT4\"}]",
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":9007199254740991,\"byteLength\":9007199254740991}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}]",
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],\"accessors\":[{\"bufferView\":0,\"byteOffset\":"
        "9223372036854775804,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}]",
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":65}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,"
        "\"count\":16,\"type\":\"SCALAR\"}]",
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64,\"byteStride\":4}],\"accessors\":[{\"bufferView\":"
        "0,"
        "\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}]",
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,"
        "\"count\":2,\"type\":\"SCALAR\",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":0,"
        "\"byteOffset\":60,"
        "\"componentType\":5125},\"values\":{\"bufferView\":0}}}]",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        uint8_t bytes[64] = {0};
        Fixture f;
        Open(&f, bytes, sizeof(bytes), cases[i]);
        ENSURE(tdAccessors_GetFloats(&f.accessors, 0) == NULL);
        ENSURE(tdReport_HasErrors(f.report));
        // The arena's first block and one TD_DECODE_FLOOR are the limit.
        ENSURE(f.arena.used < TD_DECODE_FLOOR + 64 * 1024);
        Close(&f);
    }
}

TEST(DecodeBudgetCoversAllAccessors)
{
    // A thousand accessors over the same bytes: each is valid alone, together they exceed the decode budget.
    tdText rest;
    tdText_Init(&rest, NULL);
    tdText_AppendString(&rest, "\"bufferViews\":[{\"buffer\":0,\"byteLength\":60000}],\"accessors\":[");
    for (int i = 0; i < 1000; ++i)
    {
        tdText_AppendFormat(&rest,
                            "%s{\"bufferView\":0,\"componentType\":5121,\"count\":60000,\"type\":\"SCALAR\"}",
                            i > 0 ? "," : "");
    }
    tdText_AppendString(&rest, "]");
    static uint8_t bytes[60000];
    Fixture f;
    Open(&f, bytes, sizeof(bytes), rest.data);
    int decoded = 0;
    for (int i = 0; i < 1000; ++i)
    {
        decoded += tdAccessors_GetFloats(&f.accessors, i) != NULL ? 1 : 0;
    }
    size_t bound = tdDocument_GetTotalBytes(f.document) * TD_DECODE_FACTOR + TD_DECODE_FLOOR;
    ENSURE((size_t)decoded * 240000 <= bound);
    ENSURE(decoded > 10 && decoded < 1000);
    ENSURE(tdReport_CountCode(f.report, TD_DIAG_TOO_LARGE) > 0);
    // A second read allocates nothing.
    size_t used = f.arena.used;
    ENSURE(tdAccessors_GetFloats(&f.accessors, 0) != NULL);
    ENSURE_EQUAL_INT(f.arena.used, used);
    Close(&f);
    tdText_Free(&rest);
}

// Arrays that the buffer has in the same form are not copied; all others are.
TEST(BorrowsPlainArrays)
{
    uint8_t bytes[64] = {0};
    const float numbers[6] = {1.0f, -2.0f, 0.5f, 3.0f, 4.0f, -0.0f};
    const uint32_t indices[3] = {7, 0, 4000000000u};
    memcpy(bytes, numbers, sizeof(numbers));
    memcpy(bytes + 24, indices, sizeof(indices));
    Fixture f;
    Open(&f, bytes, sizeof(bytes),
         "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64},{\"buffer\":0,\"byteLength\":24,\"byteStride\":"
         "16},"
         "{\"buffer\":0,\"byteOffset\":1,\"byteLength\":60}],\"accessors\":["
         "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
         "{\"bufferView\":0,\"byteOffset\":24,\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\"},"
         "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC2\"},"
         "{\"bufferView\":2,\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\"}]");
    size_t size = 0;
    const uint8_t* data = tdAccessors_GetView(&f.accessors, 0, &size);
    const float* floats = tdAccessors_GetFloats(&f.accessors, 0);
    const uint32_t* integers = tdAccessors_GetIntegers(&f.accessors, 1);
    const float* strided = tdAccessors_GetFloats(&f.accessors, 2);
    const uint32_t* unaligned = tdAccessors_GetIntegers(&f.accessors, 3);
    ENSURE((uintptr_t)data % 4 == 0);
    ENSURE((const uint8_t*)floats == data && (const uint8_t*)integers == data + 24);
    ENSURE(memcmp(floats, numbers, sizeof(numbers)) == 0 && memcmp(integers, indices, sizeof(indices)) == 0);
    ENSURE(strided != NULL && strided[0] == 1.0f && strided[1] == -2.0f && strided[2] == 4.0f);
    // The integers of one as floats are decoded.
    const float* converted = tdAccessors_GetFloats(&f.accessors, 1);
    ENSURE(converted != NULL && (const uint8_t*)converted != data + 24 && converted[0] == 7.0f);
    ENSURE(unaligned != NULL && (uintptr_t)unaligned % 4 == 0 && unaligned[0] == 0x003f8000u);
    Close(&f);
}

// Numbers that are not finite are found at any place of an array.
TEST(FindsNumbersThatAreNotFinite)
{
    static const uint32_t bad[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7f800001u};
    static const int places[] = {0, 1, 255, 256, 511, 600, 1023};
    for (int i = 0; i < 28; ++i)
    {
        float numbers[1024];
        for (int k = 0; k < 1024; ++k)
        {
            numbers[k] = k % 2 == 0 ? 3.402823466e38f : -1e-45f;
        }
        memcpy(&numbers[places[i / 4]], &bad[i % 4], 4);
        Fixture f;
        Open(&f, (const uint8_t*)numbers, sizeof(numbers),
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":4096}],\"accessors\":["
             "{\"bufferView\":0,\"componentType\":5126,\"count\":1024,\"type\":\"SCALAR\"}]");
        char wanted[32];
        snprintf(wanted, sizeof(wanted), "lement %d is", places[i / 4]);
        ENSURE(tdAccessors_GetFloats(&f.accessors, 0) == NULL);
        ENSURE_EQUAL_INT(tdReport_CountSeverity(f.report, TD_SEVERITY_ERROR), 1);
        if (!ENSURE(strstr(tdReport_GetText(f.report), wanted) != NULL))
        {
            printf("%s", tdReport_GetText(f.report));
        }
        Close(&f);
    }
}

TEST_MAIN(RUN(DecodesEveryLayout) RUN(SubstitutesSparseElements) RUN(RefusesOversizedAccessors)
              RUN(DecodeBudgetCoversAllAccessors) RUN(BorrowsPlainArrays) RUN(FindsNumbersThatAreNotFinite))
