// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the lossless rule over all test files: load and save give the same bytes; after an animation is
// added, all old content is preserved byte for byte.
#include "files.h"
#include "harness.h"

#include "gltf/document_edit.h"
#include "import/create_asset.h"
#include "import/import.h"

static FileList files;

static void CollectAll(void)
{
    char path[512];
    CollectAssets(&files, TD_TEST_DATA);
    CollectAssets(&files, "examples");
    const char* shared = FindShared();
    if (shared == NULL)
    {
        printf("no shared assets next to the project: only its own files are tested\n");
    }
    else
    {
        snprintf(path, sizeof(path), "%s/assets", shared);
        CollectAssets(&files, path);
        snprintf(path, sizeof(path), "%s/vectors", shared);
        CollectAssets(&files, path);
    }
    SortFiles(&files);
}

TEST(SavesTheSameBytes)
{
    int loaded = 0;
    for (int i = 0; i < files.paths.count; ++i)
    {
        const char* path = files.paths.data[i];
        tdAsset* asset = tdLoadAsset(path, NULL, NULL);
        if (asset == NULL)
        {
            continue; // broken on purpose
        }
        loaded += 1;
        void* original = NULL;
        size_t originalSize = 0, size = 0;
        tdAllocator allocator = tdAllocator_Resolve(NULL);
        ENSURE_EQUAL_INT(tdReadFile(path, &allocator, SIZE_MAX / 2, NULL, &original, &originalSize),
                         TD_FILE_OK);
        void* saved = tdSaveAssetToMemory(asset, TD_SAVE_SAME, NULL, &size, NULL);
        if (!ENSURE(saved != NULL && size == originalSize && memcmp(saved, original, size) == 0))
        {
            printf("  %s\n", path);
        }
        tdFreeSaved(saved, size, NULL);
        tdRelease(&allocator, original, originalSize + 1);
        tdDestroyAsset(asset);
    }
    ENSURE(loaded > 0);
}

static bool SameText(const tdJson* a, int valueA, const tdJson* b, int valueB)
{
    size_t size = 0, startA = 0, endA = 0, startB = 0, endB = 0;
    tdJson_GetRange(a, valueA, &startA, &endA);
    tdJson_GetRange(b, valueB, &startB, &endB);
    return valueA >= 0 && valueB >= 0 && endA - startA == endB - startB &&
           memcmp(tdJson_GetSource(a, &size) + startA, tdJson_GetSource(b, &size) + startB, endA - startA) ==
               0;
}

static bool IsGrown(const tdJson* json, int member)
{
    return tdJson_KeyEquals(json, member, "buffers") || tdJson_KeyEquals(json, member, "bufferViews") ||
           tdJson_KeyEquals(json, member, "accessors") || tdJson_KeyEquals(json, member, "animations");
}

/// Every old member keeps its order and text; lists grow at their ends only.
static bool KeepsJson(const tdDocument* before, const tdDocument* after)
{
    const tdJson *a = before->json, *b = after->json;
    int next = tdJson_GetFirst(b, 0);
    bool isKept = true;
    for (int member = tdJson_GetFirst(a, 0); member >= 0; member = tdJson_GetNext(a, member))
    {
        size_t length = 0, nextLength = 0;
        const char* key = tdJson_GetKey(a, member, &length);
        const char* nextKey = tdJson_GetKey(b, next, &nextLength);
        isKept = isKept && nextKey != NULL && length == nextLength && memcmp(key, nextKey, length) == 0;
        if (!IsGrown(a, member))
        {
            isKept = isKept && SameText(a, member, b, next);
        }
        else
        {
            int element = tdJson_GetFirst(b, next);
            bool isBuffers = tdJson_KeyEquals(a, member, "buffers");
            for (int old = tdJson_GetFirst(a, member); old >= 0; old = tdJson_GetNext(a, old))
            {
                // Only the length of the chunk's buffer changes.
                isKept = isKept &&
                         (SameText(a, old, b, element) || (isBuffers && before->kind == TD_DOCUMENT_GLB));
                element = tdJson_GetNext(b, element);
            }
        }
        next = tdJson_GetNext(b, next);
    }
    return isKept;
}

static bool KeepsBuffers(const tdDocument* before, const tdDocument* after)
{
    for (int i = 0; i < before->bufferCount; ++i)
    {
        const tdBuffer *a = &before->buffers[i], *b = &after->buffers[i];
        if (a->data != NULL &&
            (b->data == NULL || b->size < a->size || memcmp(a->data, b->data, a->size) != 0))
        {
            return false;
        }
    }
    return true;
}

static tdDocument* AddAnimation(const tdDocument* document, tdReport* report)
{
    static const float times[] = {0.0f, 0.5f, 1.25f};
    static const float values[] = {0, 0, 0, 1, 2, 3, -1, 0.1f, 1e-7f};
    tdDocumentEdit* edit = tdCreateDocumentEdit(document, NULL);
    tdNewAccessor input = {.values = times, .count = 3, .componentCount = 1, .writeBounds = true};
    tdNewAccessor output = {.values = values, .count = 3, .componentCount = 3};
    int inputIndex = tdDocumentEdit_AddAccessor(edit, &input);
    int outputIndex = tdDocumentEdit_AddAccessor(edit, &output);
    char text[300];
    snprintf(
        text, sizeof(text),
        "{\"name\":\"added\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
        "\"samplers\":[{\"input\":%d,\"output\":%d}]}",
        inputIndex, outputIndex);
    tdDocumentEdit_AddElement(edit, "animations", text, strlen(text));
    tdDocument* changed = tdDocumentEdit_Finish(edit, report);
    tdDestroyDocumentEdit(edit);
    return changed;
}

/// Errors except the one that the added animation can cause: node 0 may have a matrix, which is invalid on an
/// animated node.
static int CountOldErrors(const tdReport* report)
{
    return tdReport_CountSeverity(report, TD_SEVERITY_ERROR) -
           tdReport_CountCode(report, TD_DIAG_ANIMATION_CHANNEL_TARGET_NODE_MATRIX);
}

TEST(KeepsEverythingOldWhenAnAnimationIsAdded)
{
    for (int i = 0; i < files.paths.count; ++i)
    {
        const char* path = files.paths.data[i];
        tdReport* first = tdCreateReport(NULL);
        tdReport* second = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAsset(path, NULL, first);
        if (asset == NULL || asset->scene.nodes.count == 0)
        {
            tdDestroyAsset(asset);
            tdDestroyReport(first);
            tdDestroyReport(second);
            continue;
        }
        tdDocument* changed = AddAnimation(asset->document, first);
        tdAsset* edited = tdFinishEditedAsset(tdCreateEditedAsset(asset, path, NULL), changed, NULL);
        size_t size = 0;
        void* saved = tdSaveAssetToMemory(edited, TD_SAVE_SAME, NULL, &size, NULL);
        ENSURE(saved != NULL);
        // Loads the saved file with the side files of the original.
        char folder[512];
        snprintf(folder, sizeof(folder), "%s", path);
        *strrchr(folder, '/') = 0;
        tdAsset* again = NULL;
        if (saved != NULL)
        {
            tdAllocator allocator = tdAllocator_Resolve(NULL);
            uint8_t* bytes = tdAllocate(&allocator, size + 1, 16);
            memcpy(bytes, saved, size + 1);
            tdDocumentDef def = {.name = path, .resolver = {.folder = folder, .maxBytes = SIZE_MAX / 2}};
            tdDocument* document = tdCreateDocument(bytes, size, &def, second);
            again = tdFinishEditedAsset(tdCreateEditedAsset(asset, path, second), document, second);
            ENSURE(again == NULL || tdAsset_ImportScene(again, second));
        }
        bool isFine =
            ENSURE(again != NULL) && ENSURE(KeepsJson(asset->document, again->document)) &&
            ENSURE(KeepsBuffers(asset->document, again->document)) &&
            ENSURE_EQUAL_INT(again->scene.animationCount, asset->scene.animationCount + 1) &&
            ENSURE_EQUAL_INT(again->scene.animations[asset->scene.animationCount].channelCount, 1) &&
            ENSURE_EQUAL_INT(CountOldErrors(second), CountOldErrors(first));
        if (isFine)
        {
            const tdChannel* channel = &again->scene.animations[asset->scene.animationCount].channels[0];
            isFine = ENSURE(channel->values[8] == 1e-7f && channel->times[2] == 1.25f);
        }
        if (!isFine)
        {
            printf("  %s\n%s", path, tdReport_GetText(second));
        }
        tdFreeSaved(saved, size, NULL);
        tdDestroyAsset(again);
        tdDestroyAsset(edited);
        tdDestroyAsset(asset);
        tdDestroyReport(first);
        tdDestroyReport(second);
    }
}

TEST(RepacksBothWays)
{
    // .gltf to .glb and back: the same scene, and converting twice gives the same bytes.
    for (int i = 0; i < files.paths.count; ++i)
    {
        const char* path = files.paths.data[i];
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAsset(path, NULL, report);
        if (asset == NULL || tdReport_HasErrors(report))
        {
            tdDestroyAsset(asset);
            tdDestroyReport(report);
            continue;
        }
        bool isGlb = asset->document->kind == TD_DOCUMENT_GLB;
        size_t size = 0, sizeAgain = 0;
        void* other = tdSaveAssetToMemory(asset, isGlb ? TD_SAVE_GLTF : TD_SAVE_GLB, NULL, &size, report);
        tdAsset* second = tdLoadAssetFromMemory(other, size, NULL, report);
        void* again =
            tdSaveAssetToMemory(second, isGlb ? TD_SAVE_GLTF : TD_SAVE_GLB, NULL, &sizeAgain, report);
        bool isFine = ENSURE(other != NULL && second != NULL) &&
                      ENSURE(size == sizeAgain && memcmp(other, again, size) == 0) &&
                      ENSURE((second->document->kind == TD_DOCUMENT_GLB) != isGlb) &&
                      ENSURE_EQUAL_INT(second->scene.nodes.count, asset->scene.nodes.count) &&
                      ENSURE_EQUAL_INT(second->scene.meshCount, asset->scene.meshCount) &&
                      ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 0);
        for (int m = 0; isFine && m < asset->scene.meshCount; ++m)
        {
            const tdMesh *a = &asset->scene.meshes[m], *b = &second->scene.meshes[m];
            isFine = isFine && ENSURE_EQUAL_INT(a->primitiveCount, b->primitiveCount);
            for (int p = 0; isFine && p < a->primitiveCount; ++p)
            {
                isFine = ENSURE(a->primitives[p].vertexCount == b->primitives[p].vertexCount &&
                                memcmp(a->primitives[p].positions, b->primitives[p].positions,
                                       (size_t)a->primitives[p].vertexCount * sizeof(tdVec3)) == 0);
            }
        }
        if (!isFine)
        {
            printf("  %s\n%s", path, tdReport_GetText(report));
        }
        tdFreeSaved(other, size, NULL);
        tdFreeSaved(again, sizeAgain, NULL);
        tdDestroyAsset(second);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

TEST_MAIN(CollectAll(); RUN(SavesTheSameBytes) RUN(KeepsEverythingOldWhenAnAnimationIsAdded)
              RUN(RepacksBothWays) FreeFiles(&files);)
