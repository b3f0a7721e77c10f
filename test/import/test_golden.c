// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of reports against golden files: every file of test/data with a <case>.report.json next to it must
// give exactly that report, and every diagnostic has a case. TENDON_UPDATE_GOLDEN=1 rewrites the reports.
#include "files.h"
#include "harness.h"

#include "base/report.h"

#include "tendon/asset.h"

static FileList files;
static int seen[TD_DIAG_COUNT];

/// One finding per line, for readable differences.
static void AppendReport(tdText* out, tdReport* report)
{
    const char* json = tdReport_GetJson(report, NULL);
    for (const char* c = json; *c != 0; ++c)
    {
        if (strncmp(c, "{\"code\"", 7) == 0)
        {
            tdText_AppendString(out, "\n  ");
        }
        tdText_AppendChar(out, *c);
    }
    tdText_AppendChar(out, '\n');
}

static void CountCodes(tdReport* report)
{
    for (int i = 0; i < (int)TD_DIAG_COUNT; ++i)
    {
        seen[i] += tdReport_CountCode(report, (tdDiagnosticCode)i);
    }
}

static char* MakeReportPath(const char* path)
{
    size_t stem = (size_t)(strrchr(path, '.') - path);
    char* out = malloc(stem + 16);
    memcpy(out, path, stem);
    memcpy(out + stem, ".report.json", 13);
    return out;
}

TEST(ReportsAreAsExpected)
{
    const char* update = getenv("TENDON_UPDATE_GOLDEN");
    bool isUpdate = update != NULL, makesAll = isUpdate && strcmp(update, "all") == 0;
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    int cases = 0;
    for (int i = 0; i < files.paths.count; ++i)
    {
        const char* path = files.paths.data[i];
        char* reportPath = MakeReportPath(path);
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAsset(path, NULL, report);
        tdText text;
        tdText_Init(&text, NULL);
        AppendReport(&text, report);
        CountCodes(report);
        void* expected = NULL;
        size_t size = 0;
        tdFileStatus status = tdReadFile(reportPath, &allocator, 1 << 24, NULL, &expected, &size);
        if (isUpdate && (makesAll || status == TD_FILE_OK))
        {
            ENSURE_EQUAL_INT(tdWriteFile(reportPath, text.data, text.length, NULL), TD_FILE_OK);
        }
        else if (tdReport_CountCode(report, TD_DIAG_MESHOPT_UNAVAILABLE) > 0)
        {
            seen[TD_DIAG_MESHOPT_INVALID] += 1; // this build has no decoder and reports that
        }
        else if (status == TD_FILE_OK)
        {
            cases += 1;
            if (!ENSURE_EQUAL_TEXT(text.data, expected))
            {
                printf("  of %s\n", path);
            }
        }
        if (status == TD_FILE_OK)
        {
            tdRelease(&allocator, expected, size + 1);
        }
        tdText_Free(&text);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
        free(reportPath);
    }
    ENSURE(isUpdate || cases > 100);
}

TEST(EveryCodeHasACase)
{
    // No file alone can cause these. Their tests:
    static const struct
    {
        const char *code, *test;
    } elsewhere[] = {
        {"IO_ERROR", "import/refusals"},
        {"IO_WRITE_ERROR", "import/refusals"},
        {"OUT_OF_MEMORY", "import/refusals"},
        {"LIMIT_EXCEEDED", "output/limits"},
        {"LIMIT_REACHED", "output/limits"},
        {"MEMORY_LIMIT", "output/limits"},
        {"RESOURCE_NOT_COPIED", "import/refusals"},
        {"NOT_A_DOCUMENT", "import/refusals"},
        {"RESOURCE_IN_THE_WAY", "import/refusals"},
        {"GLB_CHUNK_DROPPED", "import/refusals"},
        {"MESHOPT_UNAVAILABLE", "a build without libmeshoptimizer"},
        {"CLAIM_OVERRULED", "runtime/claims"},
        {"BAKE_NOTHING_MOVED", "output/bake"},
        {"NC_FEEDS_BODY", "runtime/claims"},
        {"CONVERT_APPROXIMATED", "output/convert"},
        {"CONVERT_ROUNDED", "cli/convert_dialects"},
        {"BVH_MAP", "import/bvh"},
        {"SB_KEPT", "output/springs"},
        {"SB_LONG_CYCLES", "spring/cycles"},
        {"MATERIAL_NOT_BAKED", "runtime/material_values"},
        {"ASSET_NOT_COOKED", "output/imports"},
        {"RECORDING_DAMAGED", "output/record"},
        {"RECORDING_VERSION", "output/record"},
        {"RECORDING_CUT", "output/record"},
        {"RECORDING_CALL", "output/record"},
        {"RECORDING_ASSET", "output/record"},
        {"SK_FACING", "import/skeleton"},
        {"SK_FACING_UNKNOWN", "import/skeleton"},
        {"SK_MIRRORED", "import/skeleton"},
        {"SK_REST_BIND", "import/skeleton"},
        {"SK_REST_CORRECTED", "import/skeleton"},
        {"SK_TIE", "import/skeleton"},
        {"SK_NO_BIND", "import/skeleton"},
        {"SK_NO_FRAME", "import/skeleton"},
        {"BVH_LEFT_HANDED", "import/skeleton"},
        {"BVH_HAND_UNKNOWN", "import/bvh"},
        {"BVH_ROOT_RELATIVE", "import/skeleton"},
        {"BVH_NO_END_SITES", "import/skeleton"},
        {"BVH_DUPLICATE_NAME", "import/skeleton"},
        {"RT_CONTACTS", "anim/contacts"},
        {"RT_NO_HUMANOID", "anim/retarget"},
        {"RT_NO_ANIMATION", "anim/retarget"},
        {"RT_BONE_FOLDED", "anim/retarget"},
        {"RT_BONE_DROPPED", "anim/retarget"},
        {"RT_HIPS_PARENT_ANIMATED", "anim/retarget"},
        {"RT_KEY_LIMIT", "anim/retarget"},
        {"RT_EXPRESSION_MISSING", "anim/retarget"},
        {"RT_NO_GAZE", "anim/retarget"},
        {"RENDER_IMAGE", "cli/render_images"},
    };
    for (int i = 0; i < (int)TD_DIAG_COUNT; ++i)
    {
        const char* name = tdDiagnosticCode_GetName((tdDiagnosticCode)i);
        bool isElsewhere = false;
        for (size_t k = 0; k < sizeof(elsewhere) / sizeof(elsewhere[0]); ++k)
        {
            isElsewhere = isElsewhere || strcmp(name, elsewhere[k].code) == 0;
        }
        if (!ENSURE(seen[i] > 0 || isElsewhere))
        {
            printf("  no golden case for %s\n", name);
        }
    }
}

TEST_MAIN(CollectAssets(&files, TD_TEST_DATA); CollectFiles(&files, TD_TEST_DATA, IsBvh); SortFiles(&files);
          RUN(ReportsAreAsExpected) RUN(EveryCodeHasACase) FreeFiles(&files);)
