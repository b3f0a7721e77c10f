// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// report.h: what was wrong with a file, in words and in stable codes.
#pragma once

#include "base.h"

typedef enum tdSeverity
{
    TD_SEVERITY_ERROR,   // a rule is broken; the object concerned is left out, the rest goes on
    TD_SEVERITY_WARNING, // the result differs from what the file asks
    TD_SEVERITY_INFO,    // worth knowing, nothing to fix
    TD_SEVERITY_HINT,    // could be better
} tdSeverity;

/// One finding. The strings belong to the report.
typedef struct tdDiagnostic
{
    tdSeverity severity;
    const char* code;    // stable, such as "PHYS_JOINT_NO_BODY"; listed in docs/diagnostics.md
    const char* source;  // file the finding is about, as it was passed to the load call
    const char* pointer; // JSON pointer into that file, such as "/nodes/4", "" for the whole file
    int line, column;    // 1-based, 0 when unknown
    int64_t offset;      // byte offset into that file, -1 when a pointer says it better
    const char* message; // one sentence with the values at hand
} tdDiagnostic;

/// A growing list of diagnostics. One report may follow a whole job through many calls.
/// Not thread-safe: one report per thread.
typedef struct tdReport tdReport;

TD_API tdReport* tdCreateReport(const tdAllocator* allocator);
TD_API void tdDestroyReport(tdReport* report);

TD_API bool tdReport_HasErrors(const tdReport* report);
/// Findings kept with their text; a hostile file may cause more than are kept (tdReport_IsTruncated).
TD_API int tdReport_GetCount(const tdReport* report);
TD_API tdDiagnostic tdReport_Get(const tdReport* report, int index);
/// All findings of a severity, those left out included.
TD_API int tdReport_CountSeverity(const tdReport* report, tdSeverity severity);
TD_API bool tdReport_IsTruncated(const tdReport* report);
/// "error", "warning", "info", "hint".
TD_API const char* tdSeverity_GetName(tdSeverity severity);

/// The whole report as lines of text, or as the "issues" object of the Khronos validator's report with line
/// and column added (schema: docs/report.schema.json). The string belongs to the report and is valid until
/// its next change.
TD_API const char* tdReport_GetText(tdReport* report);
TD_API const char* tdReport_GetJson(tdReport* report, const char* source); // about one file; NULL: all
