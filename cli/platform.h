// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The operating system as the program uses it: files and folders, terminals, interrupts, processes, sockets.
// No other source of cli/ calls the system. platform_posix.c and platform_windows.c implement it. Paths are
// UTF-8 and use slashes; functions that fail set errno. Decision: docs/decisions/130-platforms.md.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// --- the process ------------------------------------------------------------------------------------------

/// Prepares the standard streams: closed ones fail instead of naming the next file that is opened; consoles
/// of Windows show UTF-8 and colours.
void PrepareStreams(void);
/// The arguments of the command line in UTF-8. On Windows backslashes become slashes.
char** GetArguments(int* count, char** arguments);
/// Value of an environment variable in UTF-8; NULL: not set. The next call may overwrite it.
const char* GetVariable(const char* name);
/// Path of the running program. False if the system does not tell.
bool GetProgramPath(char* path, size_t size);
uint64_t GetOwnProcessId(void);
/// At least 1.
int CountProcessors(void);
/// Monotonic time in seconds.
double GetMonotonicSeconds(void);
bool IsTerminal(FILE* stream);
/// True for a pipe or socket without a reader. Only for use after a write to it has failed.
bool HasNoReader(FILE* stream);
/// Ends the process without flushing streams. May be called from handlers.
_Noreturn void EndProcess(int exitCode);
/// Writes a text to standard error. May be called from handlers.
void PrintFromHandler(const char* text);

// --- files ------------------------------------------------------------------------------------------------

typedef enum PathKind
{
    PATH_FILE,
    PATH_FOLDER,
    PATH_STREAM, // a device, pipe, socket or terminal
    PATH_LINK,   // only from GetLinkInfo
} PathKind;

typedef struct PathInfo
{
    PathKind kind;
    uint64_t size;          // bytes
    uint64_t volume, index; // both equal: the same file
    uint64_t modified;      // changes with the contents
} PathInfo;

/// Follows links. False with errno if there is no such file.
bool GetPathInfo(const char* path, PathInfo* info);
/// As GetPathInfo, but a link is PATH_LINK.
bool GetLinkInfo(const char* path, PathInfo* info);
/// As fopen. "x" in the mode: the file must not exist.
FILE* OpenStream(const char* path, const char* mode);
/// Waits until the bytes of a flushed stream are on the disk.
bool SyncStream(FILE* stream);
/// Locks a stream's file until it is closed, without waiting. False: another process holds the lock. File
/// systems without locks are accepted.
bool LockStream(FILE* stream);
/// True if another process has locked a file, or if that cannot be told. Does not follow links.
bool IsFileLocked(const char* path);
/// Removes a regular file unless another process has locked it.
void RemoveUnlockedFile(const char* path);
/// The absolute path without links, for free(). NULL with errno if there is no such file.
char* ResolvePath(const char* path);
/// Whether the process may write an existing file.
bool IsWritable(const char* path);
/// Gives a file the permissions of another.
void CopyPermissions(const char* from, const char* to);
/// Replaces `target` in one step: other processes see the old file or the new one.
bool RenameOver(const char* path, const char* target);
/// May be called from handlers.
void RemoveFile(const char* path);
/// Creates one folder. False with errno, such as EEXIST.
bool MakeOneFolder(const char* path);

/// The names of a folder, one after the other, without "." and "..".
typedef struct Folder Folder;
Folder* OpenFolder(const char* path);
/// The next name; NULL: no more. Valid until the next call.
const char* ReadFolder(Folder* folder);
void CloseFolder(Folder* folder);

/// Keeps other processes out of a folder that do the same, until UnlockFolder. File systems without locks are
/// accepted. -1: nothing is locked.
intptr_t LockFolder(const char* folder);
void UnlockFolder(intptr_t lock);

/// A stream whose bytes end up in memory.
typedef struct MemoryStream
{
    FILE* stream; // NULL: could not be opened
    char* text;   // after CloseMemoryStream, for free(), with a zero after its end; NULL: memory ran out
    size_t size;
} MemoryStream;
bool OpenMemoryStream(MemoryStream* memory);
void CloseMemoryStream(MemoryStream* memory);

// --- interrupts -------------------------------------------------------------------------------------------

/// Handlers run in a signal handler, or on Windows in a thread of the system.
typedef struct Handlers
{
    void (*interrupt)(void);     // Ctrl-C, termination, a closed terminal
    void (*crash)(bool isAbort); // does not return
} Handlers;
/// Installs the handlers; writes to closed pipes fail instead of ending the process.
void InstallSystemHandlers(const Handlers* handlers);
/// Between the two calls no interrupt is handled. Threads started between them do not handle interrupts.
void BlockInterrupts(void);
void UnblockInterrupts(void);

// --- a thread in the background ---------------------------------------------------------------------------

typedef struct Background Background;
typedef void RunBackgroundFcn(Background* background, void* context);
/// NULL: the system has no more threads.
Background* StartBackground(RunBackgroundFcn* run, void* context);
/// Called by the thread: waits until EndBackground is called (true) or some milliseconds have passed (false).
bool WaitForEnd(Background* background, int milliseconds);
/// Ends the thread and waits for it.
void EndBackground(Background* background);

// --- worker processes -------------------------------------------------------------------------------------

/// A worker process; its standard output and error are pipes to this process.
typedef struct WorkerProcess
{
    intptr_t process;
    intptr_t streams[2]; // -1: closed
} WorkerProcess;

/// Returns the exit code of the worker.
typedef int RunWorkerFcn(void* context);

/// Starts a worker that calls `run`. Where processes cannot be forked (Windows), the program starts once more
/// with the same arguments, and GetWorkerRequest returns `request` there. False with errno.
bool StartWorkerProcess(WorkerProcess* worker, const char* request, RunWorkerFcn* run, void* context);
/// The request of the process that started this one as a worker; NULL: this is no such worker.
const char* GetWorkerRequest(void);
/// Waits until a stream has bytes or ends, at most some milliseconds.
void WaitForStreams(const intptr_t* streams, int count, int milliseconds, bool* isReady);
/// Reads from a stream that is ready. 0: the stream has ended; -1: try again.
long ReadWorkerStream(intptr_t stream, char* data, size_t size);
void CloseWorkerStream(intptr_t stream);
/// Waits for the end of a worker and returns its exit code. `*signal` is what ended a crashed one, else 0.
int EndWorkerProcess(WorkerProcess* worker, int* signal);
/// Asks a worker to end. May be called from handlers.
void InterruptWorker(intptr_t process);
/// Waits for the end of an interrupted worker. May be called from handlers.
void AwaitWorker(intptr_t process);
/// Memory that the workers started later share with this process; one per process. NULL: memory ran out.
void* ShareMemory(size_t size);
void UnshareMemory(void* memory, size_t size);

// --- other programs ---------------------------------------------------------------------------------------

/// Starts a program of the search path with a stream to its standard input. NULL: it cannot be started.
/// @param arguments the name first, NULL after the last
FILE* StartProgram(const char* const* arguments, intptr_t* process);
/// True if the program ends with exit code 0. Close the stream first.
bool AwaitProgram(intptr_t process);
/// Opens a path or address with the program of the desktop for it. False if there is none.
bool OpenOnDesktop(const char* place);
/// Name of the program that OpenOnDesktop starts.
const char* GetDesktopOpener(void);

// --- sockets ----------------------------------------------------------------------------------------------

/// Listens on 127.0.0.1. -1 with errno. `*port` 0: any free one.
intptr_t ListenOnPort(int* port);
/// The next connection, or -1 if none comes within some milliseconds (-1: waits).
intptr_t AcceptConnection(intptr_t listener, int milliseconds);
/// Sends all bytes. False if the other side has closed the connection.
bool SendBytes(intptr_t connection, const char* bytes, size_t size);
/// Receives at least one byte; 0 if none comes in time or the connection ends.
size_t ReceiveBytes(intptr_t connection, char* bytes, size_t size, int milliseconds);
void CloseConnection(intptr_t connection);
/// Handles a connection in a process of its own, so that a crash ends one answer only. The connection belongs
/// to the callee. On Windows the request of the worker is "serve CONNECTION".
typedef void AnswerFcn(void* context, intptr_t connection);
bool AnswerInWorker(intptr_t listener, intptr_t connection, AnswerFcn* answer, void* context);
/// Workers of AnswerInWorker that still run; waits for one to end if there are `most`.
int CountAnswers(int most);
/// Discards standard error until the process ends.
void DiscardErrors(void);
