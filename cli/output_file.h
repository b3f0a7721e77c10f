// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// An output: standard output, or a file that gets its name only when it is complete.
#pragma once

#include "compiler.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct OutputFile
{
    FILE* stream;
    const char* path;        // as given; "-": standard output
    char* temporaryPath;     // NULL: written directly (standard output, a pipe, a device)
    char* targetPath;        // the file to replace
    bool isBorrowed;         // the stream stays open
    bool isBroken;           // the reader closed the pipe: not an error, but the run can stop
    int error;               // errno of the first failure
    atomic_size_t byteCount; // a progress line may read it
} OutputFile;

/// Opens an output. False when that failed; `error` has the reason.
bool OpenOutput(OutputFile* file, const char* path);
/// A tdWriteFcn; the context is an OutputFile.
bool WriteOutput(void* context, const char* bytes, size_t size);
/// Renames the file to its target if everything was written and `isWhole`; removes it otherwise.
/// @return false if writing failed; `error` has the reason
bool CloseOutput(OutputFile* file, bool isWhole);
