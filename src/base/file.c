// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files through POSIX. A write goes to a temporary file beside the target, which is then renamed over the
// target. Symbolic links are followed: the write replaces the file behind the link and keeps the link.
#define _XOPEN_SOURCE 700 // realpath

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Bytes per read or write call: small enough for smooth progress on slow disks.
#define MAX_TRANSFER ((size_t)1 << 22)
// Written bytes that may still be in the cache of the system when progress is reported; then they are synced,
// so that the reported bytes are on the disk.
#define MAX_UNSYNCED ((size_t)1 << 26)
// Bytes of the first read when the size of the file is unknown (pipes).
#define UNKNOWN_SIZE ((size_t)65535)
// Names tried for the temporary file before giving up; earlier ones belong to interrupted writes.
#define MAX_NAME_ATTEMPTS 1000

const char* tdFileStatus_GetText(tdFileStatus status)
{
    switch (status)
    {
    case TD_FILE_OK:
        return "no error";
    case TD_FILE_NOT_FOUND:
        return "no such file";
    case TD_FILE_NO_ACCESS:
        return "permission denied";
    case TD_FILE_IS_FOLDER:
        return "it is a folder";
    case TD_FILE_TOO_LARGE:
        return "the file is too large";
    case TD_FILE_OUT_OF_MEMORY:
        return "out of memory";
    case TD_FILE_NO_SPACE:
        return "no space left on the device";
    case TD_FILE_ERROR:
        break;
    }
    return "input/output error";
}

static tdFileStatus GetErrorStatus(int error)
{
    switch (error)
    {
    case ENOENT:
    case ENOTDIR:
        return TD_FILE_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
        return TD_FILE_NO_ACCESS;
    case EISDIR:
        return TD_FILE_IS_FOLDER;
    case ENOMEM:
        return TD_FILE_OUT_OF_MEMORY;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return TD_FILE_NO_SPACE;
    default:
        return TD_FILE_ERROR;
    }
}

static int OpenFile(const char* path, int flags, mode_t mode)
{
    int file;
    do
    {
        file = open(path, flags | O_CLOEXEC, mode);
    } while (file < 0 && errno == EINTR);
    return file;
}

/// Reads until `size` bytes are read or the file ends.
static tdFileStatus ReadFully(int file, char* data, size_t size, tdProgress* progress, size_t* done)
{
    *done = 0;
    while (*done < size)
    {
        size_t left = size - *done;
        ssize_t count = read(file, data + *done, left < MAX_TRANSFER ? left : MAX_TRANSFER);
        if (count > 0)
        {
            *done += (size_t)count;
            tdProgress_Add(progress, (uint64_t)count);
        }
        else if (count == 0)
        {
            break;
        }
        else if (errno != EINTR)
        {
            return GetErrorStatus(errno);
        }
    }
    return TD_FILE_OK;
}

/// Size of a binary glTF file from its header, for progress while reading from a pipe. 0: not binary glTF.
static uint64_t GetDeclaredSize(const char* data, size_t size)
{
    const unsigned char* length = (const unsigned char*)data + 8;
    bool isBinary = size >= 12 && memcmp(data, "glTF", 4) == 0;
    return isBinary ? (uint64_t)length[0] | (uint64_t)length[1] << 8 | (uint64_t)length[2] << 16 |
                          (uint64_t)length[3] << 24
                    : 0;
}

/// Reads to the end of the file into a buffer that starts with `expected` bytes and grows. `*capacity` is its
/// allocated size.
static tdFileStatus ReadGrowing(int file, const tdAllocator* allocator, size_t maxBytes, size_t expected,
                                tdProgress* progress, char** data, size_t* size, size_t* capacity)
{
    // One byte more than expected detects the end of the file and leaves room for the zero byte.
    size_t total = expected + 1;
    char* buffer = tdAllocate(allocator, total, 1);
    size_t used = 0;
    tdFileStatus status = buffer != NULL ? TD_FILE_OK : TD_FILE_OUT_OF_MEMORY;
    while (status == TD_FILE_OK)
    {
        size_t done;
        status = ReadFully(file, buffer + used, total - used, progress, &done);
        used += done;
        if (status != TD_FILE_OK || used < total)
        {
            break;
        }
        if (used > maxBytes)
        {
            status = TD_FILE_TOO_LARGE;
            break;
        }
        if (progress != NULL && used == expected + 1 && GetDeclaredSize(buffer, used) > used)
        {
            tdProgress_Start(progress, TD_PROGRESS_READING, GetDeclaredSize(buffer, used));
            tdProgress_Add(progress, used);
        }
        size_t larger = total > SIZE_MAX / 2 ? SIZE_MAX : 2 * total;
        larger = larger - 1 > maxBytes ? maxBytes + 1 : larger; // maxBytes >= used, so this grows
        larger = larger < total + 1 ? total + 1 : larger;
        char* grown = tdAllocate(allocator, larger, 1);
        if (grown == NULL)
        {
            status = TD_FILE_OUT_OF_MEMORY;
            break;
        }
        memcpy(grown, buffer, used);
        tdRelease(allocator, buffer, total);
        buffer = grown;
        total = larger;
    }
    if (status != TD_FILE_OK)
    {
        tdRelease(allocator, buffer, total);
        return status;
    }
    *data = buffer;
    *size = used;
    *capacity = total;
    return TD_FILE_OK;
}

tdFileStatus tdReadFile(const char* path, const tdAllocator* allocator, size_t maxBytes, tdProgress* progress,
                        void** data, size_t* size)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    bool isStandard = strcmp(path, "-") == 0;
    int file = isStandard ? STDIN_FILENO : OpenFile(path, O_RDONLY, 0);
    if (file < 0)
    {
        return GetErrorStatus(errno);
    }
    maxBytes = maxBytes > SIZE_MAX / 2 ? SIZE_MAX / 2 : maxBytes;
    struct stat info;
    tdFileStatus status = TD_FILE_OK;
    size_t expected = UNKNOWN_SIZE;
    tdProgress_Start(progress, TD_PROGRESS_READING, 0);
    if (fstat(file, &info) != 0)
    {
        status = GetErrorStatus(errno);
    }
    else if (S_ISDIR(info.st_mode))
    {
        status = TD_FILE_IS_FOLDER;
    }
    else if (S_ISREG(info.st_mode) && info.st_size > 0)
    {
        // Files of unknown size, such as those in /proc, report a size of 0.
        status = (uint64_t)info.st_size > maxBytes ? TD_FILE_TOO_LARGE : TD_FILE_OK;
        expected = (size_t)info.st_size;
        tdProgress_Start(progress, TD_PROGRESS_READING, expected);
    }

    char* buffer = NULL;
    size_t used = 0, capacity = 0;
    if (status == TD_FILE_OK)
    {
        status = ReadGrowing(file, &resolved, maxBytes, expected < maxBytes ? expected : maxBytes, progress,
                             &buffer, &used, &capacity);
    }
    if (!isStandard)
    {
        close(file);
    }
    if (status == TD_FILE_OK && capacity != used + 1)
    {
        char* exact = tdAllocate(&resolved, used + 1, 1); // the caller releases size + 1 bytes
        if (exact != NULL)
        {
            memcpy(exact, buffer, used);
        }
        tdRelease(&resolved, buffer, capacity);
        buffer = exact;
        status = exact != NULL ? TD_FILE_OK : TD_FILE_OUT_OF_MEMORY;
    }
    if (status != TD_FILE_OK)
    {
        return status;
    }
    buffer[used] = 0;
    *data = buffer;
    *size = used;
    return TD_FILE_OK;
}

static tdFileStatus WriteFully(int file, const tdFilePiece* pieces, int count, tdProgress* progress)
{
    uint64_t total = 0;
    for (int i = 0; i < count; ++i)
    {
        total += pieces[i].size;
    }
    tdProgress_Start(progress, TD_PROGRESS_WRITING, total);
    size_t unsynced = 0;
    for (int i = 0; i < count; ++i)
    {
        const char* data = pieces[i].data;
        size_t left = pieces[i].size;
        while (left > 0)
        {
            ssize_t written = write(file, data, left < MAX_TRANSFER ? left : MAX_TRANSFER);
            if (written < 0 && errno != EINTR)
            {
                return GetErrorStatus(errno);
            }
            if (written > 0)
            {
                data += written;
                left -= (size_t)written;
                unsynced += (size_t)written;
            }
            if (progress != NULL && (unsynced >= MAX_UNSYNCED || (written > 0 && total < MAX_UNSYNCED)))
            {
                if (unsynced >= MAX_UNSYNCED)
                {
                    fdatasync(file); // an error shows up again in the final fsync
                }
                tdProgress_Add(progress, unsynced);
                unsynced = 0;
            }
        }
    }
    tdProgress_Add(progress, unsynced);
    return TD_FILE_OK;
}

/// Closes a written file. An error of a delayed write shows up here.
static tdFileStatus CloseWritten(int file, tdFileStatus status)
{
    int result = close(file);
    return status == TD_FILE_OK && result != 0 && errno != EINTR ? GetErrorStatus(errno) : status;
}

/// Creates a file beside `target` and stores its name in `name`.
/// @return file descriptor; -1 on failure, with errno set
static int CreateBeside(tdText* name, const char* target)
{
    for (int attempt = 0; attempt < MAX_NAME_ATTEMPTS; ++attempt)
    {
        // The name does not contain the target's name, which may already have the maximum length.
        tdText_Clear(name);
        tdText_Append(name, target, (size_t)(tdGetFileName(target) - target));
        tdText_AppendFormat(name, ".tendon-%lld-%d.tmp", (long long)getpid(), attempt);
        if (name->failed)
        {
            errno = ENOMEM;
            return -1;
        }
        int file = OpenFile(name->data, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || errno != EEXIST)
        {
            return file;
        }
    }
    return -1;
}

/// Writes and syncs a temporary file beside the target.
static tdFileStatus WriteBeside(tdNewFile* file, const mode_t* mode, const tdFilePiece* pieces, int count,
                                tdProgress* progress)
{
    tdText name;
    tdText_Init(&name, NULL);
    int handle = CreateBeside(&name, file->target);
    tdFileStatus status = handle < 0 ? GetErrorStatus(errno) : TD_FILE_OK;
    if (handle >= 0)
    {
        status = WriteFully(handle, pieces, count, progress);
        if (status == TD_FILE_OK && mode != NULL && fchmod(handle, *mode & 07777) != 0)
        {
            status = errno == EPERM ? TD_FILE_OK : GetErrorStatus(errno); // EPERM: file system without modes
        }
        // The bytes must be on the disk before the rename.
        if (status == TD_FILE_OK && fsync(handle) != 0 && errno != EINVAL && errno != EROFS)
        {
            status = GetErrorStatus(errno);
        }
        status = CloseWritten(handle, status);
        file->name = strdup(name.data);
        if (file->name == NULL || status != TD_FILE_OK)
        {
            unlink(name.data);
            status = status != TD_FILE_OK ? status : TD_FILE_OUT_OF_MEMORY;
        }
    }
    tdText_Free(&name);
    return status;
}

/// Finds the file to replace: the file behind a link, or the link itself if it is dangling.
/// @return false: on an error (`*status`), or with TD_FILE_OK for a device or pipe that is written directly
static bool FindTarget(tdNewFile* file, const char* path, struct stat* info, bool* isNew,
                       tdFileStatus* status)
{
    *status = TD_FILE_OK;
    *isNew = stat(path, info) != 0;
    if (*isNew && errno != ENOENT)
    {
        *status = GetErrorStatus(errno);
    }
    else if (!*isNew && S_ISDIR(info->st_mode))
    {
        *status = TD_FILE_IS_FOLDER;
    }
    else if (!*isNew && !S_ISREG(info->st_mode))
    {
        return false; // a device or a pipe cannot be replaced
    }
    else if (!*isNew && access(path, W_OK) != 0)
    {
        *status = GetErrorStatus(errno);
    }
    else
    {
        errno = ENOMEM;
        file->target = *isNew ? strdup(path) : realpath(path, NULL);
        *status = file->target != NULL ? TD_FILE_OK : GetErrorStatus(errno);
    }
    return *status == TD_FILE_OK;
}

tdFileStatus tdNewFile_Write(tdNewFile* file, const char* path, const tdFilePiece* pieces, int count,
                             tdProgress* progress)
{
    *file = (tdNewFile){NULL, NULL};
    if (strcmp(path, "-") == 0)
    {
        return WriteFully(STDOUT_FILENO, pieces, count, progress);
    }
    struct stat info;
    bool isNew;
    tdFileStatus status;
    if (FindTarget(file, path, &info, &isNew, &status))
    {
        status = WriteBeside(file, isNew ? NULL : &info.st_mode, pieces, count, progress);
        if (status != TD_FILE_OK)
        {
            free(file->name);
            free(file->target);
            *file = (tdNewFile){NULL, NULL};
        }
    }
    else if (status == TD_FILE_OK)
    {
        int handle = OpenFile(path, O_WRONLY, 0);
        status = handle < 0 ? GetErrorStatus(errno)
                            : CloseWritten(handle, WriteFully(handle, pieces, count, progress));
    }
    return status;
}

tdFileStatus tdNewFile_Keep(tdNewFile* file)
{
    tdFileStatus status = TD_FILE_OK;
    if (file->name != NULL && rename(file->name, file->target) != 0)
    {
        status = GetErrorStatus(errno);
        unlink(file->name);
    }
    free(file->name);
    free(file->target);
    *file = (tdNewFile){NULL, NULL};
    return status;
}

void tdNewFile_Drop(tdNewFile* file)
{
    if (file->name != NULL)
    {
        unlink(file->name);
    }
    free(file->name);
    free(file->target);
    *file = (tdNewFile){NULL, NULL};
}

tdFileStatus tdWriteFilePieces(const char* path, const tdFilePiece* pieces, int count, tdProgress* progress)
{
    tdNewFile file;
    tdFileStatus status = tdNewFile_Write(&file, path, pieces, count, progress);
    return status == TD_FILE_OK ? tdNewFile_Keep(&file) : status;
}

tdFileStatus tdWriteFile(const char* path, const void* data, size_t size, tdProgress* progress)
{
    return tdWriteFilePieces(path, &(tdFilePiece){data, size}, 1, progress);
}

bool tdFileExists(const char* path)
{
    return access(path, F_OK) == 0;
}

bool tdIsInsideFolder(const char* path, const char* folder)
{
    char* realPath = realpath(path, NULL);
    char* realFolder = realPath != NULL ? realpath(folder, NULL) : NULL;
    bool inside = false;
    if (realFolder != NULL)
    {
        size_t length = strlen(realFolder);
        length = length == 1 ? 0 : length; // "/" is the only folder that ends in a slash
        inside = strncmp(realPath, realFolder, length) == 0 && realPath[length] == '/' &&
                 realPath[length + 1] != 0;
    }
    free(realFolder);
    free(realPath);
    return inside;
}
