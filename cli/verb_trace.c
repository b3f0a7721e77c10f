// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon trace: simulates a file and writes the transforms of all nodes, frame by frame.
#include "batch.h"
#include "json.h"
#include "memory.h"
#include "output_file.h"
#include "player.h"
#include "summary.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

// Context of the trace's writer: output and progress.
typedef struct Recording
{
    OutputFile file;
    Progress progress;
    const tdStage* stage;
    double seconds;
} Recording;

static bool WriteTrace(void* context, const char* bytes, size_t size)
{
    Recording* recording = context;
    double time = tdStage_GetTime(recording->stage);
    double elapsed = GetMonotonicSeconds() - recording->progress.started;
    UpdateProgress(&recording->progress, time / recording->seconds, time / elapsed, "x real time");
    return WriteOutput(&recording->file, bytes, size);
}

static tdTraceDef MakeTraceDef(const Options* options)
{
    tdTraceDef def = tdDefaultTraceDef();
    def.frameRate = options->values[OPTION_RATE].number;
    def.format = IsWord(options, OPTION_TRACE_FORMAT, "csv") ? TD_TRACE_CSV : TD_TRACE_JSON_LINES;
    if (IsGiven(options, OPTION_SECONDS))
    {
        def.seconds = options->values[OPTION_SECONDS].number;
    }
    if (IsGiven(options, OPTION_TIMES))
    {
        def.times = options->values[OPTION_TIMES].numbers;
        def.timeCount = options->values[OPTION_TIMES].numberCount;
    }
    return def;
}

// Duration of the run, for the progress line and the closing line.
static double GetTraceSeconds(const tdTraceDef* def, const Player* player)
{
    return def->timeCount > 0 ? def->times[def->timeCount - 1] : GetRunSeconds(player, def->seconds, 10.0);
}

static void PrintClosing(const Session* session, const Recording* recording, const tdTraceDef* def,
                         Player* player)
{
    char inputs[INPUT_TEXT_SIZE], to[16], counts[96];
    DescribeInputs(player, session, inputs);
    FormatSize(to, recording->file.byteCount);
    FormatCounts(counts, player->report);
    PrintClean(stderr, "%s", inputs);
    if (recording->file.path != NULL)
    {
        PrintClean(stderr, " → %s (%s)", recording->file.path, to);
    }
    fprintf(stderr, ", %g s", recording->seconds);
    if (def->timeCount > 0)
    {
        fprintf(stderr, ", %d %s", def->timeCount, def->timeCount == 1 ? "instant" : "instants");
    }
    else
    {
        fprintf(stderr, " at %g Hz", def->frameRate);
    }
    fprintf(stderr, ", %s\n", counts);
}

static void PrintClosingJson(const Recording* recording, const tdSummary* summary, Player* player)
{
    printf("{\"input\":");
    PrintJsonText(stdout, player->path);
    if (recording->file.path != NULL)
    {
        printf(",\"output\":");
        PrintJsonText(stdout, recording->file.path);
        printf(",\"byteCount\":%zu", recording->file.byteCount);
    }
    printf(",\"seconds\":%g", recording->seconds);
    if (summary != NULL)
    {
        printf(",\"summary\":");
        PrintSummaryJson(stdout, player->asset, summary);
    }
    printf(",\"issues\":%s}\n", tdReport_GetJson(player->report, NULL));
}

// Prints the result of a complete run, as text or JSON.
static void PrintResult(const Session* session, const Recording* recording, const tdTraceDef* def,
                        Player* player)
{
    bool isPiped = recording->file.path != NULL && strcmp(recording->file.path, "-") == 0;
    if (IsGiven(session->options, OPTION_JSON))
    {
        if (!isPiped)
        {
            PrintClosingJson(recording, def->summary, player);
        }
        return;
    }
    if (def->summary != NULL)
    {
        PrintSummaryTables(session, player->asset, def->summary);
        fflush(stdout);
    }
    if (!isPiped && !session->isQuiet)
    {
        PrintClosing(session, recording, def, player);
    }
}

// Runs the player and writes the trace; path NULL: only the summary.
static int Record(const Session* session, Player* player, const char* path, tdTraceDef* def)
{
    Recording recording = {.stage = player->stage, .seconds = GetTraceSeconds(def, player)};
    recording.progress = StartWork(session, "tracing");
    bool isWhole = false;
    if (path == NULL || OpenOutput(&recording.file, path))
    {
        isWhole =
            tdTraceActor(player->actor, def, path != NULL ? WriteTrace : NULL, &recording, player->report);
    }
    EndProgress(&recording.progress);
    bool isRecorded = FinishRecord(&player->record, session, isWhole);
    bool isWritten = CloseOutput(&recording.file, isWhole);
    if (!isWritten)
    {
        bool isStandard = path != NULL && strcmp(path, "-") == 0;
        int result = FailFile(session, player->path, player->report);
        Complain(session, isStandard ? "cannot write %s: %s." : "cannot write \"%s\": %s.",
                 isStandard ? "standard output" : path, strerror(recording.file.error));
        return WorseExit(result, EXIT_IO);
    }
    ReportFindings(session, player->report);
    if (isWhole)
    {
        PrintResult(session, &recording, def, player);
    }
    int result = GetReportExit(player->report);
    return isRecorded ? result
                      : WorseExit(result, player->record.file.error != 0 ? EXIT_IO : EXIT_FOUND_ERRORS);
}

static int TraceFile(const Session* session, const char* input, const char* path)
{
    Player player;
    int* nodes = NULL;
    int result = StartPlayer(&player, session, input);
    if (player.actor != NULL)
    {
        tdTraceDef def = MakeTraceDef(session->options);
        bool wantsSummary = IsGiven(session->options, OPTION_SUMMARY);
        def.summary = wantsSummary ? tdCreateSummary(player.actor) : NULL;
        if (!FindNodeList(session, player.asset, &nodes, &def.nodeCount))
        {
            FailFile(session, input, player.report);
            result = EXIT_USAGE;
        }
        else if (wantsSummary && def.summary == NULL)
        {
            Complain(session, "out of memory.");
            result = EXIT_IO;
        }
        else
        {
            def.nodes = nodes;
            result = Record(session, &player, path, &def);
        }
        tdDestroySummary(def.summary);
    }
    free(nodes);
    StopPlayer(&player);
    return result;
}

int RunTrace(Session* session)
{
    const Options* options = session->options;
    if (IsBatch(options))
    {
        return RunBatch(session, 0, TraceFile);
    }
    const char* path = IsGiven(options, OPTION_OUTPUT)    ? options->values[OPTION_OUTPUT].text
                       : IsGiven(options, OPTION_SUMMARY) ? NULL
                                                          : "-";
    return TraceFile(session, options->files[0], path);
}
