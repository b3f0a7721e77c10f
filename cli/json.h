// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writing JSON: strings and numbers. Members are written by hand, with their commas.
#pragma once

#include <stdio.h>

/// A string with quotes and escapes.
void PrintJsonText(FILE* out, const char* text);
/// Shortest digits that read back as the same float; null when it is not finite.
void PrintJsonFloat(FILE* out, float value);
