// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads typed JSON members and reports wrong ones. A reader has the diagnostic codes of its specification.
#pragma once

#include "base/report.h"
#include "json/json.h"
#include "math/vecmath.h"

/// Which codes to report. Their messages take: type (%s: what was expected), required (%s: the member's
/// name), notFinite (%.*s: the number's text), arrayLength (%d elements, %d expected), range (%g).
typedef struct tdReadCodes
{
    tdDiagnosticCode type, required, notFinite, arrayLength, range;
} tdReadCodes;

typedef struct tdReader
{
    const tdJson* json;
    tdReport* report;
    tdReadCodes codes;
} tdReader;

/// A reader with the codes of core glTF.
tdReader tdMakeReader(const tdJson* json, tdReport* report);

typedef enum tdReadResult
{
    TD_READ_ABSENT, // the value is unchanged
    TD_READ_OK,
    TD_READ_BAD, // reported; the value is unchanged
} tdReadResult;

// Each function reads an optional member; `path` is that of the object.

/// A whole number from `lowest` to INT32_MAX; others are BAD.
tdReadResult tdReadInt(const tdReader* reader, const tdPath* path, int object, const char* key, int lowest,
                       int* value);
/// Exactly `count` numbers.
tdReadResult tdReadNumbers(const tdReader* reader, const tdPath* path, int object, const char* key, int count,
                           float* values);
tdReadResult tdReadVec3(const tdReader* reader, const tdPath* path, int object, const char* key,
                        tdVec3* value);
tdReadResult tdReadQuat(const tdReader* reader, const tdPath* path, int object, const char* key,
                        tdQuat* value);
/// A member that must be an object or array; `value` is TD_JSON_NONE unless OK.
tdReadResult tdReadObject(const tdReader* reader, const tdPath* path, int object, const char* key,
                          int* value);
tdReadResult tdReadArray(const tdReader* reader, const tdPath* path, int object, const char* key, int* value);
tdReadResult tdReadString(const tdReader* reader, const tdPath* path, int object, const char* key,
                          int* value);

/// A value that is not a member; `path` is that of the value.
tdReadResult tdReadNumberValue(const tdReader* reader, const tdPath* path, int value, float* number);
tdReadResult tdReadIntValue(const tdReader* reader, const tdPath* path, int value, int lowest, int* number);

/// Reports a required member that is absent.
void tdReportMissing(const tdReader* reader, const tdPath* path, const char* key);
