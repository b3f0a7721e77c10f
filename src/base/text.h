// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A growing text, and the few text helpers the library needs. Locale-free.
#pragma once

#include "array.h"

#include <stdarg.h>

/// Always ends in a zero byte once something was appended. `failed` sticks when memory ran out, so that a
/// writer checks once at the end.
typedef struct tdText
{
    tdAllocator allocator;
    char* data;
    size_t length, capacity;
    bool failed;
} tdText;

void tdText_Init(tdText* text, const tdAllocator* allocator);
void tdText_Free(tdText* text);
void tdText_Clear(tdText* text);
bool tdText_Reserve(tdText* text, size_t capacity);

void tdText_Append(tdText* text, const char* bytes, size_t length);
void tdText_AppendString(tdText* text, const char* zeroTerminated);
void tdText_AppendChar(tdText* text, char c);
/// Understands %s %.*s %d %u %lld %llu %zu %c %%, and %g for a double (shortest text that reads back as the
/// same float32 if it is one, else as the same double). Nothing else; no locale.
void tdText_AppendFormat(tdText* text, const char* format, ...);
void tdText_AppendFormatList(tdText* text, const char* format, va_list arguments);
/// A JSON string with its quotes and escapes.
void tdText_AppendJsonString(tdText* text, const char* bytes, size_t length);

bool tdStringsEqual(const char* a, const char* b);
/// True if `word` is one of the space-separated words of `list`.
bool tdHasWord(const char* list, const char* word, size_t length);
bool tdStartsWith(const char* text, const char* prefix);
bool tdEndsWith(const char* text, const char* ending);
/// Edits (insert, delete, replace, swap neighbours) between two words; for "did you mean".
int tdEditDistance(const char* a, const char* b);
