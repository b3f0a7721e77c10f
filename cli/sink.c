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
    return poll(&question, 1, 0) == 1 && (question.revents & POLLERR) != 0;
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
    // A symbolic link stays one: the file behind it is replaced.
    char* target = realpath(path, NULL);
    size_t size = strlen(target != NULL ? target : path) + 32;
    sink->temporaryPath = malloc(size);
    if (sink->temporaryPath == NULL)
    {
        free(target);
        return Fail(sink, ENOMEM);
    }
    snprintf(sink->temporaryPath, size, "%s.%ld.tmp", target != NULL ? target : path, (long)getpid());
    free(target);
    sink->stream = fopen(sink->temporaryPath, "wbx");
    if (sink->stream == NULL)
    {
        int error = errno;
        free(sink->temporaryPath);
        sink->temporaryPath = NULL;
        return Fail(sink, error);
    }
    SetUnfinishedFile(sink->temporaryPath);
    return true;
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

// The name of the target: what the temporary one is without its ending.
static bool RenameToTarget(Sink* sink)
{
    size_t length = strlen(sink->temporaryPath);
    char* target = malloc(length + 1);
    if (target == NULL)
    {
        return Fail(sink, ENOMEM);
    }
    memcpy(target, sink->temporaryPath, length + 1);
    char* end = strrchr(target, '.'); // ".tmp"
    *end = '\0';
    end = strrchr(target, '.'); // ".PID"
    *end = '\0';
    struct stat status;
    if (stat(target, &status) == 0)
    {
        chmod(sink->temporaryPath, status.st_mode & 07777);
    }
    bool isRenamed = rename(sink->temporaryPath, target) == 0 || Fail(sink, errno);
    free(target);
    return isRenamed;
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
    return sink->error == 0 || sink->isBroken;
}
