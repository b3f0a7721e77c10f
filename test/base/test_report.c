// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the report: counts, places, both output forms, limits on kept findings, allocation failure.
#include "harness.h"

#include "base/report.h"

#include <stdlib.h>

static void LocateAnything(void* context, const char* pointer, int* line, int* column)
{
    int* calls = context;
    *calls += 1;
    *line = 7;
    *column = (int)strlen(pointer);
}

TEST(AcceptsNull)
{
    tdReport_Add(NULL, TD_DIAG_EMPTY_FILE, NULL);
    tdReport_SetSource(NULL, "a", NULL, NULL);
    ENSURE(!tdReport_HasErrors(NULL));
    ENSURE_EQUAL_INT(tdReport_GetCount(NULL), 0);
    ENSURE_EQUAL_TEXT(tdReport_GetText(NULL), "");
    ENSURE_EQUAL_TEXT(tdReport_GetJson(NULL, NULL), "{}");
    tdDestroyReport(NULL);
}

TEST(WritesPointersAndPlaces)
{
    tdReport* report = tdCreateReport(NULL);
    int calls = 0;
    tdReport_SetSource(report, "a.gltf", LocateAnything, &calls);
    tdPath root = tdPath_Root();
    tdPath nodes = tdPath_Key(&root, "nodes");
    tdPath node = tdPath_Index(&nodes, 4);
    tdPath odd = tdPath_Key(&node, "a/b~c");
    tdReport_Add(report, TD_DIAG_ROTATION_NON_UNIT, &odd, 0.5);
    ENSURE_EQUAL_INT(calls, 1);
    tdDiagnostic finding = tdReport_Get(report, 0);
    ENSURE_EQUAL_TEXT(finding.pointer, "/nodes/4/a~1b~0c");
    ENSURE_EQUAL_TEXT(finding.code, "ROTATION_NON_UNIT");
    ENSURE_EQUAL_TEXT(finding.source, "a.gltf");
    ENSURE_EQUAL_TEXT(finding.message, "The rotation has length 0.5; it is normalised.");
    ENSURE_EQUAL_INT(finding.line, 7);
    ENSURE_EQUAL_INT(finding.column, 16);
    ENSURE_EQUAL_INT(finding.offset, -1);
    ENSURE_EQUAL_TEXT(
        tdReport_GetText(report),
        "a.gltf:7:16: error: The rotation has length 0.5; it is normalised. [ROTATION_NON_UNIT] at "
        "/nodes/4/a~1b~0c\n");
    tdDestroyReport(report);
}

TEST(SeparatesSourcesInJson)
{
    tdReport* report = tdCreateReport(NULL);
    tdReport_SetSource(report, "a", NULL, NULL);
    tdReport_AddAt(report, TD_DIAG_EMPTY_FILE, 0, 0, 0);
    tdReport_SetSource(report, "b", NULL, NULL);
    tdReport_AddAs(report, TD_SEVERITY_HINT, TD_DIAG_UNSUPPORTED_EXTENSION, NULL, "X_\"y\"");
    ENSURE_EQUAL_TEXT(
        tdReport_GetJson(report, "a"),
        "{\"numErrors\":1,\"numWarnings\":0,\"numInfos\":0,\"numHints\":0,\"messages\":[{\"code\":"
        "\"EMPTY_FILE\",\"message\":\"The file is empty.\",\"severity\":0,\"offset\":0}],"
        "\"truncated\":false}");
    ENSURE(strstr(tdReport_GetJson(report, "b"), "\\\"y\\\"") != NULL);
    ENSURE(strstr(tdReport_GetJson(report, "b"), "EMPTY_FILE") == NULL);
    ENSURE(strstr(tdReport_GetJson(report, NULL), "EMPTY_FILE") != NULL);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_HINT), 1);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_INFO), 0);
    tdDestroyReport(report);
}

TEST(LimitsKeptFindings)
{
    tdReport* report = tdCreateReport(NULL);
    for (int i = 0; i < 5000; ++i)
    {
        tdReport_Add(report, TD_DIAG_EMPTY_ENTITY, NULL);
    }
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 5000);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_EMPTY_ENTITY), 5000);
    ENSURE(tdReport_GetCount(report) < 5000);
    ENSURE(tdReport_IsTruncated(report));
    // Another code still has room.
    int before = tdReport_GetCount(report);
    tdReport_AddAt(report, TD_DIAG_EMPTY_FILE, 3, 0, 0);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), before + 1);
    tdDestroyReport(report);
}

TEST(CountsDroppedFindings)
{
    tdReport* report = tdCreateReport(NULL);
    static const char* const names[] = {"a.gltf", "b.gltf", "a.gltf"};
    static const int counts[] = {300, 2000, 700};
    for (int k = 0; k < 3; ++k)
    {
        tdReport_SetSource(report, names[k], NULL, NULL);
        for (int i = 0; i < counts[k]; ++i)
        {
            tdReport_AddAs(report, k == 2 ? TD_SEVERITY_WARNING : TD_SEVERITY_ERROR, TD_DIAG_EMPTY_ENTITY,
                           NULL);
        }
    }
    ENSURE(tdReport_IsTruncated(report));
    ENSURE(strstr(tdReport_GetJson(report, "a.gltf"), "{\"numErrors\":300,\"numWarnings\":700,") != NULL);
    ENSURE(strstr(tdReport_GetJson(report, "b.gltf"), "{\"numErrors\":2000,\"numWarnings\":0,") != NULL);
    ENSURE(strstr(tdReport_GetJson(report, NULL), "{\"numErrors\":2300,\"numWarnings\":700,") != NULL);
    tdDestroyReport(report);
}

TEST(SurvivesAllocationFailure)
{
    // Each allocation fails in turn: no crash, no leak, and no error is lost.
    for (int64_t failAt = 0; failAt < 20; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdReport* report = tdCreateReport(&allocator);
        tdReport_SetSource(report, "name", NULL, NULL);
        for (int i = 0; i < 40; ++i)
        {
            tdReport_Add(report, TD_DIAG_UNRESOLVED_REFERENCE, NULL, "mesh", (long long)i);
        }
        ENSURE(report == NULL || tdReport_HasErrors(report));
        const char* text = tdReport_GetText(report);
        bool hasText = report == NULL || state.count <= failAt || strstr(text, "OUT_OF_MEMORY") != NULL;
        const char* json = tdReport_GetJson(report, NULL);
        bool hasJson = report == NULL || state.count <= failAt || strstr(json, "OUT_OF_MEMORY") != NULL;
        ENSURE(hasText && hasJson);
        int last = tdReport_GetCount(report) - 1;
        ENSURE(report == NULL || state.count <= failAt ||
               strcmp(tdReport_Get(report, last).code, "OUT_OF_MEMORY") == 0);
        tdDestroyReport(report);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
}

TEST(AddsOutOfMemoryOnce)
{
    tdReport_AddOutOfMemory(NULL);
    tdReport* report = tdCreateReport(NULL);
    tdReport_AddOutOfMemory(report);
    tdReport_AddOutOfMemory(report);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 1);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 1);
    ENSURE_EQUAL_TEXT(tdReport_Get(report, 0).code, "OUT_OF_MEMORY");
    ENSURE(strstr(tdReport_GetJson(report, "any.gltf"), "\"numErrors\":1,") != NULL);
    tdDestroyReport(report);
    report = tdCreateReport(NULL);
    tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "testing");
    tdReport_AddOutOfMemory(report);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 1);
    tdDestroyReport(report);
}

TEST(NamesEveryCode)
{
    for (int i = 0; i < (int)TD_DIAG_COUNT; ++i)
    {
        ENSURE(strlen(tdDiagnosticCode_GetName((tdDiagnosticCode)i)) > 3);
        ENSURE(strlen(tdDiagnosticCode_GetMessage((tdDiagnosticCode)i)) > 3);
        ENSURE(strlen(tdDiagnosticCode_GetHelp((tdDiagnosticCode)i)) > 3);
        for (int k = 0; k < i; ++k)
        {
            ENSURE(strcmp(tdDiagnosticCode_GetName((tdDiagnosticCode)i),
                          tdDiagnosticCode_GetName((tdDiagnosticCode)k)) != 0);
        }
    }
}

TEST_MAIN(RUN(AcceptsNull) RUN(WritesPointersAndPlaces) RUN(SeparatesSourcesInJson) RUN(LimitsKeptFindings)
              RUN(CountsDroppedFindings) RUN(SurvivesAllocationFailure) RUN(AddsOutOfMemoryOnce)
                  RUN(NamesEveryCode))
