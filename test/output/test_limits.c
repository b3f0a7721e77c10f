// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of tdLimits: every limit acts, is named in its finding, and its default leaves the examples alone.
#include "files.h"
#include "harness.h"

#include "base/limits.h"

#include "tendon/tendon.h"

#include <stdlib.h>

static tdAsset* LoadWith(const char* path, const char* limit, double value, tdReport* report)
{
    tdLoadDef def = tdDefaultLoadDef();
    ENSURE(limit == NULL || tdLimits_Set(&def.limits, limit, value));
    return tdLoadAsset(path, &def, report);
}

static bool IsNamed(const tdReport* report, const char* code, const char* limit)
{
    char option[64];
    snprintf(option, sizeof(option), "--limit %s=N", limit);
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        if (strcmp(finding.code, code) == 0 && strstr(finding.message, option) != NULL)
        {
            return true;
        }
    }
    printf("  no %s of %s in:\n%s", code, limit, tdReport_GetText((tdReport*)report));
    return false;
}

TEST(NamesAndValues)
{
    tdLimits limits = {0};
    int count = 0;
    for (; tdGetLimitName(count) != NULL; ++count)
    {
        ENSURE(tdLimits_Set(&limits, tdGetLimitName(count), count + 1.0));
    }
    ENSURE_EQUAL_INT(count, 14);
    ENSURE(limits.duration == 1.0 && limits.nodes == 2 && limits.keys == 8 && limits.memory == 14);
    ENSURE(tdGetLimitName(-1) == NULL);
    ENSURE(!tdLimits_Set(&limits, "nodes", -1.0) && !tdLimits_Set(&limits, "nodes", (double)NAN) &&
           !tdLimits_Set(&limits, "nodes", (double)INFINITY) && !tdLimits_Set(&limits, "node", 1.0) &&
           !tdLimits_Set(NULL, "nodes", 1.0) && !tdLimits_Set(&limits, NULL, 1.0));
    ENSURE_EQUAL_INT(limits.nodes, 2);
    ENSURE(tdLimits_Set(&limits, "nodes", 1e300) && limits.nodes == (INT64_C(1) << 53));
    ENSURE(tdLimits_Set(&limits, "duration", 0.5) && limits.duration == 0.5);
    tdLimits resolved = tdLimits_Resolve(&(tdLimits){.nodes = 7});
    ENSURE(resolved.nodes == 7 && resolved.joints == tdDefaultLimits().joints && resolved.pairs == 0);
}

// A file is refused one below what it has, and loads without an error of limits at that value.
TEST(LoadLimits)
{
    static const struct
    {
        const char* path;
        const char* limit;
        double has;
    } cases[] = {
        {"examples/swing_door.gltf", "nodes", 10},
        {"examples/swing_door.gltf", "joints", 2},
        {"examples/who_collides.gltf", "filters", 0},
        {"test/data/dialects/khr_2026.gltf", "triangles", 0},
        {"examples/solar_system.gltf", "duration", 0},
        {"examples/solar_system.gltf", "keys", 0},
        {"examples/solar_system.gltf", "accessorBytes", 0},
        {"examples/walk.bvh", "nodes", 0},
        {"examples/walk.bvh", "keys", 0},
        {"examples/walk.bvh", "duration", 0},
        {"test/data/dialects/khr_2026.gltf", "hullPoints", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        bool isWhole = strcmp(cases[i].limit, "duration") != 0;
        double low = isWhole ? 1.0 : 0.001;
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = LoadWith(cases[i].path, cases[i].limit, low, report);
        ENSURE(asset == NULL);
        ENSURE(IsNamed(report, "LIMIT_EXCEEDED", cases[i].limit));
        tdDestroyAsset(asset);
        tdDestroyReport(report);
        if (cases[i].has > 0)
        {
            ENSURE(LoadWith(cases[i].path, cases[i].limit, cases[i].has - 1.0, NULL) == NULL);
            asset = LoadWith(cases[i].path, cases[i].limit, cases[i].has, NULL);
            ENSURE(asset != NULL);
            tdDestroyAsset(asset);
        }
    }
    tdReport* report = tdCreateReport(NULL);
    ENSURE(LoadWith("examples/swing_door.gltf", "memory", 5000.0, report) == NULL);
    ENSURE(IsNamed(report, "MEMORY_LIMIT", "memory"));
    tdDestroyReport(report);
}

typedef struct Written
{
    size_t bytes;
    int lines;
} Written;

static bool CountBytes(void* context, const char* bytes, size_t size)
{
    Written* written = context;
    written->bytes += size;
    for (size_t i = 0; i < size; ++i)
    {
        written->lines += bytes[i] == '\n' ? 1 : 0;
    }
    return true;
}

typedef struct Run
{
    tdAsset* asset;
    tdStage* stage;
    tdActor* actor;
    tdReport* report;
} Run;

static Run StartRun(const char* limit, double value)
{
    Run run = {.report = tdCreateReport(NULL)};
    run.asset = tdLoadAsset("examples/domino_run.gltf", NULL, NULL);
    tdStageDef def = tdDefaultStageDef();
    tdLimits_Set(&def.limits, limit, value);
    run.stage = tdCreateStage(&def);
    run.actor = tdCreateActor(run.stage, run.asset, NULL, run.report);
    return run;
}

static void EndRun(Run* run)
{
    tdDestroyStage(run->stage);
    tdDestroyAsset(run->asset);
    tdDestroyReport(run->report);
}

TEST(TraceLimits)
{
    static const struct
    {
        const char* limit;
        double value;
        int lines;
    } cases[] = {{"frames", 12, 12}, {"outputBytes", 40000, 0}, {"pairs", 3, 1}, {"contacts", 3, 1}};
    tdTraceDef def = tdDefaultTraceDef();
    def.seconds = 1.0;
    def.format = TD_TRACE_JSON_LINES;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        Run run = StartRun(cases[i].limit, cases[i].value);
        Written written = {0};
        ENSURE(tdTraceActor(run.actor, &def, CountBytes, &written, run.report));
        ENSURE(IsNamed(run.report, "LIMIT_REACHED", cases[i].limit));
        ENSURE(written.lines > 0 && written.lines < 61);
        if (strcmp(cases[i].limit, "outputBytes") == 0)
        {
            ENSURE(written.bytes <= 40000);
        }
        EndRun(&run);
    }
}

TEST(BakeLimits)
{
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 2.0;
    float duration = 0.0f;
    def.duration = &duration;
    static const char* const limits[] = {"frames", "pairs", "contacts"};
    for (int i = 0; i < 3; ++i)
    {
        Run run = StartRun(limits[i], 5);
        tdAsset* baked = tdBakeActor(run.actor, &def, run.report);
        ENSURE(baked != NULL); // the frames up to the limit
        ENSURE(IsNamed(run.report, "LIMIT_REACHED", limits[i]));
        ENSURE(duration < 1.0f);
        tdDestroyAsset(baked);
        EndRun(&run);
    }
}

TEST(MemoryOfAStage)
{
    bool hasFailed = false;
    for (double bytes = 1000; bytes < 1e8; bytes *= 2.0)
    {
        Run run = StartRun("memory", bytes);
        tdTraceDef def = tdDefaultTraceDef();
        def.seconds = 0.1;
        Written written = {0};
        bool isGood = run.actor != NULL && tdTraceActor(run.actor, &def, CountBytes, &written, run.report);
        ENSURE(isGood || run.stage == NULL || IsNamed(run.report, "MEMORY_LIMIT", "memory"));
        hasFailed = hasFailed || (!isGood && run.stage != NULL);
        EndRun(&run);
    }
    ENSURE(hasFailed);
}

// A limit of the output of a whole file: nothing is written.
TEST(OutputOfAnAsset)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = LoadWith("examples/swing_door.gltf", "outputBytes", 1000.0, report);
    size_t size = 0;
    ENSURE(asset != NULL && tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, &size, report) == NULL);
    ENSURE(IsNamed(report, "LIMIT_EXCEEDED", "outputBytes"));
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST_MAIN(RUN(NamesAndValues) RUN(LoadLimits) RUN(TraceLimits) RUN(BakeLimits) RUN(MemoryOfAStage)
              RUN(OutputOfAnAsset))
