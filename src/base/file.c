// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files through POSIX. A write goes to a new file beside the target and is renamed over it; links are
// followed, so that the file behind a link is replaced and the link stays.
#define _XOPEN_SOURCE 700 // realpath

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static tdFileStatus StatusOfError(int error)
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

static int Open(const char* path, int flags, mode_t mode)
{
    int file;
    do
    {
        file = open(path, flags | O_CLOEXEC, mode);
    } while (file < 0 && errno == EINTR);
    return file;
}

/// Reads until `size` bytes are there or the file ends.
static tdFileStatus ReadFully(int file, char* data, size_t size, size_t* done)
{
    *done = 0;
    while (*done < size)
    {
        size_t left = size - *done;
        ssize_t count = read(file, data + *done, left < ((size_t)1 << 30) ? left : (size_t)1 << 30);
        if (count > 0)
        {
            *done += (size_t)count;
        }
        else if (count == 0)
        {
            break;
        }
        else if (errno != EINTR)
        {
            return StatusOfError(errno);
        }
    }
    return TD_FILE_OK;
}

/// Reads to the end into a buffer that starts with `expected` bytes and grows. `*capacity` is what was
/// allocated.
static tdFileStatus ReadGrowing(int file, const tdAllocator* allocator, size_t maxBytes, size_t expected,
                                char** data, size_t* size, size_t* capacity)
{
    // One byte beyond what is expected shows the end of the file, and has room for the zero.
    size_t total = expected + 1;
    char* buffer = tdAllocate(allocator, total, 1);
    size_t used = 0;
    tdFileStatus status = buffer != NULL ? TD_FILE_OK : TD_FILE_OUT_OF_MEMORY;
    while (status == TD_FILE_OK)
    {
        size_t done;
        status = ReadFully(file, buffer + used, total - used, &done);
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

tdFileStatus tdReadFile(const char* path, const tdAllocator* allocator, size_t maxBytes, void** data,
                        size_t* size)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    bool isStandard = strcmp(path, "-") == 0;
    int file = isStandard ? STDIN_FILENO : Open(path, O_RDONLY, 0);
    if (file < 0)
    {
        return StatusOfError(errno);
    }
    maxBytes = maxBytes > SIZE_MAX / 2 ? SIZE_MAX / 2 : maxBytes;
    struct stat info;
    tdFileStatus status = TD_FILE_OK;
    size_t expected = 65535;
    if (fstat(file, &info) != 0)
    {
        status = StatusOfError(errno);
    }
    else if (S_ISDIR(info.st_mode))
    {
        status = TD_FILE_IS_FOLDER;
    }
    else if (S_ISREG(info.st_mode) && info.st_size > 0)
    {
        // A size of 0 is also what files without a known size claim.
        status = (uint64_t)info.st_size > maxBytes ? TD_FILE_TOO_LARGE : TD_FILE_OK;
        expected = (size_t)info.st_size;
    }

    char* buffer = NULL;
    size_t used = 0, capacity = 0;
    if (status == TD_FILE_OK)
    {
        status = ReadGrowing(file, &resolved, maxBytes, expected < maxBytes ? expected : maxBytes, &buffer,
                             &used, &capacity);
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

static tdFileStatus WriteFully(int file, const tdPiece* pieces, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const char* data = pieces[i].data;
        size_t left = pieces[i].size;
        while (left > 0)
        {
            ssize_t written = write(file, data, left < ((size_t)1 << 30) ? left : (size_t)1 << 30);
            if (written < 0 && errno != EINTR)
            {
                return StatusOfError(errno);
            }
            if (written > 0)
            {
                data += written;
                left -= (size_t)written;
            }
        }
    }
    return TD_FILE_OK;
}

/// Closes; an error seen only now (delayed writes) is an error of the write.
static tdFileStatus CloseWritten(int file, tdFileStatus status)
{
    int result = close(file);
    return status == TD_FILE_OK && result != 0 && errno != EINTR ? StatusOfError(errno) : status;
}

/// A new file beside `target`; its name goes to `name`. -1 and errno on failure.
static int CreateBeside(tdText* name, const char* target)
{
    for (int attempt = 0; attempt < 1000; ++attempt)
    {
        // A short name of its own: one longer than the target's might be too long.
        tdText_Clear(name);
        tdText_Append(name, target, (size_t)(tdGetFileName(target) - target));
        tdText_AppendFormat(name, ".tendon-%lld-%d.tmp", (long long)getpid(), attempt);
        if (name->failed)
        {
            errno = ENOMEM;
            return -1;
        }
        int file = Open(name->data, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || errno != EEXIST)
        {
            return file;
        }
    }
    return -1;
}

static tdFileStatus ReplaceFile(const char* target, const mode_t* mode, const tdPiece* pieces, int count)
{
    tdText name;
    tdText_Init(&name, NULL);
    int file = CreateBeside(&name, target);
    tdFileStatus status = file < 0 ? StatusOfError(errno) : TD_FILE_OK;
    if (file >= 0)
    {
        status = WriteFully(file, pieces, count);
        if (status == TD_FILE_OK && mode != NULL && fchmod(file, *mode & 07777) != 0)
        {
            status = errno == EPERM ? TD_FILE_OK : StatusOfError(errno); // file systems without modes
        }
        // The bytes must be on the disk before the name points to them.
        if (status == TD_FILE_OK && fsync(file) != 0 && errno != EINVAL && errno != EROFS)
        {
            status = StatusOfError(errno);
        }
        status = CloseWritten(file, status);
        if (status == TD_FILE_OK && rename(name.data, target) != 0)
        {
            status = StatusOfError(errno);
        }
        if (status != TD_FILE_OK)
        {
            unlink(name.data);
        }
    }
    tdText_Free(&name);
    return status;
}

tdFileStatus tdWriteFilePieces(const char* path, const tdPiece* pieces, int count)
{
    if (strcmp(path, "-") == 0)
    {
        return WriteFully(STDOUT_FILENO, pieces, count);
    }
    struct stat info;
    if (stat(path, &info) != 0)
    {
        // New, or a link that points nowhere, which is replaced.
        return errno == ENOENT ? ReplaceFile(path, NULL, pieces, count) : StatusOfError(errno);
    }
    if (S_ISDIR(info.st_mode))
    {
        return TD_FILE_IS_FOLDER;
    }
    if (!S_ISREG(info.st_mode))
    {
        // A device or a pipe cannot be replaced.
        int file = Open(path, O_WRONLY, 0);
        return file < 0 ? StatusOfError(errno) : CloseWritten(file, WriteFully(file, pieces, count));
    }
    if (access(path, W_OK) != 0)
    {
        return StatusOfError(errno);
    }
    char* target = realpath(path, NULL);
    if (target == NULL)
    {
        return StatusOfError(errno);
    }
    tdFileStatus status = ReplaceFile(target, &info.st_mode, pieces, count);
    free(target);
    return status;
}

tdFileStatus tdWriteFile(const char* path, const void* data, size_t size)
{
    return tdWriteFilePieces(path, &(tdPiece){data, size}, 1);
}

void tdAppendFolderOf(tdText* out, const char* path)
{
    const char* slash = strrchr(path, '/');
    if (slash == NULL)
    {
        tdText_AppendChar(out, '.');
    }
    else
    {
        tdText_Append(out, path, slash == path ? 1 : (size_t)(slash - path));
    }
}

const char* tdGetFileName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
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
        length = length == 1 ? 0 : length; // "/" is the only one that ends in a slash
        inside = strncmp(realPath, realFolder, length) == 0 && realPath[length] == '/' &&
                 realPath[length + 1] != 0;
    }
    free(realFolder);
    free(realPath);
    return inside;
}
