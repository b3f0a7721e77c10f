// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads the files a document refers to: through the application's callback, or from the document's folder and
// the allowed folders. The text of a reference is checked first; links are resolved and checked before a file
// is opened.
#include "resolver.h"

#include "document.h"
#include "uri.h"

#include "base/file.h"

#include <string.h>

static tdResolveStatus ReadThroughCallback(const tdResolver* resolver, const tdAllocator* allocator,
                                           const char* path, tdResolved* out)
{
    const void* data = NULL;
    size_t size = 0;
    if (!resolver->readFile(resolver->readContext, path, &data, &size) || (data == NULL && size > 0))
    {
        out->why = "the application has no such file";
        return TD_RESOLVE_MISSING;
    }
    if (size > resolver->maxBytes)
    {
        return TD_RESOLVE_TOO_LARGE;
    }
    out->capacity = size + 1;
    out->data = tdAllocate(allocator, out->capacity, 16);
    if (out->data == NULL)
    {
        return TD_RESOLVE_OUT_OF_MEMORY;
    }
    if (size > 0)
    {
        memcpy(out->data, data, size);
    }
    out->size = size;
    return TD_RESOLVE_OK;
}

static bool IsAllowed(const tdResolver* resolver, const char* path, bool* lacksMemory)
{
    bool isAllowed = tdIsInsideFolder(path, resolver->folder, lacksMemory);
    for (int i = 0; i < resolver->allowedFolderCount && !isAllowed; ++i)
    {
        isAllowed = tdIsInsideFolder(path, resolver->allowedFolders[i], lacksMemory);
    }
    return isAllowed;
}

static tdResolveStatus ReadFromFolder(const tdResolver* resolver, const tdAllocator* allocator,
                                      const char* path, tdResolved* out)
{
    tdText full;
    tdText_Init(&full, allocator);
    tdText_AppendFormat(&full, "%s/%s", resolver->folder, path);
    if (full.failed)
    {
        tdText_Free(&full);
        return TD_RESOLVE_OUT_OF_MEMORY;
    }
    tdResolveStatus status = TD_RESOLVE_OK;
    bool lacksMemory = false;
    bool isAllowed = IsAllowed(resolver, full.data, &lacksMemory);
    if (lacksMemory)
    {
        status = TD_RESOLVE_OUT_OF_MEMORY;
    }
    else if (isAllowed && tdIsStream(full.data))
    {
        out->why = "it is no regular file";
        status = TD_RESOLVE_MISSING;
    }
    else if (!isAllowed)
    {
        bool isMissing = !tdFileExists(full.data) && !tdLeavesFolder(path);
        out->why = tdFileStatus_GetText(TD_FILE_NOT_FOUND);
        status = isMissing ? TD_RESOLVE_MISSING : TD_RESOLVE_OUTSIDE;
    }
    else
    {
        void* data = NULL;
        tdFileStatus fileStatus =
            tdReadFile(full.data, allocator, resolver->maxBytes, resolver->progress, &data, &out->size);
        out->data = data;
        out->capacity = out->size + 1;
        out->why = tdFileStatus_GetText(fileStatus);
        status = fileStatus == TD_FILE_OK              ? TD_RESOLVE_OK
                 : fileStatus == TD_FILE_OUT_OF_MEMORY ? TD_RESOLVE_OUT_OF_MEMORY
                 : fileStatus == TD_FILE_TOO_LARGE     ? TD_RESOLVE_TOO_LARGE
                                                       : TD_RESOLVE_MISSING;
    }
    tdText_Free(&full);
    return status;
}

tdResolveStatus tdResolver_Read(const tdResolver* resolver, const tdAllocator* allocator, const char* uri,
                                size_t length, tdResolved* out)
{
    *out = (tdResolved){.why = ""};
    if (tdClassifyUri(uri, length) != TD_URI_RELATIVE)
    {
        return TD_RESOLVE_SCHEME;
    }
    tdText path;
    tdText_Init(&path, allocator);
    tdResolveStatus status = TD_RESOLVE_INVALID;
    out->why = "a broken percent escape";
    if (length == 0)
    {
        out->why = "it is empty";
    }
    else if (tdDecodeUriPath(uri, length, &path))
    {
        out->why = "";
        if (path.failed)
        {
            status = TD_RESOLVE_OUT_OF_MEMORY;
        }
        else if (tdLeavesFolder(path.data) && resolver->allowedFolderCount == 0)
        {
            status = TD_RESOLVE_OUTSIDE;
        }
        else if (resolver->readFile != NULL)
        {
            status = ReadThroughCallback(resolver, allocator, path.data, out);
        }
        else if (resolver->folder == NULL)
        {
            out->why = "the asset was loaded from memory and has no folder";
            status = TD_RESOLVE_MISSING;
        }
        else
        {
            status = ReadFromFolder(resolver, allocator, path.data, out);
        }
    }
    tdText_Free(&path);
    return status;
}

void tdReportResolveStatus(tdReport* report, const tdPath* path, tdResolveStatus status, const char* uri,
                           size_t length, const char* why, size_t maxBytes)
{
    int shown = tdGetShownLength(uri, length);
    switch (status)
    {
    case TD_RESOLVE_OK:
        break;
    case TD_RESOLVE_INVALID:
        tdReport_Add(report, TD_DIAG_INVALID_URI, path, shown, uri, why);
        break;
    case TD_RESOLVE_SCHEME:
        tdReport_Add(report, TD_DIAG_URI_SCHEME, path, shown, uri);
        break;
    case TD_RESOLVE_OUTSIDE:
        tdReport_Add(report, TD_DIAG_URI_OUTSIDE, path, shown, uri);
        break;
    case TD_RESOLVE_MISSING:
        tdReport_Add(report, TD_DIAG_RESOURCE_MISSING, path, shown, uri, why);
        break;
    case TD_RESOLVE_TOO_LARGE:
        tdReport_Add(report, TD_DIAG_MEMORY_LIMIT, path, (unsigned long long)maxBytes);
        break;
    case TD_RESOLVE_OUT_OF_MEMORY:
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, path, "reading a resource");
        break;
    }
}
