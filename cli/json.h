// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes JSON strings and numbers. Callers write the punctuation.
#pragma once

#include <stdio.h>

/// Prints a string with quotes and escapes.
void PrintJsonText(FILE* out, const char* text);
/// Prints the shortest digits that read back as the same float; null when it is not finite.
void PrintJsonFloat(FILE* out, float value);
