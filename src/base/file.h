// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files: whole-file reads, atomic writes (an interrupted write leaves the old file) and file system queries.
#pragma once

#include "file_path.h"
#include "platform.h"
#include "progress.h"

/// A phrase for the end of a sentence, such as "no such file".
const char* tdFileStatus_GetText(tdFileStatus status);

/// Reads a whole file ("-": standard input) and appends a zero byte. The data is aligned to 16 bytes. The
/// caller releases the memory with tdRelease(allocator, data, size + 1).
/// @param progress may be NULL
tdFileStatus tdReadFile(const char* path, const tdAllocator* allocator, size_t maxBytes, tdProgress* progress,
                        void** data, size_t* size);

/// Writes a temporary file beside `path` and renames it over `path` ("-": standard output). On failure the
/// old file is unchanged and the temporary file is removed.
/// @param progress may be NULL
tdFileStatus tdWriteFile(const char* path, const void* data, size_t size, tdProgress* progress);
/// Bytes that follow the piece before them in a file.
typedef struct tdFilePiece
{
    const void* data;
    size_t size;
} tdFilePiece;
/// As tdWriteFile, from several pieces.
tdFileStatus tdWriteFilePieces(const char* path, const tdFilePiece* pieces, int count, tdProgress* progress);

/// A written temporary file before its rename, so that several files can be renamed together.
typedef struct tdNewFile
{
    char* name;   // of the temporary file; NULL: the target is a device or pipe and was written directly
    char* target; // name after the rename
    tdFileHandle file;
    bool isOpen; // `file` is open and locked, which tells other processes that this is no leftover
} tdNewFile;
/// Writes the temporary file. On failure it is removed and the caller has nothing to clean up.
tdFileStatus tdNewFile_Write(tdNewFile* file, const char* path, const tdFilePiece* pieces, int count,
                             tdProgress* progress);
/// Closes the file, which ends its lock. For processes with many new files: the number of open files is
/// limited.
void tdNewFile_Unlock(tdNewFile* file);
/// Renames the temporary file over the target and closes it. On failure the temporary file is removed.
tdFileStatus tdNewFile_Keep(tdNewFile* file);
/// Removes the temporary file.
void tdNewFile_Drop(tdNewFile* file);

/// True if the path exists, whatever its kind.
bool tdFileExists(const char* path);
/// True for a device, pipe or socket, whose reading may never end. Follows links.
bool tdIsStream(const char* path);
/// True if `path` lies inside `folder`, after resolving links in both. False if either does not exist, or if
/// memory ran out (`*lacksMemory`, set only then).
bool tdIsInsideFolder(const char* path, const char* folder, bool* lacksMemory);
