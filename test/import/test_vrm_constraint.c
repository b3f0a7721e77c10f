// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of constraint sources in other scenes than their destinations, against the definition on every pair
// of scene and constraint, and of a file with so many roots and constraints that a test of all pairs would
// take minutes.
#include "harness.h"

#include "base/text.h"
#include "constraint/constraint_list.h"
#include "scene/asset.h"

#include "tendon/tendon.h"

enum
{
    NODES = 48,
    SCENES = 10,
};

typedef struct Layout
{
    int parents[NODES]; // -1: a root
    int sources[NODES]; // -1: no constraint
    bool holds[SCENES][NODES];
} Layout;

static unsigned Next(unsigned* state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static Layout MakeLayout(unsigned* state)
{
    Layout layout = {0};
    for (int i = 0; i < NODES; ++i)
    {
        layout.parents[i] = i > 0 && Next(state, 3) == 0 ? (int)Next(state, (unsigned)i) : -1;
        int source = (int)Next(state, NODES);
        layout.sources[i] = source != i && Next(state, 2) == 0 ? source : -1;
    }
    for (int s = 0; s < SCENES; ++s)
    {
        for (int i = 0; i < NODES; ++i)
        {
            layout.holds[s][i] = layout.parents[i] < 0 && Next(state, 4) == 0;
        }
    }
    return layout;
}

static void WriteConstraint(tdText* json, int source)
{
    tdText_AppendFormat(json,
                        "\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{"
                        "\"rotation\":{\"source\":%d}}}}",
                        source);
}

static void WriteLayout(tdText* json, const Layout* layout)
{
    tdText_AppendString(json,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_node_constraint\"],"
                        "\"nodes\":[");
    for (int i = 0; i < NODES; ++i)
    {
        const char* comma = "";
        tdText_AppendFormat(json, "%s{\"name\":\"%d\"", i > 0 ? "," : "", i);
        for (int child = 0; child < NODES; ++child)
        {
            if (layout->parents[child] == i)
            {
                tdText_AppendFormat(json, "%s%d", comma[0] == '\0' ? ",\"children\":[" : comma, child);
                comma = ",";
            }
        }
        tdText_AppendString(json, comma[0] == '\0' ? "" : "]");
        if (layout->sources[i] >= 0)
        {
            tdText_AppendChar(json, ',');
            WriteConstraint(json, layout->sources[i]);
        }
        tdText_AppendChar(json, '}');
    }
    tdText_AppendString(json, "],\"scenes\":[");
    for (int s = 0; s < SCENES; ++s)
    {
        const char* comma = "";
        tdText_AppendString(json, s > 0 ? ",{\"nodes\":[" : "{\"nodes\":[");
        for (int i = 0; i < NODES; ++i)
        {
            if (layout->holds[s][i])
            {
                tdText_AppendFormat(json, "%s%d", comma, i);
                comma = ",";
            }
        }
        tdText_AppendString(json, "]}");
    }
    tdText_AppendString(json, "]}");
}

static bool AreApart(const Layout* layout, int a, int b)
{
    while (layout->parents[a] >= 0)
    {
        a = layout->parents[a];
    }
    while (layout->parents[b] >= 0)
    {
        b = layout->parents[b];
    }
    bool isTogether = a == b;
    for (int s = 0; s < SCENES; ++s)
    {
        isTogether = isTogether || (layout->holds[s][a] && layout->holds[s][b]);
    }
    return !isTogether;
}

static bool IsReported(const tdReport* report, int node)
{
    char pointer[128];
    snprintf(pointer, sizeof pointer, "/nodes/%d/extensions/VRMC_node_constraint/constraint/rotation/source",
             node);
    bool isFound = false;
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        isFound = isFound || (strcmp(finding.code, "NC_SOURCE_OTHER_SCENE") == 0 &&
                              strcmp(finding.pointer, pointer) == 0);
    }
    return isFound;
}

TEST(SourcesInOtherScenesAreReported)
{
    unsigned state = 7;
    int apart = 0, together = 0;
    for (int round = 0; round < 25; ++round)
    {
        Layout layout = MakeLayout(&state);
        tdText json;
        tdText_Init(&json, NULL);
        WriteLayout(&json, &layout);
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, report);
        ENSURE(asset != NULL);
        for (int i = 0; i < NODES; ++i)
        {
            bool isApart = layout.sources[i] >= 0 && AreApart(&layout, i, layout.sources[i]);
            apart += isApart;
            together += layout.sources[i] >= 0 && !isApart;
            ENSURE(IsReported(report, i) == isApart);
        }
        tdDestroyAsset(asset);
        tdDestroyReport(report);
        tdText_Free(&json);
    }
    ENSURE(apart > 100);
    ENSURE(together > 100);
}

// Every node is a root of the only scene, the last ones included, and follows the one before it.
TEST(ManyRootsAndConstraintsLoad)
{
#if TD_ENABLE_VALIDATE
    const int count = 30000;
#else
    const int count = 200000;
#endif
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendString(&json,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_node_constraint\"],"
                        "\"nodes\":[{}");
    for (int i = 1; i < count; ++i)
    {
        tdText_AppendString(&json, ",{");
        WriteConstraint(&json, i - 1);
        tdText_AppendChar(&json, '}');
    }
    tdText_AppendString(&json, "],\"scenes\":[{\"nodes\":[0");
    for (int i = 1; i < count; ++i)
    {
        tdText_AppendFormat(&json, ",%d", i);
    }
    tdText_AppendString(&json, "]}]}");
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, report);
    ENSURE(asset != NULL);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    if (ENSURE(asset != NULL && asset->scene.constraints != NULL))
    {
        ENSURE_EQUAL_INT(asset->scene.constraints->count, count - 1);
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    tdText_Free(&json);
}

TEST_MAIN(RUN(SourcesInOtherScenesAreReported) RUN(ManyRootsAndConstraintsLoad))
