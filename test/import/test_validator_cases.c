// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The public validator's cases for the KHR physics extensions: same pointers, same severities, for errors and
// warnings. What differs, and why, stands in docs/extensions.md ("The public validator"). Without the cases
// beside the project there is nothing to compare.
#include "files.h"
#include "harness.h"

#include "base/report.h"
#include "json/json.h"

#include "tendon/asset.h"

static FileList files;

/// Findings the public validator does not have.
static bool IsOurOwn(const char* code)
{
    static const char* const codes[] = {
        "PHYS_SHAPE_DEGENERATE",   "PHYS_LIMIT_UNBOUNDED",  "PHYS_LIMIT_NEGATIVE_NORM",
        "PHYS_BODY_WITHOUT_SHAPE", "PHYS_JOINT_EMPTY",      "PHYS_TRIGGER_CHILD_INVALID",
        "PHYS_EMPTY_ARRAY",        "PHYS_JOINT_NO_BODY",    "PHYS_JOINT_SAME_BODY",
        "PHYS_UNREACHABLE_NODE",   "PHYS_SCALE_NONUNIFORM", "PHYS_SCALE_ZERO",
        "PHYS_DYNAMIC_TRIMESH",    "PHYS_INERTIA_TRIANGLE", "PHYS_DYNAMIC_PLANE",
        "PHYS_CAPSULE_SWALLOWED",  "PHYS_JOINT_MISALIGNED", "PHYS_DRIVE_UNPAIRED",
        "PHYS_RESTITUTION_GT_1",   "PHYS_GEOMETRY_NO_MESH", "PHYS_STIFFNESS_IMPLAUSIBLE",
    };
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); ++i)
    {
        if (strcmp(codes[i], code) == 0)
        {
            return true;
        }
    }
    return false;
}

/// Findings that both have, at another place or with another severity.
static bool IsExplained(const char* path)
{
    static const char* const names[] = {
        "unresolved_material_no_root_ext.gltf",      // there: at the collider; here: at the index
        "unresolved_shape_no_root_ext.gltf",         // there: at the geometry; here: at the index
        "joint_unresolved_joint_no_root_ext.gltf",   // there: at the joint object; here: at the index
        "material_invalid_restitution_combine.gltf", // there: a warning; here: an error
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (tdEndsWith(path, names[i]))
        {
            return true;
        }
    }
    return false;
}

typedef struct Finding
{
    char pointer[256], code[64];
    int severity;
} Finding;

typedef struct Findings
{
    Finding items[64];
    int count;
} Findings;

static void CopyText(char* out, size_t size, const tdJson* json, int object, const char* key)
{
    size_t length = 0;
    const char* text = tdJson_GetString(json, tdJson_Find(json, object, key), &length);
    snprintf(out, size, "%.*s", (int)length, text != NULL ? text : "");
}

/// Errors and warnings of a report.
static void ReadFindings(const char* text, size_t size, Findings* findings)
{
    findings->count = 0;
    tdJson* json = tdParseJson(text, size, NULL, NULL);
    if (!ENSURE(json != NULL))
    {
        return;
    }
    int issues = tdJson_Find(json, 0, "issues");
    int messages = tdJson_Find(json, issues >= 0 ? issues : 0, "messages");
    for (int m = tdJson_GetFirst(json, messages); m >= 0 && findings->count < 64; m = tdJson_GetNext(json, m))
    {
        Finding* finding = &findings->items[findings->count];
        finding->severity = (int)tdJson_GetNumber(json, tdJson_Find(json, m, "severity"), 9.0);
        CopyText(finding->pointer, sizeof(finding->pointer), json, m, "pointer");
        CopyText(finding->code, sizeof(finding->code), json, m, "code");
        findings->count += finding->severity <= 1 ? 1 : 0;
    }
    tdDestroyJson(json);
}

static bool Holds(const Findings* findings, const Finding* finding)
{
    for (int i = 0; i < findings->count; ++i)
    {
        if (findings->items[i].severity == finding->severity &&
            strcmp(findings->items[i].pointer, finding->pointer) == 0)
        {
            return true;
        }
    }
    return false;
}

static void Compare(const char* path, const Findings* theirs, const Findings* ours)
{
    for (int i = 0; i < theirs->count; ++i)
    {
        const Finding* f = &theirs->items[i];
        if (!ENSURE(Holds(ours, f) || IsExplained(path)))
        {
            printf("  %s: missing %s at %s\n", path, f->code, f->pointer);
        }
    }
    for (int i = 0; i < ours->count; ++i)
    {
        const Finding* f = &ours->items[i];
        if (!ENSURE(Holds(theirs, f) || IsOurOwn(f->code) || IsExplained(path)))
        {
            printf("  %s: not expected: %s at %s\n", path, f->code, f->pointer);
        }
    }
}

TEST(FindsWhatThePublicValidatorFinds)
{
    static Findings theirs, ours;
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (int i = 0; i < files.paths.count; ++i)
    {
        const char* path = files.paths.data[i];
        char reportPath[1024];
        snprintf(reportPath, sizeof(reportPath), "%s.report.json", path);
        void* expected = NULL;
        size_t size = 0;
        if (tdReadFile(reportPath, &allocator, 1 << 24, &expected, &size) != TD_FILE_OK)
        {
            continue;
        }
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAsset(path, NULL, report);
        const char* json = tdReport_GetJson(report, NULL);
        ReadFindings(expected, size, &theirs);
        ReadFindings(json, strlen(json), &ours);
        Compare(path, &theirs, &ours);
        tdRelease(&allocator, expected, size + 1);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

static void Collect(void)
{
    const char* shared = FindShared();
    char path[1024];
    if (shared == NULL)
    {
        printf("skipped: no shared assets beside the project\n");
        return;
    }
    snprintf(path, sizeof(path), "%s/assets/physics/validator-cases", shared);
    CollectAssets(&files, path);
    SortFiles(&files);
}

TEST_MAIN(Collect(); RUN(FindsWhatThePublicValidatorFinds) FreeFiles(&files);)
