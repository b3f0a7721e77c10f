// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of edited documents: the place of added data in each type of file, side files and their names,
// preserved chunks.
#include "files.h"
#include "harness.h"

#include "gltf/document_edit.h"
#include "import/create_asset.h"
#include "import/import.h"

static const float numbers[] = {1.0f, 2.0f, 3.0f, 4.0f};

/// Adds one accessor to the asset; destroys the old one.
static tdAsset* Grow(tdAsset* asset)
{
    tdAsset* grown = tdCreateEditedAsset(asset, asset->name, NULL);
    ENSURE(grown != NULL);
    tdDocumentEdit* edit = tdCreateDocumentEdit(asset->document, &grown->allocator);
    tdNewAccessor accessor = {.values = numbers, .count = 4, .componentCount = 1, .writeBounds = true};
    int index = tdDocumentEdit_AddAccessor(edit, &accessor);
    ENSURE(index >= 0);
    tdDocument* document = tdDocumentEdit_Finish(edit, NULL);
    tdDestroyDocumentEdit(edit);
    tdDestroyAsset(asset);
    grown = tdFinishEditedAsset(grown, document, NULL);
    ENSURE(tdAsset_HasUsableScene(grown));
    return grown;
}

static tdAsset* LoadText(const char* text, tdReport* report)
{
    return tdLoadAssetFromMemory(text, strlen(text), NULL, report);
}

static const tdBuffer* GetBuffer(const tdAsset* asset, int index)
{
    return &asset->document->buffers[index];
}

TEST(GrowsTheChunk)
{
    tdAsset* asset = Grow(tdLoadAsset(TD_TEST_DATA "/glb/valid.glb", NULL, NULL));
    ENSURE_EQUAL_INT(asset->document->bufferCount, 1);
    ENSURE_EQUAL_INT(GetBuffer(asset, 0)->source, TD_BUFFER_GLB);
    ENSURE_EQUAL_INT(GetBuffer(asset, 0)->size, 32);
    ENSURE(memcmp(GetBuffer(asset, 0)->data + 16, numbers, 16) == 0);
    // One pair of chunks, correct lengths, everything aligned.
    const uint8_t* bytes = asset->document->bytes;
    ENSURE_EQUAL_INT(tdLoadU32(bytes + 8), asset->document->size);
    ENSURE_EQUAL_INT(tdLoadU32(bytes + 12) % 4, 0);
    ENSURE_EQUAL_INT(asset->document->glb.binSize, 32);
    tdDestroyAsset(asset);
}

TEST(MakesAChunkWhereThereIsNone)
{
    tdAsset* asset = Grow(tdLoadAsset(TD_TEST_DATA "/glb/valid_no_bin.glb", NULL, NULL));
    ENSURE_EQUAL_INT(asset->document->bufferCount, 1);
    ENSURE_EQUAL_INT(GetBuffer(asset, 0)->source, TD_BUFFER_GLB);
    ENSURE(memcmp(GetBuffer(asset, 0)->data, numbers, 16) == 0);
    tdDestroyAsset(asset);
}

TEST(KeepsUnknownChunksAndTrailingBytes)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Grow(tdLoadAsset(TD_TEST_DATA "/glb/bin_third.glb", NULL, NULL));
    size_t offset = 12;
    tdGlbChunk chunk;
    bool isFound = false;
    while (tdGlb_NextChunk(asset->document->bytes, asset->document->size, &offset, &chunk))
    {
        isFound = isFound ||
                  (chunk.size == 8 && memcmp(asset->document->bytes + chunk.dataOffset, "keep me!", 8) == 0);
    }
    ENSURE(isFound);
    tdDestroyAsset(asset);
    asset = Grow(tdLoadAsset(TD_TEST_DATA "/glb/extra_data.glb", NULL, NULL));
    ENSURE(memcmp(asset->document->bytes + asset->document->size - 13, "what is this?", 13) == 0);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(UsesADataUriWhenTheChunkIsTaken)
{
    // A GLB whose first buffer is a data URI: only buffer 0 can be the chunk.
    const char* json =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"data:,four\"}]}";
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    size_t size = 0;
    uint8_t* glb = tdMakeGlb(NULL, &allocator, json, strlen(json), NULL, 0, &size, NULL);
    tdAsset* asset = Grow(tdLoadAssetFromMemory(glb, size, NULL, NULL));
    ENSURE_EQUAL_INT(asset->document->kind, TD_DOCUMENT_GLB);
    ENSURE_EQUAL_INT(asset->document->bufferCount, 2);
    ENSURE_EQUAL_INT(GetBuffer(asset, 1)->source, TD_BUFFER_DATA);
    ENSURE(memcmp(GetBuffer(asset, 1)->data, numbers, 16) == 0);
    tdRelease(&allocator, glb, size + 1);
    tdDestroyAsset(asset);
}

static bool FileIs(const char* folder, const char* name, size_t expected)
{
    char path[200];
    struct stat status;
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return stat(path, &status) == 0 && (size_t)status.st_size == expected;
}

TEST(WritesSideFilesBesideText)
{
    char folder[64], path[128];
    MakeFolder(folder);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Grow(
        LoadText("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"extras\":{ \"odd\" : 1.50 }}]}", report));
    ENSURE_EQUAL_INT(GetBuffer(asset, 0)->source, TD_BUFFER_SIDE);
    snprintf(path, sizeof(path), "%s/my scene.gltf", folder);
    ENSURE(tdSaveAsset(asset, path, report));
    ENSURE(FileIs(folder, "my scene.tendon.bin", 16));
    tdDestroyAsset(asset);

    // The saved file loads as an ordinary one; after another edit the next side file gets a new number, and
    // the old one stays.
    asset = tdLoadAsset(path, NULL, report);
    ENSURE_EQUAL_INT(GetBuffer(asset, 0)->source, TD_BUFFER_FILE);
    asset = Grow(Grow(asset));
    ENSURE_EQUAL_INT(asset->document->bufferCount, 3);
    ENSURE(tdSaveAsset(asset, path, report));
    ENSURE(FileIs(folder, "my scene.tendon-2.bin", 16) && FileIs(folder, "my scene.tendon-3.bin", 16));
    tdDestroyAsset(asset);
    asset = tdLoadAsset(path, NULL, report);
    ENSURE(GetBuffer(asset, 0)->size == 16 && GetBuffer(asset, 1)->size == 16 &&
           GetBuffer(asset, 2)->size == 16);
    ENSURE(strstr((const char*)asset->document->bytes, "{ \"odd\" : 1.50 }") != NULL);

    // Saved under another name in another folder: the side files keep their names and are copied.
    char other[64];
    MakeFolder(other);
    snprintf(path, sizeof(path), "%s/b.gltf", other);
    ENSURE(tdSaveAsset(asset, path, report));
    ENSURE(FileIs(other, "my scene.tendon.bin", 16) && FileIs(other, "my scene.tendon-3.bin", 16));
    // As a GLB everything is inside: 3 buffers of 16 bytes.
    snprintf(path, sizeof(path), "%s/c.glb", other);
    ENSURE(tdSaveAsset(asset, path, report));
    tdDestroyAsset(asset);
    asset = tdLoadAsset(path, NULL, report);
    ENSURE(asset->document->bufferCount == 1 && GetBuffer(asset, 0)->size == 48);
    ENSURE_EQUAL_TEXT(tdReport_GetText(report), "");
    tdDestroyAsset(asset);
    RemoveFolder(folder);
    RemoveFolder(other);
    tdDestroyReport(report);
}

TEST(FollowsReplacedAndRemovedValues)
{
    tdAsset* asset =
        LoadText("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
                 "\"animations\":[{\"channels\":[],\"samplers\":[]}]}",
                 NULL);
    const tdJson* json = asset->document->json;
    tdDocumentEdit* edit = tdCreateDocumentEdit(asset->document, NULL);
    tdJsonEdit_Remove(tdDocumentEdit_GetJson(edit), tdJson_Resolve(json, "/animations"));
    tdJsonEdit_Replace(tdDocumentEdit_GetJson(edit), tdJson_Resolve(json, "/nodes/1/name"), "\"c\"", 3);
    tdDocumentEdit_AddElement(edit, "nodes", "{\"name\":\"d\"}", 12);
    tdDocument* document = tdDocumentEdit_Finish(edit, NULL);
    tdDestroyDocumentEdit(edit);
    ENSURE_EQUAL_TEXT(
        (const char*)document->bytes,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"},{\"name\":\"c\"},{\"name\":\"d\"}]}");
    tdDestroyDocument(document);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(GrowsTheChunk) RUN(MakesAChunkWhereThereIsNone) RUN(KeepsUnknownChunksAndTrailingBytes)
              RUN(UsesADataUriWhenTheChunkIsTaken) RUN(WritesSideFilesBesideText)
                  RUN(FollowsReplacedAndRemovedValues))
