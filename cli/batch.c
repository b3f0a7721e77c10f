// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Forks at most one worker per thread; the parent reads their pipes and prints. Only this file handles the
// options of a batch (--out-dir, --shard, --resume).
//
// See docs/decisions/042-batch-runs.md.
#define _DEFAULT_SOURCE // MAP_ANON

#include "batch.h"

#include "build_record.h"
#include "interrupt.h"
#include "json.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Exit code of a worker whose output is up to date; the program never returns it.
#define EXIT_UP_TO_DATE 64

typedef enum JobState
{
    JOB_WAITING,
    JOB_RUNNING,
    JOB_ENDED,
    JOB_PRINTED,
} JobState;

// Output of a worker so far.
typedef struct Stream
{
    int file; // -1: closed
    char* text;
    size_t size, capacity;
} Stream;

typedef struct Job
{
    const char* input;
    char* output; // NULL: the verb writes no file
    JobState state;
    int slot; // of the running workers
    pid_t process;
    Stream streams[2]; // standard output, standard error
    int exitCode;
} Job;

typedef struct Batch
{
    Session* session;
    RunFileFcn* run;
    Job* jobs;
    int jobCount, startedCount, runningCount, endedCount, printedCount;
    int workerCount;
    volatile double* fractions; // by slot, shared with the workers
    bool usedSlots[INTERRUPT_CHILDREN];
    int failedCount, freshCount, worstExit;
    Progress progress;
} Batch;

// --- which files ------------------------------------------------------------------------------------------

bool IsBatch(const Options* options)
{
    bool isList = options->fileCount > 1 || IsGiven(options, OPTION_SHARD);
    return IsGiven(options, OPTION_OUT_DIR) || (options->verb == VERB_CHECK && isList);
}

static int CompareTexts(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// The files of a shard: every N-th of the sorted names, so that it depends neither on the order of the list
// nor on the machine.
static void ChooseJobs(Batch* batch, const char* const* inputs, int count, const char** sorted)
{
    const OptionValue* shard = &batch->session->options->values[OPTION_SHARD];
    memcpy(sorted, inputs, sizeof(char*) * (size_t)count);
    qsort(sorted, (size_t)count, sizeof(char*), CompareTexts);
    for (int i = 0; i < count; ++i)
    {
        bool isChosen = true;
        if (shard->isGiven)
        {
            const char** place = bsearch(&inputs[i], sorted, (size_t)count, sizeof(char*), CompareTexts);
            isChosen = (place - sorted) % (int)shard->numbers[1] == (int)shard->numbers[0] - 1;
        }
        if (isChosen)
        {
            batch->jobs[batch->jobCount++] =
                (Job){.input = inputs[i], .streams = {{.file = -1}, {.file = -1}}};
        }
    }
}

// Extension of the file name, without the dot; NULL: none.
static const char* GetEnding(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    return dot != NULL && dot != name ? dot + 1 : NULL;
}

// Extension of the output; NULL: that of the input.
static const char* GetOutputEnding(const Options* options)
{
    switch (options->verb)
    {
    case VERB_TRACE:
        return options->values[OPTION_TRACE_FORMAT].text;
    case VERB_RETARGET:
        // The output is an avatar, so the motion's extension does not apply.
        return options->values[OPTION_MOTION_FORMAT].text != NULL ? options->values[OPTION_MOTION_FORMAT].text
               : IsGiven(options, OPTION_ONTO) ? GetEnding(options->values[OPTION_ONTO].text)
                                               : NULL;
    default:
        return options->values[OPTION_FORMAT].text;
    }
}

// DIR/NAME with the extension that the options ask for; the caller frees it.
static char* MakeOutputPath(const char* folder, const char* input, const char* ending)
{
    const char* slash = strrchr(input, '/');
    const char* name = slash != NULL ? slash + 1 : input;
    const char* dot = strrchr(name, '.');
    int stem = ending == NULL || dot == NULL || dot == name ? (int)strlen(name) : (int)(dot - name);
    size_t size = strlen(folder) + strlen(name) + 16;
    char* path = malloc(size);
    if (path != NULL)
    {
        snprintf(path, size, "%s/%.*s%s%s", folder, stem, name, ending != NULL ? "." : "",
                 ending != NULL ? ending : "");
    }
    return path;
}

// Reports inputs with the same output. Looks at the whole list, because another machine may process the other
// shard.
static bool HasClash(const Session* session, const char* const* inputs, int count, char** outputs)
{
    const char* folder = session->options->values[OPTION_OUT_DIR].text;
    const char* ending = GetOutputEnding(session->options);
    bool hasClash = false;
    for (int i = 0; i < count; ++i)
    {
        outputs[i] = MakeOutputPath(folder, inputs[i], ending);
        hasClash = hasClash || outputs[i] == NULL;
    }
    if (!hasClash)
    {
        qsort(outputs, (size_t)count, sizeof(char*), CompareTexts);
    }
    for (int i = 1; i < count && !hasClash; ++i)
    {
        hasClash = strcmp(outputs[i - 1], outputs[i]) == 0;
        if (hasClash)
        {
            Complain(session, "two of the files would be written as \"%s\".", outputs[i]);
        }
    }
    for (int i = 0; i < count; ++i)
    {
        free(outputs[i]);
    }
    return hasClash;
}

// Creates a folder and its parents.
static bool MakeFolder(const char* folder)
{
    size_t size = strlen(folder) + 1;
    char* path = malloc(size);
    if (path == NULL)
    {
        errno = ENOMEM;
        return false;
    }
    memcpy(path, folder, size);
    for (char* slash = path + 1; (slash = strchr(slash, '/')) != NULL; ++slash)
    {
        *slash = '\0';
        mkdir(path, 0777); // failures show at the last one
        *slash = '/';
    }
    free(path);
    struct stat status;
    bool isMade = mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &status) == 0);
    if (isMade && stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
    {
        errno = ENOTDIR;
        return false;
    }
    return isMade;
}

// --- a worker ---------------------------------------------------------------------------------------------

static int RunJob(Session* session, const Job* job, RunFileFcn* run)
{
    BuildRecord record;
    bool hasRecord =
        IsGiven(session->options, OPTION_RESUME) && MakeBuildRecord(session, job->input, &record);
    if (hasRecord && IsUpToDate(&record, job->output))
    {
        if (IsGiven(session->options, OPTION_JSON))
        {
            printf("{\"input\":");
            PrintJsonText(stdout, job->input);
            printf(",\"output\":");
            PrintJsonText(stdout, job->output);
            printf(",\"isUpToDate\":true}\n");
        }
        return EXIT_UP_TO_DATE;
    }
    int result = run(session, job->input, job->output);
    if (hasRecord && result == EXIT_FINE && !WriteBuildRecord(&record, job->output))
    {
        Complain(session, "cannot write the build record of \"%s\".", job->output);
        result = EXIT_IO;
    }
    return result;
}

static void BecomeWorker(Batch* batch, const Job* job, const int pipes[4])
{
    BecomeChild();
    for (int i = 0; i < batch->startedCount; ++i) // the parent reads the other workers' pipes
    {
        for (int k = 0; k < 2 && batch->jobs[i].streams[k].file >= 0; ++k)
        {
            close(batch->jobs[i].streams[k].file);
        }
    }
    dup2(pipes[1], STDOUT_FILENO);
    dup2(pipes[3], STDERR_FILENO);
    for (int i = 0; i < 4; ++i)
    {
        close(pipes[i]);
    }
    AllowInterrupts();
    Session* session = batch->session;
    session->fraction = &batch->fractions[job->slot];
    StartThreads(session, session->threadCount / batch->workerCount);
    int result = RunJob(session, job, batch->run);
    tdDestroyThreads(session->threads);
    fflush(stdout);
    fflush(stderr);
    _exit(result);
}

// --- the parent -------------------------------------------------------------------------------------------

// Reports a worker that crashed; with --json as the line of its file.
static void ReportJob(Batch* batch, Job* job, const char* sentence)
{
    ClearProgress(&batch->progress);
    Complain(batch->session, "%s: %s", job->input, sentence);
    if (!IsGiven(batch->session->options, OPTION_JSON))
    {
        return;
    }
    Stream* stream = &job->streams[0];
    free(stream->text); // possibly an incomplete line
    *stream = (Stream){.file = stream->file};
    FILE* line = open_memstream(&stream->text, &stream->size);
    if (line != NULL)
    {
        bool isCheck = batch->session->options->verb == VERB_CHECK;
        fprintf(line, "{\"%s\":", isCheck ? "uri" : "input");
        PrintJsonText(line, job->input);
        fprintf(
            line,
            "%s,\"issues\":{\"numErrors\":1,\"numWarnings\":0,\"numInfos\":0,\"numHints\":0,\"messages\":["
            "{\"code\":\"WORKER_FAILED\",\"message\":",
            isCheck ? "" : ",\"output\":null");
        PrintJsonText(line, sentence);
        fprintf(line, ",\"severity\":0,\"pointer\":\"\"}],\"truncated\":false}}\n");
        fclose(line);
    }
}

// Starts a worker. When that fails, waits for a running one to end; without one the file has failed.
static void HandleNoWorker(Batch* batch, Job* job, int error)
{
    if (batch->runningCount > 0)
    {
        batch->workerCount = batch->runningCount;
        batch->startedCount -= 1;
        return;
    }
    char sentence[160];
    snprintf(sentence, sizeof sentence, "cannot start a worker: %s.", strerror(error));
    ReportJob(batch, job, sentence);
    job->state = JOB_ENDED;
    job->exitCode = EXIT_IO;
    batch->endedCount += 1;
}

static void StartJob(Batch* batch, Job* job)
{
    batch->startedCount += 1;
    int pipes[4] = {-1, -1, -1, -1};
    if (pipe(pipes) != 0 || pipe(pipes + 2) != 0)
    {
        int error = errno;
        for (int i = 0; i < 2 && pipes[0] >= 0; ++i)
        {
            close(pipes[i]);
        }
        HandleNoWorker(batch, job, error);
        return;
    }
    for (job->slot = 0; batch->usedSlots[job->slot];)
    {
        job->slot += 1;
    }
    batch->fractions[job->slot] = 0.0;
    fflush(stdout);
    fflush(stderr);
    HoldInterrupts();
    job->process = fork();
    if (job->process == 0)
    {
        BecomeWorker(batch, job, pipes);
    }
    if (job->process > 0)
    {
        RememberChild(job->slot, (int)job->process);
    }
    int error = errno;
    AllowInterrupts();
    close(pipes[1]);
    close(pipes[3]);
    if (job->process < 0)
    {
        close(pipes[0]);
        close(pipes[2]);
        HandleNoWorker(batch, job, error);
        return;
    }
    job->streams[0].file = pipes[0];
    job->streams[1].file = pipes[2];
    job->state = JOB_RUNNING;
    batch->usedSlots[job->slot] = true;
    batch->runningCount += 1;
}

static void ReadStream(Stream* stream)
{
    if (stream->capacity - stream->size < 4096)
    {
        size_t capacity = stream->capacity * 2 + 8192;
        char* text = realloc(stream->text, capacity);
        if (text == NULL)
        {
            stream->size = 0; // drop the output rather than fail the file
        }
        else
        {
            stream->text = text;
            stream->capacity = capacity;
        }
    }
    char spare[4096];
    bool hasRoom = stream->capacity - stream->size >= 4096;
    ssize_t count = read(stream->file, hasRoom ? stream->text + stream->size : spare,
                         hasRoom ? stream->capacity - stream->size : sizeof spare);
    if (count > 0)
    {
        stream->size += hasRoom ? (size_t)count : 0;
    }
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
    {
        close(stream->file);
        stream->file = -1;
    }
}

static void EndJob(Batch* batch, Job* job)
{
    int status = EXIT_BUG << 8; // used when waitpid fails
    HoldInterrupts();           // the system may reuse the process id
    while (waitpid(job->process, &status, 0) < 0 && errno == EINTR)
    {
    }
    RememberChild(job->slot, 0);
    AllowInterrupts();
    batch->usedSlots[job->slot] = false;
    batch->fractions[job->slot] = 0.0;
    batch->runningCount -= 1;
    batch->endedCount += 1;
    job->state = JOB_ENDED;
    job->exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BUG;
    if (WIFSIGNALED(status))
    {
        char sentence[64];
        snprintf(sentence, sizeof sentence, "the worker was killed by signal %d.", WTERMSIG(status));
        ReportJob(batch, job, sentence);
    }
}

// Prints finished jobs in the order of the list.
static void PrintJobs(Batch* batch)
{
    while (batch->printedCount < batch->jobCount && batch->jobs[batch->printedCount].state == JOB_ENDED)
    {
        Job* job = &batch->jobs[batch->printedCount++];
        FILE* const streams[2] = {stdout, stderr};
        for (int i = 0; i < 2; ++i)
        {
            if (job->streams[i].size > 0)
            {
                ClearProgress(&batch->progress);
                fwrite(job->streams[i].text, 1, job->streams[i].size, streams[i]);
            }
            fflush(streams[i]);
            free(job->streams[i].text);
            job->streams[i].text = NULL;
        }
        job->state = JOB_PRINTED;
        bool isFresh = job->exitCode == EXIT_UP_TO_DATE;
        batch->freshCount += isFresh ? 1 : 0;
        batch->failedCount += !isFresh && job->exitCode != EXIT_FINE ? 1 : 0;
        batch->worstExit = WorseExit(batch->worstExit, isFresh ? EXIT_FINE : job->exitCode);
    }
}

static void ShowBatch(Batch* batch)
{
    double done = batch->endedCount;
    for (int i = 0; i < INTERRUPT_CHILDREN; ++i)
    {
        done += batch->fractions[i];
    }
    char unit[64];
    double elapsed = GetSeconds() - batch->progress.started;
    snprintf(unit, sizeof unit, "files/s, %d of %d", batch->endedCount, batch->jobCount);
    UpdateProgress(&batch->progress, done / batch->jobCount, done / elapsed, unit);
}

static void WaitForWorkers(Batch* batch)
{
    struct pollfd questions[2 * INTERRUPT_CHILDREN];
    Stream* streams[2 * INTERRUPT_CHILDREN];
    nfds_t count = 0;
    for (int i = batch->printedCount; i < batch->startedCount; ++i)
    {
        for (int k = 0; k < 2 && batch->jobs[i].state == JOB_RUNNING; ++k)
        {
            if (batch->jobs[i].streams[k].file >= 0)
            {
                streams[count] = &batch->jobs[i].streams[k];
                questions[count] = (struct pollfd){.fd = streams[count]->file, .events = POLLIN};
                count += 1;
            }
        }
    }
    if (poll(questions, count, 100) > 0)
    {
        for (nfds_t i = 0; i < count; ++i)
        {
            if (questions[i].revents != 0)
            {
                ReadStream(streams[i]);
            }
        }
    }
    for (int i = batch->printedCount; i < batch->startedCount; ++i)
    {
        Job* job = &batch->jobs[i];
        if (job->state == JOB_RUNNING && job->streams[0].file < 0 && job->streams[1].file < 0)
        {
            EndJob(batch, job);
        }
    }
}

static void RunJobs(Batch* batch)
{
    // Stop when the reader of the output is gone.
    while (batch->printedCount < batch->jobCount && !ferror(stdout))
    {
        while (batch->runningCount < batch->workerCount && batch->startedCount < batch->jobCount)
        {
            StartJob(batch, &batch->jobs[batch->startedCount]);
        }
        if (batch->runningCount > 0)
        {
            WaitForWorkers(batch);
        }
        PrintJobs(batch);
        ShowBatch(batch);
    }
    while (batch->runningCount > 0)
    {
        WaitForWorkers(batch);
    }
}

static void PrintSummary(const Batch* batch)
{
    const Options* options = batch->session->options;
    if (batch->session->isQuiet || IsGiven(options, OPTION_JSON))
    {
        return;
    }
    if (options->verb == VERB_CHECK)
    {
        printf("%d %s, %d with errors\n", batch->jobCount, batch->jobCount == 1 ? "file" : "files",
               batch->failedCount);
        return;
    }
    int madeCount = batch->jobCount - batch->failedCount - batch->freshCount;
    fprintf(stderr, "%d %s in %s", madeCount, madeCount == 1 ? "file" : "files",
            options->values[OPTION_OUT_DIR].text);
    if (IsGiven(options, OPTION_RESUME))
    {
        fprintf(stderr, ", %d up to date", batch->freshCount);
    }
    fprintf(stderr, ", %d failed\n", batch->failedCount);
}

// Creates the folder, the list of jobs and their output paths.
static int PrepareJobs(Batch* batch, int first)
{
    const Session* session = batch->session;
    const Options* options = session->options;
    const char* const* inputs = options->files + first;
    int count = options->fileCount - first;
    const char* folder = options->values[OPTION_OUT_DIR].text;
    const char** sorted = calloc((size_t)count + 1, sizeof(char*));
    batch->jobs = calloc((size_t)count + 1, sizeof(Job));
    int result = EXIT_FINE;
    if (sorted == NULL || batch->jobs == NULL)
    {
        Complain(session, "out of memory.");
        result = EXIT_IO;
    }
    else if (folder != NULL && HasClash(session, inputs, count, (char**)(void*)sorted))
    {
        result = EXIT_USAGE;
    }
    else if (folder != NULL && !MakeFolder(folder))
    {
        Complain(session, "cannot make the folder \"%s\": %s.", folder, strerror(errno));
        result = EXIT_IO;
    }
    else
    {
        ChooseJobs(batch, inputs, count, sorted);
        for (int i = 0; i < batch->jobCount && folder != NULL; ++i)
        {
            batch->jobs[i].output = MakeOutputPath(folder, batch->jobs[i].input, GetOutputEnding(options));
        }
    }
    free(sorted);
    return result;
}

int RunBatch(Session* session, int first, RunFileFcn* run)
{
    Batch batch = {.session = session, .run = run};
    int result = PrepareJobs(&batch, first);
    batch.workerCount = session->threadCount < batch.jobCount ? session->threadCount : batch.jobCount;
    batch.workerCount = batch.workerCount > INTERRUPT_CHILDREN ? INTERRUPT_CHILDREN : batch.workerCount;
    size_t shareSize = sizeof(double) * INTERRUPT_CHILDREN;
    void* share = result == EXIT_FINE
                      ? mmap(NULL, shareSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0)
                      : MAP_FAILED;
    if (result == EXIT_FINE && share == MAP_FAILED)
    {
        Complain(session, "out of memory.");
        result = EXIT_IO;
    }
    if (result == EXIT_FINE)
    {
        batch.fractions = share;
        session->lockFolder = session->options->values[OPTION_OUT_DIR].text;
        batch.progress = StartWork(session, GetVerbInfo(session->options->verb)->name);
        RunJobs(&batch);
        EndProgress(&batch.progress);
        PrintSummary(&batch);
        // In a batch an unreadable file is one failure among others; a report over several files has the
        // worst exit code.
        result = session->options->verb == VERB_CHECK ? batch.worstExit
                 : batch.failedCount > 0              ? EXIT_FOUND_ERRORS
                                                      : EXIT_FINE;
        munmap(share, shareSize);
    }
    for (int i = 0; i < batch.jobCount; ++i)
    {
        free(batch.jobs[i].output);
        free(batch.jobs[i].streams[0].text); // unprinted output
        free(batch.jobs[i].streams[1].text);
    }
    free(batch.jobs);
    return result;
}
