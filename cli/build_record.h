// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The build record of an output, a small file beside it (NAME.stamp) that tells --resume whether the output
// is up to date: hashes of the inputs with their referenced files, the relevant options, the version, the
// build and the output.
#pragma once

#include "session.h"

typedef struct BuildRecord
{
    uint64_t madeFrom;
} BuildRecord;

/// Hashes the inputs and options of an output.
/// @return false when an input cannot be read
bool MakeBuildRecord(const Session* session, const char* input, BuildRecord* record);
/// True if the output exists and its record on disk matches.
bool IsUpToDate(const BuildRecord* record, const char* output);
/// Writes the record beside the output. False when that failed.
bool WriteBuildRecord(const BuildRecord* record, const char* output);
