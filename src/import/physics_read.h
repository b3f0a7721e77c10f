// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads members of physics objects with checks of type and range and the diagnostics of
// docs/spec/physics.md 10. An absent or wrong member keeps the caller's default; wrong ones are reported.
#pragma once

#include "base/arena.h"
#include "base/report.h"
#include "json/json.h"
#include "math/vecmath.h"

typedef struct tdPhysicsReader
{
    const tdJson* json;
    tdReport* report;
    tdArena* arena;
    bool ranOutOfMemory;
} tdPhysicsReader;

#define TD_INDEX_ABSENT (-1)
#define TD_INDEX_INVALID (-2)

/// The member as an object or array; TD_JSON_NONE if absent or of another type (reported).
int tdPhysicsReader_GetObject(tdPhysicsReader* reader, int object, const char* key, const tdPath* path);
int tdPhysicsReader_GetArray(tdPhysicsReader* reader, int object, const char* key, const tdPath* path);

/// The following return true if the member is present and valid.
bool tdPhysicsReader_GetNumber(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                               float* value);
bool tdPhysicsReader_GetBool(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             bool* value);
bool tdPhysicsReader_GetVector(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                               float* values, int count);
/// A number or vector whose components are at most `bound` in magnitude; larger ones are reported and
/// ignored.
bool tdPhysicsReader_GetBounded(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                                float bound, float* value);
bool tdPhysicsReader_GetBoundedVec3(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                                    float bound, tdVec3* value);
/// A unit quaternion; others are reported and normalised.
bool tdPhysicsReader_GetQuat(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             tdQuat* value);
/// A copy of the string in the arena; NULL if absent or wrong.
const char* tdPhysicsReader_GetString(tdPhysicsReader* reader, int object, const char* key,
                                      const tdPath* path);

/// The number of a value (an element of an array); reports at `path`.
bool tdPhysicsReader_ToFloat(tdPhysicsReader* reader, int value, const tdPath* path, float* number);
bool tdPhysicsReader_ToInteger(tdPhysicsReader* reader, int value, const tdPath* path, int64_t* number);

/// An index below `count`: TD_INDEX_ABSENT if absent, TD_INDEX_INVALID if wrong (reported with `code`, whose
/// message takes the number). -1 counts as absent when `minusOneIsAbsent`.
int tdPhysicsReader_GetIndex(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             int count, tdDiagnosticCode code, bool minusOneIsAbsent);

/// Index of the member's text in `names` (NULL-terminated); -1 if absent; -2 if it is none of them (reported
/// as PHYS_ENUM with `severity`; `list` is part of the sentence).
int tdPhysicsReader_GetEnum(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                            const char* const* names, const char* list, tdSeverity severity);

/// Warns about members that are not in the space-separated list; name, extensions and extras are always
/// allowed.
void tdPhysicsReader_CheckMembers(tdPhysicsReader* reader, int object, const tdPath* path, const char* known);

/// Zeroed memory from the arena; NULL when memory ran out, which the reader remembers.
void* tdPhysicsReader_Allocate(tdPhysicsReader* reader, int count, size_t size);
#define tdPhysicsReader_New(reader, T, count) ((T*)tdPhysicsReader_Allocate((reader), (count), sizeof(T)))

/// A member of the extras of an object; TD_JSON_NONE if there is none.
int tdFindExtra(const tdJson* json, int object, const char* key);
/// Whether an OMI_physics_body object is a static body that tdConvertAsset added as end of a joint.
bool tdIsJointEnd(const tdJson* json, int body);
