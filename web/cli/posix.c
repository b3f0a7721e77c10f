// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Functions of posix.h: failures of calls that WASI cannot serve, and realpath.
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static int Refuse(void)
{
    errno = ENOSYS;
    return -1;
}

int sigaction(int signal, const struct sigaction* action, struct sigaction* before)
{
    (void)signal;
    (void)action;
    if (before != NULL)
    {
        memset(before, 0, sizeof(*before));
    }
    return 0;
}

int sigaltstack(const stack_t* stack, stack_t* before)
{
    (void)stack;
    (void)before;
    return 0;
}

int sigemptyset(sigset_t* set)
{
    memset(set, 0, sizeof(*set));
    return 0;
}

int sigfillset(sigset_t* set)
{
    return sigemptyset(set);
}

int sigaddset(sigset_t* set, int signal)
{
    (void)set;
    (void)signal;
    return 0;
}

int kill(pid_t process, int signal)
{
    (void)process;
    (void)signal;
    return Refuse();
}

pid_t fork(void)
{
    return Refuse();
}

int pipe(int ends[2])
{
    (void)ends;
    return Refuse();
}

int dup2(int file, int other)
{
    (void)file;
    (void)other;
    return Refuse();
}

int flock(int file, int operation)
{
    (void)file;
    (void)operation;
    return Refuse(); // so that nobody's temporary files count as leftovers
}

int chmod(const char* path, mode_t mode)
{
    (void)path;
    (void)mode;
    return 0;
}

int fchmod(int file, mode_t mode)
{
    (void)file;
    (void)mode;
    return 0;
}

mode_t umask(mode_t mode)
{
    (void)mode;
    return 022;
}

int socket(int domain, int type, int protocol)
{
    (void)domain;
    (void)type;
    (void)protocol;
    return Refuse();
}

int bind(int socket, const struct sockaddr* address, socklen_t size)
{
    (void)socket;
    (void)address;
    (void)size;
    return Refuse();
}

int listen(int socket, int count)
{
    (void)socket;
    (void)count;
    return Refuse();
}

int getsockname(int socket, struct sockaddr* address, socklen_t* size)
{
    (void)socket;
    (void)address;
    (void)size;
    return Refuse();
}

int setsockopt(int socket, int level, int option, const void* value, socklen_t size)
{
    (void)socket;
    (void)level;
    (void)option;
    (void)value;
    (void)size;
    return Refuse();
}

pid_t waitpid(pid_t process, int* status, int options)
{
    (void)process;
    (void)status;
    (void)options;
    errno = ECHILD;
    return -1;
}

int pthread_create(pthread_t* thread, const void* attributes, void* (*run)(void*), void* context)
{
    (void)thread;
    (void)attributes;
    (void)run;
    (void)context;
    return ENOSYS;
}

int pthread_join(pthread_t thread, void** result)
{
    (void)thread;
    (void)result;
    return ESRCH;
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* before)
{
    (void)how;
    (void)set;
    if (before != NULL)
    {
        sigemptyset(before);
    }
    return 0;
}

int posix_spawnp(pid_t* process, const char* program, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment)
{
    (void)process;
    (void)program;
    (void)actions;
    (void)attributes;
    (void)arguments;
    (void)environment;
    return ENOSYS;
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t* actions)
{
    (void)actions;
    return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t* actions)
{
    (void)actions;
    return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* actions, int file, int other)
{
    (void)actions;
    (void)file;
    (void)other;
    return 0;
}

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t* actions, int file)
{
    (void)actions;
    (void)file;
    return 0;
}

/// WASI starts at the root; relative paths are those of the caller.
__attribute__((constructor)) static void EnterWorkingDirectory(void)
{
    const char* folder = getenv("PWD");
    if (folder != NULL)
    {
        chdir(folder);
    }
}

// realpath: the path from the root without ".", ".." and links. The working directory is in PWD (cli.mjs sets it).

#define MAX_LINKS 40

/// Appends the parts of a path to `out`, which begins with '/'. Follows links. False with errno set on failure.
static bool AppendPath(char* out, const char* path, int* links)
{
    for (const char* part = path; *part != '\0';)
    {
        size_t length = strcspn(part, "/");
        size_t end = strlen(out);
        if (length == 2 && part[0] == '.' && part[1] == '.')
        {
            char* slash = strrchr(out, '/');
            slash[slash == out ? 1 : 0] = '\0';
        }
        else if (length > 0 && !(length == 1 && part[0] == '.'))
        {
            size_t gap = end > 1 ? 1 : 0;
            if (end + gap + length + 1 > PATH_MAX)
            {
                errno = ENAMETOOLONG;
                return false;
            }
            memcpy(out + end, "/", gap);
            memcpy(out + end + gap, part, length);
            out[end + gap + length] = '\0';
            char target[PATH_MAX];
            ssize_t size = readlink(out, target, sizeof(target) - 1);
            if (size >= 0)
            {
                target[size] = '\0';
                out[end] = '\0';
                if (target[0] == '/')
                {
                    memcpy(out, "/", 2);
                }
                if (++*links > MAX_LINKS)
                {
                    errno = ELOOP;
                    return false;
                }
                if (!AppendPath(out, target, links))
                {
                    return false;
                }
            }
        }
        part += length;
        part += *part == '/' ? 1 : 0;
    }
    return true;
}

char* realpath(const char* restrict path, char* restrict out)
{
    char found[PATH_MAX] = "/";
    int links = 0;
    const char* folder = getenv("PWD");
    bool isRelative = path[0] != '/';
    struct stat status;
    if (path[0] == '\0' || (isRelative && !AppendPath(found, folder != NULL ? folder : "/", &links)) ||
        !AppendPath(found, path, &links) || stat(found, &status) != 0)
    {
        errno = path[0] == '\0' ? ENOENT : errno;
        return NULL;
    }
    if (out == NULL)
    {
        return strdup(found);
    }
    return memcpy(out, found, strlen(found) + 1);
}
