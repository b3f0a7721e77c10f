// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Prints SARIF: one run, one result per finding.
#include "sarif.h"

#include "json.h"

#include <string.h>

void PrintSarifStart(FILE* out)
{
    tdVersion version = tdGetVersion();
    fprintf(out,
            "{\"version\":\"2.1.0\",\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"runs\":[{"
            "\"tool\":{\"driver\":{\"name\":\"tendon\",\"version\":\"%d.%d.%d\"}},"
            "\"columnKind\":\"unicodeCodePoints\",\"results\":[\n",
            version.major, version.minor, version.patch);
}

// A relative URI: everything but unreserved characters and slashes is percent-encoded.
static void PrintUri(FILE* out, const char* path)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    const char* start = path[0] == '.' && path[1] == '/' ? path + 2 : path;
    fprintf(out, "\"%s", start[0] == '/' ? "file://" : "");
    for (const char* c = start; *c != '\0'; ++c)
    {
        fprintf(out, strchr(safe, *c) != NULL ? "%c" : "%%%02X", (unsigned)(unsigned char)*c);
    }
    fprintf(out, "\"");
}

static void PrintResult(FILE* out, const tdDiagnostic* finding)
{
    static const char* const levels[] = {"error", "warning", "note", "note"};
    fprintf(out, "{\"ruleId\":\"%s\",\"level\":\"%s\",\"message\":{\"text\":", finding->code,
            levels[finding->severity]);
    PrintJsonText(out, finding->message);
    fprintf(out, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    bool hasFile = finding->source != NULL && strcmp(finding->source, "-") != 0;
    PrintUri(out, hasFile ? finding->source : "standard-input");
    // Services refuse results without a line, so findings without one, as in a GLB, get the first.
    fprintf(out, "},\"region\":{\"startLine\":%d", finding->line > 0 ? finding->line : 1);
    if (finding->column > 0)
    {
        fprintf(out, ",\"startColumn\":%d", finding->column);
    }
    fprintf(out, "}}");
    if (finding->pointer != NULL && finding->pointer[0] != '\0')
    {
        fprintf(out, ",\"logicalLocations\":[{\"fullyQualifiedName\":");
        PrintJsonText(out, finding->pointer);
        fprintf(out, "}]");
    }
    fprintf(out, "}]}");
}

void PrintSarifResults(FILE* out, const tdReport* report)
{
    int count = tdReport_GetCount(report);
    for (int i = 0; i < count; ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        PrintResult(out, &finding);
        fprintf(out, i + 1 < count ? ",\n" : "\n");
    }
}

void PrintSarifFailure(FILE* out, const char* path, const char* code, const char* message)
{
    tdDiagnostic finding = {
        .severity = TD_SEVERITY_ERROR, .code = code, .source = path, .message = message, .offset = -1};
    PrintResult(out, &finding);
    fprintf(out, "\n");
}

void PrintSarifEnd(FILE* out)
{
    fprintf(out, "]}]}\n");
}
