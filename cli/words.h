// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Small functions on texts and paths.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Compares without the case of ASCII letters, at most `length` characters.
bool StartsWithWord(const char* text, const char* word, size_t length);
/// Whether a path ends in an extension such as ".glb", whatever its case.
bool HasExtension(const char* path, const char* ending);
/// The part after the last slash. The result points into `path`.
const char* GetLastPart(const char* path);
/// A copy for free(); NULL: memory ran out.
char* CopyText(const char* text);
