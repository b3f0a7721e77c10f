// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The input files of a run: those of the command line, of --files-from, and of folders.
#pragma once

#include "options.h"

/// Replaces folders by their files, sorted by name, and appends the names of --files-from. Verbs that take a
/// single file keep a folder, which they refuse as unreadable.
/// @return an exit code; other than 0 after an error message
int ExpandInputs(Options* options, FILE* errors);
/// Frees what ExpandInputs allocated.
void FreeInputs(struct InputList* inputs);
