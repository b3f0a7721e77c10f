// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The program: parses the command line, sets up the session and runs a verb.
#include "batch.h"
#include "build_id.h"
#include "input_files.h"
#include "interrupt.h"
#include "leftovers.h"
#include "memory.h"
#include "output_file.h"
#include "platform.h"
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    char* text = AllocateZeroed(largest + 1, 1);
    FILE* file = text != NULL ? OpenStream(path, "rb") : NULL;
    bool isRead = file != NULL && fread(text, 1, largest, file) < largest && ferror(file) == 0;
    if (!isRead)
    {
        PrintClean(stderr, "tendon: cannot read \"%s\": %s.\n", path,
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
    case VERB_PLOT:
        return RunPlot(session);
    case VERB_REPLAY:
        return RunReplay(session);
    case VERB_DIFF:
        return RunDiff(session);
    case VERB_SERVE:
        return RunServe(session);
    case VERB_RENDER:
        return RunRender(session);
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
        .isVerbose = IsGiven(options, OPTION_VERBOSE),
    };
    char* boneMap = IsGiven(options, OPTION_MAP) ? ReadText(options->values[OPTION_MAP].text) : NULL;
    if (IsGiven(options, OPTION_MAP) && boneMap == NULL)
    {
        return EXIT_IO;
    }
    session.boneMap = boneMap;
    char* avatarMap =
        IsGiven(options, OPTION_AVATAR_MAP) ? ReadText(options->values[OPTION_AVATAR_MAP].text) : NULL;
    session.avatarMap = avatarMap;
    bool isRead = !IsGiven(options, OPTION_AVATAR_MAP) || avatarMap != NULL;
    bool isUsable = isRead && CheckHumanoidOptions(&session) && ReadLimits(&session);
    if (!isUsable || !HasOutputFolder(&session))
    {
        free(boneMap);
        free(avatarMap);
        return isRead && !isUsable ? EXIT_USAGE : EXIT_IO;
    }
    const char* output = options->values[OPTION_OUTPUT].text;
    if (output != NULL && GetWorkerRequest() == NULL)
    {
        RemoveLeftovers(output);
    }
    int coreCount = CountProcessors();
    session.threadCount = IsGiven(options, OPTION_THREADS) ? (int)options->values[OPTION_THREADS].number
                          : coreCount > 64                 ? 64
                                                           : coreCount;
    if (!IsBatch(options) && options->verb != VERB_SERVE) // whose children could not use them
    {
        StartThreads(&session, session.threadCount);
    }
    int result = Dispatch(&session);
    tdDestroyThreads(session.threads);
    free(boneMap);
    free(avatarMap);
    return result;
}

// Flushes standard output and reports errors. A closed pipe (`head`) is not an error.
static int FlushOutput(int result)
{
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (!failed || errno == EPIPE || HasNoReader(stdout))
    {
        return result;
    }
    fprintf(stderr, "tendon: cannot write standard output%s%s.\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return WorseExit(result, EXIT_IO);
}

int main(int argumentCount, char** arguments)
{
    InstallHandlers();
    PrepareStreams();
    arguments = GetArguments(&argumentCount, arguments);
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
            // A worker process gets its input from the process that started it.
            result = GetWorkerRequest() != NULL ? EXIT_FINE : ExpandInputs(&options, stderr);
            result = result != EXIT_FINE                                             ? result
                     : GetWorkerRequest() == NULL && !CheckOptions(&options, stderr) ? EXIT_USAGE
                                                                                     : RunVerb(&options);
        }
    }
    FreeOptions(&options);
    return ReportMemory(FlushOutput(result));
}
