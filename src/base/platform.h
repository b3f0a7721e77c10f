// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The operating system as the library uses it: files, threads, processors. No other source of src/ calls the
// system. One source per system implements it: platform_posix.c (Linux, macOS, other Unix),
// platform_windows.c and platform_none.c (WebAssembly). Paths are UTF-8 and use slashes.
// Decision: docs/decisions/130-platforms.md.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- memory -----------------------------------------------------------------------------------------------

/// @param alignment a power of two
/// @return NULL: memory ran out
void* tdPlatform_Allocate(size_t size, size_t alignment);
void tdPlatform_Free(void* memory);

// --- files ------------------------------------------------------------------------------------------------

typedef enum tdFileStatus
{
    TD_FILE_OK,
    TD_FILE_NOT_FOUND,
    TD_FILE_NO_ACCESS,
    TD_FILE_IS_FOLDER,
    TD_FILE_TOO_LARGE,
    TD_FILE_OUT_OF_MEMORY,
    TD_FILE_NO_SPACE,
    TD_FILE_ERROR,
} tdFileStatus;

typedef enum tdPathKind
{
    TD_PATH_FILE,
    TD_PATH_FOLDER,
    TD_PATH_STREAM, // a device, pipe, socket or terminal
} tdPathKind;

/// An open file: a descriptor or a handle of the system.
typedef intptr_t tdFileHandle;

typedef struct tdFileInfo
{
    tdPathKind kind;
    uint64_t size;          // bytes
    uint64_t volume, index; // both equal: the same file
    unsigned mode;          // permissions, for tdPlatform_SetMode
} tdFileInfo;

tdFileHandle tdPlatform_GetStandardInput(void);
tdFileHandle tdPlatform_GetStandardOutput(void);

tdFileStatus tdPlatform_OpenForReading(const char* path, tdFileHandle* file);
/// Opens an existing file, device or pipe without truncating it.
tdFileStatus tdPlatform_OpenForWriting(const char* path, tdFileHandle* file);
/// Creates a file.
/// @param exists true: the name is in use, and nothing was opened
tdFileStatus tdPlatform_CreateFile(const char* path, tdFileHandle* file, bool* exists);
/// Reads at least one byte unless the file ends; `*done` may be less than `size`.
tdFileStatus tdPlatform_ReadFile(tdFileHandle file, void* data, size_t size, size_t* done);
/// Writes at least one byte; `*done` may be less than `size`.
tdFileStatus tdPlatform_WriteFile(tdFileHandle file, const void* data, size_t size, size_t* done);
/// Waits until the written bytes are on the disk. File systems that cannot do that are no error.
tdFileStatus tdPlatform_SyncFile(tdFileHandle file);
/// Closes a file. The error of a delayed write shows up here.
tdFileStatus tdPlatform_CloseFile(tdFileHandle file);
/// Locks a file until it is closed, without waiting. Nobody removes a locked temporary file as a leftover.
/// File systems without locks are no error.
/// @return false: another process holds the lock
bool tdPlatform_LockFile(tdFileHandle file);
/// Sets the permissions of a file to those of another. File systems without permissions are no error.
tdFileStatus tdPlatform_SetMode(tdFileHandle file, unsigned mode);

tdFileStatus tdPlatform_GetFileInfo(tdFileHandle file, tdFileInfo* info);
/// Follows links.
tdFileStatus tdPlatform_GetPathInfo(const char* path, tdFileInfo* info);
/// TD_FILE_OK if the process may write the file.
tdFileStatus tdPlatform_CheckWritable(const char* path);
/// The absolute path without links, for free(). NULL: there is no such file, or memory ran out (`*status`).
char* tdPlatform_ResolvePath(const char* path, tdFileStatus* status);
/// Replaces `target` in one step: other processes see the old file or the new one.
tdFileStatus tdPlatform_ReplaceFile(const char* path, const char* target);
tdFileStatus tdPlatform_RemoveFile(const char* path);
/// True if the folder was created by this call.
bool tdPlatform_MakeFolder(const char* path);
/// Removes an empty folder.
void tdPlatform_RemoveFolder(const char* path);

uint64_t tdPlatform_GetProcessId(void);

// --- threads ----------------------------------------------------------------------------------------------

/// Memory for a lock or condition of any system; the sources assert that it is large enough.
typedef union tdSystemObject
{
    void* pointers[8];
    long long words[8];
} tdSystemObject;

typedef struct tdMutex
{
    tdSystemObject object;
} tdMutex;

typedef struct tdCondition
{
    tdSystemObject object;
} tdCondition;

typedef struct tdThread
{
    tdSystemObject object;
} tdThread;

void tdMutex_Init(tdMutex* mutex);
void tdMutex_Destroy(tdMutex* mutex);
void tdMutex_Lock(tdMutex* mutex);
void tdMutex_Unlock(tdMutex* mutex);

void tdCondition_Init(tdCondition* condition);
void tdCondition_Destroy(tdCondition* condition);
/// Unlocks the mutex, waits and locks it again. May return without a signal.
void tdCondition_Wait(tdCondition* condition, tdMutex* mutex);
void tdCondition_Signal(tdCondition* condition);
void tdCondition_Broadcast(tdCondition* condition);

typedef void tdThreadFcn(void* context);
/// @param thread must stay where it is until tdThread_Join
/// @return false: the system has no more threads
bool tdThread_Start(tdThread* thread, tdThreadFcn* run, void* context);
void tdThread_Join(tdThread* thread);

/// Lets another thread run.
void tdPlatform_Yield(void);
/// Processors that the system has, at least 1.
int tdPlatform_CountProcessors(void);
