// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What an output was made from, kept in a small file beside it (NAME.stamp), so that --resume can tell
// whether it is up to date: hashes of the inputs with the files they refer to, the options that matter, the
// version and the build, and of the output itself.
#pragma once

#include "session.h"

typedef struct Stamp
{
    uint64_t madeFrom;
} Stamp;

/// @return false when an input cannot be read
bool MakeStamp(const Session* session, const char* input, Stamp* stamp);
bool IsUpToDate(const Stamp* stamp, const char* output);
bool WriteStamp(const Stamp* stamp, const char* output);
