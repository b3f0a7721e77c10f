// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of GLB chunks: the first of a type counts, wherever it is, and none extends past the end of the file.
#include "harness.h"

#include "gltf/glb.h"

typedef struct Builder
{
    uint8_t bytes[512];
    size_t size;
} Builder;

static void Put32(Builder* b, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        b->bytes[b->size++] = (uint8_t)(value >> 8 * i);
    }
}

static Builder Start(void)
{
    Builder b = {.size = 0};
    Put32(&b, 0x46546C67u);
    Put32(&b, 2);
    Put32(&b, 0);
    return b;
}

/// @return the offset of the chunk's data
static size_t AddChunk(Builder* b, uint32_t type, const char* text, size_t claimed)
{
    Put32(b, (uint32_t)claimed);
    Put32(b, type);
    size_t start = b->size;
    memcpy(b->bytes + b->size, text, strlen(text));
    b->size += strlen(text);
    return start;
}

static tdGlb Read(Builder* b, bool* isGood, int* errors)
{
    size_t size = b->size;
    b->size = 8;
    Put32(b, (uint32_t)size);
    b->size = size;
    tdGlb glb;
    tdReport* report = tdCreateReport(NULL);
    *isGood = tdReadGlb(b->bytes, b->size, &glb, report);
    *errors = tdReport_CountSeverity(report, TD_SEVERITY_ERROR) +
              tdReport_CountSeverity(report, TD_SEVERITY_WARNING);
    tdDestroyReport(report);
    return glb;
}

#define JSON_CHUNK 0x4E4F534Au
#define BIN_CHUNK 0x004E4942u
#define OTHER_CHUNK 0x12345678u

TEST(TheFirstChunkOfAKindCounts)
{
    Builder b = Start();
    size_t json = AddChunk(&b, JSON_CHUNK, "{}  ", 4);
    size_t bin = AddChunk(&b, BIN_CHUNK, "abcdefgh", 8);
    AddChunk(&b, OTHER_CHUNK, "1234", 4);
    AddChunk(&b, JSON_CHUNK, "{\"a\":1} ", 8);
    AddChunk(&b, BIN_CHUNK, "wxyz", 4);
    bool isGood;
    int errors;
    tdGlb glb = Read(&b, &isGood, &errors);
    ENSURE(isGood && glb.hasBin);
    ENSURE_EQUAL_INT(glb.jsonOffset, json);
    ENSURE_EQUAL_INT(glb.jsonSize, 4);
    ENSURE_EQUAL_INT(glb.binOffset, bin);
    ENSURE_EQUAL_INT(glb.binSize, 8);
    ENSURE(errors >= 2); // both duplicates
}

TEST(ChunksEndWithTheFile)
{
    for (size_t excess = 0; excess <= 8; excess += 4)
    {
        Builder b = Start();
        AddChunk(&b, JSON_CHUNK, "{}  ", 4);
        size_t bin = AddChunk(&b, BIN_CHUNK, "abcdefgh", 8 + excess);
        bool isGood;
        int errors;
        tdGlb glb = Read(&b, &isGood, &errors);
        ENSURE(isGood);
        ENSURE_EQUAL_INT(glb.binOffset, bin);
        ENSURE_EQUAL_INT(glb.binSize, 8); // the bytes in the file
        ENSURE(glb.binOffset + glb.binSize <= b.size);
        ENSURE(errors == (excess > 0 ? 1 : 0));
    }
}

TEST(AFileNeedsJson)
{
    Builder b = Start();
    AddChunk(&b, BIN_CHUNK, "abcd", 4);
    bool isGood;
    int errors;
    Read(&b, &isGood, &errors);
    ENSURE(!isGood && errors > 0);
}

TEST_MAIN(RUN(TheFirstChunkOfAKindCounts) RUN(ChunksEndWithTheFile) RUN(AFileNeedsJson))
