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

// Often enough for a progress bar on the slowest of disks.
#define MOST_AT_ONCE ((size_t)1 << 22)
// Bytes that wait for the disk are not written yet; how many may, when somebody looks at the progress.
#define MOST_WAITING ((size_t)1 << 26)

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
static tdFileStatus ReadFully(int file, char* data, size_t size, tdProgress* progress, size_t* done)
{
    *done = 0;
    while (*done < size)
    {
        size_t left = size - *done;
        ssize_t count = read(file, data + *done, left < MOST_AT_ONCE ? left : MOST_AT_ONCE);
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
            return StatusOfError(errno);
        }
    }
    return TD_FILE_OK;
}

/// Binary glTF says at its beginning how long it is, for the progress of who reads it from a pipe. 0: it does
/// not.
static uint64_t GuessSize(const char* data, size_t size)
{
    const unsigned char* length = (const unsigned char*)data + 8;
    bool isBinary = size >= 12 && memcmp(data, "glTF", 4) == 0;
    return isBinary ? (uint64_t)length[0] | (uint64_t)length[1] << 8 | (uint64_t)length[2] << 16 |
                          (uint64_t)length[3] << 24
                    : 0;
}

/// Reads to the end into a buffer that starts with `expected` bytes and grows. `*capacity` is what was
/// allocated.
static tdFileStatus ReadGrowing(int file, const tdAllocator* allocator, size_t maxBytes, size_t expected,
                                tdProgress* progress, char** data, size_t* size, size_t* capacity)
{
    // One byte beyond what is expected shows the end of the file, and has room for the zero.
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
        if (progress != NULL && used == expected + 1 && GuessSize(buffer, used) > used)
        {
            tdProgress_Start(progress, TD_PROGRESS_READING, GuessSize(buffer, used));
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
    int file = isStandard ? STDIN_FILENO : Open(path, O_RDONLY, 0);
    if (file < 0)
    {
        return StatusOfError(errno);
    }
    maxBytes = maxBytes > SIZE_MAX / 2 ? SIZE_MAX / 2 : maxBytes;
    struct stat info;
    tdFileStatus status = TD_FILE_OK;
    size_t expected = 65535;
    tdProgress_Start(progress, TD_PROGRESS_READING, 0);
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

static tdFileStatus WriteFully(int file, const tdPiece* pieces, int count, tdProgress* progress)
{
    uint64_t total = 0;
    for (int i = 0; i < count; ++i)
    {
        total += pieces[i].size;
    }
    tdProgress_Start(progress, TD_PROGRESS_WRITING, total);
    size_t waiting = 0;
    for (int i = 0; i < count; ++i)
    {
        const char* data = pieces[i].data;
        size_t left = pieces[i].size;
        while (left > 0)
        {
            ssize_t written = write(file, data, left < MOST_AT_ONCE ? left : MOST_AT_ONCE);
            if (written < 0 && errno != EINTR)
            {
                return StatusOfError(errno);
            }
            if (written > 0)
            {
                data += written;
                left -= (size_t)written;
                waiting += (size_t)written;
            }
            if (progress != NULL && (waiting >= MOST_WAITING || (written > 0 && total < MOST_WAITING)))
            {
                if (waiting >= MOST_WAITING)
                {
                    fdatasync(file); // what fails here fails again at the end
                }
                tdProgress_Add(progress, waiting);
                waiting = 0;
            }
        }
    }
    tdProgress_Add(progress, waiting);
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

/// Writes a new file beside the target, whole and on the disk.
static tdFileStatus WriteBeside(tdNewFile* file, const mode_t* mode, const tdPiece* pieces, int count,
                                tdProgress* progress)
{
    tdText name;
    tdText_Init(&name, NULL);
    int handle = CreateBeside(&name, file->target);
    tdFileStatus status = handle < 0 ? StatusOfError(errno) : TD_FILE_OK;
    if (handle >= 0)
    {
        status = WriteFully(handle, pieces, count, progress);
        if (status == TD_FILE_OK && mode != NULL && fchmod(handle, *mode & 07777) != 0)
        {
            status = errno == EPERM ? TD_FILE_OK : StatusOfError(errno); // file systems without modes
        }
        // The bytes must be on the disk before the name points to them.
        if (status == TD_FILE_OK && fsync(handle) != 0 && errno != EINVAL && errno != EROFS)
        {
            status = StatusOfError(errno);
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

/// The file that a path means: what is behind a link; links that point nowhere are replaced themselves.
/// False: it is written directly, or not at all.
static bool FindTarget(tdNewFile* file, const char* path, struct stat* info, bool* isNew,
                       tdFileStatus* status)
{
    *status = TD_FILE_OK;
    *isNew = stat(path, info) != 0;
    if (*isNew && errno != ENOENT)
    {
        *status = StatusOfError(errno);
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
        *status = StatusOfError(errno);
    }
    else
    {
        errno = ENOMEM;
        file->target = *isNew ? strdup(path) : realpath(path, NULL);
        *status = file->target != NULL ? TD_FILE_OK : StatusOfError(errno);
    }
    return *status == TD_FILE_OK;
}

tdFileStatus tdNewFile_Write(tdNewFile* file, const char* path, const tdPiece* pieces, int count,
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
        int handle = Open(path, O_WRONLY, 0);
        status = handle < 0 ? StatusOfError(errno)
                            : CloseWritten(handle, WriteFully(handle, pieces, count, progress));
    }
    return status;
}

tdFileStatus tdNewFile_Keep(tdNewFile* file)
{
    tdFileStatus status = TD_FILE_OK;
    if (file->name != NULL && rename(file->name, file->target) != 0)
    {
        status = StatusOfError(errno);
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

tdFileStatus tdWriteFilePieces(const char* path, const tdPiece* pieces, int count, tdProgress* progress)
{
    tdNewFile file;
    tdFileStatus status = tdNewFile_Write(&file, path, pieces, count, progress);
    return status == TD_FILE_OK ? tdNewFile_Keep(&file) : status;
}

tdFileStatus tdWriteFile(const char* path, const void* data, size_t size, tdProgress* progress)
{
    return tdWriteFilePieces(path, &(tdPiece){data, size}, 1, progress);
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
