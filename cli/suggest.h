// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// "Did you mean": the nearest of some names to what the user typed.
#pragma once

#include <stdbool.h>

/// The best candidate so far.
typedef struct Suggestion
{
    const char* typed;
    const char* best; // NULL: nothing near enough
    int distance;
} Suggestion;

Suggestion StartSuggestion(const char* typed);
/// Takes the name if it is nearer than the best one and near enough for its length. It must outlive the
/// suggestion.
void ConsiderName(Suggestion* suggestion, const char* name);
