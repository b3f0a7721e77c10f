// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Members of JSON objects as they are written.
#include "convert.h"

#include "base/number.h"

#include <string.h>

void tdMembers_Key(tdMembers* members, const char* key)
{
    tdText_AppendFormat(members->text, "%s\"%s\":", members->count > 0 ? "," : "", key);
    members->count += 1;
}

void tdMembers_Number(tdMembers* members, const char* key, float value)
{
    char number[TD_NUMBER_TEXT_SIZE];
    tdWriteFloat(number, value);
    tdMembers_Key(members, key);
    tdText_AppendString(members->text, number);
}

void tdMembers_Numbers(tdMembers* members, const char* key, const float* values, int count)
{
    tdMembers_Key(members, key);
    for (int i = 0; i < count; ++i)
    {
        char number[TD_NUMBER_TEXT_SIZE];
        tdWriteFloat(number, values[i]);
        tdText_AppendFormat(members->text, "%s%s", i > 0 ? "," : "[", number);
    }
    tdText_AppendChar(members->text, ']');
}

void tdMembers_Integer(tdMembers* members, const char* key, int value)
{
    tdMembers_Key(members, key);
    tdText_AppendFormat(members->text, "%d", value);
}

void tdMembers_Bool(tdMembers* members, const char* key, bool value)
{
    tdMembers_Key(members, key);
    tdText_AppendString(members->text, value ? "true" : "false");
}

void tdMembers_String(tdMembers* members, const char* key, const char* value)
{
    tdMembers_Key(members, key);
    tdText_AppendJsonString(members->text, value, strlen(value));
}

void tdMembers_Unknown(tdMembers* members, const tdJson* json, int object, const char* known)
{
    size_t size;
    const char* source = tdJson_GetSource(json, &size);
    for (int value = tdJson_GetFirst(json, object); value >= 0; value = tdJson_GetNext(json, value))
    {
        size_t length, start, end, keyStart, keyEnd;
        const char* key = tdJson_GetKey(json, value, &length);
        if (key == NULL || tdHasWord(known, key, length))
        {
            continue;
        }
        tdJson_GetKeyRange(json, value, &keyStart, &keyEnd);
        tdJson_GetRange(json, value, &start, &end);
        tdText_AppendString(members->text, members->count > 0 ? "," : "");
        tdText_Append(members->text, source + keyStart, keyEnd - keyStart);
        tdText_AppendChar(members->text, ':');
        tdText_Append(members->text, source + start, end - start);
        members->count += 1;
    }
}
