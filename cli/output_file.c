// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes to a temporary file beside the target and renames it at the end.
#define _XOPEN_SOURCE 700 // realpath

#include "output_file.h"

#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool Fail(OutputFile* file, int error)
{
    file->isBroken = error == EPIPE;
    file->error = file->error == 0 ? error : file->error;
    return false;
}

bool HasNoReader(int file)
{
    struct pollfd question = {.fd = file};
    return poll(&question, 1, 0) == 1 && (question.revents & (POLLERR | POLLHUP)) != 0;
}

// Makes a short unique name. `attempt` counts names that exist: leftovers of killed runs, or files of a
// process with the same id on another machine.
static void FormatTemporary(OutputFile* file, size_t size, int attempt)
{
    const char* slash = strrchr(file->targetPath, '/');
    int folder = slash != NULL ? (int)(slash + 1 - file->targetPath) : 0;
    snprintf(file->temporaryPath, size, "%.*s.tendon-%ld-%d.tmp", folder, file->targetPath, (long)getpid(),
             attempt);
}

static bool OpenBeside(OutputFile* file)
{
    // Replaces the target of a symbolic link, not the link.
    char* target = realpath(file->path, NULL);
    if (target != NULL && access(target, W_OK) != 0)
    {
        int error = errno;
        free(target);
        return Fail(file, error);
    }
    file->targetPath = target != NULL ? target : strdup(file->path);
    size_t size = strlen(file->path) + (target != NULL ? strlen(target) : 0) + 64;
    file->temporaryPath = file->targetPath != NULL ? malloc(size) : NULL;
    if (file->temporaryPath == NULL)
    {
        free(file->targetPath);
        file->targetPath = NULL;
        return Fail(file, ENOMEM);
    }
    int error = EEXIST;
    for (int attempt = 0; attempt < 1000 && error == EEXIST; ++attempt)
    {
        FormatTemporary(file, size, attempt);
        HoldInterrupts();
        SetUnfinishedFile(file->temporaryPath);
        file->stream = fopen(file->temporaryPath, "wbx");
        error = file->stream == NULL ? errno : 0;
        if (error != 0)
        {
            SetUnfinishedFile(NULL); // another process owns it
        }
        AllowInterrupts();
    }
    if (error != 0)
    {
        free(file->temporaryPath);
        free(file->targetPath);
        file->temporaryPath = file->targetPath = NULL;
        return Fail(file, error);
    }
    return true;
}

bool OpenOutput(OutputFile* file, const char* path)
{
    *file = (OutputFile){.path = path};
    struct stat status;
    if (strcmp(path, "-") == 0)
    {
        file->stream = stdout;
        return true;
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    {
        return Fail(file, EISDIR);
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    {
        // Devices and pipes are written directly.
        file->stream = fopen(path, "wb");
        return file->stream != NULL || Fail(file, errno);
    }
    return OpenBeside(file);
}

bool WriteOutput(void* context, const char* bytes, size_t size)
{
    OutputFile* file = context;
    if (file->error != 0)
    {
        return false;
    }
    errno = 0;
    if (fwrite(bytes, 1, size, file->stream) != size)
    {
        return Fail(file, errno != 0 ? errno : EIO);
    }
    __atomic_fetch_add(&file->byteCount, size, __ATOMIC_RELAXED); // a progress line may read it
    return true;
}

static bool RenameToTarget(OutputFile* file)
{
    struct stat status;
    if (stat(file->targetPath, &status) == 0)
    {
        chmod(file->temporaryPath, status.st_mode & 07777);
    }
    return rename(file->temporaryPath, file->targetPath) == 0 || Fail(file, errno);
}

bool CloseOutput(OutputFile* file, bool isWhole)
{
    if (file->stream != NULL)
    {
        errno = 0;
        if (fflush(file->stream) != 0)
        {
            Fail(file, errno != 0 ? errno : EIO);
        }
        if (file->temporaryPath != NULL && file->error == 0 && isWhole && fsync(fileno(file->stream)) != 0)
        {
            Fail(file, errno);
        }
        if (file->stream == stdout)
        {
            clearerr(stdout); // already reported
        }
        else if (fclose(file->stream) != 0)
        {
            Fail(file, errno != 0 ? errno : EIO);
        }
        file->stream = NULL;
    }
    if (file->temporaryPath != NULL)
    {
        if (!isWhole || file->error != 0 || !RenameToTarget(file))
        {
            unlink(file->temporaryPath);
        }
        SetUnfinishedFile(NULL);
        free(file->temporaryPath);
        file->temporaryPath = NULL;
    }
    free(file->targetPath);
    file->targetPath = NULL;
    return file->error == 0 || file->isBroken;
}
