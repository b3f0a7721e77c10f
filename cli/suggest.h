// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Suggestions for misspelt names: the candidate with the smallest edit distance.
#pragma once

#include <stdbool.h>

/// The best candidate so far.
typedef struct Suggestion
{
    const char* typed;
    const char* best; // NULL: none is close enough
    int distance;
} Suggestion;

Suggestion StartSuggestion(const char* typed);
/// Takes the name if it is closer than the best one and close enough for its length. The suggestion refers to
/// it.
void ConsiderName(Suggestion* suggestion, const char* name);
