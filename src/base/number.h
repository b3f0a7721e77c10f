// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Numbers and text, without the C library's locale: exact both ways.
#pragma once

#include "tendon/base.h"

/// Longest text any writer here makes, with its zero byte.
#define TD_NUMBER_TEXT_SIZE 32

/// Reads a JSON number (RFC 8259 grammar) from [text, text + length). Correctly rounded to the nearest
/// double, ties to even; beyond the range gives infinity, below gives zero or a denormal.
/// @return bytes read, 0 if no number starts there
size_t tdParseDouble(const char* text, size_t length, double* value);

/// The same with a whole number that fits an int64; 0 bytes when there is a fraction, an exponent or
/// overflow.
size_t tdParseInteger(const char* text, size_t length, int64_t* value);

/// Shortest decimal text that reads back as the same value; "0" and "-0" for zeros, exponents as in "1e-7".
/// The value must be finite. Returns the length; `text` gets a zero byte.
size_t tdWriteFloat(char text[TD_NUMBER_TEXT_SIZE], float value);
size_t tdWriteDouble(char text[TD_NUMBER_TEXT_SIZE], double value);
size_t tdWriteInteger(char text[TD_NUMBER_TEXT_SIZE], int64_t value);
