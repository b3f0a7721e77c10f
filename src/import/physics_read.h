// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reading members of physics objects: typed, ranged, with the diagnostics of docs/spec/physics.md 10. A
// member that is absent or wrong leaves the caller's default alone; wrong ones are reported.
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

/// The member as an object or array; TD_JSON_NONE when absent or of another type (reported).
int tdPhysicsReader_GetObject(tdPhysicsReader* reader, int object, const char* key, const tdPath* path);
int tdPhysicsReader_GetArray(tdPhysicsReader* reader, int object, const char* key, const tdPath* path);

/// These return true if the member is there and good.
bool tdPhysicsReader_GetNumber(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                               float* value);
bool tdPhysicsReader_GetBool(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             bool* value);
bool tdPhysicsReader_GetVector(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                               float* values, int count);
/// A number or vector whose components are at most `bound`, either sign; beyond it is reported and left out.
bool tdPhysicsReader_GetBounded(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                                float bound, float* value);
bool tdPhysicsReader_GetBoundedVec3(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                                    float bound, tdVec3* value);
/// A unit quaternion; one that is not is reported and normalised.
bool tdPhysicsReader_GetQuat(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             tdQuat* value);
/// A copy of the string in the arena; NULL when absent or wrong.
const char* tdPhysicsReader_GetString(tdPhysicsReader* reader, int object, const char* key,
                                      const tdPath* path);

/// A number in a value itself (an element of an array); reports at `path`.
bool tdPhysicsReader_ToFloat(tdPhysicsReader* reader, int value, const tdPath* path, float* number);
bool tdPhysicsReader_ToInteger(tdPhysicsReader* reader, int value, const tdPath* path, int64_t* number);

/// An index below `count`: TD_INDEX_ABSENT when not there, TD_INDEX_INVALID when wrong (reported with `code`,
/// whose message takes the number). -1 counts as absent when `minusOneIsAbsent`.
int tdPhysicsReader_GetIndex(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             int count, tdDiagnosticCode code, bool minusOneIsAbsent);

/// Position of the member's text in `names` (NULL-terminated); -1 when absent; -2 when it is none of them
/// (reported as PHYS_ENUM with `severity`; `list` is the sentence part).
int tdPhysicsReader_GetEnum(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                            const char* const* names, const char* list, tdSeverity severity);

/// Warns about members whose names are not in the space-separated list; name, extensions and extras always
/// are.
void tdPhysicsReader_CheckMembers(tdPhysicsReader* reader, int object, const tdPath* path, const char* known);

/// Cleared memory from the arena; NULL (and the reader's flag) when memory ran out.
void* tdPhysicsReader_Allocate(tdPhysicsReader* reader, int count, size_t size);
#define tdPhysicsReader_New(reader, T, count) ((T*)tdPhysicsReader_Allocate((reader), (count), sizeof(T)))

/// A member of an object's extras; TD_JSON_NONE when there is none.
int tdFindExtra(const tdJson* json, int object, const char* key);
/// Whether an OMI_physics_body object stands for the world.
bool tdIsJointEnd(const tdJson* json, int body);
