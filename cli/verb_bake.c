// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon bake: simulates files and adds the motion as an animation.
#include "batch.h"
#include "memory.h"
#include "player.h"

#include <math.h>
#include <string.h>

// Progress of a bake: the run first, then the library creating the new file.
typedef struct Recording
{
    Progress progress;
    tdProgress run;
    const tdStage* stage;
    const Session* session;
    const char* input;
    ProgressLine line;
} Recording;

static bool ShowProgress(void* context, tdProgressInfo info)
{
    Recording* recording = context;
    double fraction = info.total > 0.0 ? info.done / info.total : 1.0;
    double elapsed = GetMonotonicSeconds() - recording->progress.started;
    UpdateProgress(&recording->progress, fraction, tdStage_GetTime(recording->stage) / elapsed,
                   "x real time");
    if (fraction >= 1.0)
    {
        EndProgress(&recording->progress);
        StartLoadProgress(&recording->line, recording->session, recording->input);
    }
    return true;
}

static tdBakeDef MakeBakeDef(const Options* options, Recording* recording, float* duration)
{
    const OptionValue* values = options->values;
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = IsGiven(options, OPTION_SECONDS) ? values[OPTION_SECONDS].number : def.seconds;
    def.frameRate = values[OPTION_BAKE_RATE].number;
    def.warmup = IsGiven(options, OPTION_WARMUP) ? values[OPTION_WARMUP].number : def.warmup;
    def.untilRest = IsWord(options, OPTION_UNTIL, "rest");
    def.loopBlend = IsGiven(options, OPTION_LOOP_BLEND) ? values[OPTION_LOOP_BLEND].number : def.loopBlend;
    def.positionTolerance = (float)values[OPTION_POSITION_TOLERANCE].number;
    def.angleTolerance = (float)values[OPTION_ANGLE_TOLERANCE].number;
    def.name = values[OPTION_NAME].text;
    def.stripPhysics = IsGiven(options, OPTION_STRIP_PHYSICS);
    def.stripSprings = IsGiven(options, OPTION_STRIP_SPRINGS);
    def.replaceAnimations = IsGiven(options, OPTION_REPLACE_ANIMATIONS);
    def.animateMaterials = IsGiven(options, OPTION_ANIMATE_MATERIALS);
    def.duration = duration;
    recording->run = (tdProgress){.update = ShowProgress, .context = recording};
    def.progress = &recording->run;
    return def;
}

static bool HasFinding(const tdReport* report, const char* code)
{
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        if (strcmp(tdReport_Get(report, i).code, code) == 0)
        {
            return true;
        }
    }
    return false;
}

// "12 s at 30 Hz": duration of the new animation. Empty if there is none.
static void FormatFacts(char text[64], const tdBakeDef* def, const tdReport* report)
{
    text[0] = '\0';
    if (!HasFinding(report, "BAKE_NOTHING_MOVED"))
    {
        snprintf(text, 64, "%g s at %g Hz", round((double)*def->duration * 1000.0) / 1000.0, def->frameRate);
    }
}

static int BakeFile(const Session* session, const char* input, const char* path)
{
    Player player;
    int result = StartPlayer(&player, session, input);
    if (player.actor != NULL)
    {
        Recording recording = {.progress = StartWork(session, "baking"),
                               .stage = player.stage,
                               .session = session,
                               .input = input};
        float duration = 0.0f;
        tdBakeDef def = MakeBakeDef(session->options, &recording, &duration);
        tdAsset* baked = tdBakeActor(player.actor, &def, player.report);
        EndProgressLine(&recording.line);
        EndProgress(&recording.progress);
        if (baked != NULL)
        {
            char inputs[INPUT_TEXT_SIZE], facts[64];
            DescribeInputs(&player, session, inputs);
            FormatFacts(facts, &def, player.report);
            result = SaveFile(session, baked, input, path, inputs, facts, player.report);
        }
        else
        {
            result = FailFile(session, input, player.report);
        }
        tdDestroyAsset(baked);
    }
    StopPlayer(&player);
    return result;
}

int RunBake(Session* session)
{
    const Options* options = session->options;
    if (IsBatch(options))
    {
        return RunBatch(session, 0, BakeFile);
    }
    const char* path = options->values[OPTION_OUTPUT].text;
    return IsTerminalOutput(session, path) ? EXIT_USAGE : BakeFile(session, options->files[0], path);
}
