// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Helpers for tests over many files: a sorted list of all files below some folders, and temporary folders.
#pragma once

#include "base/file.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(_WIN32)
#define lstat stat // the tests make no links there
#endif

typedef struct FileList
{
    tdArray(char*) paths;
} FileList;

static inline int CompareTexts(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static inline bool IsAsset(const char* name)
{
    return tdEndsWith(name, ".gltf") || tdEndsWith(name, ".glb") || tdEndsWith(name, ".vrm") ||
           tdEndsWith(name, ".vrma");
}

static inline bool IsBvh(const char* name)
{
    return tdEndsWith(name, ".bvh");
}

/// Adds all files of a kind below a folder; a missing folder adds nothing.
static inline void CollectFiles(FileList* list, const char* folder, bool (*isWanted)(const char* name))
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    DIR* directory = opendir(folder);
    if (directory == NULL)
    {
        return;
    }
    for (struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
    {
        if (entry->d_name[0] == '.')
        {
            continue;
        }
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char* path = malloc(size);
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        struct stat status;
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        {
            CollectFiles(list, path, isWanted);
        }
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && isWanted(path) &&
            tdArray_Push(&allocator, &list->paths, path))
        {
            continue;
        }
        free(path);
    }
    closedir(directory);
}

static inline void CollectAssets(FileList* list, const char* folder)
{
    CollectFiles(list, folder, IsAsset);
}

static inline void SortFiles(FileList* list)
{
    if (list->paths.count > 0)
    {
        qsort(list->paths.data, (size_t)list->paths.count, sizeof(char*), CompareTexts);
    }
}

static inline void FreeFiles(FileList* list)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (int i = 0; i < list->paths.count; ++i)
    {
        free(list->paths.data[i]);
    }
    tdArray_Free(&allocator, &list->paths);
}

/// The shared conformance assets next to the project, or NULL if they are missing.
static inline const char* FindShared(void)
{
    static const char* const places[] = {"../shared", "../../shared"};
    for (size_t i = 0; i < 2; ++i)
    {
        if (access(places[i], R_OK) == 0)
        {
            return places[i];
        }
    }
    return NULL;
}

/// A new folder under /tmp; remove it with RemoveFolder.
static inline void MakeFolder(char path[64])
{
    bool isMade = false;
    for (int i = 0; i < 1000 && !isMade; ++i)
    {
        snprintf(path, 64, "/tmp/tendon_test_%llu_%d", (unsigned long long)tdPlatform_GetProcessId(), i);
        isMade = tdPlatform_MakeFolder(path);
    }
    path[0] = isMade ? path[0] : '\0';
}

static inline void RemoveFolder(const char* folder)
{
    DIR* directory = opendir(folder);
    if (directory == NULL)
    {
        return;
    }
    for (struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
    {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
        {
            continue;
        }
        char path[PATH_MAX];
        int length = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof(path))
        {
            continue;
        }
        struct stat status;
        if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        {
            RemoveFolder(path);
        }
        else
        {
            unlink(path);
        }
    }
    closedir(directory);
    rmdir(folder);
}
