// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The report: a list of findings whose texts are in an arena, and its two output formats (text and JSON).
#include "report.h"

#include "arena.h"
#include "number.h"

#include <string.h>

// Limits against hostile files. Findings beyond them are counted but not stored.
#define MAX_FINDINGS 10000
#define MAX_FINDINGS_PER_CODE 1000

// Longest chain of tdPath: the code that walks a document adds one link per nested call.
#define MAX_PATH_DEPTH 64

typedef struct DiagnosticInfo
{
    const char* name;
    tdSeverity severity;
    const char* message;
    const char* help;
} DiagnosticInfo;

#if defined(TD_NO_HELP) // small builds leave the help texts out; docs/diagnostics.md has them
#define HELP(text) ""
#else
#define HELP(text) text
#endif

static const DiagnosticInfo diagnosticInfos[] = {
#define TD_DIAGNOSTIC(code, severity, message, help) {#code, TD_SEVERITY_##severity, message, HELP(help)},
#include "diagnostics.def"
#undef TD_DIAGNOSTIC
};

/// Number of findings of one source that are counted but not stored.
typedef struct LeftOut
{
    const char* source;
    int counts[4]; // by severity
} LeftOut;

struct tdReport
{
    tdAllocator allocator;
    tdArena arena;
    tdArray(tdDiagnostic) findings;
    int severityCounts[4]; // including findings that are not stored
    int codeCounts[TD_DIAG_COUNT];
    tdArray(LeftOut) leftOut;
    bool isTruncated;
    bool ranOutOfMemory;
    const char* source;
    tdLocateFcn* locate;
    void* locateContext;
    tdText text;
};

const char* tdDiagnosticCode_GetName(tdDiagnosticCode code)
{
    return diagnosticInfos[code].name;
}

tdSeverity tdDiagnosticCode_GetSeverity(tdDiagnosticCode code)
{
    return diagnosticInfos[code].severity;
}

const char* tdDiagnosticCode_GetMessage(tdDiagnosticCode code)
{
    return diagnosticInfos[code].message;
}

const char* tdDiagnosticCode_GetHelp(tdDiagnosticCode code)
{
    return diagnosticInfos[code].help;
}

tdReport* tdCreateReport(const tdAllocator* allocator)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdReport* report = tdAllocateZeroed(&resolved, sizeof(tdReport), _Alignof(tdReport));
    if (report == NULL)
    {
        return NULL;
    }
    report->allocator = resolved;
    report->source = "";
    tdArena_Init(&report->arena, &resolved, 4096);
    tdText_Init(&report->text, &resolved);
    return report;
}

void tdDestroyReport(tdReport* report)
{
    if (report == NULL)
    {
        return;
    }
    tdAllocator allocator = report->allocator;
    tdText_Free(&report->text);
    tdArray_Free(&allocator, &report->findings);
    tdArray_Free(&allocator, &report->leftOut);
    tdArena_Free(&report->arena);
    tdRelease(&allocator, report, sizeof(tdReport));
}

void tdPath_Append(const tdPath* path, tdText* out)
{
    // The chain runs from leaf to root, the pointer from root to leaf.
    const tdPath* chain[MAX_PATH_DEPTH];
    int count = 0;
    for (const tdPath* part = path; part != NULL && part->parent != NULL && count < MAX_PATH_DEPTH;
         part = part->parent)
    {
        chain[count++] = part;
    }
    while (count > 0)
    {
        const tdPath* part = chain[--count];
        tdText_AppendChar(out, '/');
        if (part->key == NULL)
        {
            tdText_AppendFormat(out, "%d", part->index);
            continue;
        }
        for (const char* c = part->key; *c != 0; ++c)
        {
            if (*c == '~' || *c == '/')
            {
                tdText_AppendString(out, *c == '~' ? "~0" : "~1");
            }
            else
            {
                tdText_AppendChar(out, *c);
            }
        }
    }
}

void tdReport_SetSource(tdReport* report, const char* name, tdLocateFcn* locate, void* context)
{
    if (report == NULL)
    {
        return;
    }
    if (name == NULL)
    {
        name = "";
    }
    if (strcmp(report->source, name) != 0)
    {
        const char* copy = tdArena_CopyText(&report->arena, name, strlen(name));
        report->source = copy != NULL ? copy : "";
    }
    report->locate = locate;
    report->locateContext = context;
}

// The finding of a report that has no memory left for another one. All of its texts are static.
static const tdDiagnostic memoryFinding = {.severity = TD_SEVERITY_ERROR,
                                           .code = "OUT_OF_MEMORY",
                                           .source = "",
                                           .pointer = "",
                                           .offset = -1,
                                           .message = "Out of memory."};

/// Records that the report could not store something. The report then ends with `memoryFinding`.
static void NoteOutOfMemory(tdReport* report)
{
    if (!report->ranOutOfMemory)
    {
        report->ranOutOfMemory = true;
        report->severityCounts[TD_SEVERITY_ERROR] += 1;
        report->codeCounts[TD_DIAG_OUT_OF_MEMORY] += 1;
    }
}

void tdReport_AddOutOfMemory(tdReport* report)
{
    if (report != NULL && report->codeCounts[TD_DIAG_OUT_OF_MEMORY] == 0)
    {
        NoteOutOfMemory(report);
    }
}

/// Counts a finding that is not stored, by its source.
static void CountLeftOut(tdReport* report, tdSeverity severity)
{
    report->isTruncated = true;
    for (int i = 0; i < report->leftOut.count; ++i)
    {
        if (strcmp(report->leftOut.data[i].source, report->source) == 0)
        {
            report->leftOut.data[i].counts[severity] += 1;
            return;
        }
    }
    LeftOut entry = {.source = report->source};
    entry.counts[severity] = 1;
    if (!tdArray_Push(&report->allocator, &report->leftOut, entry))
    {
        NoteOutOfMemory(report);
    }
}

/// Counts a finding.
/// @return true if the finding is to be stored
static bool CountFinding(tdReport* report, tdDiagnosticCode code, tdSeverity severity)
{
    report->severityCounts[severity] += 1;
    report->codeCounts[code] += 1;
    if (report->codeCounts[code] > MAX_FINDINGS_PER_CODE || report->findings.count >= MAX_FINDINGS)
    {
        CountLeftOut(report, severity);
        return false;
    }
    return true;
}

/// Copies the scratch text into the arena.
/// @return "" when out of memory
static const char* StoreText(tdReport* report)
{
    const char* copy =
        report->text.failed ? NULL : tdArena_CopyText(&report->arena, report->text.data, report->text.length);
    if (copy == NULL)
    {
        NoteOutOfMemory(report);
        return "";
    }
    return copy;
}

static void StoreFinding(tdReport* report, tdDiagnosticCode code, tdDiagnostic finding, va_list arguments)
{
    tdText_Clear(&report->text);
    tdText_AppendFormatList(&report->text, diagnosticInfos[code].message, arguments);
    finding.code = diagnosticInfos[code].name;
    finding.source = report->source;
    finding.message = StoreText(report);
    if (!tdArray_Push(&report->allocator, &report->findings, finding))
    {
        NoteOutOfMemory(report);
    }
}

static void AddAtPath(tdReport* report, tdSeverity severity, tdDiagnosticCode code, const tdPath* path,
                      va_list arguments)
{
    if (!CountFinding(report, code, severity))
    {
        return;
    }
    tdText_Clear(&report->text);
    tdText_AppendString(&report->text, "");
    tdPath_Append(path, &report->text);
    tdDiagnostic finding = {.severity = severity, .pointer = StoreText(report), .offset = -1};
    if (report->locate != NULL)
    {
        report->locate(report->locateContext, finding.pointer, &finding.line, &finding.column);
    }
    StoreFinding(report, code, finding, arguments);
}

void tdReport_Add(tdReport* report, tdDiagnosticCode code, const tdPath* path, ...)
{
    if (report == NULL)
    {
        return;
    }
    va_list arguments;
    va_start(arguments, path);
    AddAtPath(report, diagnosticInfos[code].severity, code, path, arguments);
    va_end(arguments);
}

void tdReport_AddAs(tdReport* report, tdSeverity severity, tdDiagnosticCode code, const tdPath* path, ...)
{
    if (report == NULL)
    {
        return;
    }
    va_list arguments;
    va_start(arguments, path);
    AddAtPath(report, severity, code, path, arguments);
    va_end(arguments);
}

void tdReport_AddAt(tdReport* report, tdDiagnosticCode code, int64_t offset, int line, int column, ...)
{
    if (report == NULL)
    {
        return;
    }
    tdSeverity severity = diagnosticInfos[code].severity;
    if (!CountFinding(report, code, severity))
    {
        return;
    }
    tdDiagnostic finding = {
        .severity = severity, .pointer = "", .offset = offset, .line = line, .column = column};
    va_list arguments;
    va_start(arguments, column);
    StoreFinding(report, code, finding, arguments);
    va_end(arguments);
}

bool tdReport_HasErrors(const tdReport* report)
{
    return report != NULL && report->severityCounts[TD_SEVERITY_ERROR] > 0;
}

int tdReport_GetCount(const tdReport* report)
{
    return report != NULL ? report->findings.count + (report->ranOutOfMemory ? 1 : 0) : 0;
}

int tdReport_CountSeverity(const tdReport* report, tdSeverity severity)
{
    return report != NULL ? report->severityCounts[severity] : 0;
}

bool tdReport_IsTruncated(const tdReport* report)
{
    return report != NULL && (report->isTruncated || report->ranOutOfMemory);
}

int tdReport_CountCode(const tdReport* report, tdDiagnosticCode code)
{
    return report != NULL ? report->codeCounts[code] : 0;
}

tdDiagnostic tdReport_Get(const tdReport* report, int index)
{
    if (report != NULL && report->ranOutOfMemory && index == report->findings.count)
    {
        return memoryFinding;
    }
    if (report == NULL || index < 0 || index >= report->findings.count)
    {
        return (tdDiagnostic){.code = "", .source = "", .pointer = "", .message = "", .offset = -1};
    }
    return report->findings.data[index];
}

const char* tdSeverity_GetName(tdSeverity severity)
{
    static const char* const names[] = {"error", "warning", "info", "hint"};
    return names[severity];
}

const char* tdReport_GetText(tdReport* report)
{
    if (report == NULL)
    {
        return "";
    }
    tdText* out = &report->text;
    tdText_Clear(out);
    tdText_AppendString(out, "");
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        // file:line:column: severity: message [CODE] at /pointer
        const tdDiagnostic entry = tdReport_Get(report, i), *finding = &entry;
        tdText_AppendString(out, finding->source);
        if (finding->line > 0)
        {
            tdText_AppendFormat(out, ":%d:%d", finding->line, finding->column);
        }
        tdText_AppendFormat(out, ": %s: %s [%s]", tdSeverity_GetName(finding->severity), finding->message,
                            finding->code);
        if (finding->pointer[0] != 0)
        {
            tdText_AppendFormat(out, " at %s", finding->pointer);
        }
        else if (finding->offset >= 0)
        {
            tdText_AppendFormat(out, " at byte %lld", (long long)finding->offset);
        }
        tdText_AppendChar(out, '\n');
    }
    if (tdReport_IsTruncated(report))
    {
        tdText_AppendString(out, "More findings were left out.\n");
    }
    if (out->failed)
    {
        NoteOutOfMemory(report);
        return "error: Out of memory. [OUT_OF_MEMORY]\n";
    }
    return out->data;
}

// The finding about memory concerns every file.
static bool IsAbout(const tdDiagnostic* finding, const char* source)
{
    return source == NULL || finding->message == memoryFinding.message ||
           strcmp(finding->source, source) == 0;
}

const char* tdReport_GetJson(tdReport* report, const char* source)
{
    if (report == NULL)
    {
        return "{}";
    }
    int counts[4] = {0};
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        counts[finding.severity] += IsAbout(&finding, source) ? 1 : 0;
    }
    for (int i = 0; i < report->leftOut.count; ++i)
    {
        const LeftOut* entry = &report->leftOut.data[i];
        for (int k = 0; k < 4 && (source == NULL || strcmp(entry->source, source) == 0); ++k)
        {
            counts[k] += entry->counts[k];
        }
    }

    tdText* out = &report->text;
    tdText_Clear(out);
    tdText_AppendFormat(out,
                        "{\"numErrors\":%d,\"numWarnings\":%d,\"numInfos\":%d,\"numHints\":%d,\"messages\":[",
                        counts[0], counts[1], counts[2], counts[3]);
    bool isFirst = true;
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        const tdDiagnostic entry = tdReport_Get(report, i), *finding = &entry;
        if (!IsAbout(finding, source))
        {
            continue;
        }
        tdText_AppendFormat(out, "%s{\"code\":\"%s\",\"message\":", isFirst ? "" : ",", finding->code);
        isFirst = false;
        tdText_AppendJsonString(out, finding->message, strlen(finding->message));
        tdText_AppendFormat(out, ",\"severity\":%d", (int)finding->severity);
        if (finding->offset >= 0)
        {
            tdText_AppendFormat(out, ",\"offset\":%lld", (long long)finding->offset);
        }
        else
        {
            tdText_AppendString(out, ",\"pointer\":");
            tdText_AppendJsonString(out, finding->pointer, strlen(finding->pointer));
        }
        if (finding->line > 0)
        {
            tdText_AppendFormat(out, ",\"line\":%d,\"column\":%d", finding->line, finding->column);
        }
        tdText_AppendChar(out, '}');
    }
    tdText_AppendFormat(out, "],\"truncated\":%s}", tdReport_IsTruncated(report) ? "true" : "false");
    if (out->failed)
    {
        NoteOutOfMemory(report);
        return "{\"numErrors\":1,\"numWarnings\":0,\"numInfos\":0,\"numHints\":0,\"messages\":[{\"code\":"
               "\"OUT_OF_MEMORY\",\"message\":\"Out of memory.\",\"severity\":0,\"pointer\":\"\"}],"
               "\"truncated\":true}";
    }
    return out->data;
}
