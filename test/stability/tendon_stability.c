// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures scenes that must stand, topple at the angle of statics, or keep their energy, and prints a table
// of values, bars and verdicts. The argument is a part of the names of the scenes that are wanted. 60 Hz,
// default sub-steps, sleep off unless the name says otherwise.
#include "stability.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char* wanted = "";
static char scene[128];
static int failCount;

bool WantScene(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(scene, sizeof(scene), format, arguments);
    va_end(arguments);
    return strstr(scene, wanted) != NULL;
}

void PrintRow(bool passes, const char* bar, const char* format, ...)
{
    char value[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(value, sizeof(value), format, arguments);
    va_end(arguments);
    failCount += passes ? 0 : 1;
    (void)printf("| %s | %s | %s | %s |\n", scene, value, bar, passes ? "holds" : "FAILS");
    (void)fflush(stdout);
}

int main(int argc, char** argv)
{
    wanted = argc > 1 ? argv[1] : "";
    (void)printf("| scene | measured | bar | verdict |\n|---|---|---|---|\n");
    MeasureStanding();
    MeasureEnergy();
    MeasureScales();
    (void)printf("\n%d of the rows fail\n", failCount);
    return failCount > 0 ? 1 : 0;
}
