// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests against the public validator's cases for the KHR physics extensions: same pointers, same severities,
// for errors and warnings. docs/extensions.md ("The public validator") explains the differences. Skipped if
// the cases are not next to the project.
#include "files.h"
#include "harness.h"

#include "base/report.h"
#include "json/json.h"
#include "json/parse.h"

#include "tendon/asset.h"

static FileList files;

/// All expected differences: the case, the pointer, and the side that reports it. docs/extensions.md explains
/// them.
typedef struct Difference
{
    const char *name, *pointer;
    int severity;
    bool isTheirs;
} Difference;

#define RB "KHR_physics_rigid_bodies"
static const Difference differences[] = {
    {"unresolved_material_no_root_ext.gltf", "/nodes/0/extensions/" RB "/collider", 0, true},
    {"unresolved_shape_no_root_ext.gltf", "/nodes/0/extensions/" RB "/collider/geometry", 0, true},
    {"material_invalid_restitution_combine.gltf", "/extensions/" RB "/physicsMaterials/0/restitutionCombine",
     1, true},
    {"degenerate_box.gltf", "/extensions/KHR_implicit_shapes/shapes/0/box/size/2", 0, false},
    {"degenerate_cylinder.gltf", "/extensions/KHR_implicit_shapes/shapes/0/cylinder", 0, false},
    {"degenerate_cylinder.gltf", "/extensions/KHR_implicit_shapes/shapes/1/cylinder/height", 0, false},
    {"degenerate_sphere.gltf", "/extensions/KHR_implicit_shapes/shapes/0/sphere/radius", 0, false},
    {"joint_unresolved_connection.gltf", "/extensions/" RB "/physicsJoints/0/limits/0", 1, false},
    {"joint_unresolved_joint_no_root_ext.gltf", "/nodes/0/extensions/" RB "/joint/joint", 0, false},
    {"rigid_body_invalid_com.gltf", "/nodes/0/extensions/" RB "/motion", 1, false},
    {"rigid_body_invalid_inertiaTensor.gltf", "/nodes/0/extensions/" RB "/motion", 1, false},
    {"rigid_body_invalid_inertiaTensor.gltf", "/nodes/1/extensions/" RB "/motion", 1, false},
    {"rigid_body_invalid_mass.gltf", "/nodes/0/extensions/" RB "/motion", 1, false},
    {"trigger_compound_and_simple.gltf", "/nodes/0/extensions/" RB "/trigger/nodes/0", 0, false},
    {"trigger_compound_of_compounds.gltf", "/nodes/1/extensions/" RB "/trigger/nodes/0", 0, false},
    {"unresolved_material_no_root_ext.gltf", "/nodes/0/extensions/" RB "/collider/physicsMaterial", 0, false},
    {"unresolved_shape_no_root_ext.gltf", "/nodes/0/extensions/" RB "/collider/geometry/shape", 0, false},
    {"collisionfilter_collide_notCollide.gltf", "/extensions/" RB "/collisionFilters/0/collideWithSystems", 0,
     false},
    {"collisionfilter_collide_notCollide.gltf", "/extensions/" RB "/collisionFilters/0/notCollideWithSystems",
     0, false},
    {"empty_jointlimitset_object.gltf", "/extensions/" RB "/physicsJoints/0", 1, false},
    {"jointdrive_invalid_axis.gltf", "/extensions/" RB "/physicsJoints/0", 1, false},
    {"jointdrive_invalid_damping.gltf", "/extensions/" RB "/physicsJoints/0", 1, false},
    {"jointdrive_invalid_mode.gltf", "/extensions/" RB "/physicsJoints/0", 1, false},
    {"jointdrive_invalid_stiffness.gltf", "/extensions/" RB "/physicsJoints/0", 1, false},
    {"jointlimit_custom_property.gltf", "/extensions/" RB "/physicsJoints/0/limits/0", 1, false},
    {"jointlimit_duplicate_axes.gltf", "/extensions/" RB "/physicsJoints/0/limits/0", 1, false},
    {"jointlimit_duplicate_axes.gltf", "/extensions/" RB "/physicsJoints/0/limits/1", 1, false},
    {"jointlimit_invalid_spring.gltf", "/extensions/" RB "/physicsJoints/0/limits/0", 1, false},
    {"jointlimit_invalid_spring.gltf", "/extensions/" RB "/physicsJoints/0/limits/1", 1, false},
    {"material_invalid_restitution_combine.gltf", "/extensions/" RB "/physicsMaterials/0/restitutionCombine",
     0, false},
    {"valid.gltf", "/extensions/" RB "/physicsJoints/0/limits/0/min", 1, false},
    {"valid.gltf", "/extensions/" RB "/physicsJoints/0/limits/1/min", 1, false},
};
#define DIFFERENCE_COUNT ((int)(sizeof(differences) / sizeof(differences[0])))
static bool isFound[DIFFERENCE_COUNT];

/// Whether the list contains a finding that only one side has.
static bool IsKnown(const char* path, const char* pointer, int severity, bool isTheirs)
{
    for (int i = 0; i < DIFFERENCE_COUNT; ++i)
    {
        const Difference* d = &differences[i];
        if (d->isTheirs == isTheirs && d->severity == severity && tdEndsWith(path, d->name) &&
            strcmp(d->pointer, pointer) == 0)
        {
            isFound[i] = true;
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
        if (!ENSURE(Holds(ours, f) || IsKnown(path, f->pointer, f->severity, true)))
        {
            printf("  %s: missing %s at %s\n", path, f->code, f->pointer);
        }
    }
    for (int i = 0; i < ours->count; ++i)
    {
        const Finding* f = &ours->items[i];
        if (!ENSURE(Holds(theirs, f) || IsKnown(path, f->pointer, f->severity, false)))
        {
            printf("  %s: not expected: %s at %s\n", path, f->code, f->pointer);
        }
    }
}

TEST(AgreesWithThePublicValidator)
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
        if (tdReadFile(reportPath, &allocator, 1 << 24, NULL, &expected, &size) != TD_FILE_OK)
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
    for (int i = 0; i < DIFFERENCE_COUNT && files.paths.count > 0; ++i)
    {
        if (!ENSURE(isFound[i]))
        {
            printf("  no longer a difference: %s, %s\n", differences[i].name, differences[i].pointer);
        }
    }
}

static bool Collect(void)
{
    const char* shared = FindShared();
    char path[1024];
    if (shared == NULL)
    {
        TestSkip("no shared assets next to the project");
        return false;
    }
    snprintf(path, sizeof(path), "%s/assets/physics/validator-cases", shared);
    CollectAssets(&files, path);
    SortFiles(&files);
    return true;
}

TEST_MAIN(if (Collect()){RUN(AgreesWithThePublicValidator)} FreeFiles(&files);)
