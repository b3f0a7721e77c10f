// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Queries of a parsed document. They do not change it, so threads may share one.
#include "json.h"

#include "document.h"

#include "base/number.h"

#include <string.h>

static const tdJsonValue* GetValue(const tdJson* json, int value)
{
    return json != NULL && value >= 0 && value < json->valueCount ? &json->values[value] : NULL;
}

static tdJsonType TypeOf(const tdJsonValue* value)
{
    return value != NULL ? (tdJsonType)(value->info & TD_JSON_TYPE_MASK) : TD_JSON_MISSING;
}

const char* tdJson_GetSource(const tdJson* json, size_t* size)
{
    if (size != NULL)
    {
        *size = json->size;
    }
    return json->source;
}

bool tdJson_HasByteOrderMark(const tdJson* json)
{
    return json->hasByteOrderMark;
}

int tdJson_GetValueCount(const tdJson* json)
{
    return json->valueCount;
}

tdJsonType tdJson_GetType(const tdJson* json, int value)
{
    return TypeOf(GetValue(json, value));
}

bool tdJson_IsObject(const tdJson* json, int value)
{
    return tdJson_GetType(json, value) == TD_JSON_OBJECT;
}

bool tdJson_IsArray(const tdJson* json, int value)
{
    return tdJson_GetType(json, value) == TD_JSON_ARRAY;
}

void tdJson_GetRange(const tdJson* json, int value, size_t* start, size_t* end)
{
    const tdJsonValue* v = GetValue(json, value);
    *start = v != NULL ? v->start : 0;
    *end = v != NULL ? v->end : 0;
}

/// The byte after a key: its closing quote is the first one without an odd number of backslashes before it.
static size_t FindKeyEnd(const tdJson* json, const tdJsonValue* v)
{
    size_t at = (size_t)v->key + 1;
    if ((v->info & TD_JSON_KEY_ESCAPED) == 0)
    {
        const char* quote = memchr(json->source + at, '"', v->start - at);
        return (size_t)(quote - json->source) + 1;
    }
    while (json->source[at] != '"')
    {
        at += json->source[at] == '\\' ? 2 : 1;
    }
    return at + 1;
}

void tdJson_GetKeyRange(const tdJson* json, int value, size_t* start, size_t* end)
{
    const tdJsonValue* v = GetValue(json, value);
    bool isMember = v != NULL && v->key != 0;
    *start = isMember ? v->key : 0;
    *end = isMember ? FindKeyEnd(json, v) : 0;
}

void tdJson_Locate(const tdJson* json, size_t offset, int* line, int* column)
{
    offset = offset > json->size ? json->size : offset;
    const char* lineStart = json->source + (json->hasByteOrderMark && offset >= 3 ? 3 : 0);
    const char* at = json->source + offset;
    *line = 1;
    for (const char* p; (p = memchr(lineStart, '\n', (size_t)(at - lineStart))) != NULL;)
    {
        *line += 1;
        lineStart = p + 1;
    }
    *column = 1;
    for (const char* p = lineStart; p < at; ++p)
    {
        *column += ((unsigned char)*p & 0xc0) != 0x80;
    }
}

int tdJson_GetCount(const tdJson* json, int value)
{
    const tdJsonValue* v = GetValue(json, value);
    uint32_t count = v != NULL ? v->info >> TD_JSON_COUNT_SHIFT : 0;
    if (count < TD_JSON_COUNT_MANY)
    {
        return (int)count;
    }
    int counted = 0;
    for (int child = tdJson_GetFirst(json, value); child >= 0; child = tdJson_GetNext(json, child))
    {
        ++counted;
    }
    return counted;
}

int tdJson_GetFirst(const tdJson* json, int value)
{
    const tdJsonValue* v = GetValue(json, value);
    return v != NULL && v->info >> TD_JSON_COUNT_SHIFT != 0 ? value + 1 : TD_JSON_NONE;
}

int tdJson_GetNext(const tdJson* json, int child)
{
    const tdJsonValue* v = GetValue(json, child);
    return v != NULL && (v->info & TD_JSON_LAST) == 0 ? (int)v->next : TD_JSON_NONE;
}

int tdJson_GetEnd(const tdJson* json, int value)
{
    const tdJsonValue* v = GetValue(json, value);
    return v != NULL ? (int)v->next : TD_JSON_NONE;
}

/// The decoded text of a string or key with escapes. The array is sorted by owner.
static const char* FindDecoded(const tdJson* json, uint32_t owner, size_t* length)
{
    int low = 0, high = json->decoded.count;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if (json->decoded.data[middle].owner <= owner)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    const tdJsonDecoded* decoded = &json->decoded.data[low];
    TD_ASSERT(decoded->owner == owner);
    *length = decoded->length;
    return json->pool.data != NULL ? json->pool.data + decoded->offset : "";
}

const char* tdJson_GetKey(const tdJson* json, int value, size_t* length)
{
    const tdJsonValue* v = GetValue(json, value);
    *length = 0;
    if (v == NULL || v->key == 0)
    {
        return NULL;
    }
    if ((v->info & TD_JSON_KEY_ESCAPED) != 0)
    {
        return FindDecoded(json, 2 * (uint32_t)value, length);
    }
    *length = FindKeyEnd(json, v) - v->key - 2;
    return json->source + v->key + 1;
}

static bool KeyEquals(const tdJson* json, int value, const char* key, size_t length)
{
    const tdJsonValue* v = &json->values[value];
    if ((v->info & TD_JSON_KEY_ESCAPED) != 0)
    {
        size_t decodedLength;
        const char* decoded = FindDecoded(json, 2 * (uint32_t)value, &decodedLength);
        return decodedLength == length && memcmp(decoded, key, length) == 0;
    }
    // The key's bytes and its closing quote fit before the value, so comparing as many is safe.
    const char* own = json->source + v->key + 1;
    return length + 2 <= v->start - v->key && own[length] == '"' && memcmp(own, key, length) == 0;
}

bool tdJson_KeyEquals(const tdJson* json, int value, const char* key)
{
    const tdJsonValue* v = GetValue(json, value);
    return v != NULL && v->key != 0 && KeyEquals(json, value, key, strlen(key));
}

static int FindMemberByKey(const tdJson* json, int object, const char* key, size_t length)
{
    if (tdJson_GetType(json, object) != TD_JSON_OBJECT)
    {
        return TD_JSON_NONE;
    }
    for (int child = tdJson_GetFirst(json, object); child >= 0; child = tdJson_GetNext(json, child))
    {
        if (KeyEquals(json, child, key, length))
        {
            return child;
        }
    }
    return TD_JSON_NONE;
}

int tdJson_Find(const tdJson* json, int object, const char* key)
{
    return FindMemberByKey(json, object, key, strlen(key));
}

int tdJson_At(const tdJson* json, int array, int index)
{
    const tdJsonValue* v = GetValue(json, array);
    if (TypeOf(v) != TD_JSON_ARRAY || index < 0 || index >= tdJson_GetCount(json, array))
    {
        return TD_JSON_NONE;
    }
    if ((int)v->next - array - 1 == tdJson_GetCount(json, array))
    {
        return array + 1 + index; // no element has children
    }
    int child = array + 1;
    for (int i = 0; i < index; ++i)
    {
        child = (int)json->values[child].next;
    }
    return child;
}

const char* tdJson_GetString(const tdJson* json, int value, size_t* length)
{
    const tdJsonValue* v = GetValue(json, value);
    *length = 0;
    if (TypeOf(v) != TD_JSON_STRING)
    {
        return NULL;
    }
    if ((v->info & TD_JSON_ESCAPED) != 0)
    {
        return FindDecoded(json, 2 * (uint32_t)value + 1, length);
    }
    *length = v->end - v->start - 2;
    return json->source + v->start + 1;
}

bool tdJson_StringEquals(const tdJson* json, int value, const char* text)
{
    size_t length;
    const char* own = tdJson_GetString(json, value, &length);
    return own != NULL && strlen(text) == length && memcmp(own, text, length) == 0;
}

double tdJson_GetNumber(const tdJson* json, int value, double otherwise)
{
    const tdJsonValue* v = GetValue(json, value);
    double number = otherwise;
    if (TypeOf(v) == TD_JSON_NUMBER)
    {
        tdParseDouble(json->source + v->start, v->end - v->start, &number);
    }
    return number;
}

bool tdJson_GetInteger(const tdJson* json, int value, int64_t* integer)
{
    const tdJsonValue* v = GetValue(json, value);
    if (TypeOf(v) != TD_JSON_NUMBER)
    {
        return false;
    }
    const char* text = json->source + v->start;
    size_t length = v->end - v->start;
    if (tdParseInteger(text, length, integer) == length)
    {
        return true;
    }
    // 1.0 and 1e2 are whole numbers too. Doubles beyond 2^53 are whole but may differ from the text.
    double number;
    tdParseDouble(text, length, &number);
    bool isPlain = memchr(text, '.', length) == NULL && memchr(text, 'e', length) == NULL &&
                   memchr(text, 'E', length) == NULL;
    if (isPlain || !(number >= -9007199254740992.0 && number <= 9007199254740992.0) ||
        number != (double)(int64_t)number)
    {
        return false;
    }
    *integer = (int64_t)number;
    return true;
}

/// Index of an array element in a pointer: digits without leading zeros; -1 for anything else.
static int ReadTokenIndex(const char* text, size_t length)
{
    int64_t index = -1;
    bool isPlain = length > 0 && text[0] >= '0' && text[0] <= '9' && length < 11;
    return isPlain && tdParseInteger(text, length, &index) == length && index < INT32_MAX ? (int)index : -1;
}

/// The member whose key is the reference token [token, token + length), in which ~1 is '/' and ~0 is '~'.
static int FindToken(const tdJson* json, int object, const char* token, size_t length)
{
    if (memchr(token, '~', length) == NULL)
    {
        return FindMemberByKey(json, object, token, length);
    }
    for (int child = tdJson_GetFirst(json, object); child >= 0; child = tdJson_GetNext(json, child))
    {
        size_t keyLength;
        const char* key = tdJson_GetKey(json, child, &keyLength);
        size_t at = 0, k = 0;
        while (at < length && k < keyLength)
        {
            bool tilde =
                token[at] == '~' && at + 1 < length && (token[at + 1] == '0' || token[at + 1] == '1');
            char c = tilde ? (token[at + 1] == '0' ? '~' : '/') : token[at];
            if (c != key[k])
            {
                break;
            }
            at += tilde ? 2 : 1;
            ++k;
        }
        if (at == length && k == keyLength)
        {
            return child;
        }
    }
    return TD_JSON_NONE;
}

int tdJson_Resolve(const tdJson* json, const char* pointer)
{
    int value = 0;
    const char* p = pointer;
    while (*p == '/' && value >= 0)
    {
        const char* token = p + 1;
        size_t length = strcspn(token, "/");
        tdJsonType type = tdJson_GetType(json, value);
        value = type == TD_JSON_ARRAY    ? tdJson_At(json, value, ReadTokenIndex(token, length))
                : type == TD_JSON_OBJECT ? FindToken(json, value, token, length)
                                         : TD_JSON_NONE;
        p = token + length;
    }
    return *p == 0 ? value : TD_JSON_NONE;
}
