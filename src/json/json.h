// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Strict JSON (RFC 8259) that keeps its source: every value knows its bytes, numbers keep their text, nothing
// is reordered. A parsed document is immutable; json/edit.h makes a changed one.
//
// Values are ints: 0 is the root, TD_JSON_NONE means "no such value". Every query accepts TD_JSON_NONE, so a
// chain of look-ups needs one check at its end. Not recursive; depth at most 512.
#pragma once

#include "base/text.h"

#define TD_JSON_NONE (-1)
#define TD_JSON_MAX_DEPTH 512

typedef enum tdJsonType
{
    TD_JSON_MISSING, // of TD_JSON_NONE
    TD_JSON_NULL,
    TD_JSON_FALSE,
    TD_JSON_TRUE,
    TD_JSON_NUMBER,
    TD_JSON_STRING,
    TD_JSON_ARRAY,
    TD_JSON_OBJECT,
} tdJsonType;

typedef enum tdJsonErrorCode
{
    TD_JSON_OK,
    TD_JSON_ERROR_SYNTAX,        // something else was expected here; message says what
    TD_JSON_ERROR_STRING,        // control character, bad escape, lone surrogate
    TD_JSON_ERROR_UTF8,          // invalid UTF-8
    TD_JSON_ERROR_NUMBER,        // not a JSON number
    TD_JSON_ERROR_DUPLICATE_KEY, // otherOffset is the first one
    TD_JSON_ERROR_DEPTH,
    TD_JSON_ERROR_TRAILING,  // something after the root value
    TD_JSON_ERROR_TOO_LARGE, // 2 GiB or more
    TD_JSON_ERROR_OUT_OF_MEMORY,
} tdJsonErrorCode;

typedef struct tdJsonError
{
    tdJsonErrorCode code;
    const char* message; // constant text, such as "expected ':' after the key"
    size_t offset;       // of the byte
    size_t otherOffset;  // TD_JSON_ERROR_DUPLICATE_KEY: offset of the first key
} tdJsonError;

/// A parsed document. It borrows the source, which must stay valid and unchanged.
typedef struct tdJson tdJson;

/// @param size may be NULL
const char* tdJson_GetSource(const tdJson* json, size_t* size);
/// True if the source starts with a byte order mark (skipped).
bool tdJson_HasByteOrderMark(const tdJson* json);
int tdJson_GetValueCount(const tdJson* json);

tdJsonType tdJson_GetType(const tdJson* json, int value);
bool tdJson_IsObject(const tdJson* json, int value);
bool tdJson_IsArray(const tdJson* json, int value);

/// The bytes [start, end) of a value; of a member, the value without its key.
void tdJson_GetRange(const tdJson* json, int value, size_t* start, size_t* end);
/// The bytes of the member's key with its quotes; an empty range if the value is not a member.
void tdJson_GetKeyRange(const tdJson* json, int value, size_t* start, size_t* end);
/// 1-based line and column (in characters) of a byte, in O(offset).
void tdJson_Locate(const tdJson* json, size_t offset, int* line, int* column);

/// Number of children of an array or object, 0 for other values.
int tdJson_GetCount(const tdJson* json, int value);
/// Children in the order of the source:
///     for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child))
int tdJson_GetFirst(const tdJson* json, int value);
int tdJson_GetNext(const tdJson* json, int child);
/// The first value that is neither `value` nor inside it: the values (value, end) are all its descendants,
/// containers before their children. GetValueCount at the end of the document.
int tdJson_GetEnd(const tdJson* json, int value);

/// Member by name, in O(members); TD_JSON_NONE if it is absent or `object` is not an object.
int tdJson_Find(const tdJson* json, int object, const char* key);
/// Element by position, in O(index); use GetNext to visit all.
int tdJson_At(const tdJson* json, int array, int index);

/// The key of a member, escapes decoded, not always zero-terminated. NULL if the value is not a member. Valid
/// as long as the document.
const char* tdJson_GetKey(const tdJson* json, int value, size_t* length);
bool tdJson_KeyEquals(const tdJson* json, int value, const char* key);
/// The text of a string, escapes decoded, not always zero-terminated. NULL if it is not a string. Valid as
/// long as the document.
const char* tdJson_GetString(const tdJson* json, int value, size_t* length);
bool tdJson_StringEquals(const tdJson* json, int value, const char* text);
/// The value of a number; `otherwise` if it is not a number.
double tdJson_GetNumber(const tdJson* json, int value, double otherwise);
/// True for a number without a fraction (1, 1.0, 1e2) that fits; sets `integer`.
bool tdJson_GetInteger(const tdJson* json, int value, int64_t* integer);

/// Resolves an RFC 6901 pointer, such as "/nodes/4/name". TD_JSON_NONE if there is no such value.
int tdJson_Resolve(const tdJson* json, const char* pointer);
