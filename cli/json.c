// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// JSON strings and numbers.
#include "json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// Length of the UTF-8 sequence, 1 to 4, or 0 when invalid (surrogates and overlong forms included).
static int MeasurePoint(const unsigned char* c)
{
    if (c[0] < 0x80)
    {
        return 1;
    }
    int size = c[0] >= 0xC2 && c[0] < 0xE0   ? 2
               : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
               : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                             : 0;
    for (int i = 1; i < size; ++i)
    {
        if ((c[i] & 0xC0) != 0x80) // also stops at the terminating zero
        {
            return 0;
        }
    }
    bool isOdd = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] >= 0xA0) ||
                 (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] >= 0x90);
    return size > 0 && isOdd ? 0 : size;
}

void PrintJsonText(FILE* out, const char* text)
{
    fputc('"', out);
    for (; *text != '\0'; ++text)
    {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
        {
            fprintf(out, "\\%c", c);
        }
        else if (c < 0x20)
        {
            fprintf(out, "\\u%04x", (unsigned)c);
        }
        else
        {
            // File names may be any bytes, JSON is UTF-8.
            int size = MeasurePoint((const unsigned char*)text);
            fprintf(out, "%.*s", size > 0 ? size : 3, size > 0 ? text : "\xEF\xBF\xBD");
            text += size > 0 ? size - 1 : 0;
        }
    }
    fputc('"', out);
}

void PrintJsonFloat(FILE* out, float value)
{
    if (!isfinite(value))
    {
        fputs("null", out);
        return;
    }
    char text[32];
    for (int digits = 6; digits <= 9; ++digits)
    {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
        {
            break;
        }
    }
    fputs(text, out);
}
