// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Processes many files, each in its own process, so that a crash affects one file only. Output appears in the
// order of the list.
#pragma once

#include "session.h"

/// Processes one file.
/// @param output NULL for a verb that writes none
/// @return an exit code
typedef int RunFileFcn(const Session* session, const char* input, const char* output);

/// True if the command line needs RunBatch, which must run before threads start.
bool IsBatch(const Options* options);

/// Processes the files of the command line or of --shard, writes to --out-dir, and prints a line with the
/// counts.
/// @param first index of the first input file
int RunBatch(Session* session, int first, RunFileFcn* run);
