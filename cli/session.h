// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What every verb shares: the parsed command line, the two screens, threads, loading files and reporting
// findings.
#pragma once

#include "options.h"
#include "terminal.h"
#include "ticker.h"

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
    const tdTasks* threads; // NULL: none, or not yet
    int threadCount;
    const char* boneMap; // text of --map; NULL: none
    bool isQuiet;
    volatile double* fraction; // of a worker's file that is done, for the progress line of all; NULL: alone
    const char* lockFolder;    // where other workers write, too; NULL: alone
    tdProgress* work;          // how far the library is, for tickers
} Session;

/// One verb. Returns an exit code.
int RunInspect(Session* session);
int RunCheck(Session* session);
int RunTrace(Session* session);
int RunBake(Session* session);
int RunRetarget(Session* session);
int RunConvert(Session* session);
int RunView(Session* session);

/// The worse of two exit codes: a bug, then a file that cannot be read or written, then errors.
int WorseExit(int a, int b);

/// Starts that many threads; without them everything runs on the caller's, with the same results.
void StartThreads(Session* session, int count);
/// A progress line for one file, or for many.
Progress StartWork(const Session* session, const char* label);
/// Shows on a terminal how far the library is with a file, until EndTicker; nothing when quiet.
void StartLibraryTicker(Ticker* ticker, const Session* session, const char* path);

tdLoadDef MakeLoadDef(const Session* session);
/// Loads a file as the options say. Findings are in the report.
tdAsset* LoadFile(const Session* session, const char* path, tdReport* report);
/// What the report means for the exit code: 3 when the machine was at fault, 1 when the file was.
int GetReportExit(const tdReport* report);
/// A path as a person knows it: "standard input" for "-".
const char* NameFile(const char* path);

/// Says so and returns true if a binary file would go to a terminal.
bool IsTerminalOutput(const Session* session, const char* path);

#define INPUT_TEXT_SIZE 1024
/// Appends "file (8.1 MB)" to a text of inputs, with a plus between two of them.
void AppendInput(char text[INPUT_TEXT_SIZE], const char* path, const tdAsset* asset);

/// Writes an asset; Ctrl-C waits until the file is whole. The closing line tells what happened: inputs, the
/// output with its size, and `facts` ("" for none).
/// @return an exit code, that of the findings included
/// @param input as named on the command line
int SaveFile(const Session* session, const tdAsset* asset, const char* input, const char* path,
             const char* inputs, const char* facts, tdReport* report);

/// The end of a file that gave no output: prints its findings, with --json as the file's line.
/// @return an exit code other than 0
int FailFile(const Session* session, const char* input, tdReport* report);

/// One line per finding: "file:line:column: severity: sentence (code, pointer)".
/// @param least findings less severe than this are left out
void PrintFindings(const Screen* screen, const tdReport* report, tdSeverity least);
/// Findings that are no result of a verb go to standard error: errors and warnings, with --quiet only errors.
void ReportFindings(const Session* session, const tdReport* report);
/// "1 error, 2 warnings", "no findings".
void FormatCounts(char text[96], const tdReport* report);

/// A complaint on standard error: "tendon VERB: …".
void Complain(const Session* session, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
