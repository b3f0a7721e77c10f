// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A growing text and comparisons of strings, independent of the locale.
#pragma once

#include "array.h"

#include <stdarg.h>

/// Ends in a zero byte after the first append; `data` is NULL before it. When out of memory, `failed` is set
/// and all later appends do nothing, so that a writer checks once at the end.
typedef struct tdText
{
    tdAllocator allocator;
    char* data;
    size_t length, capacity;
    bool failed;
    bool* ownerFailed; // also set with `failed`; NULL: none
} tdText;

/// Makes an empty text. It allocates with the first append.
void tdText_Init(tdText* text, const tdAllocator* allocator);
/// As tdText_Init for a part of something larger, whose writer looks at `ownerFailed` at the end: a part that
/// nobody checks cannot get lost.
void tdText_InitPart(tdText* text, const tdAllocator* allocator, bool* ownerFailed);
/// Releases the memory and leaves an empty text that is not failed.
void tdText_Free(tdText* text);
/// Empties the text, keeps its memory and resets `failed`.
void tdText_Clear(tdText* text);
/// Makes room for `capacity` bytes in total, without the zero byte. False: out of memory; sets `failed`.
bool tdText_Reserve(tdText* text, size_t capacity);

/// The appends set `failed` when out of memory.
void tdText_Append(tdText* text, const char* bytes, size_t length);
void tdText_AppendString(tdText* text, const char* zeroTerminated);
void tdText_AppendChar(tdText* text, char c);
/// Appends formatted text. Conversions: %s %.*s %d %u %lld %llu %zu %c %%, and %g for a double: the shortest
/// text that reads back as the same float32 if the value is one, else as the same double. An unknown
/// conversion is an assertion.
void tdText_AppendFormat(tdText* text, const char* format, ...);
void tdText_AppendFormatList(tdText* text, const char* format, va_list arguments);
/// Appends a JSON string with quotes and escapes. Invalid UTF-8 becomes U+FFFD.
void tdText_AppendJsonString(tdText* text, const char* bytes, size_t length);

/// True if both are NULL or both are equal strings.
bool tdStringsEqual(const char* a, const char* b);
/// True if the `length` bytes at `word` are one of the space-separated words of `list`.
bool tdHasWord(const char* list, const char* word, size_t length);
bool tdStartsWith(const char* text, const char* prefix);
bool tdEndsWith(const char* text, const char* ending);
