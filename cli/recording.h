// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Recordings (.tdrec) of the program: writing one while a player runs, reading them, comparing two.
#pragma once

#include "output_file.h"
#include "session.h"

/// A recording that is being written.
typedef struct RecordFile
{
    OutputFile file;
    tdRecorder* recorder; // NULL: none
} RecordFile;

/// Starts to record a new stage into the file of --record.
/// @return false, after an error message, if that is impossible
bool StartRecord(RecordFile* record, const Session* session, tdStage* stage, tdReport* report);
/// Ends a recording, if there is one, and keeps it if `isWhole`.
/// @return false, after an error message, if it could not be written
bool FinishRecord(RecordFile* record, const Session* session, bool isWhole);

/// Ends a recording, if there is one, without keeping it.
void DropRecord(RecordFile* record);

/// Whether a file starts like a recording.
bool IsRecordingFile(const char* path);
/// Reads a recording. Findings go to the report.
/// @param result receives an exit code if there is none; the error was printed or is in the report
/// @return NULL if there is none
tdRecording* ReadRecording(const Session* session, const char* path, tdReport* report, int* result);

/// Lists the differences of two recordings.
/// @return an exit code: 1 if there are any
int DiffRecordings(const Session* session);
