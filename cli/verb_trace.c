// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon trace: runs a file and writes down where every node is, frame by frame.
#include "json.h"
#include "player.h"
#include "sink.h"

#include <string.h>

// What the trace's writer needs: where the bytes go, and how far the run is.
typedef struct Recording
{
    Sink sink;
    Progress progress;
    const tdStage* stage;
    double seconds;
} Recording;

static bool WriteTrace(void* context, const char* bytes, size_t size)
{
    Recording* recording = context;
    double time = tdStage_GetTime(recording->stage);
    double elapsed = GetSeconds() - recording->progress.started;
    UpdateProgress(&recording->progress, time / recording->seconds, time / elapsed, "x real time");
    return WriteToSink(&recording->sink, bytes, size);
}

static tdTraceDef MakeTraceDef(const Options* options)
{
    tdTraceDef def = tdDefaultTraceDef();
    def.frameRate = options->values[OPTION_RATE].number;
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

// How long the run will be, for the progress line and the closing one.
static double GetRunSeconds(const tdTraceDef* def, const Player* player)
{
    return def->timeCount > 0     ? def->times[def->timeCount - 1]
           : def->seconds >= 0.0  ? def->seconds
           : player->clip != NULL ? (double)tdClip_GetDuration(player->clip)
                                  : 10.0;
}

static void PrintClosing(const Session* session, const Recording* recording, const tdTraceDef* def,
                         Player* player)
{
    char inputs[INPUT_TEXT_SIZE], to[16], counts[96];
    DescribeInputs(player, session, inputs);
    FormatSize(to, recording->sink.byteCount);
    FormatCounts(counts, player->report);
    fprintf(stderr, "%s → %s (%s), %g s", inputs, recording->sink.path, to, recording->seconds);
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

static void PrintClosingJson(const Session* session, const Recording* recording, Player* player)
{
    printf("{\"input\":");
    PrintJsonText(stdout, session->options->files[0]);
    printf(",\"output\":");
    PrintJsonText(stdout, recording->sink.path);
    printf(",\"byteCount\":%zu,\"seconds\":%g,\"issues\":%s}\n", recording->sink.byteCount,
           recording->seconds, tdReport_GetJson(player->report, NULL));
}

int RunTrace(Session* session)
{
    const Options* options = session->options;
    const char* path = IsGiven(options, OPTION_OUTPUT) ? options->values[OPTION_OUTPUT].text : "-";
    Player player;
    int result = StartPlayer(&player, session, options->files[0]);
    if (player.actor == NULL)
    {
        StopPlayer(&player);
        return result;
    }
    tdTraceDef def = MakeTraceDef(options);
    Recording recording = {.stage = player.stage, .seconds = GetRunSeconds(&def, &player)};
    recording.progress = StartProgress("tracing", !session->isQuiet);
    bool isWhole = false;
    if (OpenSink(&recording.sink, path))
    {
        isWhole = tdTraceActor(player.actor, &def, WriteTrace, &recording, player.report);
    }
    EndProgress(&recording.progress);
    bool isWritten = CloseSink(&recording.sink, isWhole);
    ReportFindings(session, player.report);
    result = WorseExit(result, GetReportExit(player.report));
    if (!isWritten)
    {
        bool isStandard = strcmp(path, "-") == 0;
        Complain(session, isStandard ? "cannot write %s: %s." : "cannot write \"%s\": %s.",
                 isStandard ? "standard output" : path, strerror(recording.sink.error));
        result = WorseExit(result, EXIT_IO);
    }
    else if (isWhole && strcmp(path, "-") != 0)
    {
        if (IsGiven(options, OPTION_JSON))
        {
            PrintClosingJson(session, &recording, &player);
        }
        else if (!session->isQuiet)
        {
            PrintClosing(session, &recording, &def, &player);
        }
    }
    StopPlayer(&player);
    return result;
}
