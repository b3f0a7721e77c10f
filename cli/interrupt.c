// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Signal and assert handlers. They call only async-signal-safe functions.
#define _XOPEN_SOURCE 700 // sigaltstack

#include "interrupt.h"

#include "session.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t isWriting;
static volatile sig_atomic_t isInterrupted;
static volatile sig_atomic_t isWorker;
static atomic_flag isEnding = ATOMIC_FLAG_INIT;
static char unfinishedFile[4096];
static volatile sig_atomic_t children[INTERRUPT_CHILDREN];

static void Say(const char* text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void LeaveNothingHalf(void)
{
    if (unfinishedFile[0] != '\0')
    {
        unlink(unfinishedFile);
    }
}

// Passes the signal to the children; they finish the file that they are writing.
static void EndChildren(void)
{
    for (int i = 0; i < INTERRUPT_CHILDREN; ++i)
    {
        if (children[i] > 0)
        {
            kill((pid_t)children[i], SIGINT);
        }
    }
    for (int i = 0; i < INTERRUPT_CHILDREN; ++i)
    {
        if (children[i] > 0)
        {
            while (waitpid((pid_t)children[i], NULL, 0) < 0 && errno == EINTR)
            {
            }
        }
    }
}

static void HandleInterrupt(int signal)
{
    (void)signal;
    if (isWriting)
    {
        isInterrupted = 1;
        return;
    }
    if (atomic_flag_test_and_set(&isEnding))
    {
        return; // another thread handles a signal already
    }
    EndChildren();
    LeaveNothingHalf();
    if (!isWorker) // the reader of its pipe may be gone
    {
        Say("\ntendon: interrupted\n");
    }
    _exit(EXIT_INTERRUPTED);
}

static bool HandleAssert(const char* condition, const char* file, int line)
{
    LeaveNothingHalf();
    fprintf(stderr, "tendon: %s:%d: \"%s\" does not hold; this is a bug in Tendon, please report it.\n", file,
            line, condition);
    fflush(NULL);
    _exit(EXIT_BUG);
}

static void FillInterrupts(sigset_t* signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGHUP);
}

static void Handle(int signal, void (*handler)(int), int flags)
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

// Sanitizers report crashes themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static void HandleCrashes(void)
{
}
#else
static void HandleCrash(int signal)
{
    LeaveNothingHalf();
    Say(signal == SIGABRT ? "tendon: aborted" : "tendon: crashed");
    Say("; this is a bug in Tendon, please report it with the file that caused it.\n");
    _exit(EXIT_BUG);
}

static void HandleCrashes(void)
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
        Handle(crashes[i], HandleCrash, SA_ONSTACK);
    }
}
#endif

void InstallHandlers(void)
{
    tdSetAssertHandler(HandleAssert);
    Handle(SIGINT, HandleInterrupt, 0);
    Handle(SIGTERM, HandleInterrupt, 0);
    if (!IsIgnored(SIGHUP)) // as under nohup
    {
        Handle(SIGHUP, HandleInterrupt, 0);
    }
    Handle(SIGPIPE, SIG_IGN, 0); // a write to a closed pipe fails instead; see FlushOutput in main.c
    Handle(SIGXFSZ, SIG_IGN, 0); // likewise a write past the file size limit
    Handle(SIGCHLD, SIG_DFL, 0); // waitpid needs the default action
    HandleCrashes();
    AllowInterrupts(); // the parent process may have blocked them
}

void SetUnfinishedFile(const char* path)
{
    // A handler must never see a partial name: empty it first, write its first byte last.
    unfinishedFile[0] = '\0';
    atomic_signal_fence(memory_order_seq_cst);
    if (path != NULL && strlen(path) < sizeof unfinishedFile)
    {
        memcpy(unfinishedFile + 1, path + 1, strlen(path));
        atomic_signal_fence(memory_order_seq_cst);
        unfinishedFile[0] = path[0];
    }
}

void BeginWriting(void)
{
    isWriting = 1;
}

void EndWriting(void)
{
    isWriting = 0;
    if (isInterrupted)
    {
        HandleInterrupt(SIGINT);
    }
}

void RememberChild(int slot, int process)
{
    children[slot] = process;
}

static void MaskInterrupts(int how)
{
    sigset_t signals;
    FillInterrupts(&signals);
    pthread_sigmask(how, &signals, NULL);
}

void BecomeChild(void)
{
    isWorker = 1;
    for (int i = 0; i < INTERRUPT_CHILDREN; ++i)
    {
        children[i] = 0;
    }
}

void HoldInterrupts(void)
{
    MaskInterrupts(SIG_BLOCK);
}

void AllowInterrupts(void)
{
    MaskInterrupts(SIG_UNBLOCK);
}
