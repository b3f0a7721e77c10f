// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lists folders and reads lists of names.
#include "input_files.h"

#include "memory.h"
#include "platform.h"
#include "session.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct InputList
{
    const char** paths;
    const char** names; // output names, see Options
    int count, capacity;
    char** texts; // memory of paths and names
    int textCount, textCapacity;
    bool isOutOfMemory;
} InputList;

// Makes room for one more pointer. Returns the array, or NULL when memory ran out.
static void* GrowPointers(void* pointers, int count, int* capacity)
{
    if (count < *capacity)
    {
        return pointers;
    }
    int larger = *capacity * 2 + 64;
    void* grown = ResizeBytes(pointers, sizeof(void*) * (size_t)larger);
    *capacity = grown != NULL ? larger : *capacity;
    return grown;
}

// Takes ownership of a text; NULL when memory ran out.
static char* KeepText(InputList* list, char* text)
{
    char** texts = text != NULL ? GrowPointers(list->texts, list->textCount, &list->textCapacity) : NULL;
    if (texts == NULL)
    {
        list->isOutOfMemory = true;
        free(text);
        return NULL;
    }
    list->texts = texts;
    list->texts[list->textCount++] = text;
    return text;
}

static void AddInput(InputList* list, const char* path, const char* name)
{
    int nameCapacity = list->capacity;
    const char** paths = GrowPointers((void*)list->paths, list->count, &list->capacity);
    list->paths = paths != NULL ? paths : list->paths;
    const char** names = paths != NULL ? GrowPointers((void*)list->names, list->count, &nameCapacity) : NULL;
    list->names = names != NULL ? names : list->names;
    if (names == NULL || path == NULL)
    {
        list->isOutOfMemory = true;
        return;
    }
    list->paths[list->count] = path;
    list->names[list->count++] = name;
}

// --- folders ----------------------------------------------------------------------------------------------

// Whether the verb reads files of this name when it is given their folder. trace, bake and convert need a
// scene, which motions do not have.
static bool IsReadable(const Options* options, const char* name)
{
    static const char* const endings[] = {".gltf", ".glb", ".vrm", ".vrma", ".bvh"};
    bool readsMotions = options->verb == VERB_CHECK || options->verb == VERB_INSPECT ||
                        (options->verb == VERB_RETARGET && IsGiven(options, OPTION_ONTO));
    size_t length = strlen(name);
    for (int i = 0; i < (readsMotions ? 5 : 3); ++i)
    {
        if (length > strlen(endings[i]) && HasExtension(name, endings[i]))
        {
            return true;
        }
    }
    return false;
}

static int CompareNames(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// Names of the entries of a folder, sorted; the caller frees each name and the array. -1: cannot be read.
static int ListFolder(const char* folder, char*** names)
{
    Folder* directory = OpenFolder(folder);
    int count = 0, capacity = 0;
    *names = NULL;
    if (directory == NULL)
    {
        return -1;
    }
    for (const char* entry = ReadFolder(directory); entry != NULL; entry = ReadFolder(directory))
    {
        if (entry[0] == '.')
        {
            continue; // hidden
        }
        char** grown = GrowPointers(*names, count, &capacity);
        char* name = grown != NULL ? CopyText(entry) : NULL;
        *names = grown != NULL ? grown : *names;
        if (name == NULL)
        {
            break;
        }
        (*names)[count++] = name;
    }
    CloseFolder(directory);
    if (count > 0)
    {
        qsort(*names, (size_t)count, sizeof(char*), CompareNames);
    }
    return count;
}

// Adds the files of a folder. `rootLength` is the length of the given folder, before which output names are
// cut. Links to folders are not followed, so that the walk ends.
static bool AddFolder(InputList* list, const Options* options, const char* folder, size_t rootLength)
{
    char** names = NULL;
    int count = ListFolder(folder, &names);
    bool isFine = count >= 0;
    for (int i = 0; i < count; ++i)
    {
        size_t size = strlen(folder) + strlen(names[i]) + 2;
        char* path = KeepText(list, AllocateBytes(size));
        PathInfo info;
        if (path != NULL)
        {
            bool hasSlash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
            snprintf(path, size, "%s%s%s", folder, hasSlash ? "" : "/", names[i]);
            const char* name = path + rootLength;
            name += strspn(name, "/");
            bool isThere = GetLinkInfo(path, &info);
            if (isThere && info.kind == PATH_FOLDER)
            {
                isFine =
                    (!IsGiven(options, OPTION_RECURSIVE) || AddFolder(list, options, path, rootLength)) &&
                    isFine;
            }
            else if (isThere && IsReadable(options, names[i]) && GetPathInfo(path, &info) &&
                     info.kind == PATH_FILE)
            {
                AddInput(list, path, name);
            }
        }
        free(names[i]);
    }
    free((void*)names);
    return isFine;
}

// The system may run out of memory where the program does not allocate.
static void NoteError(int error)
{
    if (error == ENOMEM)
    {
        NoteMemoryFailure();
    }
}

static int AddPath(InputList* list, const Options* options, const char* path, FILE* errors)
{
    const char* verb = GetVerbInfo(options->verb)->name;
    PathInfo info;
    if (strcmp(path, "-") == 0 || !GetPathInfo(path, &info) || info.kind != PATH_FOLDER)
    {
        AddInput(list, path, GetLastPart(path));
        return EXIT_FINE;
    }
    int before = list->count;
    errno = 0;
    if (!AddFolder(list, options, path, strlen(path)))
    {
        NoteError(errno);
        PrintClean(errors, "tendon %s: cannot read the folder \"%s\": %s.\n", verb, path, strerror(errno));
        return EXIT_IO;
    }
    if (list->count == before && !HasMemoryFailed())
    {
        PrintClean(errors, "tendon %s: the folder \"%s\" has no files that %s reads%s.\n", verb, path, verb,
                   IsGiven(options, OPTION_RECURSIVE) ? "" : "; -R also reads the folders inside it");
        return EXIT_IO;
    }
    return EXIT_FINE;
}

// --- lists ------------------------------------------------------------------------------------------------

// Reads a stream to its end; the caller frees the text, which ends with a zero. NULL after a failure.
static char* ReadAll(FILE* file, size_t* size)
{
    char* text = NULL;
    size_t capacity = 0;
    *size = 0;
    for (;;)
    {
        if (capacity - *size < 4096)
        {
            capacity = capacity * 2 + 8192;
            char* grown = ResizeBytes(text, capacity);
            if (grown == NULL)
            {
                free(text);
                errno = ENOMEM;
                return NULL;
            }
            text = grown;
        }
        size_t count = fread(text + *size, 1, capacity - *size - 1, file);
        *size += count;
        if (count == 0)
        {
            text[*size] = '\0';
            break;
        }
    }
    if (ferror(file) != 0)
    {
        free(text);
        return NULL;
    }
    return text;
}

static int AddList(InputList* list, const Options* options, const char* path, FILE* errors)
{
    errno = 0;
    bool isStandard = strcmp(path, "-") == 0;
    FILE* file = isStandard ? stdin : OpenStream(path, "rb");
    size_t size = 0;
    char* text = file != NULL ? KeepText(list, ReadAll(file, &size)) : NULL;
    if (file != NULL && !isStandard)
    {
        fclose(file);
    }
    if (text == NULL)
    {
        NoteError(errno);
        PrintClean(errors, "tendon %s: cannot read the list \"%s\": %s.\n", GetVerbInfo(options->verb)->name,
                   isStandard ? "standard input" : path, strerror(errno));
        return EXIT_IO;
    }
    char separator = memchr(text, '\0', size) != NULL ? '\0' : '\n';
    int result = EXIT_FINE;
    for (char *name = text, *end; name < text + size; name = end + 1)
    {
        end = memchr(name, separator, (size_t)(text + size - name));
        end = end != NULL ? end : text + size;
        *end = '\0';
        size_t length = strlen(name);
        if (separator == '\n' && length > 0 && name[length - 1] == '\r')
        {
            name[length - 1] = '\0'; // a list from Windows
        }
        if (name[0] != '\0')
        {
            int exitCode = AddPath(list, options, name, errors);
            result = exitCode > result ? exitCode : result;
        }
    }
    return result;
}

// --- all inputs -------------------------------------------------------------------------------------------

int ExpandInputs(Options* options, FILE* errors)
{
    InputList* list = AllocateZeroed(1, sizeof *list);
    int result = EXIT_FINE;
    bool takesFolders = GetVerbInfo(options->verb)->mostFiles < 0;
    for (int i = 0; list != NULL && i < options->fileCount; ++i)
    {
        int exitCode = EXIT_FINE;
        if (takesFolders)
        {
            exitCode = AddPath(list, options, options->files[i], errors);
        }
        else
        {
            AddInput(list, options->files[i], GetLastPart(options->files[i]));
        }
        result = exitCode > result ? exitCode : result;
    }
    if (list != NULL && IsGiven(options, OPTION_FILES_FROM))
    {
        int exitCode = AddList(list, options, options->values[OPTION_FILES_FROM].text, errors);
        result = exitCode > result ? exitCode : result;
    }
    if (list == NULL || list->isOutOfMemory)
    {
        FreeInputs(list);
        return EXIT_IO;
    }
    free((void*)options->files);
    options->files = list->paths;
    options->outputNames = list->names;
    options->fileCount = list->count;
    options->inputs = list;
    return result;
}

void FreeInputs(InputList* list)
{
    if (list != NULL)
    {
        for (int i = 0; i < list->textCount; ++i)
        {
            free(list->texts[i]);
        }
        free((void*)list->texts);
        free((void*)list->names);
        free((void*)list->paths);
        free(list);
    }
}
