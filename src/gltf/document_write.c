// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saves a document: unchanged ones byte for byte, the files they refer to first, the document last. Conflicts
// with other files are found before anything is written.
#include "document_write.h"

#include "document_edit.h"
#include "embed.h"
#include "repack.h"
#include "resolver.h"
#include "uri.h"

#include <string.h>

// Files that stay locked until the rename; a system permits about a thousand open ones. While a process holds
// one lock in a folder, no other process removes any of its temporary files there.
#define MAX_LOCKED 64

/// A file to be written beside the document.
typedef struct SideFile
{
    char* path; // zero-terminated, pathSize bytes
    size_t pathSize;
    const uint8_t* data;
    size_t size;
    size_t capacity;  // allocated bytes if `data` is owned; 0: borrowed
    tdNewFile isNew;  // written under a temporary name
    size_t firstMade; // end in `path` of the first folder created for it; 0: none
} SideFile;

typedef struct Saving
{
    const tdDocument* document;
    tdAllocator allocator;
    tdReport* report;
    tdText folder;     // of the target
    bool isSameFolder; // as the document's own
    tdArray(SideFile) files;
    bool hasFailed;
} Saving;

tdDocumentKind tdGetSaveKind(const tdDocument* document, const char* path)
{
    if (tdEndsWith(path, ".gltf") || tdEndsWith(path, ".GLTF"))
    {
        return TD_DOCUMENT_GLTF;
    }
    bool isGlb = tdEndsWith(path, ".glb") || tdEndsWith(path, ".GLB") || tdEndsWith(path, ".vrm") ||
                 tdStringsEqual(path, "-");
    return isGlb ? TD_DOCUMENT_GLB : document->kind;
}

static void FailSavingMemory(Saving* saving)
{
    saving->hasFailed = true;
    tdReport_Add(saving->report, TD_DIAG_OUT_OF_MEMORY, NULL, "saving");
}

static bool AreSameFolders(const char* a, const char* b)
{
    tdFileInfo infoA, infoB;
    return tdPlatform_GetPathInfo(a, &infoA) == TD_FILE_OK &&
           tdPlatform_GetPathInfo(b, &infoB) == TD_FILE_OK && infoA.volume == infoB.volume &&
           infoA.index == infoB.index;
}

static bool HasFile(const Saving* saving, const char* path)
{
    for (int i = 0; i < saving->files.count; ++i)
    {
        if (strcmp(saving->files.data[i].path, path) == 0)
        {
            return true;
        }
    }
    return false;
}

/// True if a folder between the target folder and a file is a link that leads out of the target folder.
static bool LeavesThroughLink(Saving* saving, char* path)
{
    size_t start = saving->folder.length;
    bool lacksMemory = false, isOutside = false;
    for (char* slash = strchr(path + start + 1, '/'); slash != NULL && !isOutside;
         slash = strchr(slash + 1, '/'))
    {
        *slash = 0;
        isOutside = tdFileExists(path) && !tdIsInsideFolder(path, saving->folder.data, &lacksMemory);
        *slash = '/';
    }
    if (lacksMemory)
    {
        FailSavingMemory(saving);
    }
    return isOutside && !lacksMemory;
}

/// Adds a file to the list unless the same one is there; a different one of that name is an error. Takes
/// ownership of data with capacity > 0, also on failure. `decoded` is the path relative to the target folder.
static void AddFile(Saving* saving, const char* decoded, const uint8_t* data, size_t size, size_t capacity,
                    bool mayReplace)
{
    SideFile file = {.data = data, .size = size, .capacity = capacity};
    tdText path;
    tdText_Init(&path, &saving->allocator);
    tdText_AppendFormat(&path, "%s/%s", saving->folder.data, decoded);
    bool isKept = false;
    if (path.failed)
    {
        FailSavingMemory(saving);
    }
    else if (!HasFile(saving, path.data))
    {
        void* old = NULL;
        size_t oldSize = 0;
        tdFileStatus status =
            mayReplace ? TD_FILE_NOT_FOUND
                       : tdReadFile(path.data, &saving->allocator, SIZE_MAX / 2, NULL, &old, &oldSize);
        bool isSame = status == TD_FILE_OK && oldSize == size && (size == 0 || memcmp(old, data, size) == 0);
        if (status == TD_FILE_OK)
        {
            tdRelease(&saving->allocator, old, oldSize + 1);
        }
        if (status == TD_FILE_OUT_OF_MEMORY)
        {
            FailSavingMemory(saving);
        }
        else if (status != TD_FILE_NOT_FOUND && !isSame)
        {
            saving->hasFailed = true;
            tdReport_Add(saving->report, TD_DIAG_RESOURCE_IN_THE_WAY, NULL, path.data);
        }
        else if (!isSame && LeavesThroughLink(saving, path.data))
        {
            saving->hasFailed = true;
            tdReport_Add(saving->report, TD_DIAG_IO_WRITE_ERROR, NULL, path.data,
                         "it lies behind a link that leads out of the folder of the output");
        }
        else if (!isSame)
        {
            file.path = path.data;
            file.pathSize = path.capacity;
            isKept = tdArray_Push(&saving->allocator, &saving->files, file);
            if (!isKept)
            {
                FailSavingMemory(saving);
            }
        }
    }
    if (!isKept)
    {
        tdText_Free(&path);
        if (capacity > 0)
        {
            tdRelease(&saving->allocator, (void*)(uintptr_t)data, capacity);
        }
    }
}

/// Adds one reference of the document to the list, with its bytes.
static void TakeAlong(Saving* saving, const char* uri, size_t length, const tdBuffer* buffer)
{
    if (tdClassifyUri(uri, length) != TD_URI_RELATIVE)
    {
        return;
    }
    int shown = tdGetShownLength(uri, length);
    tdText decoded;
    tdText_Init(&decoded, &saving->allocator);
    if (!tdDecodeUriPath(uri, length, &decoded) || decoded.failed)
    {
        if (decoded.failed)
        {
            FailSavingMemory(saving);
        }
    }
    else if (tdLeavesFolder(decoded.data))
    {
        if (!saving->isSameFolder && !saving->document->resolver.isEmbedded)
        {
            tdReport_Add(saving->report, TD_DIAG_RESOURCE_NOT_COPIED, NULL, shown, uri,
                         "it lies outside the folder of the asset");
        }
    }
    else if (!saving->isSameFolder && buffer != NULL && buffer->data != NULL)
    {
        AddFile(saving, decoded.data, buffer->data, buffer->fullSize, 0, false);
    }
    else if (!saving->isSameFolder)
    {
        tdResolved file;
        tdResolveStatus status =
            tdResolver_Read(&saving->document->resolver, &saving->allocator, uri, length, &file);
        if (status == TD_RESOLVE_OK)
        {
            AddFile(saving, decoded.data, file.data, file.size, file.capacity, false);
        }
        else if (status == TD_RESOLVE_OUT_OF_MEMORY)
        {
            FailSavingMemory(saving);
        }
        else if (!saving->document->resolver.isEmbedded)
        {
            tdReport_Add(saving->report, TD_DIAG_RESOURCE_NOT_COPIED, NULL, shown, uri,
                         file.why[0] != 0 ? file.why : "it cannot be read");
        }
    }
    tdText_Free(&decoded);
}

/// Adds every member named "uri" outside extras: buffers, images and files of extensions.
static void CollectFiles(Saving* saving)
{
    const tdDocument* document = saving->document;
    const tdJson* json = document->json;
    int index = 0;
    for (int buffer = tdJson_GetFirst(json, tdDocument_GetBufferList(document)); buffer >= 0;
         buffer = tdJson_GetNext(json, buffer), ++index)
    {
        size_t length = 0;
        const char* uri = tdJson_GetString(json, tdJson_Find(json, buffer, "uri"), &length);
        if (uri != NULL &&
            document->buffers[index].source != TD_BUFFER_SIDE) // side buffers are listed already
        {
            TakeAlong(saving, uri, length, &document->buffers[index]);
        }
    }
    for (int value = tdDocument_NextReference(document, -1);
         value >= 0 && !saving->isSameFolder && !saving->hasFailed;
         value = tdDocument_NextReference(document, value))
    {
        size_t length = 0;
        const char* uri = tdJson_GetString(json, value, &length);
        TakeAlong(saving, uri, length, NULL);
    }
}

/// Creates the folders between the target folder and a file.
static void MakeFolders(const Saving* saving, SideFile* file)
{
    for (char* slash = file->path + saving->folder.length + 1; (slash = strchr(slash, '/')) != NULL; ++slash)
    {
        *slash = 0;
        // Failures show when the file is written.
        bool isMade = tdPlatform_MakeFolder(file->path);
        *slash = '/';
        file->firstMade = isMade && file->firstMade == 0 ? (size_t)(slash - file->path) : file->firstMade;
    }
}

/// Removes the folders created for a file if they are empty.
static void RemoveFolders(SideFile* file)
{
    char* slash = strrchr(file->path, '/');
    while (file->firstMade > 0 && slash != NULL && (size_t)(slash - file->path) >= file->firstMade)
    {
        *slash = 0;
        tdPlatform_RemoveFolder(file->path);
        slash = strrchr(file->path, '/');
    }
}

static bool CheckFileStatus(Saving* saving, tdFileStatus status, const char* path)
{
    if (status != TD_FILE_OK)
    {
        saving->hasFailed = true;
        if (status == TD_FILE_OUT_OF_MEMORY)
        {
            tdReport_Add(saving->report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing the file");
        }
        else
        {
            tdReport_Add(saving->report, TD_DIAG_IO_WRITE_ERROR, NULL,
                         tdStringsEqual(path, "-") ? "standard output" : path, tdFileStatus_GetText(status));
        }
    }
    return status == TD_FILE_OK;
}

/// All files are written under temporary names before any is renamed, so a full disk changes nothing. The
/// document is renamed last.
static void WriteFiles(Saving* saving, const char* path, const void* data, size_t size)
{
    tdProgress* progress = saving->document->resolver.progress;
    int written = 0, kept = 0;
    for (; written < saving->files.count && !saving->hasFailed; ++written)
    {
        SideFile* file = &saving->files.data[written];
        tdFilePiece piece = {file->data, file->size};
        MakeFolders(saving, file);
        CheckFileStatus(saving, tdNewFile_Write(&file->isNew, file->path, &piece, 1, progress), file->path);
        if (written >= MAX_LOCKED)
        {
            tdNewFile_Unlock(&file->isNew);
        }
    }
    tdFilePiece piece = {data, size};
    tdNewFile document = {.name = NULL};
    bool isWritten = !saving->hasFailed &&
                     CheckFileStatus(saving, tdNewFile_Write(&document, path, &piece, 1, progress), path);
    for (; kept < written && !saving->hasFailed; ++kept)
    {
        SideFile* file = &saving->files.data[kept];
        CheckFileStatus(saving, tdNewFile_Keep(&file->isNew), file->path);
    }
    if (isWritten && !saving->hasFailed)
    {
        CheckFileStatus(saving, tdNewFile_Keep(&document), path);
    }
    tdNewFile_Drop(&document);
    for (int i = written - 1; i >= kept && saving->hasFailed; --i)
    {
        tdNewFile_Drop(&saving->files.data[i].isNew);
        RemoveFolders(&saving->files.data[i]);
    }
}

static bool IsFileUri(const tdDocument* document, const char* uri)
{
    const tdJson* json = document->json;
    int index = 0;
    for (int buffer = tdJson_GetFirst(json, tdDocument_GetBufferList(document)); buffer >= 0;
         buffer = tdJson_GetNext(json, buffer), ++index)
    {
        if (document->buffers[index].source != TD_BUFFER_SIDE &&
            tdJson_StringEquals(json, tdJson_Find(json, buffer, "uri"), uri))
        {
            return true;
        }
    }
    return false;
}

/// Finds the first free name for a side buffer: `name` as a file, `uri` as the quoted reference.
static void ChooseSideName(Saving* saving, const char* path, const char* ending, tdText* name, tdText* uri)
{
    tdText full;
    tdText_Init(&full, &saving->allocator);
    for (int number = 1; !saving->hasFailed; ++number)
    {
        tdText_Clear(name);
        tdText_Clear(uri);
        tdText_Clear(&full);
        tdAppendSideName(name, path, ending, number);
        tdText_AppendFormat(&full, "%s/%s", saving->folder.data, name->failed ? "" : name->data);
        tdAppendUriPath(uri, name->failed ? "" : name->data);
        if (name->failed || uri->failed || full.failed)
        {
            FailSavingMemory(saving);
        }
        else if (!HasFile(saving, full.data) && !IsFileUri(saving->document, uri->data))
        {
            break;
        }
    }
    tdText_Free(&full);
}

/// Places the side buffers of a .gltf: as files beside `path`, or as data URIs if it is NULL.
static void PlaceSides(Saving* saving, const char* path, tdJsonEdit* edit)
{
    const tdDocument* document = saving->document;
    const tdJson* json = document->json;
    tdText name, uri, quoted;
    tdText_Init(&name, &saving->allocator);
    tdText_Init(&uri, &saving->allocator);
    tdText_Init(&quoted, &saving->allocator);
    int index = 0;
    for (int buffer = tdJson_GetFirst(json, tdDocument_GetBufferList(document));
         buffer >= 0 && !saving->hasFailed; buffer = tdJson_GetNext(json, buffer), ++index)
    {
        const tdBuffer* bytes = &document->buffers[index];
        int old = tdJson_Find(json, buffer, "uri");
        if (bytes->source != TD_BUFFER_SIDE || old < 0)
        {
            continue;
        }
        if (path != NULL)
        {
            ChooseSideName(saving, path, bytes->sideEnding, &name, &uri);
        }
        else
        {
            tdText_Clear(&uri);
            tdText_AppendString(&uri, "data:application/octet-stream;base64,");
            tdAppendBase64(&uri, bytes->data, bytes->fullSize);
        }
        tdText_Clear(&quoted);
        tdText_AppendChar(&quoted, '"');
        tdText_Append(&quoted, uri.data, uri.failed ? 0 : uri.length);
        tdText_AppendChar(&quoted, '"');
        if (saving->hasFailed || uri.failed || quoted.failed)
        {
            FailSavingMemory(saving);
            break;
        }
        if (!tdJson_StringEquals(json, old, uri.data))
        {
            tdJsonEdit_Replace(edit, old, quoted.data, quoted.length);
        }
        if (path != NULL)
        {
            AddFile(saving, name.data, bytes->data, bytes->fullSize, 0, true);
        }
    }
    tdText_Free(&quoted);
    tdText_Free(&uri);
    tdText_Free(&name);
}

static bool StartSaving(Saving* saving, const tdDocument* document, const char* path,
                        const tdAllocator* allocator, tdReport* report)
{
    *saving = (Saving){.document = document, .allocator = *allocator, .report = report};
    tdText_Init(&saving->folder, allocator);
    tdAppendFolderOf(&saving->folder, path);
    if (saving->folder.failed)
    {
        FailSavingMemory(saving);
        return false;
    }
    saving->isSameFolder =
        document->resolver.folder != NULL && AreSameFolders(saving->folder.data, document->resolver.folder);
    return true;
}

static void EndSaving(Saving* saving)
{
    for (int i = 0; i < saving->files.count; ++i)
    {
        SideFile* file = &saving->files.data[i];
        tdRelease(&saving->allocator, file->path, file->pathSize);
        if (file->capacity > 0)
        {
            tdRelease(&saving->allocator, (void*)(uintptr_t)file->data, file->capacity);
        }
    }
    tdArray_Free(&saving->allocator, &saving->files);
    tdText_Free(&saving->folder);
}

/// True for standard output, devices and pipes, which have no folder for other files. A name such as
/// /dev/stdout may stand for an ordinary file outside /dev.
static bool IsStream(const char* path)
{
    tdFileInfo info = {0};
    return tdStringsEqual(path, "-") || tdStartsWith(path, "/dev/") || tdStartsWith(path, "/proc/") ||
           (tdPlatform_GetPathInfo(path, &info) == TD_FILE_OK && info.kind != TD_PATH_FILE);
}

/// Writes a document that has the requested kind.
static bool WriteDocument(const tdDocument* document, const char* path, const tdAllocator* allocator,
                          tdReport* report)
{
    Saving saving;
    tdText text;
    tdText_Init(&text, allocator);
    tdJsonEdit* edit = tdCreateJsonEdit(document->json, allocator);
    bool isStarted = StartSaving(&saving, document, path, allocator, report);
    bool isStream = IsStream(path);
    if (edit == NULL && isStarted)
    {
        FailSavingMemory(&saving);
    }
    if (!saving.hasFailed)
    {
        PlaceSides(&saving, isStream ? NULL : path, edit);
    }
    if (!saving.hasFailed && !isStream)
    {
        CollectFiles(&saving);
    }
    bool isChanged = !saving.hasFailed && !tdJsonEdit_IsEmpty(edit);
    if (isChanged && !tdJsonEdit_Write(edit, &text))
    {
        FailSavingMemory(&saving);
    }
    if (!saving.hasFailed)
    {
        WriteFiles(&saving, path, isChanged ? (const void*)text.data : document->bytes,
                   isChanged ? text.length : document->size);
    }
    bool isSaved = !saving.hasFailed;
    EndSaving(&saving);
    tdDestroyJsonEdit(edit);
    tdText_Free(&text);
    return isSaved;
}

bool tdSaveDocument(const tdDocument* document, const char* path, tdReport* report)
{
    tdAllocator allocator = document->allocator;
    tdDocumentKind kind = tdGetSaveKind(document, path);
    if (kind == document->kind)
    {
        return WriteDocument(document, path, &allocator, report);
    }
    tdDocument* repacked = tdRepackDocument(document, kind, &allocator, report);
    if (repacked == NULL)
    {
        return false;
    }
    if (kind == TD_DOCUMENT_GLTF)
    {
        tdReportLostChunks(document, report);
    }
    bool isSaved = WriteDocument(repacked, path, &allocator, report);
    tdDestroyDocument(repacked);
    return isSaved;
}

uint8_t* tdSaveDocumentToMemory(const tdDocument* document, tdDocumentKind kind, const tdAllocator* allocator,
                                size_t* size, tdReport* report)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdDocument* repacked = NULL;
    if (kind != document->kind)
    {
        repacked = tdRepackDocument(document, kind, &resolved, report);
        if (repacked == NULL)
        {
            return NULL;
        }
        document = repacked;
    }
    Saving saving = {.document = document, .allocator = resolved, .report = report};
    tdText text;
    tdText_Init(&text, &resolved);
    tdText_Init(&saving.folder, &resolved);
    tdJsonEdit* edit = tdCreateJsonEdit(document->json, &resolved);
    uint8_t* bytes = NULL;
    if (edit == NULL)
    {
        FailSavingMemory(&saving);
    }
    else
    {
        PlaceSides(&saving, NULL, edit);
    }
    bool isChanged = !saving.hasFailed && !tdJsonEdit_IsEmpty(edit);
    if (isChanged && !tdJsonEdit_Write(edit, &text))
    {
        FailSavingMemory(&saving);
    }
    if (!saving.hasFailed)
    {
        *size = isChanged ? text.length : document->size;
        bytes = tdAllocate(&resolved, *size + 1, 16);
        if (bytes != NULL)
        {
            memcpy(bytes, isChanged ? (const void*)text.data : document->bytes, *size);
            bytes[*size] = 0;
        }
        else
        {
            FailSavingMemory(&saving);
        }
    }
    tdDestroyJsonEdit(edit);
    tdText_Free(&text);
    tdDestroyDocument(repacked);
    return bytes;
}
