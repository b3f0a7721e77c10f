// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Typed reading of JSON members.
#include "read.h"

#include <float.h>

tdReader tdMakeReader(const tdJson* json, tdReport* report)
{
    return (tdReader){.json = json,
                      .report = report,
                      .codes = {.type = TD_DIAG_TYPE_MISMATCH,
                                .required = TD_DIAG_UNDEFINED_PROPERTY,
                                .notFinite = TD_DIAG_NOT_FINITE,
                                .arrayLength = TD_DIAG_ARRAY_LENGTH_NOT_IN_LIST,
                                .range = TD_DIAG_VALUE_NOT_IN_RANGE}};
}

static tdReadResult ReportType(const tdReader* reader, const tdPath* path, const char* expected)
{
    tdReport_Add(reader->report, reader->codes.type, path, expected);
    return TD_READ_BAD;
}

tdReadResult tdReadNumberValue(const tdReader* reader, const tdPath* path, int value, float* number)
{
    if (tdJson_GetType(reader->json, value) != TD_JSON_NUMBER)
    {
        return ReportType(reader, path, "a number");
    }
    double wide = tdJson_GetNumber(reader->json, value, 0.0);
    float narrow = (float)wide;
    if (!(narrow >= -FLT_MAX && narrow <= FLT_MAX))
    {
        size_t size = 0, start = 0, end = 0;
        const char* source = tdJson_GetSource(reader->json, &size);
        tdJson_GetRange(reader->json, value, &start, &end);
        int length = end - start > 40 ? 40 : (int)(end - start);
        tdReport_Add(reader->report, reader->codes.notFinite, path, length, source + start);
        return TD_READ_BAD;
    }
    *number = narrow;
    return TD_READ_OK;
}

tdReadResult tdReadIntValue(const tdReader* reader, const tdPath* path, int value, int lowest, int* number)
{
    int64_t wide = 0;
    if (tdJson_GetType(reader->json, value) != TD_JSON_NUMBER ||
        !tdJson_GetInteger(reader->json, value, &wide))
    {
        return ReportType(reader, path, "a whole number");
    }
    if (wide < lowest || wide > INT32_MAX)
    {
        tdReport_Add(reader->report, reader->codes.range, path, (double)wide);
        return TD_READ_BAD;
    }
    *number = (int)wide;
    return TD_READ_OK;
}

tdReadResult tdReadInt(const tdReader* reader, const tdPath* path, int object, const char* key, int lowest,
                       int* value)
{
    int member = tdJson_Find(reader->json, object, key);
    tdPath memberPath = tdPath_Key(path, key);
    return member < 0 ? TD_READ_ABSENT : tdReadIntValue(reader, &memberPath, member, lowest, value);
}

tdReadResult tdReadNumbers(const tdReader* reader, const tdPath* path, int object, const char* key, int count,
                           float* values)
{
    int member = tdJson_Find(reader->json, object, key);
    if (member < 0)
    {
        return TD_READ_ABSENT;
    }
    tdPath memberPath = tdPath_Key(path, key);
    if (!tdJson_IsArray(reader->json, member))
    {
        return ReportType(reader, &memberPath, "an array of numbers");
    }
    if (tdJson_GetCount(reader->json, member) != count)
    {
        tdReport_Add(reader->report, reader->codes.arrayLength, &memberPath,
                     tdJson_GetCount(reader->json, member), count);
        return TD_READ_BAD;
    }
    float numbers[16];
    int index = 0;
    for (int child = tdJson_GetFirst(reader->json, member); child >= 0 && index < 16;
         child = tdJson_GetNext(reader->json, child))
    {
        tdPath childPath = tdPath_Index(&memberPath, index);
        if (tdReadNumberValue(reader, &childPath, child, &numbers[index]) != TD_READ_OK)
        {
            return TD_READ_BAD;
        }
        index += 1;
    }
    for (int i = 0; i < index; ++i)
    {
        values[i] = numbers[i];
    }
    return TD_READ_OK;
}

tdReadResult tdReadVec3(const tdReader* reader, const tdPath* path, int object, const char* key,
                        tdVec3* value)
{
    float v[3];
    tdReadResult result = tdReadNumbers(reader, path, object, key, 3, v);
    if (result == TD_READ_OK)
    {
        *value = (tdVec3){v[0], v[1], v[2]};
    }
    return result;
}

tdReadResult tdReadQuat(const tdReader* reader, const tdPath* path, int object, const char* key,
                        tdQuat* value)
{
    float v[4];
    tdReadResult result = tdReadNumbers(reader, path, object, key, 4, v);
    if (result == TD_READ_OK)
    {
        *value = (tdQuat){v[0], v[1], v[2], v[3]};
    }
    return result;
}

static tdReadResult ReadTyped(const tdReader* reader, const tdPath* path, int object, const char* key,
                              tdJsonType type, const char* expected, int* value)
{
    *value = TD_JSON_NONE;
    int member = tdJson_Find(reader->json, object, key);
    if (member < 0)
    {
        return TD_READ_ABSENT;
    }
    if (tdJson_GetType(reader->json, member) != type)
    {
        tdPath memberPath = tdPath_Key(path, key);
        return ReportType(reader, &memberPath, expected);
    }
    *value = member;
    return TD_READ_OK;
}

tdReadResult tdReadObject(const tdReader* reader, const tdPath* path, int object, const char* key, int* value)
{
    return ReadTyped(reader, path, object, key, TD_JSON_OBJECT, "an object", value);
}

tdReadResult tdReadArray(const tdReader* reader, const tdPath* path, int object, const char* key, int* value)
{
    return ReadTyped(reader, path, object, key, TD_JSON_ARRAY, "an array", value);
}

tdReadResult tdReadString(const tdReader* reader, const tdPath* path, int object, const char* key, int* value)
{
    return ReadTyped(reader, path, object, key, TD_JSON_STRING, "a string", value);
}

void tdReportMissing(const tdReader* reader, const tdPath* path, const char* key)
{
    tdReport_Add(reader->report, reader->codes.required, path, key);
}
