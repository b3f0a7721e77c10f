// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of failures that no golden file can show: files that cannot be read or written, links to the outside,
// existing files, a document truncated at every byte, sizes far beyond the file's.
#include "files.h"
#include "harness.h"

#include "import/create_asset.h"
#include "import/import.h"

static void WriteText(const char* folder, const char* name, const char* text)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    ENSURE_EQUAL_INT(tdWriteFile(path, text, strlen(text), NULL), TD_FILE_OK);
}

static bool FileEquals(const char* folder, const char* name, const char* text)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    void* data = NULL;
    size_t size = 0;
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    if (tdReadFile(path, &allocator, 1 << 20, NULL, &data, &size) != TD_FILE_OK)
    {
        return false;
    }
    bool isEqual = size == strlen(text) && memcmp(data, text, size) == 0;
    tdRelease(&allocator, data, size + 1);
    return isEqual;
}

/// Loads a file, expects at least one finding with that code, and returns the asset.
static tdAsset* LoadExpecting(const char* path, const tdLoadDef* def, tdDiagnosticCode code)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(path, def, report);
    if (!ENSURE(tdReport_CountCode(report, code) > 0))
    {
        printf("  expected %s, got:\n%s", tdDiagnosticCode_GetName(code), tdReport_GetText(report));
    }
    tdDestroyReport(report);
    return asset;
}

static const char external[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"%s\",\"byteLength\":4}],\"nodes\":[{}]}";

TEST(CannotRead)
{
    ENSURE(LoadExpecting("/no/such/file.gltf", NULL, TD_DIAG_IO_ERROR) == NULL);
    ENSURE(LoadExpecting("/tmp", NULL, TD_DIAG_IO_ERROR) == NULL);
    tdLoadDef def = tdDefaultLoadDef();
    def.limits.memory = 1 << 16;
    char folder[64], path[128];
    MakeFolder(folder);
    char* big = malloc(200000);
    memset(big, ' ', 200000);
    big[199999] = 0;
    WriteText(folder, "big.gltf", big);
    snprintf(path, sizeof(path), "%s/big.gltf", folder);
    ENSURE(LoadExpecting(path, &def, TD_DIAG_MEMORY_LIMIT) == NULL);
    free(big);
    RemoveFolder(folder);
}

TEST(RefusesLinksThatLeadOutside)
{
#if !defined(_WIN32) // links need a privilege there
    char folder[64], outside[64], path[160], link[160], target[160], text[300];
    MakeFolder(folder);
    MakeFolder(outside);
    WriteText(outside, "data.bin", "four");
    snprintf(link, sizeof(link), "%s/link.bin", folder);
    snprintf(target, sizeof(target), "%s/data.bin", outside);
    ENSURE_EQUAL_INT(symlink(target, link), 0);
    snprintf(text, sizeof(text), external, "link.bin");
    WriteText(folder, "a.gltf", text);
    snprintf(path, sizeof(path), "%s/a.gltf", folder);
    tdAsset* asset = LoadExpecting(path, NULL, TD_DIAG_URI_OUTSIDE);
    ENSURE(asset != NULL && asset->document->buffers[0].data == NULL);
    tdDestroyAsset(asset);

    // The same with the folder allowed, by link and by "..".
    const char* allowed[] = {outside};
    tdLoadDef def = tdDefaultLoadDef();
    def.allowedFolders = allowed;
    def.allowedFolderCount = 1;
    tdReport* report = tdCreateReport(NULL);
    asset = tdLoadAsset(path, &def, report);
    ENSURE(asset != NULL && asset->document->buffers[0].size == 4);
    tdDestroyAsset(asset);
    char up[100];
    snprintf(up, sizeof(up), "../%s/data.bin", tdGetFileName(outside));
    snprintf(text, sizeof(text), external, up);
    WriteText(folder, "b.gltf", text);
    snprintf(path, sizeof(path), "%s/b.gltf", folder);
    asset = tdLoadAsset(path, &def, report);
    ENSURE(asset != NULL && asset->document->buffers[0].size == 4);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    tdDestroyAsset(asset);
    // Other paths out of the folder stay forbidden.
    snprintf(text, sizeof(text), external, "../../etc/hostname");
    WriteText(folder, "c.gltf", text);
    snprintf(path, sizeof(path), "%s/c.gltf", folder);
    tdDestroyAsset(LoadExpecting(path, &def, TD_DIAG_URI_OUTSIDE));
    tdDestroyReport(report);
    RemoveFolder(folder);
    RemoveFolder(outside);
#endif
}

typedef struct Callback
{
    int calls;
    char last[100];
} Callback;

static bool ReadThroughCallback(void* context, const char* uri, const void** data, size_t* size)
{
    Callback* callback = context;
    callback->calls += 1;
    snprintf(callback->last, sizeof(callback->last), "%s", uri);
    *data = "four";
    *size = 4;
    return strcmp(uri, "a b.bin") == 0;
}

TEST(CallsTheCallback)
{
    Callback callback = {0};
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = ReadThroughCallback;
    def.readContext = &callback;
    static const struct
    {
        const char* uri;
        tdDiagnosticCode code; // TD_DIAG_COUNT: none
        int calls;
    } cases[] = {{"a%20b.bin", TD_DIAG_COUNT, 1},
                 {"other.bin", TD_DIAG_RESOURCE_MISSING, 1},
                 {"../x.bin", TD_DIAG_URI_OUTSIDE, 0},
                 {"http://x", TD_DIAG_URI_SCHEME, 0}};
    for (size_t i = 0; i < 4; ++i)
    {
        char text[300];
        snprintf(text, sizeof(text), external, cases[i].uri);
        tdReport* report = tdCreateReport(NULL);
        callback.calls = 0;
        tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), &def, report);
        ENSURE_EQUAL_INT(callback.calls, cases[i].calls);
        ENSURE_EQUAL_INT(tdReport_GetCount(report), cases[i].code == TD_DIAG_COUNT ? 0 : 1);
        ENSURE(cases[i].code == TD_DIAG_COUNT || tdReport_CountCode(report, cases[i].code) == 1);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
    // From memory and without a callback there is no folder to read from.
    char text[300];
    snprintf(text, sizeof(text), external, "a%20b.bin");
    tdReport* report = tdCreateReport(NULL);
    tdDestroyAsset(tdLoadAssetFromMemory(text, strlen(text), NULL, report));
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RESOURCE_MISSING), 1);
    tdDestroyReport(report);
}

TEST(CannotWrite)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/valid/walk.gltf", NULL, report);
    ENSURE(!tdSaveAsset(asset, "/no/such/folder/walk.gltf", report));
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_IO_WRITE_ERROR), 1);
    ENSURE(!tdSaveAsset(NULL, "/tmp/x", report));
    ENSURE(!tdSaveAsset(asset, NULL, report));
    tdDestroyAsset(asset);

    tdLoadDef def = tdDefaultLoadDef();
    tdAsset* bare = tdCreateAsset("made", &def, report);
    size_t size = 1;
    ENSURE(!tdSaveAsset(bare, "/tmp/x.glb", report));
    ENSURE(tdSaveAssetToMemory(bare, TD_SAVE_SAME, NULL, &size, report) == NULL && size == 0);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NOT_A_DOCUMENT), 2);
    tdDestroyAsset(bare);
    tdDestroyReport(report);
}

TEST(CopiesSideFilesWithoutOverwriting)
{
    char folder[64], path[128];
    MakeFolder(folder);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/valid/external.gltf", NULL, report);
    snprintf(path, sizeof(path), "%s/copy.gltf", folder);
    ENSURE(tdSaveAsset(asset, path, report));
    ENSURE(FileEquals(folder, "sub/my data.bin", "8 bytes!"));
    ENSURE(FileEquals(folder, "sub/pixel.png", "not really a picture"));
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    // Saving again over equal files succeeds; over a different file it fails, and nothing is written.
    ENSURE(tdSaveAsset(asset, path, report));
    WriteText(folder, "sub/pixel.png", "another picture");
    WriteText(folder, "copy.gltf", "old");
    ENSURE(!tdSaveAsset(asset, path, report));
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RESOURCE_IN_THE_WAY), 1);
    ENSURE(FileEquals(folder, "sub/pixel.png", "another picture"));
    ENSURE(FileEquals(folder, "copy.gltf", "old"));
    tdDestroyAsset(asset);

    // A missing file is a warning, and the rest is saved.
    WriteText(folder, "lonely.gltf",
              "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"no.png\"}],\"extras\":"
              "{\"uri\":\"nobody reads this\"}}");
    snprintf(path, sizeof(path), "%s/lonely.gltf", folder);
    asset = tdLoadAsset(path, NULL, report);
    char other[64];
    MakeFolder(other);
    snprintf(path, sizeof(path), "%s/lonely.gltf", other);
    ENSURE(tdSaveAsset(asset, path, report));
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RESOURCE_NOT_COPIED), 1);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_WARNING), 1);
    tdDestroyAsset(asset);
    RemoveFolder(other);
    RemoveFolder(folder);
    tdDestroyReport(report);
}

TEST(ReportsChunksThatTextCannotStore)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/glb/chunk_unknown.glb", NULL, report);
    char folder[64], path[128];
    MakeFolder(folder);
    snprintf(path, sizeof(path), "%s/a b.gltf", folder);
    ENSURE(tdSaveAsset(asset, path, report));
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_GLB_CHUNK_DROPPED), 1);
    tdAsset* again = tdLoadAsset(path, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 0);
    ENSURE(again != NULL && again->document->buffers[0].source == TD_BUFFER_FILE &&
           again->document->buffers[0].size == 16);
    snprintf(path, sizeof(path), "%s/a b.bin", folder);
    ENSURE_EQUAL_INT(access(path, R_OK), 0);
    tdDestroyAsset(again);
    tdDestroyAsset(asset);
    RemoveFolder(folder);
    tdDestroyReport(report);
}

TEST(SurvivesEveryTruncation)
{
    static const char* const paths[] = {TD_TEST_DATA "/glb/valid.glb", TD_TEST_DATA "/valid/weights.gltf",
                                        TD_TEST_DATA "/glb/chunk_unknown.glb"};
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (size_t i = 0; i < 3; ++i)
    {
        void* data = NULL;
        size_t size = 0;
        ENSURE_EQUAL_INT(tdReadFile(paths[i], &allocator, 1 << 20, NULL, &data, &size), TD_FILE_OK);
        for (size_t length = 0; length < size; ++length)
        {
            // An exact copy, so that the sanitizers detect any read past the end.
            uint8_t* part = malloc(length + 1);
            memcpy(part, data, length);
            tdReport* report = tdCreateReport(NULL);
            tdAsset* asset = tdLoadAssetFromMemory(part, length, NULL, report);
            // The final line feed of the text, and bytes of a GLB after its last relevant chunk, may be
            // missing without a finding.
            ENSURE(asset != NULL || tdReport_HasErrors(report));
            ENSURE(tdReport_GetCount(report) > 0 || length == size - 1);
            tdDestroyAsset(asset);
            tdDestroyReport(report);
            free(part);
        }
        tdRelease(&allocator, data, size + 1);
    }
}

TEST(RefusesOversizedCounts)
{
    // Small files that claim gigabytes, in every place where a count or a reference multiplies. None may
    // allocate more than the decode budget and the cost of its JSON.
    tdText many;
    tdText_Init(&many, NULL);
    tdText_AppendString(&many,
                        "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{},"
                        "\"targets\":[");
    for (int i = 0; i < 2000; ++i)
    {
        tdText_AppendString(&many, i > 0 ? ",{}" : "{}");
    }
    tdText_AppendString(&many, "]}]}],\"nodes\":[");
    for (int i = 0; i < 2000; ++i)
    {
        tdText_AppendString(&many, i > 0 ? ",{\"mesh\":0}" : "{\"mesh\":0}");
    }
    tdText_AppendString(&many, "]}");
    tdText strips;
    tdText_Init(&strips, NULL);
    tdText_AppendString(&strips,
                        "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,\"count\":"
                        "50000,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < 500; ++i)
    {
        tdText_AppendFormat(&strips, "%s{\"attributes\":{\"POSITION\":0},\"mode\":5}", i > 0 ? "," : "");
    }
    tdText_AppendString(&strips, "]}]}");
    const char* texts[] = {many.data, strips.data};
    for (size_t i = 0; i < 2; ++i)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
        tdLoadDef def = tdDefaultLoadDef();
        def.allocator = &allocator;
        size_t size = strlen(texts[i]);
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAssetFromMemory(texts[i], size, &def, report);
        ENSURE(asset != NULL);
        ENSURE(tdReport_CountCode(report, TD_DIAG_TOO_LARGE) > 0);
        // Arenas double their blocks: at most twice the budget, and some 40 bytes per JSON character.
        ENSURE(state.peakBytes < 2 * (size * TD_DECODE_FACTOR + TD_DECODE_FLOOR) + 40 * size);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    tdText_Free(&many);
    tdText_Free(&strips);
}

TEST_MAIN(RUN(CannotRead) RUN(RefusesLinksThatLeadOutside) RUN(CallsTheCallback) RUN(CannotWrite)
              RUN(CopiesSideFilesWithoutOverwriting) RUN(ReportsChunksThatTextCannotStore)
                  RUN(SurvivesEveryTruncation) RUN(RefusesOversizedCounts))
