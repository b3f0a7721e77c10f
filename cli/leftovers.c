// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Finds temporary files (.tendon-PROCESS-NUMBER.tmp) by name and removes those that nobody holds. A writer
// locks its temporary file from the creation to the rename, so a file without a lock belongs to a killed
// process. The number of the process alone says nothing: it may run on another machine.
#include "leftovers.h"

#include "platform.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

// Names handled in one run; a later run handles the rest.
#define MAX_LEFTOVERS 256
#define MAX_NAME_SIZE 64
#define MAX_PATH_SIZE 4096

typedef struct Leftover
{
    char name[MAX_NAME_SIZE];
    char process[24];
} Leftover;

static const char* SkipDigits(const char* text)
{
    return text + strspn(text, "0123456789");
}

/// False if the name is not one of a temporary file.
static bool ParseLeftover(Leftover* leftover, const char* name)
{
    static const char prefix[] = ".tendon-";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || strlen(name) >= MAX_NAME_SIZE)
    {
        return false;
    }
    const char* process = name + sizeof prefix - 1;
    const char* dash = SkipDigits(process);
    const char* ending = *dash == '-' ? SkipDigits(dash + 1) : dash;
    size_t length = (size_t)(dash - process);
    if (length == 0 || length >= sizeof leftover->process || ending <= dash + 1 ||
        strcmp(ending, ".tmp") != 0)
    {
        return false;
    }
    memcpy(leftover->process, process, length);
    leftover->process[length] = '\0';
    snprintf(leftover->name, sizeof leftover->name, "%s", name);
    return true;
}

static int ListLeftovers(const char* folder, Leftover* leftovers)
{
    int count = 0;
    Folder* open = OpenFolder(folder);
    for (const char* name; open != NULL && count < MAX_LEFTOVERS && (name = ReadFolder(open)) != NULL;)
    {
        count += ParseLeftover(&leftovers[count], name) ? 1 : 0;
    }
    if (open != NULL)
    {
        CloseFolder(open);
    }
    return count;
}

static bool IsProcessAlive(const char* folder, const Leftover* leftovers, int count, const char* process)
{
    char path[MAX_PATH_SIZE + MAX_NAME_SIZE];
    bool isAlive = false;
    for (int i = 0; i < count && !isAlive; ++i)
    {
        snprintf(path, sizeof path, "%s/%s", folder, leftovers[i].name);
        PathInfo info;
        isAlive =
            strcmp(leftovers[i].process, process) == 0 && GetLinkInfo(path, &info) && IsFileLocked(path);
    }
    return isAlive;
}

void RemoveLeftovers(const char* output)
{
    if (strcmp(output, "-") == 0)
    {
        return;
    }
    // The file behind a link is written beside that file.
    char* resolved = ResolvePath(output);
    const char* path = resolved != NULL ? resolved : output;
    int length = (int)(GetLastPart(path) - path);
    char folder[MAX_PATH_SIZE];
    Leftover* leftovers = length < MAX_PATH_SIZE ? malloc(sizeof(Leftover) * MAX_LEFTOVERS) : NULL;
    if (leftovers != NULL)
    {
        snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
        int count = ListLeftovers(folder, leftovers);
        for (int i = 0; i < count; ++i)
        {
            if (!IsProcessAlive(folder, leftovers, count, leftovers[i].process))
            {
                char name[MAX_PATH_SIZE + MAX_NAME_SIZE];
                snprintf(name, sizeof name, "%s/%s", folder, leftovers[i].name);
                RemoveUnlockedFile(name);
            }
        }
    }
    free(leftovers); // without memory the leftovers stay, and no output is lost
    free(resolved);
}
