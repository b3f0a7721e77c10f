// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes to a temporary file beside the target and renames it at the end.
#include "output_file.h"

#include "interrupt.h"
#include "memory.h"
#include "platform.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool Fail(OutputFile* file, int error)
{
    file->isBroken = error == EPIPE;
    file->error = file->error == 0 ? error : file->error;
    return false;
}

// Windows does not report a closed pipe as EPIPE.
static bool FailWriting(OutputFile* file, int error)
{
    return Fail(file, HasNoReader(file->stream) ? EPIPE : error != 0 ? error : EIO);
}

// Makes a short unique name. `attempt` counts names that exist: leftovers of killed runs, or files of a
// process with the same id on another machine.
static void FormatTemporary(OutputFile* file, size_t size, int attempt)
{
    int folder = (int)(GetLastPart(file->targetPath) - file->targetPath);
    snprintf(file->temporaryPath, size, "%.*s.tendon-%llu-%d.tmp", folder, file->targetPath,
             (unsigned long long)GetOwnProcessId(), attempt);
}

static bool OpenBeside(OutputFile* file)
{
    // Replaces the target of a symbolic link, not the link.
    char* target = ResolvePath(file->path);
    PathInfo info;
    int error = errno;
    // A file without a path, such as a deleted one behind /dev/stdout, cannot be replaced.
    if (target == NULL && error == ENOMEM)
    {
        NoteMemoryFailure();
        return Fail(file, ENOMEM);
    }
    bool isNameless = target == NULL && GetPathInfo(file->path, &info);
    if (isNameless || (target != NULL && !IsWritable(target)))
    {
        error = isNameless ? error : errno;
        free(target);
        return Fail(file, error);
    }
    file->targetPath = target != NULL ? target : CopyText(file->path);
    size_t size = strlen(file->path) + (target != NULL ? strlen(target) : 0) + 64;
    file->temporaryPath = file->targetPath != NULL ? AllocateBytes(size) : NULL;
    if (file->temporaryPath == NULL)
    {
        free(file->targetPath);
        file->targetPath = NULL;
        return Fail(file, ENOMEM);
    }
    error = EEXIST;
    for (int attempt = 0; attempt < 1000 && error == EEXIST; ++attempt)
    {
        FormatTemporary(file, size, attempt);
        HoldInterrupts();
        SetUnfinishedFile(file->temporaryPath);
        file->stream = OpenStream(file->temporaryPath, "wbx");
        error = file->stream == NULL ? errno : 0;
        PathInfo own;
        if (error == 0 && (!LockStream(file->stream) || !GetLinkInfo(file->temporaryPath, &own)))
        {
            fclose(file->stream); // another process took it for a leftover and removes it
            file->stream = NULL;
            error = EEXIST;
        }
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
    PathInfo info;
    if (strcmp(path, "-") == 0)
    {
        file->stream = stdout;
        return true;
    }
    bool exists = GetPathInfo(path, &info);
    if (exists && info.kind == PATH_FOLDER)
    {
        return Fail(file, EISDIR);
    }
    if (exists && info.kind != PATH_FILE)
    {
        // Devices and pipes are written directly.
        file->stream = OpenStream(path, "wb");
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
        return FailWriting(file, errno);
    }
    atomic_fetch_add_explicit(&file->byteCount, size, memory_order_relaxed);
    return true;
}

static bool RenameToTarget(OutputFile* file)
{
    CopyPermissions(file->targetPath, file->temporaryPath);
    return RenameOver(file->temporaryPath, file->targetPath) || Fail(file, errno);
}

bool CloseOutput(OutputFile* file, bool isWhole)
{
    bool isRenamed = false;
    if (file->stream != NULL)
    {
        errno = 0;
        if (fflush(file->stream) != 0)
        {
            FailWriting(file, errno);
        }
        if (file->temporaryPath != NULL && file->error == 0 && isWhole && !SyncStream(file->stream))
        {
            Fail(file, errno);
        }
        if (HasMemoryFailed())
        {
            Fail(file, ENOMEM); // something may be missing
        }
        // The rename comes first, because closing the file ends its lock.
        if (file->temporaryPath != NULL && file->error == 0 && isWhole)
        {
            isRenamed = RenameToTarget(file);
        }
        if (file->stream == stdout || file->isBorrowed)
        {
            clearerr(file->stream); // already reported
        }
        else if (fclose(file->stream) != 0 && !isRenamed)
        {
            Fail(file, errno != 0 ? errno : EIO);
        }
        file->stream = NULL;
    }
    if (file->temporaryPath != NULL)
    {
        if (!isRenamed)
        {
            RemoveFile(file->temporaryPath);
        }
        SetUnfinishedFile(NULL);
        free(file->temporaryPath);
        file->temporaryPath = NULL;
    }
    free(file->targetPath);
    file->targetPath = NULL;
    return file->error == 0 || file->isBroken;
}
