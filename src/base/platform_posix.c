// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The platform layer of Linux, macOS and other Unix systems.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // realpath
#endif
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // flock
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE // _SC_NPROCESSORS_ONLN, which POSIX lacks
#endif

#include "platform.h"

#if !defined(_WIN32) && !defined(__wasm__)

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// --- memory -----------------------------------------------------------------------------------------------

void* tdPlatform_Allocate(size_t size, size_t alignment)
{
    if (alignment <= _Alignof(max_align_t))
    {
        return malloc(size);
    }
    // aligned_alloc requires a size that is a multiple of the alignment.
    size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

void tdPlatform_Free(void* memory)
{
    free(memory);
}

// --- files ------------------------------------------------------------------------------------------------

static tdFileStatus GetErrorStatus(int error)
{
    switch (error)
    {
    case ENOENT:
    case ENOTDIR:
        return TD_FILE_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
        return TD_FILE_NO_ACCESS;
    case EISDIR:
        return TD_FILE_IS_FOLDER;
    case ENOMEM:
        return TD_FILE_OUT_OF_MEMORY;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return TD_FILE_NO_SPACE;
    default:
        return TD_FILE_ERROR;
    }
}

static tdFileStatus OpenPath(const char* path, int flags, tdFileHandle* file)
{
    int descriptor;
    do
    {
        descriptor = open(path, flags | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EINTR);
    *file = descriptor;
    return descriptor < 0 ? GetErrorStatus(errno) : TD_FILE_OK;
}

static void FillInfo(tdFileInfo* info, const struct stat* status)
{
    *info = (tdFileInfo){
        .kind = S_ISDIR(status->st_mode)   ? TD_PATH_FOLDER
                : S_ISREG(status->st_mode) ? TD_PATH_FILE
                                           : TD_PATH_STREAM,
        .size = status->st_size > 0 ? (uint64_t)status->st_size : 0,
        .volume = (uint64_t)status->st_dev,
        .index = (uint64_t)status->st_ino,
        .mode = (unsigned)status->st_mode & 07777,
    };
}

tdFileHandle tdPlatform_GetStandardInput(void)
{
    return STDIN_FILENO;
}

tdFileHandle tdPlatform_GetStandardOutput(void)
{
    return STDOUT_FILENO;
}

tdFileStatus tdPlatform_OpenForReading(const char* path, tdFileHandle* file)
{
    return OpenPath(path, O_RDONLY, file);
}

tdFileStatus tdPlatform_OpenForWriting(const char* path, tdFileHandle* file)
{
    return OpenPath(path, O_WRONLY, file);
}

tdFileStatus tdPlatform_CreateFile(const char* path, tdFileHandle* file, bool* exists)
{
    tdFileStatus status = OpenPath(path, O_WRONLY | O_CREAT | O_EXCL, file);
    *exists = status != TD_FILE_OK && errno == EEXIST;
    return status;
}

tdFileStatus tdPlatform_ReadFile(tdFileHandle file, void* data, size_t size, size_t* done)
{
    ssize_t count;
    do
    {
        count = read((int)file, data, size);
    } while (count < 0 && errno == EINTR);
    *done = count > 0 ? (size_t)count : 0;
    return count < 0 ? GetErrorStatus(errno) : TD_FILE_OK;
}

tdFileStatus tdPlatform_WriteFile(tdFileHandle file, const void* data, size_t size, size_t* done)
{
    ssize_t count;
    do
    {
        count = write((int)file, data, size);
    } while (count < 0 && errno == EINTR);
    *done = count > 0 ? (size_t)count : 0;
    return count < 0 ? GetErrorStatus(errno) : TD_FILE_OK;
}

tdFileStatus tdPlatform_SyncFile(tdFileHandle file)
{
    bool isDone = fsync((int)file) == 0 || errno == EINVAL || errno == EROFS;
    return isDone ? TD_FILE_OK : GetErrorStatus(errno);
}

tdFileStatus tdPlatform_CloseFile(tdFileHandle file)
{
    return close((int)file) == 0 || errno == EINTR ? TD_FILE_OK : GetErrorStatus(errno);
}

bool tdPlatform_LockFile(tdFileHandle file)
{
    return flock((int)file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

tdFileStatus tdPlatform_SetMode(tdFileHandle file, unsigned mode)
{
    // EPERM: a file system without permissions
    return fchmod((int)file, (mode_t)mode) == 0 || errno == EPERM ? TD_FILE_OK : GetErrorStatus(errno);
}

tdFileStatus tdPlatform_GetFileInfo(tdFileHandle file, tdFileInfo* info)
{
    struct stat status;
    if (fstat((int)file, &status) != 0)
    {
        return GetErrorStatus(errno);
    }
    FillInfo(info, &status);
    return TD_FILE_OK;
}

tdFileStatus tdPlatform_GetPathInfo(const char* path, tdFileInfo* info)
{
    struct stat status;
    if (stat(path, &status) != 0)
    {
        return GetErrorStatus(errno);
    }
    FillInfo(info, &status);
    return TD_FILE_OK;
}

tdFileStatus tdPlatform_CheckWritable(const char* path)
{
    return access(path, W_OK) == 0 ? TD_FILE_OK : GetErrorStatus(errno);
}

char* tdPlatform_ResolvePath(const char* path, tdFileStatus* status)
{
    char* resolved = realpath(path, NULL);
    *status = resolved != NULL ? TD_FILE_OK : GetErrorStatus(errno);
    return resolved;
}

tdFileStatus tdPlatform_ReplaceFile(const char* path, const char* target)
{
    return rename(path, target) == 0 ? TD_FILE_OK : GetErrorStatus(errno);
}

tdFileStatus tdPlatform_RemoveFile(const char* path)
{
    return unlink(path) == 0 ? TD_FILE_OK : GetErrorStatus(errno);
}

bool tdPlatform_MakeFolder(const char* path)
{
    return mkdir(path, 0777) == 0;
}

void tdPlatform_RemoveFolder(const char* path)
{
    rmdir(path);
}

uint64_t tdPlatform_GetProcessId(void)
{
    return (uint64_t)getpid();
}

// --- threads ----------------------------------------------------------------------------------------------

static_assert(sizeof(pthread_mutex_t) <= sizeof(tdSystemObject), "a mutex fits");
static_assert(sizeof(pthread_cond_t) <= sizeof(tdSystemObject), "a condition fits");

typedef struct PosixThread
{
    pthread_t thread;
    tdThreadFcn* run;
    void* context;
} PosixThread;

static_assert(sizeof(PosixThread) <= sizeof(tdSystemObject), "a thread fits");

void tdMutex_Init(tdMutex* mutex)
{
    pthread_mutex_init((pthread_mutex_t*)(void*)mutex, NULL);
}

void tdMutex_Destroy(tdMutex* mutex)
{
    pthread_mutex_destroy((pthread_mutex_t*)(void*)mutex);
}

void tdMutex_Lock(tdMutex* mutex)
{
    pthread_mutex_lock((pthread_mutex_t*)(void*)mutex);
}

void tdMutex_Unlock(tdMutex* mutex)
{
    pthread_mutex_unlock((pthread_mutex_t*)(void*)mutex);
}

void tdCondition_Init(tdCondition* condition)
{
    pthread_cond_init((pthread_cond_t*)(void*)condition, NULL);
}

void tdCondition_Destroy(tdCondition* condition)
{
    pthread_cond_destroy((pthread_cond_t*)(void*)condition);
}

void tdCondition_Wait(tdCondition* condition, tdMutex* mutex)
{
    pthread_cond_wait((pthread_cond_t*)(void*)condition, (pthread_mutex_t*)(void*)mutex);
}

void tdCondition_Signal(tdCondition* condition)
{
    pthread_cond_signal((pthread_cond_t*)(void*)condition);
}

void tdCondition_Broadcast(tdCondition* condition)
{
    pthread_cond_broadcast((pthread_cond_t*)(void*)condition);
}

static void* RunPosixThread(void* argument)
{
    const PosixThread* thread = argument;
    thread->run(thread->context);
    return NULL;
}

bool tdThread_Start(tdThread* thread, tdThreadFcn* run, void* context)
{
    PosixThread* own = (PosixThread*)(void*)thread;
    own->run = run;
    own->context = context;
    return pthread_create(&own->thread, NULL, RunPosixThread, own) == 0;
}

void tdThread_Join(tdThread* thread)
{
    pthread_join(((PosixThread*)(void*)thread)->thread, NULL);
}

void tdPlatform_Yield(void)
{
    sched_yield();
}

int tdPlatform_CountProcessors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 1 << 20 ? 1 << 20 : (int)count;
}

#endif
