// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon bake: runs files and writes each with its motion as one animation more.
#include "player.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ShowProgress(void* context, double fraction)
{
    UpdateProgress(context, fraction, 0.0, "");
    return true;
}

static tdBakeDef MakeBakeDef(const Options* options, Progress* progress)
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
    def.replaceAnimations = IsGiven(options, OPTION_REPLACE_ANIMATIONS);
    def.progress = ShowProgress;
    def.progressContext = progress;
    return def;
}

// "12 s at 30 Hz": how long the new animation really is, the last of the file.
static void FormatFacts(char text[64], const tdAsset* baked, const tdBakeDef* def)
{
    int last = tdDescribeAsset(baked).animationCount - 1;
    snprintf(text, 64, "%g s at %g Hz",
             round((double)tdDescribeAnimation(baked, last).duration * 1000.0) / 1000.0, def->frameRate);
}

static int BakeFile(const Session* session, const char* input, const char* path)
{
    Player player;
    int result = StartPlayer(&player, session, input);
    if (player.actor != NULL)
    {
        Progress progress = StartProgress("baking", !session->isQuiet);
        tdBakeDef def = MakeBakeDef(session->options, &progress);
        tdAsset* baked = tdBakeActor(player.actor, &def, player.report);
        EndProgress(&progress);
        if (baked != NULL)
        {
            char inputs[INPUT_TEXT_SIZE], facts[64];
            DescribeInputs(&player, session, inputs);
            FormatFacts(facts, baked, &def);
            result = SaveFile(session, baked, input, path, inputs, facts, player.report);
        }
        else
        {
            ReportFindings(session, player.report);
            result = WorseExit(GetReportExit(player.report), EXIT_FOUND_ERRORS);
        }
        tdDestroyAsset(baked);
    }
    StopPlayer(&player);
    return result;
}

// DIR/NAME, in memory of the caller's.
static char* JoinPath(const char* folder, const char* input)
{
    const char* slash = strrchr(input, '/');
    const char* name = slash != NULL ? slash + 1 : input;
    size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    if (path != NULL)
    {
        snprintf(path, size, "%s/%s", folder, name);
    }
    return path;
}

static int BakeIntoFolder(const Session* session, const char* folder)
{
    const Options* options = session->options;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    {
        Complain(session, "cannot make the folder \"%s\": %s.", folder, strerror(errno));
        return EXIT_IO;
    }
    int badCount = 0;
    for (int i = 0; i < options->fileCount; ++i)
    {
        char* path = JoinPath(folder, options->files[i]);
        int exitCode = path != NULL ? BakeFile(session, options->files[i], path) : EXIT_IO;
        badCount += exitCode != EXIT_FINE ? 1 : 0;
        free(path);
    }
    if (!session->isQuiet && !IsGiven(options, OPTION_JSON))
    {
        fprintf(stderr, "%d files baked into %s, %d with errors\n", options->fileCount - badCount, folder,
                badCount);
    }
    // Of many files one that cannot be read is one failure among others.
    return badCount > 0 ? EXIT_FOUND_ERRORS : EXIT_FINE;
}

int RunBake(Session* session)
{
    const Options* options = session->options;
    if (IsGiven(options, OPTION_OUT_DIR))
    {
        return BakeIntoFolder(session, options->values[OPTION_OUT_DIR].text);
    }
    const char* path = options->values[OPTION_OUTPUT].text;
    return IsTerminalOutput(session, path) ? EXIT_USAGE : BakeFile(session, options->files[0], path);
}
