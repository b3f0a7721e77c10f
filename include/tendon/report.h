// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// report.h: findings about a file, with stable codes and messages.
#pragma once

#include "base.h"

/// Severity of a finding.
typedef enum tdSeverity
{
    TD_SEVERITY_ERROR,   // a rule is broken; the object is left out, the rest is used
    TD_SEVERITY_WARNING, // the result differs from the file's intent
    TD_SEVERITY_INFO,    // for information, nothing to fix
    TD_SEVERITY_HINT,    // could be better
} tdSeverity;

/// One finding. The strings belong to the report.
typedef struct tdDiagnostic
{
    tdSeverity severity;
    const char* code;    // stable, such as "PHYS_JOINT_NO_BODY"; listed in docs/diagnostics.md
    const char* source;  // file of the finding, as passed to the load call
    const char* pointer; // JSON pointer into that file, such as "/nodes/4"; "" for the whole file
    int line, column;    // 1-based, 0 if unknown
    int64_t offset;      // byte offset into that file; -1 if `pointer` locates the finding
    const char* message; // one sentence with the values concerned
} tdDiagnostic;

/// A growing list of findings. One report may collect those of many calls. Not thread-safe: use one report
/// per thread. All functions accept a NULL report.
typedef struct tdReport tdReport;

/// Create an empty report.
/// @param allocator copied, its context must outlive the report; NULL for malloc
/// @return the report, to be freed with tdDestroyReport; NULL if memory ran out
TD_API tdReport* tdCreateReport(const tdAllocator* allocator);

/// Destroy a report with all its strings.
/// @param report may be NULL
TD_API void tdDestroyReport(tdReport* report);

/// Adds OUT_OF_MEMORY, once. Allocates nothing, so that it always succeeds.
TD_API void tdReport_AddOutOfMemory(tdReport* report);

/// Whether the report has an error, or lost a finding because memory ran out. False for NULL.
TD_API bool tdReport_HasErrors(const tdReport* report);

/// Number of findings kept with their text. A hostile file may cause more (tdReport_IsTruncated). 0 for NULL.
TD_API int tdReport_GetCount(const tdReport* report);

/// A finding. Its strings belong to the report.
/// @param index out of range gives empty strings
TD_API tdDiagnostic tdReport_Get(const tdReport* report, int index);

/// Number of all findings of a severity, including those that were not kept. 0 for NULL.
TD_API int tdReport_CountSeverity(const tdReport* report, tdSeverity severity);

/// Whether findings were dropped because there were too many or memory ran out. False for NULL.
TD_API bool tdReport_IsTruncated(const tdReport* report);

/// Name of a severity: "error", "warning", "info" or "hint". A static string.
TD_API const char* tdSeverity_GetName(tdSeverity severity);

/// The report as lines of text. Allocates from the report.
/// @return a string of the report's, valid until its next change or text; "" for NULL. If memory ran out, one
/// line that says so
TD_API const char* tdReport_GetText(tdReport* report);

/// The report as the "issues" object of the Khronos validator's report, with line and column added (schema:
/// docs/report.schema.json). Allocates from the report.
/// @param source findings about this file only; NULL: all
/// @return a string of the report's, valid until its next change or text; "{}" for NULL. If memory ran out,
/// an object with OUT_OF_MEMORY alone
TD_API const char* tdReport_GetJson(tdReport* report, const char* source);
