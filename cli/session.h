// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The session that all verbs share: parsed command line, output streams, threads, loading files, reporting
// findings.
#pragma once

#include "options.h"
#include "progress_line.h"
#include "terminal.h"

enum
{
    EXIT_FINE = 0,
    EXIT_FOUND_ERRORS = 1,
    EXIT_USAGE = 2,
    EXIT_IO = 3,
    EXIT_BUG = 4,
    EXIT_INTERRUPTED = 130,
};

typedef struct Session
{
    const Options* options;
    Screen out, err;
    const tdTasks* threads; // NULL: none
    int threadCount;
    const char* boneMap;   // text of --map; NULL: none
    const char* avatarMap; // text of --avatar-map; NULL: --map counts for the avatar, too
    tdLimits limits;       // of --limit
    bool isQuiet;
    bool isVerbose;
    volatile double* fraction; // progress of a worker's file, shared with the parent; NULL: not a worker
    const char* lockFolder;    // folder whose lock keeps workers from choosing the same file name; NULL: none
    tdProgress* work;          // progress of the library
} Session;

/// One verb. Returns an exit code.
int RunInspect(Session* session);
int RunCheck(Session* session);
int RunTrace(Session* session);
int RunBake(Session* session);
int RunRetarget(Session* session);
int RunConvert(Session* session);
int RunView(Session* session);
int RunRender(Session* session);
int RunServe(Session* session);
int RunPlot(Session* session);
int RunDiff(Session* session);
int RunReplay(Session* session);

/// Renders one file with the options of the session.
/// @param path "-": standard output
/// @return an exit code
int RenderFile(const Session* session, const char* input, const char* path);
/// The same into a stream, which stays open. The exit code is at most EXIT_FOUND_ERRORS if it was drawn.
int RenderToStream(const Session* session, const char* input, FILE* stream);

/// The worse of two exit codes: bug, then I/O failure, then errors of the file.
int WorseExit(int a, int b);

/// Starts worker threads. If that fails, everything runs on the calling thread with the same results.
void StartThreads(Session* session, int count);
/// Starts the progress of one file or of a batch.
Progress StartWork(const Session* session, const char* label);
/// Shows the progress of a library call until EndProgressLine; nothing with --quiet.
void StartLoadProgress(ProgressLine* line, const Session* session, const char* path);

tdLoadDef MakeLoadDef(const Session* session);
/// Loads a file with the options of the session. Findings go to the report.
tdAsset* LoadFile(const Session* session, const char* path, tdLoadLevel level, tdReport* report);
/// Loads the avatar of a retarget, with the options that are for it alone.
tdAsset* LoadAvatar(const Session* session, const char* path, tdLoadLevel level, tdReport* report);
/// Parses the value of --contacts into bits of tdMotionContactKind. False if it has no meaning.
bool ParseContacts(const char* text, unsigned* contacts);
/// Reads --limit into session->limits and reports a name or value without meaning.
/// @return false if there was one
bool ReadLimits(Session* session);
/// Reports values of --rest, --avatar-rest and --contacts that have no meaning.
/// @return false if there was one
bool CheckHumanoidOptions(const Session* session);
/// Adds OUT_OF_MEMORY if an allocation was refused, also where the library has not reported it.
void NoteMemory(tdReport* report);
/// Exit code of a report: 3 for I/O and memory errors, 1 for errors of the file.
int GetReportExit(const tdReport* report);
/// The path as shown to users: "standard input" for "-".
const char* NameFile(const char* path);

/// False, after an error message, if the folder of -o does not exist. Called before a run, which may be long.
bool HasOutputFolder(const Session* session);
/// Reports and returns true if binary output would go to a terminal.
bool IsTerminalOutput(const Session* session, const char* path);

#define INPUT_TEXT_SIZE 1024
/// Appends "file (8.1 MB)" to a text of inputs, with a plus between two of them.
void AppendInput(char text[INPUT_TEXT_SIZE], const char* path, const tdAsset* asset);

/// Saves an asset; Ctrl-C is deferred until the file is complete. The closing line names the inputs, the
/// output with its size, and `facts` ("" for none).
/// @return an exit code, that of the findings included
/// @param input as named on the command line
int SaveFile(const Session* session, const tdAsset* asset, const char* input, const char* path,
             const char* inputs, const char* facts, tdReport* report);

/// Prints an error message if an allocation was refused.
/// @return `result`, or EXIT_IO if that is worse
int ReportMemory(int result);

/// Prints the findings of a file without output, with --json as the line of the file.
/// @return an exit code other than 0
int FailFile(const Session* session, const char* input, tdReport* report);

/// Prints one line per finding: "file:line:column: severity: message (code, pointer)".
/// @param least least severe findings that are printed
void PrintFindings(const Screen* screen, const tdReport* report, tdSeverity least);
/// Prints findings of verbs other than check to standard error: errors and warnings, with --quiet only
/// errors, with --verbose all.
void ReportFindings(const Session* session, const tdReport* report);
/// "1 error, 2 warnings", "no findings".
void FormatCounts(char text[96], const tdReport* report);

/// Prints an error message to standard error: "tendon VERB: …".
void Complain(const Session* session, const char* format, ...) CHECK_FORMAT(2, 3);
