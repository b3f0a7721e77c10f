// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files: reading whole, writing so that an interrupted write leaves the old file, and path questions.
#pragma once

#include "progress.h"
#include "text.h"

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

/// A sentence's end for each status, such as "no such file".
const char* tdFileStatus_GetText(tdFileStatus status);

/// Reads a whole file ("-": standard input). The memory has one zero byte past the end and is released with
/// tdRelease(allocator, data, size + 1).
/// @param progress NULL: none
tdFileStatus tdReadFile(const char* path, const tdAllocator* allocator, size_t maxBytes, tdProgress* progress,
                        void** data, size_t* size);

/// Writes to a temporary file beside `path`, then renames it over ("-": standard output). On failure the old
/// file is whole and the temporary one is gone.
/// @param progress NULL: none
tdFileStatus tdWriteFile(const char* path, const void* data, size_t size, tdProgress* progress);
/// The same from several pieces.
typedef struct tdPiece
{
    const void* data;
    size_t size;
} tdPiece;
tdFileStatus tdWriteFilePieces(const char* path, const tdPiece* pieces, int count, tdProgress* progress);

/// A file that is written but has not got its name yet, so that several can get theirs together.
typedef struct tdNewFile
{
    char* name;   // of the temporary file; NULL: none, it was written directly (a device, a pipe)
    char* target; // the name it gets
} tdNewFile;
/// Writes it. On failure nothing is left of it, and nothing is to be done.
tdFileStatus tdNewFile_Write(tdNewFile* file, const char* path, const tdPiece* pieces, int count,
                             tdProgress* progress);
/// Gives it its name, over an older file; on failure it is gone.
tdFileStatus tdNewFile_Keep(tdNewFile* file);
/// Removes it.
void tdNewFile_Drop(tdNewFile* file);

/// The part of a path up to and without its last slash; "." when there is none. Appends to `out`.
void tdAppendFolderOf(tdText* out, const char* path);
/// Pointer to the part after the last slash.
const char* tdGetFileName(const char* path);

/// True if there is anything of that name.
bool tdFileExists(const char* path);
/// True if `path`, links resolved, lies inside `folder`, links resolved. Both must exist.
bool tdIsInsideFolder(const char* path, const char* folder);
