// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Workers of the program under WASI. The host (web/module/cli.mjs) runs the program once more with a request, to its end,
// and keeps its output, which the calls of platform.h read.
//
// See docs/decisions/120-program-under-wasi.md.
#include "platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define IMPORT(name) __attribute__((import_module("tendon"), import_name(name)))

/// Runs a worker. Returns its number, or -1 if the host cannot run one.
IMPORT("run_worker") int tdHost_RunWorker(const char* request, size_t size);
/// Reads the next bytes of a worker's standard output (0) or error (1). 0: the end.
IMPORT("read_worker") int tdHost_ReadWorker(int worker, int stream, char* data, size_t size);
/// Forgets a worker. Returns its exit code, or the negative signal that ended it.
IMPORT("end_worker") int tdHost_EndWorker(int worker);

bool StartWorkerProcess(WorkerProcess* worker, const char* request, RunWorkerFcn* run, void* context)
{
    (void)run;
    (void)context;
    fflush(stdout);
    fflush(stderr);
    int number = tdHost_RunWorker(request, strlen(request));
    if (number < 0)
    {
        errno = ENOMEM;
        return false;
    }
    *worker = (WorkerProcess){number, {2 * number, 2 * number + 1}};
    return true;
}

const char* GetWorkerRequest(void)
{
    return getenv("TENDON_WORKER"); // only cli.mjs sets it
}

void WaitForStreams(const intptr_t* streams, int count, int milliseconds, bool* isReady)
{
    (void)streams;
    (void)milliseconds;
    memset(isReady, true, (size_t)count * sizeof(bool)); // the workers have ended
}

long ReadWorkerStream(intptr_t stream, char* data, size_t size)
{
    return tdHost_ReadWorker((int)stream / 2, (int)stream % 2, data, size);
}

void CloseWorkerStream(intptr_t stream)
{
    (void)stream;
}

int EndWorkerProcess(WorkerProcess* worker, int* signal)
{
    int code = tdHost_EndWorker((int)worker->process);
    *signal = code < 0 ? -code : 0;
    return code;
}

void InterruptWorker(intptr_t process)
{
    (void)process;
}

void AwaitWorker(intptr_t process)
{
    (void)process;
}
