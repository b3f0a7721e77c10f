// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads typed members of physics objects.
#include "physics_read.h"

#include "physics.h"

#include <float.h>
#include <string.h>

static int FindOfType(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                      tdJsonType type, const char* what)
{
    int value = tdJson_Find(reader->json, object, key);
    if (value >= 0 && tdJson_GetType(reader->json, value) != type)
    {
        tdPath member = tdPath_Key(path, key);
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, &member, what);
        return TD_JSON_NONE;
    }
    return value;
}

int tdPhysicsReader_GetObject(tdPhysicsReader* reader, int object, const char* key, const tdPath* path)
{
    return FindOfType(reader, object, key, path, TD_JSON_OBJECT, "an object");
}

int tdPhysicsReader_GetArray(tdPhysicsReader* reader, int object, const char* key, const tdPath* path)
{
    return FindOfType(reader, object, key, path, TD_JSON_ARRAY, "an array");
}

bool tdPhysicsReader_ToFloat(tdPhysicsReader* reader, int value, const tdPath* path, float* number)
{
    if (tdJson_GetType(reader->json, value) != TD_JSON_NUMBER)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, path, "a number");
        return false;
    }
    double wide = tdJson_GetNumber(reader->json, value, 0.0);
    if (!(wide >= -(double)FLT_MAX && wide <= (double)FLT_MAX))
    {
        size_t start, end, size;
        tdJson_GetRange(reader->json, value, &start, &end);
        const char* source = tdJson_GetSource(reader->json, &size);
        int length = end - start < 40 ? (int)(end - start) : 40;
        tdReport_Add(reader->report, TD_DIAG_PHYS_NOT_FINITE, path, length, source + start);
        return false;
    }
    *number = (float)wide;
    return true;
}

bool tdPhysicsReader_ToInteger(tdPhysicsReader* reader, int value, const tdPath* path, int64_t* number)
{
    if (!tdJson_GetInteger(reader->json, value, number))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, path, "a whole number");
        return false;
    }
    return true;
}

bool tdPhysicsReader_GetNumber(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                               float* value)
{
    int found = tdJson_Find(reader->json, object, key);
    tdPath member = tdPath_Key(path, key);
    return found >= 0 && tdPhysicsReader_ToFloat(reader, found, &member, value);
}

bool tdPhysicsReader_GetBool(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             bool* value)
{
    int found = tdJson_Find(reader->json, object, key);
    tdJsonType type = tdJson_GetType(reader->json, found);
    if (found < 0)
    {
        return false;
    }
    if (type != TD_JSON_TRUE && type != TD_JSON_FALSE)
    {
        tdPath member = tdPath_Key(path, key);
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, &member, "true or false");
        return false;
    }
    *value = type == TD_JSON_TRUE;
    return true;
}

bool tdPhysicsReader_GetVector(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                               float* values, int count)
{
    int array = tdPhysicsReader_GetArray(reader, object, key, path);
    if (array < 0)
    {
        return false;
    }
    tdPath member = tdPath_Key(path, key);
    int found = tdJson_GetCount(reader->json, array);
    if (found != count)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_ARRAY_LENGTH, &member, count, found);
        return false;
    }
    float numbers[16];
    int i = 0;
    bool isGood = true;
    for (int child = tdJson_GetFirst(reader->json, array); child >= 0;
         child = tdJson_GetNext(reader->json, child))
    {
        tdPath element = tdPath_Index(&member, i);
        isGood = tdPhysicsReader_ToFloat(reader, child, &element, &numbers[i]) && isGood;
        i += 1;
    }
    if (isGood)
    {
        memcpy(values, numbers, sizeof(float) * (size_t)count);
    }
    return isGood;
}

static bool IsBounded(tdPhysicsReader* reader, const char* key, const tdPath* path, const float* values,
                      int count, float bound)
{
    for (int i = 0; i < count; ++i)
    {
        if (values[i] > bound || values[i] < -bound)
        {
            tdPath member = tdPath_Key(path, key);
            tdReport_Add(reader->report, TD_DIAG_PHYS_OUT_OF_RANGE, &member, "value");
            return false;
        }
    }
    return true;
}

bool tdPhysicsReader_GetBounded(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                                float bound, float* value)
{
    float number;
    if (!tdPhysicsReader_GetNumber(reader, object, key, path, &number) ||
        !IsBounded(reader, key, path, &number, 1, bound))
    {
        return false;
    }
    *value = number;
    return true;
}

bool tdPhysicsReader_GetBoundedVec3(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                                    float bound, tdVec3* value)
{
    float v[3];
    if (!tdPhysicsReader_GetVector(reader, object, key, path, v, 3) ||
        !IsBounded(reader, key, path, v, 3, bound))
    {
        return false;
    }
    *value = (tdVec3){v[0], v[1], v[2]};
    return true;
}

bool tdPhysicsReader_GetQuat(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             tdQuat* value)
{
    float v[4];
    if (!tdPhysicsReader_GetVector(reader, object, key, path, v, 4))
    {
        return false;
    }
    tdQuat q = {v[0], v[1], v[2], v[3]};
    // In double, so that squares of float32 numbers do not overflow.
    double length = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                         (double)q.w * (double)q.w);
    if (length < 1.0 - 5e-4 || length > 1.0 + 5e-4)
    {
        tdPath member = tdPath_Key(path, key);
        tdReport_Add(reader->report, TD_DIAG_PHYS_QUAT_NOT_UNIT, &member, length);
    }
    if (length < 1e-12)
    {
        *value = tdQuat_identity;
        return true;
    }
    *value = (tdQuat){(float)((double)q.x / length), (float)((double)q.y / length),
                      (float)((double)q.z / length), (float)((double)q.w / length)};
    return true;
}

const char* tdPhysicsReader_GetString(tdPhysicsReader* reader, int object, const char* key,
                                      const tdPath* path)
{
    int value = FindOfType(reader, object, key, path, TD_JSON_STRING, "a string");
    if (value < 0)
    {
        return NULL;
    }
    size_t length;
    const char* text = tdJson_GetString(reader->json, value, &length);
    const char* copy = tdArena_CopyText(reader->arena, text, length);
    reader->ranOutOfMemory = reader->ranOutOfMemory || copy == NULL;
    return copy;
}

int tdPhysicsReader_GetIndex(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             int count, tdDiagnosticCode code, bool minusOneIsAbsent)
{
    int value = tdJson_Find(reader->json, object, key);
    if (value < 0)
    {
        return TD_INDEX_ABSENT;
    }
    tdPath member = tdPath_Key(path, key);
    int64_t index;
    if (!tdPhysicsReader_ToInteger(reader, value, &member, &index))
    {
        return TD_INDEX_INVALID;
    }
    if (index == -1 && minusOneIsAbsent)
    {
        return TD_INDEX_ABSENT;
    }
    if (index < 0 || index >= count)
    {
        tdReport_Add(reader->report, code, &member, (long long)index);
        return TD_INDEX_INVALID;
    }
    return (int)index;
}

int tdPhysicsReader_GetEnum(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                            const char* const* names, const char* list, tdSeverity severity)
{
    if (tdJson_Find(reader->json, object, key) < 0)
    {
        return TD_INDEX_ABSENT;
    }
    const char* text = tdPhysicsReader_GetString(reader, object, key, path);
    if (text == NULL)
    {
        return TD_INDEX_INVALID;
    }
    for (int i = 0; names[i] != NULL; ++i)
    {
        if (strcmp(text, names[i]) == 0)
        {
            return i;
        }
    }
    tdPath member = tdPath_Key(path, key);
    tdReport_AddAs(reader->report, severity, TD_DIAG_PHYS_ENUM, &member, text, list);
    return TD_INDEX_INVALID;
}

void tdPhysicsReader_CheckMembers(tdPhysicsReader* reader, int object, const tdPath* path, const char* known)
{
    for (int member = tdJson_GetFirst(reader->json, object); member >= 0;
         member = tdJson_GetNext(reader->json, member))
    {
        size_t length;
        const char* key = tdJson_GetKey(reader->json, member, &length);
        if (key == NULL || tdHasWord("name extensions extras", key, length) || tdHasWord(known, key, length))
        {
            continue;
        }
        char text[256]; // longer names, and names with a NUL, are reported at the object
        bool fits = length < sizeof(text) && memchr(key, 0, length) == NULL;
        if (fits)
        {
            memcpy(text, key, length);
            text[length] = 0;
        }
        tdPath memberPath = tdPath_Key(path, text);
        tdReport_Add(reader->report, TD_DIAG_UNEXPECTED_PROPERTY, fits ? &memberPath : path,
                     (int)(length < 64 ? length : 64), key);
    }
}

void* tdPhysicsReader_Allocate(tdPhysicsReader* reader, int count, size_t size)
{
    void* memory = tdArena_AllocateArray(reader->arena, (size_t)count, size, _Alignof(max_align_t));
    reader->ranOutOfMemory = reader->ranOutOfMemory || memory == NULL;
    return memory;
}

int tdFindExtra(const tdJson* json, int object, const char* key)
{
    return tdJson_Find(json, tdJson_Find(json, object, "extras"), key);
}

bool tdIsJointEnd(const tdJson* json, int body)
{
    return tdJson_GetType(json, tdFindExtra(json, body, TD_EXTRA_JOINT_END)) == TD_JSON_TRUE;
}
