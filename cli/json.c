// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// JSON strings and numbers.
#include "json.h"

#include <math.h>
#include <stdlib.h>

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
            fputc(c, out);
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
