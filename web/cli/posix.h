// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The parts of POSIX that the program uses and WASI lacks, included before every source of the WebAssembly program.
// Processes, threads and sockets cannot be created: the calls fail with ENOSYS, as on a system without them. Modes of
// files and locks have no effect. There are no signals.
//
// See docs/decisions/120-program-under-wasi.md.
#pragma once

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef SA_RESTART
#define SA_RESTART 0x10000000
#endif
#ifndef SA_NOCLDSTOP
#define SA_NOCLDSTOP 1
#endif
#ifndef SIG_BLOCK
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#endif

#ifndef LOCK_EX
#define LOCK_EX 2
#endif

typedef unsigned sigset_t;

#define SIGSTKSZ 8192
#define SA_ONSTACK 0x08000000
#define SA_RESETHAND 0x80000000
#define MSG_NOSIGNAL 0
#define SO_REUSEADDR 2

typedef struct stack_t
{
    void* ss_sp;
    int ss_flags;
    size_t ss_size;
} stack_t;

struct sigaction
{
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};

int sigaction(int signal, const struct sigaction* action, struct sigaction* before);
int sigaltstack(const stack_t* stack, stack_t* before);
int sigemptyset(sigset_t* set);
int sigfillset(sigset_t* set);
int sigaddset(sigset_t* set, int signal);
int kill(pid_t process, int signal);
pid_t fork(void);
int pipe(int ends[2]);
int dup2(int file, int other);
int flock(int file, int operation);
char* realpath(const char* restrict path, char* restrict out);
int chmod(const char* path, mode_t mode);
int fchmod(int file, mode_t mode);
mode_t umask(mode_t mode);
int socket(int domain, int type, int protocol);
int bind(int socket, const struct sockaddr* address, socklen_t size);
int listen(int socket, int count);
int getsockname(int socket, struct sockaddr* address, socklen_t* size);
int setsockopt(int socket, int level, int option, const void* value, socklen_t size);
