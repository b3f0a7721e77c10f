// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes members of JSON objects.
#include "convert_members.h"

#include "convert.h"

#include "base/number.h"
#include "import/physics.h"

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

void tdMembers_Extras(tdMembers* members, const tdJson* json, int object, const char* key, const char* note)
{
    int extras = tdJson_Find(json, object, "extras");
    bool isObject = tdJson_IsObject(json, extras);
    tdText text;
    tdText_InitPart(&text, &members->text->allocator, &members->text->failed);
    tdMembers own = {&text, 0};
    tdMembers_Unknown(&own, json, isObject ? extras : TD_JSON_NONE,
                      TD_EXTRA_CONNECTED_NODE " " TD_EXTRA_JOINT_END);
    if (key != NULL)
    {
        tdMembers_Key(&own, key);
        tdText_AppendString(&text, note);
    }
    if (own.count > 0 || (isObject && tdJson_GetCount(json, extras) == 0))
    {
        tdMembers_Key(members, "extras");
        tdText_AppendChar(members->text, '{');
        tdText_Append(members->text, text.data, text.length);
        tdText_AppendChar(members->text, '}');
    }
    else if (extras >= 0 && !isObject)
    {
        size_t size, start, end;
        const char* source = tdJson_GetSource(json, &size);
        tdJson_GetRange(json, extras, &start, &end);
        tdMembers_Key(members, "extras");
        tdText_Append(members->text, source + start, end - start);
    }
    members->text->failed = members->text->failed || text.failed;
    tdText_Free(&text);
}
