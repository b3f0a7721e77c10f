// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Where a result goes: standard output, or a file that appears under its name only when it is whole.
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct Sink
{
    FILE* stream;
    const char* path;    // as given; "-": standard output
    char* temporaryPath; // NULL: written directly (standard output, a pipe, a device)
    char* targetPath;    // what it will replace
    bool isBroken;       // the reader of a pipe went away: no error, but no use in going on
    int error;           // errno of the first failure
    size_t byteCount;
} Sink;

/// True for a pipe or a socket whose reader went away.
bool HasNoReader(int file);

bool OpenSink(Sink* sink, const char* path);
/// Has the signature of tdWriteFcn with the sink as context.
bool WriteToSink(void* context, const char* bytes, size_t size);
/// Gives the file its name if everything was written and `isWhole`; removes it otherwise.
/// @return false if the result could not be written; `error` says why
bool CloseSink(Sink* sink, bool isWhole);
