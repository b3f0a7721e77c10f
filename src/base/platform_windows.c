// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The platform layer of Windows. Paths are converted to UTF-16, so that every name works whatever the code
// page is; absolute paths get the prefix that lifts the limit of 260 characters.
#include "platform.h"

#if defined(_WIN32)

#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <assert.h>
#include <malloc.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

// A virus scanner or indexer may hold a file for a moment after it was written.
#define RENAME_ATTEMPTS 20
#define RENAME_WAIT 10               // ms
#define LONGEST_PATH 32768           // characters, with the prefix
#define LARGEST_TRANSFER 0x40000000u // bytes; the system counts in 32 bits
#define LOCK_OFFSET_HIGH                                                                                     \
    0x7fffffffu // upper half of the offset of the locked byte; also in cli/platform_windows.c

// --- memory -----------------------------------------------------------------------------------------------

void* tdPlatform_Allocate(size_t size, size_t alignment)
{
    return _aligned_malloc(size, alignment < sizeof(void*) ? sizeof(void*) : alignment);
}

void tdPlatform_Free(void* memory)
{
    _aligned_free(memory);
}

// --- files ------------------------------------------------------------------------------------------------

static tdFileStatus GetErrorStatus(DWORD error)
{
    switch (error)
    {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_DIRECTORY:
        return TD_FILE_NOT_FOUND;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
        return TD_FILE_NO_ACCESS;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return TD_FILE_OUT_OF_MEMORY;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return TD_FILE_NO_SPACE;
    default:
        return TD_FILE_ERROR;
    }
}

/// The path for the wide functions, for free(). NULL with the last error set.
static wchar_t* MakeWidePath(const char* path)
{
    static const wchar_t prefix[] = L"\\\\?\\", netPrefix[] = L"\\\\?\\UNC\\";
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t* wide = length > 0 ? malloc(sizeof(wchar_t) * (size_t)length) : NULL;
    if (wide == NULL)
    {
        SetLastError(length > 0 ? ERROR_OUTOFMEMORY : ERROR_INVALID_NAME);
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, length);
    for (wchar_t* c = wide; *c != 0; ++c)
    {
        *c = *c == L'/' ? L'\\' : *c;
    }
    if (length < 200 || wcsncmp(wide, L"\\\\?\\", 4) == 0)
    {
        return wide; // the system completes relative paths, which may become longer than the given ones
    }
    DWORD fullLength = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t* full = fullLength > 0 ? malloc(sizeof(wchar_t) * (fullLength + 8)) : NULL;
    if (full != NULL)
    {
        bool isNet = wcsncmp(wide, L"\\\\", 2) == 0;
        const wchar_t* start = isNet ? netPrefix : prefix;
        size_t offset = wcslen(start);
        GetFullPathNameW(wide, fullLength, full + offset - (isNet ? 2 : 0), NULL);
        memcpy(full, start, sizeof(wchar_t) * offset);
    }
    free(wide);
    return full;
}

static tdFileStatus OpenPath(const char* path, DWORD access, DWORD disposition, DWORD flags,
                             tdFileHandle* file)
{
    wchar_t* wide = MakeWidePath(path);
    HANDLE handle = INVALID_HANDLE_VALUE;
    DWORD error = GetLastError();
    if (wide != NULL)
    {
        handle = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                             disposition, FILE_ATTRIBUTE_NORMAL | flags, NULL);
        error = GetLastError();
        free(wide);
    }
    SetLastError(error);
    *file = (tdFileHandle)handle;
    return handle == INVALID_HANDLE_VALUE ? GetErrorStatus(error) : TD_FILE_OK;
}

tdFileHandle tdPlatform_GetStandardInput(void)
{
    return (tdFileHandle)GetStdHandle(STD_INPUT_HANDLE);
}

tdFileHandle tdPlatform_GetStandardOutput(void)
{
    return (tdFileHandle)GetStdHandle(STD_OUTPUT_HANDLE);
}

tdFileStatus tdPlatform_OpenForReading(const char* path, tdFileHandle* file)
{
    // With this flag folders open, too, and are reported as such.
    return OpenPath(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, file);
}

tdFileStatus tdPlatform_OpenForWriting(const char* path, tdFileHandle* file)
{
    return OpenPath(path, GENERIC_WRITE, OPEN_EXISTING, 0, file);
}

tdFileStatus tdPlatform_CreateFile(const char* path, tdFileHandle* file, bool* exists)
{
    tdFileStatus status = OpenPath(path, GENERIC_WRITE, CREATE_NEW, 0, file);
    DWORD error = GetLastError();
    *exists = status != TD_FILE_OK && (error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS);
    return status;
}

tdFileStatus tdPlatform_ReadFile(tdFileHandle file, void* data, size_t size, size_t* done)
{
    DWORD count = 0;
    bool isRead = ReadFile((HANDLE)file, data, size < LARGEST_TRANSFER ? (DWORD)size : LARGEST_TRANSFER,
                           &count, NULL) != 0;
    DWORD error = isRead ? 0 : GetLastError();
    *done = count;
    // The writer of a pipe has ended.
    return isRead || error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ? TD_FILE_OK
                                                                             : GetErrorStatus(error);
}

tdFileStatus tdPlatform_WriteFile(tdFileHandle file, const void* data, size_t size, size_t* done)
{
    DWORD count = 0;
    bool isWritten = WriteFile((HANDLE)file, data, size < LARGEST_TRANSFER ? (DWORD)size : LARGEST_TRANSFER,
                               &count, NULL) != 0;
    *done = count;
    return isWritten && count > 0 ? TD_FILE_OK : isWritten ? TD_FILE_ERROR : GetErrorStatus(GetLastError());
}

tdFileStatus tdPlatform_SyncFile(tdFileHandle file)
{
    DWORD error = FlushFileBuffers((HANDLE)file) != 0 ? 0 : GetLastError();
    bool isDone = error == 0 || error == ERROR_INVALID_FUNCTION || error == ERROR_NOT_SUPPORTED;
    return isDone ? TD_FILE_OK : GetErrorStatus(error);
}

tdFileStatus tdPlatform_CloseFile(tdFileHandle file)
{
    return CloseHandle((HANDLE)file) != 0 ? TD_FILE_OK : GetErrorStatus(GetLastError());
}

bool tdPlatform_LockFile(tdFileHandle file)
{
    // A byte far behind the end, so that the lock hinders no reader of the file.
    OVERLAPPED place;
    memset(&place, 0, sizeof(place));
    place.OffsetHigh = LOCK_OFFSET_HIGH;
    bool isLocked =
        LockFileEx((HANDLE)file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0;
    DWORD error = GetLastError();
    return isLocked || (error != ERROR_LOCK_VIOLATION && error != ERROR_IO_PENDING);
}

tdFileStatus tdPlatform_SetMode(tdFileHandle file, unsigned mode)
{
    // A new file inherits the access rights of its folder.
    (void)file;
    (void)mode;
    return TD_FILE_OK;
}

tdFileStatus tdPlatform_GetFileInfo(tdFileHandle file, tdFileInfo* info)
{
    *info = (tdFileInfo){.kind = TD_PATH_STREAM};
    if (GetFileType((HANDLE)file) != FILE_TYPE_DISK)
    {
        return file == (tdFileHandle)INVALID_HANDLE_VALUE || file == 0 ? TD_FILE_ERROR : TD_FILE_OK;
    }
    BY_HANDLE_FILE_INFORMATION found;
    if (GetFileInformationByHandle((HANDLE)file, &found) == 0)
    {
        return TD_FILE_OK; // a redirected stream that tells nothing is read to its end
    }
    bool isFolder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    info->kind = isFolder ? TD_PATH_FOLDER : TD_PATH_FILE;
    info->size = isFolder ? 0 : (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    info->volume = found.dwVolumeSerialNumber;
    info->index = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    return TD_FILE_OK;
}

tdFileStatus tdPlatform_GetPathInfo(const char* path, tdFileInfo* info)
{
    tdFileHandle file;
    tdFileStatus status = OpenPath(path, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, &file);
    if (status == TD_FILE_OK)
    {
        status = tdPlatform_GetFileInfo(file, info);
        CloseHandle((HANDLE)file);
    }
    return status;
}

tdFileStatus tdPlatform_CheckWritable(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    DWORD attributes = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    DWORD error = GetLastError();
    free(wide);
    return attributes == INVALID_FILE_ATTRIBUTES         ? GetErrorStatus(error)
           : (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? TD_FILE_NO_ACCESS
                                                         : TD_FILE_OK;
}

/// UTF-8 with slashes, without the prefix of long paths; for free().
static char* MakeNarrowPath(wchar_t* wide)
{
    bool isNet = wcsncmp(wide, L"\\\\?\\UNC\\", 8) == 0;
    bool isLong = wcsncmp(wide, L"\\\\?\\", 4) == 0;
    wchar_t* start = isNet ? wide + 6 : isLong ? wide + 4 : wide;
    start[0] = isNet ? L'\\' : start[0];
    int size = WideCharToMultiByte(CP_UTF8, 0, start, -1, NULL, 0, NULL, NULL);
    char* path = size > 0 ? malloc((size_t)size) : NULL;
    if (path != NULL)
    {
        WideCharToMultiByte(CP_UTF8, 0, start, -1, path, size, NULL, NULL);
        for (char* c = path; *c != 0; ++c)
        {
            *c = *c == '\\' ? '/' : *c;
        }
    }
    return path;
}

char* tdPlatform_ResolvePath(const char* path, tdFileStatus* status)
{
    tdFileHandle file;
    *status = OpenPath(path, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, &file);
    if (*status != TD_FILE_OK)
    {
        return NULL;
    }
    wchar_t* wide = malloc(sizeof(wchar_t) * LONGEST_PATH);
    DWORD written =
        wide != NULL ? GetFinalPathNameByHandleW((HANDLE)file, wide, LONGEST_PATH, FILE_NAME_NORMALIZED) : 0;
    if (wide != NULL && written == 0 && GetLastError() == ERROR_MORE_DATA)
    {
        // wine 8 has a short buffer inside; its long paths keep their links.
        wchar_t* given = MakeWidePath(path);
        written = given != NULL ? GetFullPathNameW(given, LONGEST_PATH, wide, NULL) : 0;
        free(given);
    }
    CloseHandle((HANDLE)file);
    char* resolved = written > 0 && written < LONGEST_PATH ? MakeNarrowPath(wide) : NULL;
    free(wide);
    *status = resolved != NULL ? TD_FILE_OK : TD_FILE_ERROR;
    return resolved;
}

tdFileStatus tdPlatform_ReplaceFile(const char* path, const char* target)
{
    wchar_t *from = MakeWidePath(path), *to = from != NULL ? MakeWidePath(target) : NULL;
    DWORD error = ERROR_OUTOFMEMORY;
    for (int attempt = 0; to != NULL && attempt < RENAME_ATTEMPTS; ++attempt)
    {
        bool isMoved = MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
        error = isMoved ? 0 : GetLastError();
        if (error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED)
        {
            break;
        }
        Sleep(RENAME_WAIT);
    }
    free(from);
    free(to);
    return error == 0 ? TD_FILE_OK : GetErrorStatus(error);
}

tdFileStatus tdPlatform_RemoveFile(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    DWORD error = wide != NULL && DeleteFileW(wide) != 0 ? 0 : GetLastError();
    free(wide);
    return error == 0 ? TD_FILE_OK : GetErrorStatus(error);
}

bool tdPlatform_MakeFolder(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    bool isMade = wide != NULL && CreateDirectoryW(wide, NULL) != 0;
    free(wide);
    return isMade;
}

void tdPlatform_RemoveFolder(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    if (wide != NULL)
    {
        RemoveDirectoryW(wide);
    }
    free(wide);
}

uint64_t tdPlatform_GetProcessId(void)
{
    return GetCurrentProcessId();
}

// --- threads ----------------------------------------------------------------------------------------------

static_assert(sizeof(SRWLOCK) <= sizeof(tdSystemObject), "a mutex fits");
static_assert(sizeof(CONDITION_VARIABLE) <= sizeof(tdSystemObject), "a condition fits");

typedef struct WindowsThread
{
    HANDLE thread;
    tdThreadFcn* run;
    void* context;
} WindowsThread;

static_assert(sizeof(WindowsThread) <= sizeof(tdSystemObject), "a thread fits");

void tdMutex_Init(tdMutex* mutex)
{
    InitializeSRWLock((SRWLOCK*)(void*)mutex);
}

void tdMutex_Destroy(tdMutex* mutex)
{
    (void)mutex; // holds no resources
}

void tdMutex_Lock(tdMutex* mutex)
{
    AcquireSRWLockExclusive((SRWLOCK*)(void*)mutex);
}

void tdMutex_Unlock(tdMutex* mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK*)(void*)mutex);
}

void tdCondition_Init(tdCondition* condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE*)(void*)condition);
}

void tdCondition_Destroy(tdCondition* condition)
{
    (void)condition; // holds no resources
}

void tdCondition_Wait(tdCondition* condition, tdMutex* mutex)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE*)(void*)condition, (SRWLOCK*)(void*)mutex, INFINITE, 0);
}

void tdCondition_Signal(tdCondition* condition)
{
    WakeConditionVariable((CONDITION_VARIABLE*)(void*)condition);
}

void tdCondition_Broadcast(tdCondition* condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE*)(void*)condition);
}

static unsigned __stdcall RunWindowsThread(void* argument)
{
    const WindowsThread* thread = argument;
    thread->run(thread->context);
    return 0;
}

bool tdThread_Start(tdThread* thread, tdThreadFcn* run, void* context)
{
    WindowsThread* own = (WindowsThread*)(void*)thread;
    own->run = run;
    own->context = context;
    own->thread = (HANDLE)_beginthreadex(NULL, 0, RunWindowsThread, own, 0, NULL);
    return own->thread != NULL;
}

void tdThread_Join(tdThread* thread)
{
    WindowsThread* own = (WindowsThread*)(void*)thread;
    WaitForSingleObject(own->thread, INFINITE);
    CloseHandle(own->thread);
}

void tdPlatform_Yield(void)
{
    SwitchToThread();
}

int tdPlatform_CountProcessors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors < 1 ? 1 : (int)info.dwNumberOfProcessors;
}

#endif
