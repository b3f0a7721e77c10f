// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Adding findings to a report. The path to a JSON value is a chain of structs on the stack; it becomes a JSON
// pointer only when there is a finding:
//
//     tdPath nodePath = tdPath_Index(&nodesPath, i);
//     tdPath joint = tdPath_Key(&nodePath, "joint");
//     tdReport_Add(report, TD_DIAG_PHYS_JOINT_NO_BODY, &joint, a, b);
//
// Every function accepts a NULL report.
#pragma once

#include "text.h"

#include "tendon/report.h"

typedef enum tdDiagnosticCode
{
#define TD_DIAGNOSTIC(code, severity, message, help) TD_DIAG_##code,
#include "diagnostics.def"
#undef TD_DIAGNOSTIC
    TD_DIAG_COUNT
} tdDiagnosticCode;

typedef struct tdPath
{
    const struct tdPath* parent; // NULL: this is the root
    const char* key;             // NULL: an index, or the root
    int index;
} tdPath;

static const tdPath tdPath_root = {NULL, NULL, -1};

static inline tdPath tdPath_Root(void)
{
    return (tdPath){NULL, NULL, -1};
}

static inline tdPath tdPath_Key(const tdPath* parent, const char* key)
{
    return (tdPath){parent, key, -1};
}

static inline tdPath tdPath_Index(const tdPath* parent, int index)
{
    return (tdPath){parent, NULL, index};
}

/// Appends the path as a JSON pointer (RFC 6901), "" for the root.
void tdPath_Append(const tdPath* path, tdText* out);

/// Finds the line and column of a JSON pointer. Both stay unchanged when the value does not exist.
typedef void tdLocateFcn(void* context, const char* pointer, int* line, int* column);

/// Sets the source of the following findings.
/// @param name of the file; copied; NULL: ""
/// @param locate may be NULL; called until the next tdReport_SetSource
void tdReport_SetSource(tdReport* report, const char* name, tdLocateFcn* locate, void* context);

/// Adds a finding with the severity of diagnostics.def. The arguments fit the conversions of the code's
/// message (see tdText_AppendFormat). When out of memory the finding is counted but not stored.
/// @param path NULL: the whole file
void tdReport_Add(tdReport* report, tdDiagnosticCode code, const tdPath* path, ...);
/// As tdReport_Add, with a given severity, for rules whose severity depends on the dialect.
void tdReport_AddAs(tdReport* report, tdSeverity severity, tdDiagnosticCode code, const tdPath* path, ...);
/// As tdReport_Add, at a byte of the file instead of a JSON value. Line and column are 0 when unknown.
void tdReport_AddAt(tdReport* report, tdDiagnosticCode code, int64_t offset, int line, int column, ...);

/// The entry of a code in diagnostics.def, for the generated documentation and for tests.
const char* tdDiagnosticCode_GetName(tdDiagnosticCode code);
tdSeverity tdDiagnosticCode_GetSeverity(tdDiagnosticCode code);
const char* tdDiagnosticCode_GetMessage(tdDiagnosticCode code);
const char* tdDiagnosticCode_GetHelp(tdDiagnosticCode code);
/// Number of findings of a code, including those that are not stored.
int tdReport_CountCode(const tdReport* report, tdDiagnosticCode code);
