// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writing to a temporary file beside the target, renamed over it at the end.
#define _XOPEN_SOURCE 700 // realpath

#include "sink.h"

#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool Fail(Sink* sink, int error)
{
    sink->isBroken = error == EPIPE;
    sink->error = sink->error == 0 ? error : sink->error;
    return false;
}

bool HasNoReader(int file)
{
    struct pollfd question = {.fd = file};
    return poll(&question, 1, 0) == 1 && (question.revents & (POLLERR | POLLHUP)) != 0;
}

// A name of its own, not longer than it must be: `attempt` counts those that are taken, be it by the leftover
// of a run that was killed or by a process of the same number on another machine.
static void FormatTemporary(Sink* sink, size_t size, int attempt)
{
    const char* slash = strrchr(sink->targetPath, '/');
    int folder = slash != NULL ? (int)(slash + 1 - sink->targetPath) : 0;
    snprintf(sink->temporaryPath, size, "%.*s.tendon-%ld-%d.tmp", folder, sink->targetPath, (long)getpid(),
             attempt);
}

static bool OpenBeside(Sink* sink)
{
    // A symbolic link stays one: the file behind it is replaced.
    char* target = realpath(sink->path, NULL);
    if (target != NULL && access(target, W_OK) != 0)
    {
        int error = errno;
        free(target);
        return Fail(sink, error);
    }
    sink->targetPath = target != NULL ? target : strdup(sink->path);
    size_t size = strlen(sink->path) + (target != NULL ? strlen(target) : 0) + 64;
    sink->temporaryPath = sink->targetPath != NULL ? malloc(size) : NULL;
    if (sink->temporaryPath == NULL)
    {
        free(sink->targetPath);
        sink->targetPath = NULL;
        return Fail(sink, ENOMEM);
    }
    int error = EEXIST;
    for (int attempt = 0; attempt < 1000 && error == EEXIST; ++attempt)
    {
        FormatTemporary(sink, size, attempt);
        HoldInterrupts();
        SetUnfinishedFile(sink->temporaryPath);
        sink->stream = fopen(sink->temporaryPath, "wbx");
        error = sink->stream == NULL ? errno : 0;
        if (error != 0)
        {
            SetUnfinishedFile(NULL); // it is not ours
        }
        AllowInterrupts();
    }
    if (error != 0)
    {
        free(sink->temporaryPath);
        free(sink->targetPath);
        sink->temporaryPath = sink->targetPath = NULL;
        return Fail(sink, error);
    }
    return true;
}

bool OpenSink(Sink* sink, const char* path)
{
    *sink = (Sink){.path = path};
    struct stat status;
    if (strcmp(path, "-") == 0)
    {
        sink->stream = stdout;
        return true;
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    {
        return Fail(sink, EISDIR);
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    {
        // A device or a pipe is written to, never replaced.
        sink->stream = fopen(path, "wb");
        return sink->stream != NULL || Fail(sink, errno);
    }
    return OpenBeside(sink);
}

bool WriteToSink(void* context, const char* bytes, size_t size)
{
    Sink* sink = context;
    if (sink->error != 0)
    {
        return false;
    }
    errno = 0;
    if (fwrite(bytes, 1, size, sink->stream) != size)
    {
        return Fail(sink, errno != 0 ? errno : EIO);
    }
    __atomic_fetch_add(&sink->byteCount, size, __ATOMIC_RELAXED); // a ticker may be looking
    return true;
}

static bool RenameToTarget(Sink* sink)
{
    struct stat status;
    if (stat(sink->targetPath, &status) == 0)
    {
        chmod(sink->temporaryPath, status.st_mode & 07777);
    }
    return rename(sink->temporaryPath, sink->targetPath) == 0 || Fail(sink, errno);
}

bool CloseSink(Sink* sink, bool isWhole)
{
    if (sink->stream != NULL)
    {
        errno = 0;
        if (fflush(sink->stream) != 0)
        {
            Fail(sink, errno != 0 ? errno : EIO);
        }
        if (sink->temporaryPath != NULL && sink->error == 0 && isWhole && fsync(fileno(sink->stream)) != 0)
        {
            Fail(sink, errno);
        }
        if (sink->stream == stdout)
        {
            clearerr(stdout); // reported from here
        }
        else if (fclose(sink->stream) != 0)
        {
            Fail(sink, errno != 0 ? errno : EIO);
        }
        sink->stream = NULL;
    }
    if (sink->temporaryPath != NULL)
    {
        if (!isWhole || sink->error != 0 || !RenameToTarget(sink))
        {
            unlink(sink->temporaryPath);
        }
        SetUnfinishedFile(NULL);
        free(sink->temporaryPath);
        sink->temporaryPath = NULL;
    }
    free(sink->targetPath);
    sink->targetPath = NULL;
    return sink->error == 0 || sink->isBroken;
}
