// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of allocation failure: every allocation of a load, an edit and a save fails in turn. No crash, no
// leak, and the failure is either reported or without effect.
#include "files.h"
#include "harness.h"

#include "gltf/document_edit.h"
#include "import/create_asset.h"
#include "import/import.h"

static const char* const paths[] = {
    TD_TEST_DATA "/valid/walk.gltf",       TD_TEST_DATA "/valid/weights.gltf",
    TD_TEST_DATA "/valid/external.gltf",   TD_TEST_DATA "/valid/pointer.gltf",
    TD_TEST_DATA "/valid/strip.gltf",      TD_TEST_DATA "/valid/spline.gltf",
    TD_TEST_DATA "/valid/quantized.gltf",  TD_TEST_DATA "/glb/valid.glb",
    TD_TEST_DATA "/glb/chunk_unknown.glb", TD_TEST_DATA "/gltf/node_loop.gltf",
    "fuzz/corpus/import/physics_khr.gltf", "fuzz/corpus/import/physics_omi.gltf",
    "fuzz/corpus/import/vrm.gltf",         TD_TEST_DATA "/model/fine.gltf",
    TD_TEST_DATA "/model/fine0.gltf",      TD_TEST_DATA "/model/duplicate0.gltf"};
enum
{
    PATH_COUNT = sizeof(paths) / sizeof(paths[0])
};

TEST(EveryAllocationOfALoadMayFail)
{
    for (int i = 0; i < PATH_COUNT; ++i)
    {
        for (int64_t failAt = 0;; ++failAt)
        {
            tdFailingAllocator state;
            tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
            tdLoadDef def = tdDefaultLoadDef();
            def.allocator = &allocator;
            tdReport* report = tdCreateReport(NULL);
            tdAsset* asset = tdLoadAsset(paths[i], &def, report);
            bool hasFailed = state.count > failAt;
            ENSURE(!hasFailed || tdReport_CountCode(report, TD_DIAG_OUT_OF_MEMORY) > 0);
            ENSURE(hasFailed || asset != NULL);
            tdDestroyAsset(asset);
            tdDestroyReport(report);
            ENSURE_EQUAL_INT(state.liveBlocks, 0);
            if (!hasFailed)
            {
                ENSURE(failAt > 5);
                break;
            }
        }
    }
}

static void* EditAndSave(const tdAsset* asset, const tdAllocator* allocator, tdSaveFormat format,
                         size_t* size, tdReport* report)
{
    static const float values[] = {0.0f, 1.0f};
    tdDocumentEdit* edit = tdCreateDocumentEdit(asset->document, allocator);
    if (edit != NULL)
    {
        tdNewAccessor accessor = {.values = values, .count = 2, .componentCount = 1, .writeBounds = true};
        tdDocumentEdit_AddAccessor(edit, &accessor);
        tdDocumentEdit_AddElement(edit, "animations", "{}", 2);
    }
    tdDocument* document = tdDocumentEdit_Finish(edit, report);
    tdDestroyDocumentEdit(edit);
    void* saved = NULL;
    if (document != NULL)
    {
        tdLoadDef def = tdDefaultLoadDef();
        def.allocator = allocator;
        tdAsset* edited = tdCreateAsset(asset->name, &def, report);
        if (edited == NULL)
        {
            tdDestroyDocument(document);
        }
        edited = tdFinishEditedAsset(edited, document, report);
        // A scene that memory is too short for is empty, whatever is asked of it.
        ENSURE(edited == NULL || tdAsset_HasUsableScene(edited) || tdAsset_GetNodeCount(edited) == 0);
        saved = tdSaveAssetToMemory(edited, format, allocator, size, report);
        tdDestroyAsset(edited);
    }
    return saved;
}

TEST(EveryAllocationOfAnEditAndASaveMayFail)
{
    for (int i = 0; i < PATH_COUNT; ++i)
    {
        for (int format = 0; format < 3; ++format)
        {
            tdAsset* asset = tdLoadAsset(paths[i], NULL, NULL);
            size_t wantedSize = 0;
            void* wanted = EditAndSave(asset, NULL, (tdSaveFormat)format, &wantedSize, NULL);
            ENSURE(wanted != NULL);
            for (int64_t failAt = 0;; ++failAt)
            {
                tdFailingAllocator state;
                tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
                tdReport* report = tdCreateReport(NULL);
                size_t size = 0;
                void* saved = EditAndSave(asset, &allocator, (tdSaveFormat)format, &size, report);
                // Any result is correct, and a missing result has a report.
                ENSURE(saved == NULL || (size == wantedSize && memcmp(saved, wanted, size) == 0) ||
                       tdReport_HasErrors(report));
                ENSURE(saved != NULL || tdReport_HasErrors(report));
                tdFreeSaved(saved, size, &allocator);
                tdDestroyReport(report);
                ENSURE_EQUAL_INT(state.liveBlocks, 0);
                if (state.count <= failAt)
                {
                    ENSURE(saved != NULL && failAt > 5);
                    break;
                }
            }
            tdFreeSaved(wanted, wantedSize, NULL);
            tdDestroyAsset(asset);
        }
    }
}

TEST(EveryAllocationOfASaveToDiskMayFail)
{
    static const char* const targets[] = {"%s/out.gltf", "%s/out.glb"};
    tdAllocator plain = tdAllocator_Resolve(NULL);
    for (int i = 0; i < 2; ++i)
    {
        for (int64_t failAt = 0;; ++failAt)
        {
            char folder[64], path[128];
            MakeFolder(folder);
            snprintf(path, sizeof(path), targets[i], folder);
            tdFailingAllocator state;
            tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
            tdLoadDef def = tdDefaultLoadDef();
            def.allocator = &allocator;
            tdReport* report = tdCreateReport(NULL);
            tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/valid/external.gltf", &def, report);
            state.failAt = state.count + failAt;
            bool isSaved = tdSaveAsset(asset, path, report);
            bool hasFailed = state.count > state.failAt;
            ENSURE(isSaved || tdReport_CountCode(report, TD_DIAG_OUT_OF_MEMORY) > 0);
            // Only whole files: the document exists if and only if the save succeeds.
            void* data = NULL;
            size_t size = 0;
            bool isThere = tdReadFile(path, &plain, 1 << 20, NULL, &data, &size) == TD_FILE_OK;
            ENSURE(isThere == isSaved);
            if (isThere)
            {
                tdRelease(&plain, data, size + 1);
            }
            tdDestroyAsset(asset);
            ENSURE_EQUAL_INT(state.liveBlocks, 0);
            tdDestroyReport(report);
            RemoveFolder(folder);
            if (!hasFailed)
            {
                ENSURE(isSaved);
                break;
            }
        }
    }
}

TEST(StaysWithinTheLimit)
{
    // From zero to a sufficient limit: every limit either loads the file or gives a report, and is never
    // exceeded.
    size_t needed = 0;
    for (size_t maximum = 1000; needed == 0 && maximum < 10000000; maximum += maximum / 4)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
        tdLoadDef def = tdDefaultLoadDef();
        def.allocator = &allocator;
        def.limits.memory = (int64_t)maximum;
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/valid/weights.gltf", &def, report);
        ENSURE(asset != NULL || tdReport_CountCode(report, TD_DIAG_MEMORY_LIMIT) > 0);
        // The limit does not count the asset object and the limit's own record.
        ENSURE(state.peakBytes <= maximum + 4096);
        needed = asset != NULL && !tdReport_HasErrors(report) ? maximum : 0;
        tdDestroyAsset(asset);
        tdDestroyReport(report);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    ENSURE(needed > 0);
}

TEST_MAIN(RUN(EveryAllocationOfALoadMayFail) RUN(EveryAllocationOfAnEditAndASaveMayFail)
              RUN(EveryAllocationOfASaveToDiskMayFail) RUN(StaysWithinTheLimit))
