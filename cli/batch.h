// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Many files, each in a process of its own, so that one that fails takes nothing else along. What they print
// comes out in the order of the list, whichever ends first.
#pragma once

#include "session.h"

/// One file.
/// @param output NULL for a verb that writes none
/// @return an exit code
typedef int RunFileFcn(const Session* session, const char* input, const char* output);

/// True if the command line asks for RunBatch; threads must not be started before it.
bool IsBatch(const Options* options);

/// Runs every file of the command line, those of --shard only, into --out-dir if the verb writes files, and
/// ends with a line that counts.
/// @param first index of the first file that is an input of its own
int RunBatch(Session* session, int first, RunFileFcn* run);
