// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Interrupt, crash and assert handlers. They call only functions of the platform layer that handlers may
// call.
#include "interrupt.h"

#include "compiler.h"
#include "platform.h"
#include "session.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t isWriting;
static volatile sig_atomic_t isInterrupted;
static volatile sig_atomic_t isWorker;
static atomic_flag isEnding = ATOMIC_FLAG_INIT;
static char unfinishedFile[4096];
static volatile intptr_t children[INTERRUPT_CHILDREN];

static void LeaveNothingHalf(void)
{
    if (unfinishedFile[0] != '\0')
    {
        RemoveFile(unfinishedFile);
    }
}

// Passes the interrupt to the children; they finish the file that they are writing.
static void EndChildren(void)
{
    for (int i = 0; i < INTERRUPT_CHILDREN; ++i)
    {
        if (children[i] > 0)
        {
            InterruptWorker(children[i]);
        }
    }
    for (int i = 0; i < INTERRUPT_CHILDREN; ++i)
    {
        if (children[i] > 0)
        {
            AwaitWorker(children[i]);
        }
    }
}

static void HandleInterrupt(void)
{
    if (isWriting)
    {
        isInterrupted = 1;
        return;
    }
    if (atomic_flag_test_and_set(&isEnding))
    {
        return; // another thread handles an interrupt already
    }
    EndChildren();
    LeaveNothingHalf();
    if (!isWorker) // the reader of its pipe may be gone
    {
        PrintFromHandler("\ntendon: interrupted\n");
    }
    EndProcess(EXIT_INTERRUPTED);
}

static void HandleCrash(bool isAbort)
{
    LeaveNothingHalf();
    PrintFromHandler(isAbort ? "tendon: aborted" : "tendon: crashed");
    PrintFromHandler("; this is a bug in Tendon, please report it with the file that caused it.\n");
    EndProcess(EXIT_BUG);
}

static bool HandleAssert(const char* condition, const char* file, int line)
{
    LeaveNothingHalf();
    fprintf(stderr, "tendon: %s:%d: \"%s\" does not hold; this is a bug in Tendon, please report it.\n", file,
            line, condition);
    fflush(NULL);
    EndProcess(EXIT_BUG);
}

void InstallHandlers(void)
{
    tdSetAssertHandler(HandleAssert);
    InstallSystemHandlers(&(Handlers){HandleInterrupt, HandleCrash});
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
        HandleInterrupt();
    }
}

void RememberChild(int slot, intptr_t process)
{
    children[slot] = process;
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
    BlockInterrupts();
}

void AllowInterrupts(void)
{
    UnblockInterrupts();
}
