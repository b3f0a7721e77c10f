// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files through the platform layer. A write goes to a temporary file beside the target, which is then renamed
// over the target. Symbolic links are followed: the write replaces the file behind the link and keeps the
// link.
#include "file.h"

#include <stdlib.h>
#include <string.h>

// Bytes per read or write call: small enough for smooth progress on slow disks.
#define MAX_TRANSFER ((size_t)1 << 22)
// Written bytes that may still be in the cache of the system when progress is reported; then they are synced,
// so that the reported bytes are on the disk.
#define MAX_UNSYNCED ((size_t)1 << 26)
// Bytes of the first read when the size of the file is unknown (pipes).
#define UNKNOWN_SIZE ((size_t)65535)
// Alignment of the bytes of a file: arrays of numbers in binary glTF are used in place (decision 176).
#define DATA_ALIGNMENT 16
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

/// Reads until `size` bytes are read or the file ends.
static tdFileStatus ReadFully(tdFileHandle file, char* data, size_t size, tdProgress* progress, size_t* done)
{
    *done = 0;
    while (*done < size)
    {
        size_t left = size - *done, count;
        tdFileStatus status =
            tdPlatform_ReadFile(file, data + *done, left < MAX_TRANSFER ? left : MAX_TRANSFER, &count);
        if (status != TD_FILE_OK)
        {
            return status;
        }
        if (count == 0)
        {
            break;
        }
        *done += count;
        tdProgress_Add(progress, count);
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
static tdFileStatus ReadGrowing(tdFileHandle file, const tdAllocator* allocator, size_t maxBytes,
                                size_t expected, tdProgress* progress, char** data, size_t* size,
                                size_t* capacity)
{
    // One byte more than expected detects the end of the file and leaves room for the zero byte.
    size_t total = expected + 1;
    char* buffer = tdAllocate(allocator, total, DATA_ALIGNMENT);
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
        char* grown = tdAllocate(allocator, larger, DATA_ALIGNMENT);
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
    tdFileHandle file = tdPlatform_GetStandardInput();
    tdFileStatus status = isStandard ? TD_FILE_OK : tdPlatform_OpenForReading(path, &file);
    if (status != TD_FILE_OK)
    {
        return status;
    }
    maxBytes = maxBytes > SIZE_MAX / 2 ? SIZE_MAX / 2 : maxBytes;
    tdFileInfo info = {0};
    size_t expected = UNKNOWN_SIZE;
    tdProgress_Start(progress, TD_PROGRESS_READING, 0);
    status = tdPlatform_GetFileInfo(file, &info);
    if (status == TD_FILE_OK && info.kind == TD_PATH_FOLDER)
    {
        status = TD_FILE_IS_FOLDER;
    }
    else if (status == TD_FILE_OK && info.kind == TD_PATH_FILE && info.size > 0)
    {
        // Files of unknown size, such as those in /proc, report a size of 0.
        status = info.size > maxBytes ? TD_FILE_TOO_LARGE : TD_FILE_OK;
        expected = (size_t)info.size;
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
        tdPlatform_CloseFile(file);
    }
    if (status == TD_FILE_OK && capacity != used + 1)
    {
        // The caller releases size + 1 bytes.
        char* exact = tdAllocate(&resolved, used + 1, DATA_ALIGNMENT);
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

static tdFileStatus WriteFully(tdFileHandle file, const tdFilePiece* pieces, int count, tdProgress* progress)
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
            size_t written;
            tdFileStatus status =
                tdPlatform_WriteFile(file, data, left < MAX_TRANSFER ? left : MAX_TRANSFER, &written);
            if (status != TD_FILE_OK)
            {
                return status;
            }
            data += written;
            left -= written;
            unsynced += written;
            if (progress != NULL && (unsynced >= MAX_UNSYNCED || (written > 0 && total < MAX_UNSYNCED)))
            {
                if (unsynced >= MAX_UNSYNCED)
                {
                    tdPlatform_SyncFile(file); // an error shows up again at the end
                }
                tdProgress_Add(progress, unsynced);
                unsynced = 0;
            }
        }
    }
    tdProgress_Add(progress, unsynced);
    return TD_FILE_OK;
}

/// Closes a written file.
static tdFileStatus CloseWritten(tdFileHandle file, tdFileStatus status)
{
    tdFileStatus closed = tdPlatform_CloseFile(file);
    return status == TD_FILE_OK ? closed : status;
}

/// Locks a new file. False if another process took it for a leftover between its creation and the lock.
static bool HoldFile(const char* path, tdFileHandle file)
{
    return tdPlatform_LockFile(file) && tdFileExists(path);
}

/// Creates a file beside `target` and stores its name in `name`.
static tdFileStatus CreateBeside(tdText* name, const char* target, tdFileHandle* file)
{
    tdFileStatus status = TD_FILE_ERROR;
    bool exists = true;
    for (int attempt = 0; attempt < MAX_NAME_ATTEMPTS && exists; ++attempt)
    {
        // The name does not contain the target's name, which may already have the maximum length.
        tdText_Clear(name);
        tdText_Append(name, target, (size_t)(tdGetFileName(target) - target));
        tdText_AppendFormat(name, ".tendon-%llu-%d.tmp", (unsigned long long)tdPlatform_GetProcessId(),
                            attempt);
        if (name->failed)
        {
            return TD_FILE_OUT_OF_MEMORY;
        }
        status = tdPlatform_CreateFile(name->data, file, &exists);
        if (status == TD_FILE_OK && !HoldFile(name->data, *file))
        {
            tdPlatform_CloseFile(*file);
            status = TD_FILE_ERROR;
            exists = true; // it is being removed
        }
    }
    return status;
}

static char* CopyPath(const char* path)
{
    size_t size = strlen(path) + 1;
    char* copy = malloc(size);
    if (copy != NULL)
    {
        memcpy(copy, path, size);
    }
    return copy;
}

void tdNewFile_Unlock(tdNewFile* file)
{
    if (file->isOpen)
    {
        tdPlatform_CloseFile(file->file); // the bytes are synced already
        file->isOpen = false;
    }
}

/// Writes and syncs a temporary file beside the target. It stays open and locked.
static tdFileStatus WriteBeside(tdNewFile* file, const unsigned* mode, const tdFilePiece* pieces, int count,
                                tdProgress* progress)
{
    tdText name;
    tdText_Init(&name, NULL);
    tdFileHandle handle;
    tdFileStatus status = CreateBeside(&name, file->target, &handle);
    if (status == TD_FILE_OK)
    {
        status = WriteFully(handle, pieces, count, progress);
        if (status == TD_FILE_OK && mode != NULL)
        {
            status = tdPlatform_SetMode(handle, *mode);
        }
        // The bytes must be on the disk before the rename.
        if (status == TD_FILE_OK)
        {
            status = tdPlatform_SyncFile(handle);
        }
        file->name = CopyPath(name.data);
        file->file = handle;
        file->isOpen = true;
        if (file->name == NULL || status != TD_FILE_OK)
        {
            tdNewFile_Unlock(file);
            tdPlatform_RemoveFile(name.data);
            status = status != TD_FILE_OK ? status : TD_FILE_OUT_OF_MEMORY;
        }
    }
    tdText_Free(&name);
    return status;
}

/// Finds the file to replace: the file behind a link, or the link itself if it is dangling.
/// @return false: on an error (`*status`), or with TD_FILE_OK for a device or pipe that is written directly
static bool FindTarget(tdNewFile* file, const char* path, tdFileInfo* info, bool* isNew, tdFileStatus* status)
{
    *status = tdPlatform_GetPathInfo(path, info);
    *isNew = *status == TD_FILE_NOT_FOUND;
    if (*isNew)
    {
        file->target = CopyPath(path);
        *status = file->target != NULL ? TD_FILE_OK : TD_FILE_OUT_OF_MEMORY;
    }
    else if (*status == TD_FILE_OK && info->kind == TD_PATH_FOLDER)
    {
        *status = TD_FILE_IS_FOLDER;
    }
    else if (*status == TD_FILE_OK && info->kind != TD_PATH_FILE)
    {
        return false; // a device or a pipe cannot be replaced
    }
    else if (*status == TD_FILE_OK)
    {
        *status = tdPlatform_CheckWritable(path);
        file->target = *status == TD_FILE_OK ? tdPlatform_ResolvePath(path, status) : NULL;
    }
    return *status == TD_FILE_OK;
}

tdFileStatus tdNewFile_Write(tdNewFile* file, const char* path, const tdFilePiece* pieces, int count,
                             tdProgress* progress)
{
    *file = (tdNewFile){.name = NULL};
    if (strcmp(path, "-") == 0)
    {
        return WriteFully(tdPlatform_GetStandardOutput(), pieces, count, progress);
    }
    tdFileInfo info = {0};
    bool isNew;
    tdFileStatus status;
    if (FindTarget(file, path, &info, &isNew, &status))
    {
        status = WriteBeside(file, isNew ? NULL : &info.mode, pieces, count, progress);
        if (status != TD_FILE_OK)
        {
            free(file->name);
            free(file->target);
            *file = (tdNewFile){.name = NULL};
        }
    }
    else if (status == TD_FILE_OK)
    {
        tdFileHandle handle;
        status = tdPlatform_OpenForWriting(path, &handle);
        if (status == TD_FILE_OK)
        {
            status = CloseWritten(handle, WriteFully(handle, pieces, count, progress));
        }
    }
    return status;
}

tdFileStatus tdNewFile_Keep(tdNewFile* file)
{
    tdFileStatus status = TD_FILE_OK;
    if (file->name != NULL)
    {
        status = tdPlatform_ReplaceFile(file->name, file->target);
    }
    tdNewFile_Unlock(file);
    if (status != TD_FILE_OK)
    {
        tdPlatform_RemoveFile(file->name);
    }
    free(file->name);
    free(file->target);
    *file = (tdNewFile){.name = NULL};
    return status;
}

void tdNewFile_Drop(tdNewFile* file)
{
    tdNewFile_Unlock(file);
    if (file->name != NULL)
    {
        tdPlatform_RemoveFile(file->name);
    }
    free(file->name);
    free(file->target);
    *file = (tdNewFile){.name = NULL};
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
    tdFileInfo info = {0};
    return tdPlatform_GetPathInfo(path, &info) == TD_FILE_OK;
}

bool tdIsStream(const char* path)
{
    tdFileInfo info = {0};
    return tdPlatform_GetPathInfo(path, &info) == TD_FILE_OK && info.kind == TD_PATH_STREAM;
}

bool tdIsInsideFolder(const char* path, const char* folder, bool* lacksMemory)
{
    tdFileStatus status;
    char* realPath = tdPlatform_ResolvePath(path, &status);
    char* realFolder = realPath != NULL ? tdPlatform_ResolvePath(folder, &status) : NULL;
    bool inside = false;
    if (realFolder != NULL)
    {
        size_t length = strlen(realFolder);
        length -= realFolder[length - 1] == '/' ? 1 : 0; // only the root ends in a slash
        inside = strncmp(realPath, realFolder, length) == 0 && realPath[length] == '/' &&
                 realPath[length + 1] != 0;
    }
    *lacksMemory = *lacksMemory || status == TD_FILE_OUT_OF_MEMORY;
    free(realFolder);
    free(realPath);
    return inside;
}
