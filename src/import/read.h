// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Typed reading of JSON members, with a diagnostic for everything that is not as it should be. A reader
// carries the codes of its specification, so that the same functions serve glTF, physics and VRM.
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

/// With the codes of core glTF.
tdReader tdMakeReader(const tdJson* json, tdReport* report);

typedef enum tdReadResult
{
    TD_READ_ABSENT, // the value is as it was
    TD_READ_OK,
    TD_READ_BAD, // reported; the value is as it was
} tdReadResult;

// `path` is the object's. Each reads an optional member.

/// A whole number that fits an int. -1 and other negative ones are BAD unless `lowest` allows them.
tdReadResult tdReadInt(const tdReader* reader, const tdPath* path, int object, const char* key, int lowest,
                       int* value);
/// Exactly `count` numbers.
tdReadResult tdReadNumbers(const tdReader* reader, const tdPath* path, int object, const char* key, int count,
                           float* values);
tdReadResult tdReadVec3(const tdReader* reader, const tdPath* path, int object, const char* key,
                        tdVec3* value);
tdReadResult tdReadQuat(const tdReader* reader, const tdPath* path, int object, const char* key,
                        tdQuat* value);
/// A member that has to be an object or array; `value` is TD_JSON_NONE unless OK.
tdReadResult tdReadObject(const tdReader* reader, const tdPath* path, int object, const char* key,
                          int* value);
tdReadResult tdReadArray(const tdReader* reader, const tdPath* path, int object, const char* key, int* value);
tdReadResult tdReadString(const tdReader* reader, const tdPath* path, int object, const char* key,
                          int* value);

/// One number that is not a member; `path` is its own.
tdReadResult tdReadNumberValue(const tdReader* reader, const tdPath* path, int value, float* number);
tdReadResult tdReadIntValue(const tdReader* reader, const tdPath* path, int value, int lowest, int* number);

/// Reports a required member that is absent.
void tdReportMissing(const tdReader* reader, const tdPath* path, const char* key);
