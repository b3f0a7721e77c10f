// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Edit distance with swaps of neighbours (optimal string alignment), letters compared without case.
#include "suggest.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define LONGEST_NAME 63

static int Minimum(int a, int b)
{
    return a < b ? a : b;
}

static int Lower(char c)
{
    return tolower((unsigned char)c);
}

static int EditDistance(const char* a, const char* b)
{
    size_t lengthA = strlen(a), lengthB = strlen(b);
    if (lengthA > LONGEST_NAME || lengthB > LONGEST_NAME)
    {
        return INT_MAX;
    }
    int rows[3][LONGEST_NAME + 1];
    for (size_t j = 0; j <= lengthB; ++j)
    {
        rows[0][j] = (int)j;
    }
    for (size_t i = 1; i <= lengthA; ++i)
    {
        int* row = rows[i % 3];
        const int* above = rows[(i + 2) % 3];
        const int* twoAbove = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= lengthB; ++j)
        {
            bool isSame = Lower(a[i - 1]) == Lower(b[j - 1]);
            row[j] = Minimum(above[j - 1] + (isSame ? 0 : 1), Minimum(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) && Lower(a[i - 2]) == Lower(b[j - 1]))
            {
                row[j] = Minimum(row[j], twoAbove[j - 2] + 1);
            }
        }
    }
    return rows[lengthA % 3][lengthB];
}

Suggestion StartSuggestion(const char* typed)
{
    return (Suggestion){typed, NULL, INT_MAX};
}

void ConsiderName(Suggestion* suggestion, const char* name)
{
    // Up to a third of the letters may differ; a name that starts with the typed text counts as one edit.
    size_t typedLength = strlen(suggestion->typed);
    int distance = EditDistance(suggestion->typed, name);
    if (typedLength >= 2 && strncmp(suggestion->typed, name, typedLength) == 0)
    {
        distance = Minimum(distance, 1);
    }
    int allowed = (int)(strlen(name) + 2) / 3;
    if (distance <= allowed && distance < suggestion->distance)
    {
        suggestion->best = name;
        suggestion->distance = distance;
    }
}
