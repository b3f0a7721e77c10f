// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Locks of files and folders in the platform layer of Windows.
#if defined(_WIN32)

#include "platform_windows.h"

#include <io.h>
#include <stdlib.h>
#include <string.h>

#define LOCK_OFFSET_HIGH 0x7fffffffu // upper half of the offset of the locked byte, as in the library

/// Locks a byte far behind the end, so that the lock hinders no reader of the file.
static bool LockHandle(HANDLE file)
{
    OVERLAPPED place;
    memset(&place, 0, sizeof place);
    place.OffsetHigh = LOCK_OFFSET_HIGH;
    return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0;
}

bool LockStream(FILE* stream)
{
    bool isLocked = LockHandle((HANDLE)_get_osfhandle(_fileno(stream)));
    DWORD error = GetLastError();
    return isLocked || (error != ERROR_LOCK_VIOLATION && error != ERROR_IO_PENDING);
}

/// Opens a regular file and locks it. INVALID_HANDLE_VALUE: another process holds the lock, or it cannot be
/// told.
static HANDLE OpenUnlocked(const char* path)
{
    PathInfo info;
    bool isFile = GetLinkInfo(path, &info) && info.kind == PATH_FILE;
    wchar_t* wide = isFile ? MakeWidePath(path) : NULL;
    HANDLE file = INVALID_HANDLE_VALUE;
    if (wide != NULL)
    {
        file = CreateFileW(wide, GENERIC_READ, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT,
                           NULL);
        if (file != INVALID_HANDLE_VALUE && !LockHandle(file))
        {
            CloseHandle(file);
            file = INVALID_HANDLE_VALUE;
        }
        free(wide);
    }
    return file;
}

bool IsFileLocked(const char* path)
{
    HANDLE file = OpenUnlocked(path);
    if (file != INVALID_HANDLE_VALUE)
    {
        CloseHandle(file);
    }
    return file == INVALID_HANDLE_VALUE;
}

void RemoveUnlockedFile(const char* path)
{
    HANDLE file = OpenUnlocked(path);
    if (file != INVALID_HANDLE_VALUE)
    {
        RemoveFile(path); // while it is locked: its owner may be about to lock it
        CloseHandle(file);
    }
}

intptr_t LockFolder(const char* folder)
{
    // A folder cannot be locked; a mutex with a name made of its path serves all processes of the session.
    char* path = folder != NULL ? ResolvePath(folder) : NULL;
    if (path == NULL)
    {
        return -1;
    }
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char* c = path; *c != '\0'; ++c)
    {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    free(path);
    char name[64];
    snprintf(name, sizeof name, "tendon-folder-%016llx", (unsigned long long)hash);
    HANDLE mutex = CreateMutexA(NULL, FALSE, name);
    if (mutex == NULL)
    {
        return -1;
    }
    WaitForSingleObject(mutex, INFINITE);
    return (intptr_t)mutex;
}

void UnlockFolder(intptr_t lock)
{
    if (lock != -1)
    {
        ReleaseMutex((HANDLE)lock);
        CloseHandle((HANDLE)lock);
    }
}

#else
typedef int PlatformLocksIsEmpty; // ISO C forbids an empty source
#endif
