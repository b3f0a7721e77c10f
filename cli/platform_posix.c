// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The platform layer of the program for Linux, macOS and other Unix systems.
#if !defined(_WIN32)

#define _DEFAULT_SOURCE // MAP_ANON, flock
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // realpath, sigaltstack
#endif
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE // _NSGetExecutablePath, MAP_ANON
#endif

#include "compiler.h"
#include "platform.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 // SIGPIPE is ignored anyway
#endif

extern char** environ;

// --- the process ------------------------------------------------------------------------------------------

void PrepareStreams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
    {
        if (fcntl(file, F_GETFD) < 0)
        {
            int taken = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
            (void)taken; // open returns the lowest free descriptor
        }
    }
}

char** GetArguments(int* count, char** arguments)
{
    (void)count;
    return arguments;
}

const char* GetVariable(const char* name)
{
    return getenv(name);
}

bool GetProgramPath(char* path, size_t size)
{
#if defined(__APPLE__)
    uint32_t room = (uint32_t)size;
    return _NSGetExecutablePath(path, &room) == 0;
#else
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
#endif
}

uint64_t GetOwnProcessId(void)
{
    return (uint64_t)getpid();
}

int CountProcessors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 1 << 20 ? 1 << 20 : (int)count;
}

double GetMonotonicSeconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool IsTerminal(FILE* stream)
{
    return isatty(fileno(stream)) != 0;
}

bool HasNoReader(FILE* stream)
{
    struct pollfd question = {.fd = fileno(stream)};
    return poll(&question, 1, 0) == 1 && (question.revents & (POLLERR | POLLHUP)) != 0;
}

_Noreturn void EndProcess(int exitCode)
{
    _exit(exitCode);
}

void PrintFromHandler(const char* text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

// --- files ------------------------------------------------------------------------------------------------

static void FillPathInfo(PathInfo* info, const struct stat* status)
{
#if defined(__APPLE__)
    struct timespec modified = status->st_mtimespec;
#else
    struct timespec modified = status->st_mtim;
#endif
    *info = (PathInfo){
        .kind = S_ISDIR(status->st_mode)   ? PATH_FOLDER
                : S_ISREG(status->st_mode) ? PATH_FILE
                : S_ISLNK(status->st_mode) ? PATH_LINK
                                           : PATH_STREAM,
        .size = status->st_size > 0 ? (uint64_t)status->st_size : 0,
        .volume = (uint64_t)status->st_dev,
        .index = (uint64_t)status->st_ino,
        .modified = (uint64_t)modified.tv_sec * UINT64_C(1000000000) + (uint64_t)modified.tv_nsec,
    };
}

bool GetPathInfo(const char* path, PathInfo* info)
{
    struct stat status;
    if (stat(path, &status) != 0)
    {
        return false;
    }
    FillPathInfo(info, &status);
    return true;
}

bool GetLinkInfo(const char* path, PathInfo* info)
{
    struct stat status;
    if (lstat(path, &status) != 0)
    {
        return false;
    }
    FillPathInfo(info, &status);
    return true;
}

FILE* OpenStream(const char* path, const char* mode)
{
    return fopen(path, mode);
}

bool SyncStream(FILE* stream)
{
    return fsync(fileno(stream)) == 0;
}

bool LockStream(FILE* stream)
{
    return flock(fileno(stream), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// Opens a regular file and locks it. -1: another process holds the lock, or it cannot be told.
static int OpenUnlocked(const char* path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool isLocked = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                    flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0 && !isLocked)
    {
        close(file);
    }
    return isLocked ? file : -1;
}

bool IsFileLocked(const char* path)
{
    int file = OpenUnlocked(path);
    if (file >= 0)
    {
        close(file);
    }
    return file < 0;
}

void RemoveUnlockedFile(const char* path)
{
    int file = OpenUnlocked(path);
    if (file >= 0)
    {
        unlink(path); // while it is locked: its owner may be about to lock it
        close(file);
    }
}

char* ResolvePath(const char* path)
{
    return realpath(path, NULL);
}

bool IsWritable(const char* path)
{
    return access(path, W_OK) == 0;
}

void CopyPermissions(const char* from, const char* to)
{
    struct stat status;
    if (stat(from, &status) == 0)
    {
        chmod(to, status.st_mode & 07777);
    }
}

bool RenameOver(const char* path, const char* target)
{
    return rename(path, target) == 0;
}

void RemoveFile(const char* path)
{
    unlink(path);
}

bool MakeOneFolder(const char* path)
{
    return mkdir(path, 0777) == 0;
}

struct Folder
{
    DIR* directory;
};

Folder* OpenFolder(const char* path)
{
    Folder* folder = malloc(sizeof *folder);
    if (folder == NULL)
    {
        errno = ENOMEM;
        return NULL;
    }
    folder->directory = opendir(path);
    if (folder->directory == NULL)
    {
        int error = errno;
        free(folder);
        errno = error;
        return NULL;
    }
    return folder;
}

const char* ReadFolder(Folder* folder)
{
    struct dirent* entry;
    do
    {
        entry = readdir(folder->directory);
    } while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry != NULL ? entry->d_name : NULL;
}

void CloseFolder(Folder* folder)
{
    closedir(folder->directory);
    free(folder);
}

intptr_t LockFolder(const char* folder)
{
    int file = folder != NULL ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0)
    {
        flock(file, LOCK_EX);
    }
    return file;
}

void UnlockFolder(intptr_t lock)
{
    if (lock >= 0)
    {
        close((int)lock);
    }
}

bool OpenMemoryStream(MemoryStream* memory)
{
    memory->text = NULL;
    memory->size = 0;
    memory->stream = open_memstream(&memory->text, &memory->size);
    return memory->stream != NULL;
}

void CloseMemoryStream(MemoryStream* memory)
{
    if (fclose(memory->stream) != 0)
    {
        free(memory->text);
        memory->text = NULL;
    }
    memory->stream = NULL;
}

// --- interrupts -------------------------------------------------------------------------------------------

static Handlers installed;

static void HandleSignal(int signal)
{
    (void)signal;
    installed.interrupt();
}

static void FillInterrupts(sigset_t* signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGHUP);
}

static void SetHandler(int signal, void (*handler)(int), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    FillInterrupts(&action.sa_mask); // one at a time
    sigaction(signal, &action, NULL);
}

static bool IsIgnored(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void HandleCrash(int signal)
{
    installed.crash(signal == SIGABRT);
}

static void InstallCrashHandlers(void)
{
    // The handler uses an alternate stack, because it handles stack overflows.
    static char handlerStack[1 << 16];
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = handlerStack;
    stack.ss_size = sizeof handlerStack;
    sigaltstack(&stack, NULL);
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; ++i)
    {
        SetHandler(crashes[i], HandleCrash, SA_ONSTACK);
    }
}

void InstallSystemHandlers(const Handlers* handlers)
{
    installed = *handlers;
    SetHandler(SIGINT, HandleSignal, 0);
    SetHandler(SIGTERM, HandleSignal, 0);
    if (!IsIgnored(SIGHUP)) // as under nohup
    {
        SetHandler(SIGHUP, HandleSignal, 0);
    }
    SetHandler(SIGPIPE, SIG_IGN, 0); // a write to a closed pipe fails instead; see FlushOutput in main.c
    SetHandler(SIGXFSZ, SIG_IGN, 0); // likewise a write past the file size limit
    SetHandler(SIGCHLD, SIG_DFL, 0); // waitpid needs the default action
    if (!IS_SANITIZED)
    {
        InstallCrashHandlers();
    }
    UnblockInterrupts(); // the parent process may have blocked them
}

static void MaskInterrupts(int how)
{
    sigset_t signals;
    FillInterrupts(&signals);
    pthread_sigmask(how, &signals, NULL);
}

void BlockInterrupts(void)
{
    MaskInterrupts(SIG_BLOCK);
}

void UnblockInterrupts(void)
{
    MaskInterrupts(SIG_UNBLOCK);
}

// --- a thread in the background ---------------------------------------------------------------------------

struct Background
{
    int wake[2]; // a pipe: closing its second end ends the thread
    pthread_t thread;
    RunBackgroundFcn* run;
    void* context;
};

static void* RunBackgroundThread(void* argument)
{
    Background* background = argument;
    background->run(background, background->context);
    return NULL;
}

Background* StartBackground(RunBackgroundFcn* run, void* context)
{
    Background* background = malloc(sizeof *background);
    if (background == NULL || pipe(background->wake) != 0)
    {
        free(background);
        return NULL;
    }
    background->run = run;
    background->context = context;
    // The working thread handles signals.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool isStarted = pthread_create(&background->thread, NULL, RunBackgroundThread, background) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!isStarted)
    {
        close(background->wake[0]);
        close(background->wake[1]);
        free(background);
        return NULL;
    }
    return background;
}

bool WaitForEnd(Background* background, int milliseconds)
{
    struct pollfd end = {.fd = background->wake[0], .events = POLLIN};
    return poll(&end, 1, milliseconds) != 0;
}

void EndBackground(Background* background)
{
    if (background != NULL)
    {
        close(background->wake[1]);
        pthread_join(background->thread, NULL);
        close(background->wake[0]);
        free(background);
    }
}

// --- worker processes -------------------------------------------------------------------------------------

#if !defined(__wasi__) // web/cli/workers.c has those of WASI

#define MOST_STREAMS 128 // two per worker

static int openStreams[MOST_STREAMS]; // of running workers, which a new worker closes; 0: none

static void KeepStream(int stream, int instead)
{
    for (int i = 0; i < MOST_STREAMS; ++i)
    {
        if (openStreams[i] == stream)
        {
            openStreams[i] = instead;
            return;
        }
    }
}

bool StartWorkerProcess(WorkerProcess* worker, const char* request, RunWorkerFcn* run, void* context)
{
    (void)request;
    int pipes[4] = {-1, -1, -1, -1};
    if (pipe(pipes) != 0 || pipe(pipes + 2) != 0)
    {
        int error = errno;
        for (int i = 0; i < 2 && pipes[0] >= 0; ++i)
        {
            close(pipes[i]);
        }
        errno = error;
        return false;
    }
    fflush(stdout);
    fflush(stderr);
    pid_t process = fork();
    if (process == 0)
    {
        for (int i = 0; i < MOST_STREAMS; ++i) // the parent reads the other workers' pipes
        {
            if (openStreams[i] != 0)
            {
                close(openStreams[i]);
            }
        }
        dup2(pipes[1], STDOUT_FILENO);
        dup2(pipes[3], STDERR_FILENO);
        for (int i = 0; i < 4; ++i)
        {
            close(pipes[i]);
        }
        int result = run(context);
        fflush(stdout);
        fflush(stderr);
        _exit(result);
    }
    int error = errno;
    close(pipes[1]);
    close(pipes[3]);
    if (process < 0)
    {
        close(pipes[0]);
        close(pipes[2]);
        errno = error;
        return false;
    }
    KeepStream(0, pipes[0]);
    KeepStream(0, pipes[2]);
    *worker = (WorkerProcess){process, {pipes[0], pipes[2]}};
    return true;
}

const char* GetWorkerRequest(void)
{
    return NULL;
}

void WaitForStreams(const intptr_t* streams, int count, int milliseconds, bool* isReady)
{
    struct pollfd questions[MOST_STREAMS];
    count = count < MOST_STREAMS ? count : MOST_STREAMS;
    for (int i = 0; i < count; ++i)
    {
        questions[i] = (struct pollfd){.fd = (int)streams[i], .events = POLLIN};
    }
    bool isAny = poll(questions, (nfds_t)count, milliseconds) > 0;
    for (int i = 0; i < count; ++i)
    {
        isReady[i] = isAny && questions[i].revents != 0;
    }
}

long ReadWorkerStream(intptr_t stream, char* data, size_t size)
{
    ssize_t count = read((int)stream, data, size);
    return count >= 0 ? (long)count : errno == EINTR || errno == EAGAIN ? -1 : 0;
}

void CloseWorkerStream(intptr_t stream)
{
    KeepStream((int)stream, 0);
    close((int)stream);
}

int EndWorkerProcess(WorkerProcess* worker, int* signal)
{
    int status = -1;
    pid_t ended;
    do
    {
        ended = waitpid((pid_t)worker->process, &status, 0);
    } while (ended < 0 && errno == EINTR);
    *signal = ended > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void InterruptWorker(intptr_t process)
{
    kill((pid_t)process, SIGINT);
}

void AwaitWorker(intptr_t process)
{
    while (waitpid((pid_t)process, NULL, 0) < 0 && errno == EINTR)
    {
    }
}

#endif

void* ShareMemory(size_t size)
{
    void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void UnshareMemory(void* memory, size_t size)
{
    munmap(memory, size);
}

// --- other programs ---------------------------------------------------------------------------------------

FILE* StartProgram(const char* const* arguments, intptr_t* process)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return NULL;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    pid_t child = 0;
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, (char**)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    *process = child;
    FILE* stream = error == 0 ? fdopen(ends[1], "wb") : NULL;
    if (stream == NULL)
    {
        close(ends[1]);
    }
    return stream;
}

bool AwaitProgram(intptr_t process)
{
    int status = 0;
    return waitpid((pid_t)process, &status, 0) == (pid_t)process && status == 0;
}

const char* GetDesktopOpener(void)
{
#if defined(__APPLE__)
    return "open";
#else
    return "xdg-open";
#endif
}

bool OpenOnDesktop(const char* place)
{
    char* arguments[] = {(char*)(uintptr_t)GetDesktopOpener(), (char*)(uintptr_t)place, NULL};
    pid_t child = 0;
    int status = 0;
    int error = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
    return error == 0 && waitpid(child, &status, 0) == child && status == 0;
}

// --- sockets ----------------------------------------------------------------------------------------------

intptr_t ListenOnPort(int* port)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(listener, (struct sockaddr*)&address, size) == 0 && listen(listener, 16) == 0 &&
        getsockname(listener, (struct sockaddr*)&address, &size) == 0)
    {
        *port = ntohs(address.sin_port);
        return listener;
    }
    int error = errno;
    if (listener >= 0)
    {
        close(listener);
    }
    errno = error;
    return -1;
}

intptr_t AcceptConnection(intptr_t listener, int milliseconds)
{
    struct pollfd question = {.fd = (int)listener, .events = POLLIN};
    return poll(&question, 1, milliseconds) == 1 ? accept((int)listener, NULL, NULL) : -1;
}

bool SendBytes(intptr_t connection, const char* bytes, size_t size)
{
    while (size > 0)
    {
        ssize_t sent = send((int)connection, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0)
        {
            return false;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

size_t ReceiveBytes(intptr_t connection, char* bytes, size_t size, int milliseconds)
{
    struct pollfd question = {.fd = (int)connection, .events = POLLIN};
    ssize_t count = poll(&question, 1, milliseconds) == 1 ? recv((int)connection, bytes, size, 0) : 0;
    return count > 0 ? (size_t)count : 0;
}

void CloseConnection(intptr_t connection)
{
    close((int)connection);
}

static int answerCount;

bool AnswerInWorker(intptr_t listener, intptr_t connection, AnswerFcn* answer, void* context)
{
    pid_t child = fork();
    if (child == 0)
    {
        close((int)listener);
        answer(context, connection);
        shutdown((int)connection, SHUT_WR);
        _exit(0);
    }
    close((int)connection);
    answerCount += child > 0 ? 1 : 0;
    return child > 0;
}

int CountAnswers(int most)
{
    while (answerCount > 0 && waitpid(-1, NULL, answerCount < most ? WNOHANG : 0) > 0)
    {
        answerCount -= 1;
    }
    return answerCount;
}

void DiscardErrors(void)
{
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDERR_FILENO);
}

#else
typedef int PlatformPosixIsEmpty; // ISO C forbids an empty source
#endif
