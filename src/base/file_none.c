// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stand-in for file.c on platforms without files (WebAssembly): no file exists. The application passes the
// bytes of a document, and tdLoadDef.readFile provides the files it refers to.
#include "file.h"

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
    return tdWriteFilePieces(path, &(tdFilePiece){data, size}, 1, progress);
}

tdFileStatus tdWriteFilePieces(const char* path, const tdFilePiece* pieces, int count, tdProgress* progress)
{
    (void)path;
    (void)pieces;
    (void)count;
    (void)progress;
    return TD_FILE_NO_ACCESS;
}

tdFileStatus tdNewFile_Write(tdNewFile* file, const char* path, const tdFilePiece* pieces, int count,
                             tdProgress* progress)
{
    *file = (tdNewFile){.name = NULL};
    return tdWriteFilePieces(path, pieces, count, progress);
}

void tdNewFile_Unlock(tdNewFile* file)
{
    (void)file;
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

bool tdFileExists(const char* path)
{
    (void)path;
    return false;
}

bool tdIsStream(const char* path)
{
    (void)path;
    return false;
}

bool tdIsInsideFolder(const char* path, const char* folder, bool* lacksMemory)
{
    (void)path;
    (void)folder;
    (void)lacksMemory;
    return false;
}
