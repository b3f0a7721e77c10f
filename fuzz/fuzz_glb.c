// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the GLB container with a chunk-aware mutator: most inputs are well-formed containers with odd
// contents, the rest have odd headers. A file that loads must save byte for byte and repack both ways.
#include "gltf/document_edit.h"
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

static void Require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

/// Mutates the data of one chunk and corrects all lengths.
static size_t MutateChunk(uint8_t* data, size_t size, size_t maxSize, unsigned int seed)
{
    size_t end = tdGlb_GetEnd(data, size), offset = 12;
    tdGlbChunk chunk, chosen = {0};
    unsigned int count = 0;
    while (tdGlb_NextChunk(data, end, &offset, &chunk))
    {
        count += 1;
        if (seed % count == 0)
        {
            chosen = chunk;
        }
    }
    if (count == 0)
    {
        return LLVMFuzzerMutate(data, size, maxSize);
    }
    size_t after = chosen.dataOffset + chosen.size;
    size_t tail = size - after;
    size_t room = maxSize - size + chosen.size;
    uint8_t* copy = malloc(room + tail + 4);
    memcpy(copy, data + chosen.dataOffset, chosen.size);
    size_t mutated = LLVMFuzzerMutate(copy, chosen.size, room > 4 ? room - 4 : chosen.size);
    size_t padded = (mutated + 3) / 4 * 4;
    if (padded > room)
    {
        free(copy);
        return size;
    }
    memset(copy + mutated, chosen.type == TD_GLB_JSON ? ' ' : 0, padded - mutated);
    memmove(data + chosen.dataOffset + padded, data + after, tail);
    memcpy(data + chosen.dataOffset, copy, padded);
    free(copy);
    size_t total = chosen.dataOffset + padded + tail;
    tdStoreU32(data + chosen.dataOffset - 8, (uint32_t)padded);
    tdStoreU32(data + 8, (uint32_t)(end - chosen.size + padded));
    return total;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed)
{
    bool isContainer = size >= 20 && tdIsGlb(data, size);
    return isContainer && seed % 8 != 0 ? MutateChunk(data, size, maxSize, seed / 8)
                                        : LLVMFuzzerMutate(data, size, maxSize);
}

static void Repack(const tdAsset* asset)
{
    for (int format = TD_SAVE_GLB; format <= TD_SAVE_GLTF; ++format)
    {
        size_t size = 0;
        void* saved = tdSaveAssetToMemory(asset, (tdSaveFormat)format, NULL, &size, NULL);
        Require(saved != NULL);
        tdAsset* again = tdLoadAssetFromMemory(saved, size, NULL, NULL);
        Require(again != NULL && again->scene.nodes.count == asset->scene.nodes.count);
        tdDestroyAsset(again);
        tdFreeSaved(saved, size, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(data, size, NULL, report);
    Require(asset != NULL || tdReport_HasErrors(report));
    if (asset != NULL && asset->document != NULL)
    {
        size_t savedSize = 0;
        void* saved = tdSaveAssetToMemory(asset, TD_SAVE_SAME, NULL, &savedSize, NULL);
        Require(saved != NULL && savedSize == size && memcmp(saved, data, size) == 0);
        tdFreeSaved(saved, savedSize, NULL);
        Repack(asset);
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    return 0;
}
