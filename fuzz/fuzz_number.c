// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes number conversion against the C library: text of number characters must parse to the value of
// strtod, and any double must survive the round trip through its shortest text.
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void Require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

static void ReadText(const uint8_t* data, size_t size)
{
    static const char characters[] = "0123456789.eE+-0";
    char text[2000];
    size_t length = size < sizeof(text) - 1 ? size : sizeof(text) - 1;
    for (size_t i = 0; i < length; ++i)
    {
        text[i] = characters[data[i] % 16];
    }
    text[length] = 0;
    double own;
    size_t used = tdParseDouble(text, length, &own);
    if (used > 0)
    {
        text[used] = 0; // strtod accepts more than JSON, such as "1."
        char* end;
        double reference = strtod(text, &end);
        Require(end == text + used && memcmp(&own, &reference, sizeof(own)) == 0);
        int64_t integer;
        size_t integerUsed = tdParseInteger(text, used, &integer);
        Require(integerUsed == 0 || (integerUsed == used && (double)integer == own));
    }
}

static void WriteBits(const uint8_t* data)
{
    char text[TD_NUMBER_TEXT_SIZE];
    double value, back;
    memcpy(&value, data, sizeof(value));
    if (isfinite(value))
    {
        size_t length = tdWriteDouble(text, value);
        Require(tdParseDouble(text, length, &back) == length && memcmp(&back, &value, sizeof(value)) == 0);
    }
    float single;
    memcpy(&single, data, sizeof(single));
    if (isfinite(single))
    {
        size_t length = tdWriteFloat(text, single);
        float again = strtof(text, NULL);
        Require(strlen(text) == length && memcmp(&again, &single, sizeof(single)) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    ReadText(data, size);
    if (size >= 8)
    {
        WriteBits(data);
    }
    return 0;
}
