// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Adding to a report. The path to a JSON value is a chain of stack frames, turned into a JSON pointer only
// when something is wrong:
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

/// The pointer as text, "" for the root.
void tdPath_Append(const tdPath* path, tdText* out);

/// Finds the line and column of a JSON pointer; leaves them alone when nothing is there.
typedef void tdLocateFcn(void* context, const char* pointer, int* line, int* column);

/// What the following findings are about. The name is copied; `locate` (may be NULL) is used until the next
/// call.
void tdReport_SetSource(tdReport* report, const char* name, tdLocateFcn* locate, void* context);
/// A name alone that later findings carry, and the one before, to be restored by the caller.
const char* tdReport_GetSource(const tdReport* report);

/// Arguments fit the message of the code in diagnostics.def (tdText_AppendFormat's conversions). A path of
/// NULL is the whole file. The severity is the table's.
void tdReport_Add(tdReport* report, tdDiagnosticCode code, const tdPath* path, ...);
/// With another severity than the table's, for rules whose weight depends on the dialect.
void tdReport_AddAs(tdReport* report, tdSeverity severity, tdDiagnosticCode code, const tdPath* path, ...);
/// At a byte of the file rather than at a JSON value; line and column 0 when unknown.
void tdReport_AddAt(tdReport* report, tdDiagnosticCode code, int64_t offset, int line, int column, ...);

/// Names for generated docs and tests.
const char* tdDiagnosticCode_GetName(tdDiagnosticCode code);
tdSeverity tdDiagnosticCode_GetSeverity(tdDiagnosticCode code);
const char* tdDiagnosticCode_GetMessage(tdDiagnosticCode code);
const char* tdDiagnosticCode_GetHelp(tdDiagnosticCode code);
/// How often a code was reported.
int tdReport_CountCode(const tdReport* report, tdDiagnosticCode code);
