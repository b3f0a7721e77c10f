// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Starts at most one worker process per thread; the parent reads their pipes and prints. Only this file
// handles the options of a batch (--out-dir, --shard, --resume).
//
// See docs/decisions/042-batch-runs.md.
#include "batch.h"

#include "build_record.h"
#include "interrupt.h"
#include "json.h"
#include "leftovers.h"
#include "memory.h"
#include "platform.h"
#include "sarif.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Exit code of a worker whose output is up to date; the program never returns it.
#define EXIT_UP_TO_DATE 64
#define EXIT_NO_MEMORY 65 // of a worker

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
    intptr_t file; // -1: closed
    char* text;
    size_t size, capacity;
} Stream;

typedef struct Job
{
    const char* input;
    const char* name; // of the output below --out-dir, with the extension of the input
    char* output;     // NULL: the verb writes no file
    JobState state;
    int slot; // of the running workers
    WorkerProcess process;
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
    bool ranOutOfMemory; // a worker
    bool hasResults;     // of a SARIF document, whose results are separated by commas
    Progress progress;
} Batch;

// --- which files ------------------------------------------------------------------------------------------

bool IsBatch(const Options* options)
{
    bool isList = options->fileCount != 1 || IsGiven(options, OPTION_SHARD);
    bool isWorker = GetWorkerRequest() != NULL && options->verb != VERB_SERVE;
    return isWorker || IsGiven(options, OPTION_OUT_DIR) || (options->verb == VERB_CHECK && isList);
}

static int CompareTexts(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// The files of a shard: every N-th of the sorted names, so that it depends neither on the order of the list
// nor on the machine.
static void ChooseJobs(Batch* batch, const char* const* inputs, const char* const* names, int count,
                       const char** sorted)
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
                (Job){.input = inputs[i], .name = names[i], .streams = {{.file = -1}, {.file = -1}}};
        }
    }
}

// Extension of the file name, without the dot; NULL: none.
static const char* GetEnding(const char* path)
{
    const char* name = GetLastPart(path);
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
    case VERB_RENDER:
        return options->values[OPTION_RENDER_FORMAT].text;
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
static char* MakeOutputPath(const char* folder, const char* name, const char* ending)
{
    const char* slash = strrchr(name, '/');
    const char* dot = strrchr(slash != NULL ? slash + 1 : name, '.');
    bool isHidden = dot == name || (dot != NULL && dot[-1] == '/');
    int stem = ending == NULL || dot == NULL || isHidden ? (int)strlen(name) : (int)(dot - name);
    size_t size = strlen(folder) + strlen(name) + 16;
    char* path = AllocateBytes(size);
    if (path != NULL)
    {
        snprintf(path, size, "%s/%.*s%s%s", folder, stem, name, ending != NULL ? "." : "",
                 ending != NULL ? ending : "");
    }
    return path;
}

// Reports inputs with the same output. Looks at the whole list, because another machine may process the other
// shard.
static bool HasClash(const Session* session, const char* const* names, int count, char** outputs)
{
    const char* folder = session->options->values[OPTION_OUT_DIR].text;
    const char* ending = GetOutputEnding(session->options);
    bool hasClash = false;
    for (int i = 0; i < count; ++i)
    {
        outputs[i] = MakeOutputPath(folder, names[i], ending);
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
    char* path = AllocateBytes(size);
    if (path == NULL)
    {
        errno = ENOMEM;
        return false;
    }
    memcpy(path, folder, size);
    for (char* slash = path + 1; (slash = strchr(slash, '/')) != NULL; ++slash)
    {
        *slash = '\0';
        MakeOneFolder(path); // failures show at the last one
        *slash = '/';
    }
    free(path);
    PathInfo info;
    bool isMade = MakeOneFolder(folder) || (errno == EEXIST && GetPathInfo(folder, &info));
    if (isMade && GetPathInfo(folder, &info) && info.kind != PATH_FOLDER)
    {
        errno = ENOTDIR;
        return false;
    }
    return isMade;
}

// --- a worker ---------------------------------------------------------------------------------------------

typedef struct WorkerContext
{
    Session* session;
    RunFileFcn* run;
    volatile double* fraction; // shared with the parent
    int threadCount;
    Job job;
} WorkerContext;

/// True if a folder inside the output folder is a link to another place.
static bool LeadsOutside(const char* folder, const char* outputFolder)
{
    char *inner = ResolvePath(folder), *outer = ResolvePath(outputFolder != NULL ? outputFolder : ".");
    if ((inner == NULL || outer == NULL) && errno == ENOMEM)
    {
        NoteMemoryFailure();
    }
    size_t length = outer != NULL ? strlen(outer) : 0;
    bool isInside = inner == NULL || outer == NULL || // failures show when the file is written
                    (strncmp(inner, outer, length) == 0 &&
                     (inner[length] == '\0' || inner[length] == '/' || outer[length - 1] == '/'));
    free(inner);
    free(outer);
    return !isInside;
}

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
    char* slash = job->output != NULL ? strrchr(job->output, '/') : NULL;
    if (slash != NULL) // a file of a folder inside a given folder
    {
        *slash = '\0';
        MakeFolder(job->output); // failures show when the file is written
        bool isOutside = LeadsOutside(job->output, session->options->values[OPTION_OUT_DIR].text);
        *slash = '/';
        if (isOutside)
        {
            Complain(session, "cannot write \"%s\": a link leads out of the output folder.", job->output);
            return EXIT_IO;
        }
    }
    int result = run(session, job->input, job->output);
    if (hasRecord && result == EXIT_FINE && !WriteBuildRecord(&record, job->output))
    {
        Complain(session, "cannot write the build record of \"%s\".", job->output);
        result = EXIT_IO;
    }
    return result;
}

// Runs in the worker.
static int RunWorker(void* context)
{
    const WorkerContext* worker = context;
    Session* session = worker->session;
    BecomeChild();
    AllowInterrupts();
    session->fraction = worker->fraction;
    StartThreads(session, worker->threadCount);
    int result = RunJob(session, &worker->job, worker->run);
    tdDestroyThreads(session->threads);
    session->threads = NULL;
    if (HasMemoryFailed())
    {
        ReportMemory(result);
        result = EXIT_NO_MEMORY;
    }
    return result;
}

// The request of a worker that cannot be forked: slot, threads, length of the input's name, then both names.
static char* MakeRequest(const WorkerContext* worker)
{
    const char *input = worker->job.input, *output = worker->job.output != NULL ? worker->job.output : "";
    size_t size = strlen(input) + strlen(output) + 64;
    char* request = AllocateBytes(size);
    if (request != NULL)
    {
        snprintf(request, size, "%d %d %zu %s%s", worker->job.slot, worker->threadCount, strlen(input), input,
                 output);
    }
    return request;
}

// Runs the job of a request; see MakeRequest.
static int RunRequest(Session* session, RunFileFcn* run, const char* request)
{
    long numbers[3] = {-1, 0, 0};
    bool isWhole = true;
    for (int i = 0; i < 3 && isWhole; ++i)
    {
        char* end = NULL;
        numbers[i] = strtol(request, &end, 10);
        isWhole = end != request && *end == ' ';
        request = end + (isWhole ? 1 : 0);
    }
    long slot = numbers[0], length = numbers[2];
    isWhole = isWhole && length >= 0 && (size_t)length <= strlen(request);
    char* input = isWhole ? CopyText(request) : NULL;
    char* output = isWhole ? CopyText(request + length) : NULL;
    volatile double* fractions = ShareMemory(sizeof(double) * INTERRUPT_CHILDREN);
    int result = EXIT_BUG;
    if (input != NULL && output != NULL && fractions != NULL && slot >= 0 && slot < INTERRUPT_CHILDREN)
    {
        input[length] = '\0';
        session->lockFolder = session->options->values[OPTION_OUT_DIR].text;
        WorkerContext worker = {
            .session = session,
            .run = run,
            .fraction = &fractions[slot],
            .threadCount = (int)numbers[1],
            .job = {.input = input, .output = output[0] != '\0' ? output : NULL},
        };
        result = RunWorker(&worker);
    }
    free(input);
    free(output);
    return result;
}

// --- the parent -------------------------------------------------------------------------------------------

// Reports a worker that crashed; with --json as the line of its file.
static void ReportJob(Batch* batch, Job* job, const char* sentence)
{
    ClearProgress(&batch->progress);
    Complain(batch->session, "%s: %s", job->input, sentence);
    bool isSarif = IsWord(batch->session->options, OPTION_CHECK_FORMAT, "sarif");
    if (!IsGiven(batch->session->options, OPTION_JSON) && !isSarif)
    {
        return;
    }
    Stream* stream = &job->streams[0];
    free(stream->text); // possibly an incomplete line
    *stream = (Stream){.file = stream->file};
    MemoryStream memory;
    if (!OpenMemoryStream(&memory))
    {
        return;
    }
    FILE* line = memory.stream;
    if (isSarif)
    {
        PrintSarifFailure(line, job->input, "WORKER_FAILED", sentence);
    }
    else
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
    }
    CloseMemoryStream(&memory);
    stream->text = memory.text;
    stream->size = memory.text != NULL ? memory.size : 0;
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
    for (job->slot = 0; batch->usedSlots[job->slot];)
    {
        job->slot += 1;
    }
    batch->fractions[job->slot] = 0.0;
    WorkerContext worker = {batch->session, batch->run, &batch->fractions[job->slot],
                            batch->session->threadCount / batch->workerCount, *job};
    char* request = MakeRequest(&worker);
    HoldInterrupts();
    errno = ENOMEM;
    bool isStarted = request != NULL && StartWorkerProcess(&job->process, request, RunWorker, &worker);
    int error = errno;
    if (isStarted)
    {
        RememberChild(job->slot, job->process.process);
    }
    AllowInterrupts();
    free(request);
    if (!isStarted)
    {
        HandleNoWorker(batch, job, error);
        return;
    }
    job->streams[0].file = job->process.streams[0];
    job->streams[1].file = job->process.streams[1];
    job->state = JOB_RUNNING;
    batch->usedSlots[job->slot] = true;
    batch->runningCount += 1;
}

static void ReadStream(Stream* stream)
{
    if (stream->capacity - stream->size < 4096)
    {
        size_t capacity = stream->capacity * 2 + 8192;
        char* text = ResizeBytes(stream->text, capacity);
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
    long count = ReadWorkerStream(stream->file, hasRoom ? stream->text + stream->size : spare,
                                  hasRoom ? stream->capacity - stream->size : sizeof spare);
    if (count > 0)
    {
        stream->size += hasRoom ? (size_t)count : 0;
    }
    else if (count == 0)
    {
        CloseWorkerStream(stream->file);
        stream->file = -1;
    }
}

static void EndJob(Batch* batch, Job* job)
{
    int signal = 0;
    HoldInterrupts(); // the system may reuse the process id
    int exitCode = EndWorkerProcess(&job->process, &signal);
    RememberChild(job->slot, 0);
    AllowInterrupts();
    batch->usedSlots[job->slot] = false;
    batch->fractions[job->slot] = 0.0;
    batch->runningCount -= 1;
    batch->endedCount += 1;
    job->state = JOB_ENDED;
    job->exitCode = exitCode >= 0 && signal == 0 ? exitCode : EXIT_BUG;
    batch->ranOutOfMemory = batch->ranOutOfMemory || job->exitCode == EXIT_NO_MEMORY;
    job->exitCode = job->exitCode == EXIT_NO_MEMORY ? EXIT_IO : job->exitCode;
    if (signal != 0)
    {
        char sentence[64];
        snprintf(sentence, sizeof sentence, "the worker was killed by signal %d.", signal);
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
                bool isSarif = i == 0 && IsWord(batch->session->options, OPTION_CHECK_FORMAT, "sarif");
                fprintf(streams[i], "%s", isSarif && batch->hasResults ? "," : "");
                batch->hasResults = batch->hasResults || isSarif;
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
    double elapsed = GetMonotonicSeconds() - batch->progress.started;
    snprintf(unit, sizeof unit, "files/s, %d of %d", batch->endedCount, batch->jobCount);
    UpdateProgress(&batch->progress, done / batch->jobCount, done / elapsed, unit);
}

static void WaitForWorkers(Batch* batch)
{
    intptr_t files[2 * INTERRUPT_CHILDREN] = {0};
    bool isReady[2 * INTERRUPT_CHILDREN];
    Stream* streams[2 * INTERRUPT_CHILDREN];
    int count = 0;
    for (int i = batch->printedCount; i < batch->startedCount; ++i)
    {
        for (int k = 0; k < 2 && batch->jobs[i].state == JOB_RUNNING; ++k)
        {
            if (batch->jobs[i].streams[k].file >= 0)
            {
                streams[count] = &batch->jobs[i].streams[k];
                files[count] = streams[count]->file;
                count += 1;
            }
        }
    }
    WaitForStreams(files, count, 100, isReady);
    for (int i = 0; i < count; ++i)
    {
        if (isReady[i])
        {
            ReadStream(streams[i]);
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
    if (batch->session->isQuiet || IsGiven(options, OPTION_JSON) ||
        IsWord(options, OPTION_CHECK_FORMAT, "sarif"))
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
    const char* const* names = options->outputNames + first;
    int count = options->fileCount - first;
    const char* folder = options->values[OPTION_OUT_DIR].text;
    const char** sorted = AllocateZeroed((size_t)count + 1, sizeof(char*));
    batch->jobs = AllocateZeroed((size_t)count + 1, sizeof(Job));
    int result = EXIT_FINE;
    if (sorted == NULL || batch->jobs == NULL)
    {
        result = EXIT_IO;
    }
    else if (folder != NULL && HasClash(session, names, count, (char**)(void*)sorted))
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
        ChooseJobs(batch, inputs, names, count, sorted);
        for (int i = 0; i < batch->jobCount && folder != NULL; ++i)
        {
            batch->jobs[i].output = MakeOutputPath(folder, batch->jobs[i].name, GetOutputEnding(options));
            result = batch->jobs[i].output == NULL ? EXIT_IO : result;
        }
    }
    free(sorted);
    return result;
}

/// Removes leftovers of killed runs from the folders of the outputs.
static void SweepFolders(const Batch* batch)
{
    const char* swept = ""; // an output whose folder was swept last
    for (int i = 0; i < batch->jobCount; ++i)
    {
        const char* output = batch->jobs[i].output;
        if (output == NULL)
        {
            continue;
        }
        size_t length = (size_t)(GetLastPart(output) - output);
        bool isSame = (size_t)(GetLastPart(swept) - swept) == length && strncmp(output, swept, length) == 0;
        if (swept[0] == 0 || !isSame)
        {
            RemoveLeftovers(output);
        }
        swept = output;
    }
}

int RunBatch(Session* session, int first, RunFileFcn* run)
{
    if (GetWorkerRequest() != NULL)
    {
        return RunRequest(session, run, GetWorkerRequest());
    }
    Batch batch = {.session = session, .run = run};
    int result = PrepareJobs(&batch, first);
    batch.workerCount = session->threadCount < batch.jobCount ? session->threadCount : batch.jobCount;
    batch.workerCount = batch.workerCount > INTERRUPT_CHILDREN ? INTERRUPT_CHILDREN : batch.workerCount;
    size_t shareSize = sizeof(double) * INTERRUPT_CHILDREN;
    void* share = result == EXIT_FINE ? ShareMemory(shareSize) : NULL;
    if (result == EXIT_FINE && share == NULL)
    {
        Complain(session, "out of memory.");
        result = EXIT_IO;
    }
    if (result == EXIT_FINE)
    {
        batch.fractions = share;
        session->lockFolder = session->options->values[OPTION_OUT_DIR].text;
        SweepFolders(&batch);
        batch.progress = StartWork(session, GetVerbInfo(session->options->verb)->name);
        RunJobs(&batch);
        EndProgress(&batch.progress);
        PrintSummary(&batch);
        // In a batch an unreadable file is one failure among others; a report over several files has the
        // worst exit code.
        result = session->options->verb == VERB_CHECK || batch.ranOutOfMemory ? batch.worstExit
                 : batch.failedCount > 0                                      ? EXIT_FOUND_ERRORS
                                                                              : EXIT_FINE;
        UnshareMemory(share, shareSize);
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
