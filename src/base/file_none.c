// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files on platforms that have none: there is no such file. Built instead of file.c there; whatever is read
// comes as bytes, and what it refers to through tdLoadDef.readFile.
#include "file.h"

#include <string.h>

const char* tdFileStatus_GetText(tdFileStatus status)
{
    return status == TD_FILE_OK ? "no error" : "there are no files here";
}

tdFileStatus tdReadFile(const char* path, const tdAllocator* allocator, size_t maxBytes, tdProgress* progress,
                        void** data, size_t* size)
{
    (void)progress;
    (void)path;
    (void)allocator;
    (void)maxBytes;
    *data = NULL;
    *size = 0;
    return TD_FILE_NOT_FOUND;
}

tdFileStatus tdWriteFile(const char* path, const void* data, size_t size, tdProgress* progress)
{
    return tdWriteFilePieces(path, &(tdPiece){data, size}, 1, progress);
}

tdFileStatus tdWriteFilePieces(const char* path, const tdPiece* pieces, int count, tdProgress* progress)
{
    (void)path;
    (void)pieces;
    (void)count;
    (void)progress;
    return TD_FILE_NO_ACCESS;
}

tdFileStatus tdNewFile_Write(tdNewFile* file, const char* path, const tdPiece* pieces, int count,
                             tdProgress* progress)
{
    *file = (tdNewFile){NULL, NULL};
    return tdWriteFilePieces(path, pieces, count, progress);
}

tdFileStatus tdNewFile_Keep(tdNewFile* file)
{
    (void)file;
    return TD_FILE_NO_ACCESS;
}

void tdNewFile_Drop(tdNewFile* file)
{
    (void)file;
}

void tdAppendFolderOf(tdText* out, const char* path)
{
    const char* slash = strrchr(path, '/');
    if (slash == NULL)
    {
        tdText_AppendChar(out, '.');
        return;
    }
    tdText_Append(out, path, slash == path ? 1 : (size_t)(slash - path));
}

const char* tdGetFileName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool tdFileExists(const char* path)
{
    (void)path;
    return false;
}

bool tdIsInsideFolder(const char* path, const char* folder)
{
    (void)path;
    (void)folder;
    return false;
}
