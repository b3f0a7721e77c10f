// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The program: parses the command line, sets up the session and runs a verb.
#include "batch.h"
#include "build_id.h"
#include "interrupt.h"
#include "output_file.h"
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int PrintVersion(const Options* options)
{
    tdVersion version = tdGetVersion();
    if (IsGiven(options, OPTION_JSON))
    {
        printf("{\"name\":\"tendon\",\"version\":\"%d.%d.%d\",\"build\":\"%s\"}\n", version.major,
               version.minor, version.patch, GetBuildId());
    }
    else
    {
        printf("tendon %d.%d.%d\n", version.major, version.minor, version.patch);
    }
    return EXIT_FINE;
}

// Reads a small text file; the caller frees it. NULL after an error message.
static char* ReadText(const char* path)
{
    const size_t largest = 1 << 20;
    char* text = calloc(largest + 1, 1);
    FILE* file = text != NULL ? fopen(path, "rb") : NULL;
    bool isRead = file != NULL && fread(text, 1, largest, file) < largest && ferror(file) == 0;
    if (!isRead)
    {
        fprintf(stderr, "tendon: cannot read \"%s\": %s.\n", path,
                errno != 0 ? strerror(errno) : "too large");
        free(text);
        text = NULL;
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return text;
}

static int Dispatch(Session* session)
{
    switch (session->options->verb)
    {
    case VERB_INSPECT:
        return RunInspect(session);
    case VERB_CHECK:
        return RunCheck(session);
    case VERB_TRACE:
        return RunTrace(session);
    case VERB_BAKE:
        return RunBake(session);
    case VERB_RETARGET:
        return RunRetarget(session);
    case VERB_CONVERT:
        return RunConvert(session);
    case VERB_VIEW:
        return RunView(session);
    case VERB_NONE:
        break;
    }
    return EXIT_USAGE;
}

static int RunVerb(const Options* options)
{
    const char* color = options->values[OPTION_COLOR].text;
    tdProgress work = {0};
    Session session = {
        .options = options,
        .work = &work,
        .out = MakeScreen(stdout, color),
        .err = MakeScreen(stderr, color),
        .isQuiet = IsGiven(options, OPTION_QUIET),
    };
    char* boneMap = IsGiven(options, OPTION_MAP) ? ReadText(options->values[OPTION_MAP].text) : NULL;
    if (IsGiven(options, OPTION_MAP) && boneMap == NULL)
    {
        return EXIT_IO;
    }
    session.boneMap = boneMap;
    long coreCount = sysconf(_SC_NPROCESSORS_ONLN);
    session.threadCount = IsGiven(options, OPTION_THREADS) ? (int)options->values[OPTION_THREADS].number
                          : coreCount > 64                 ? 64
                          : coreCount < 1                  ? 1
                                                           : (int)coreCount;
    if (!IsBatch(options))
    {
        StartThreads(&session, session.threadCount);
    }
    int result = Dispatch(&session);
    tdDestroyThreads(session.threads);
    free(boneMap);
    return result;
}

// Flushes standard output and reports errors. A closed pipe (`head`) is not an error.
static int FlushOutput(int result)
{
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (!failed || errno == EPIPE || HasNoReader(STDOUT_FILENO))
    {
        return result;
    }
    fprintf(stderr, "tendon: cannot write standard output%s%s.\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return WorseExit(result, EXIT_IO);
}

// Replaces closed standard streams by ones that fail. Otherwise the next file that is opened would take their
// descriptor and receive what is printed.
static void OccupyStreams(void)
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

int main(int argumentCount, char** arguments)
{
    InstallHandlers();
    OccupyStreams();
    Options options;
    int result = EXIT_USAGE;
    if (ParseOptions(&options, argumentCount, arguments, stderr))
    {
        if (IsGiven(&options, OPTION_HELP))
        {
            PrintHelp(stdout, options.verb, options.wantsLongHelp);
            result = EXIT_FINE;
        }
        else if (IsGiven(&options, OPTION_VERSION))
        {
            result = PrintVersion(&options);
        }
        else
        {
            result = RunVerb(&options);
        }
    }
    FreeOptions(&options);
    return FlushOutput(result);
}
