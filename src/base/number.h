// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Conversion between numbers and decimal text, exact in both directions and independent of the locale.
// Why the C library is not used: docs/decisions/010-numbers.md.
#pragma once

#include "tendon/base.h"

/// Bytes of the longest text that the writers below produce, with its zero byte.
#define TD_NUMBER_TEXT_SIZE 32

/// True for the ASCII digits, in every locale.
static inline bool tdIsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Reads a JSON number (grammar of RFC 8259) from [text, text + length). The value is the nearest double,
/// ties to even. Overflow gives infinity, underflow a denormal or zero.
/// @return bytes read, 0 if no number starts there
size_t tdParseDouble(const char* text, size_t length, double* value);

/// Reads a whole number that fits an int64.
/// @return bytes read, 0 for a fraction, an exponent, an overflow or no number
size_t tdParseInteger(const char* text, size_t length, int64_t* value);

/// Writes the shortest decimal text that reads back as the same float, with a zero byte: "0" and "-0" for
/// zeros, exponents as in "1e-7". The value must be finite.
/// @return length without the zero byte
size_t tdWriteFloat(char text[TD_NUMBER_TEXT_SIZE], float value);
/// As tdWriteFloat, for a double.
size_t tdWriteDouble(char text[TD_NUMBER_TEXT_SIZE], double value);
/// Writes a whole number and a zero byte.
/// @return length without the zero byte
size_t tdWriteInteger(char text[TD_NUMBER_TEXT_SIZE], int64_t value);
