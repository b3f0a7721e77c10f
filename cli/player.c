// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates a playing actor from files and options.
#include "player.h"

#include "suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void RefuseAnimation(const Session* session, const tdAsset* asset, const char* path, const char* typed)
{
    int count = tdDescribeAsset(asset).animationCount;
    Suggestion suggestion = StartSuggestion(typed);
    for (int i = 0; i < count; ++i)
    {
        ConsiderName(&suggestion, tdDescribeAnimation(asset, i).name);
    }
    const char* file = NameFile(path);
    if (suggestion.best != NULL && suggestion.best[0] != '\0')
    {
        Complain(session, "there is no animation \"%s\" in %s; did you mean \"%s\"?", typed, file,
                 suggestion.best);
    }
    else if (count == 0)
    {
        Complain(session, "there is no animation \"%s\" in %s; it has none.", typed, file);
    }
    else
    {
        Complain(session, "there is no animation \"%s\" in %s; it has %d, tendon inspect lists them.", typed,
                 file, count);
    }
}

int FindAnimation(const Session* session, const tdAsset* asset, const char* path)
{
    const Options* options = session->options;
    const char* typed = options->values[OPTION_ANIMATION].text;
    int count = tdDescribeAsset(asset).animationCount;
    if (!IsGiven(options, OPTION_ANIMATION))
    {
        return count > 0 ? 0 : NO_ANIMATION;
    }
    for (int i = 0; i < count; ++i)
    {
        if (strcmp(tdDescribeAnimation(asset, i).name, typed) == 0)
        {
            return i;
        }
    }
    if (strcmp(typed, "none") == 0)
    {
        return NO_ANIMATION;
    }
    char* end = NULL;
    long index = strtol(typed, &end, 10);
    if (end != typed && *end == '\0' && index >= 0 && index < count)
    {
        return (int)index;
    }
    RefuseAnimation(session, asset, path, typed);
    return BAD_ANIMATION;
}

int FindNode(const Session* session, const tdAsset* asset, const char* typed)
{
    int node = tdAsset_FindNode(asset, typed);
    char* end = NULL;
    long index = strtol(typed, &end, 10);
    if (node < 0 && end != typed && *end == '\0' && index >= 0 && index < tdAsset_GetNodeCount(asset))
    {
        node = (int)index;
    }
    if (node < 0)
    {
        Suggestion suggestion = StartSuggestion(typed);
        for (int i = 0; i < tdAsset_GetNodeCount(asset); ++i)
        {
            ConsiderName(&suggestion, tdAsset_GetNodeName(asset, i));
        }
        bool hasBest = suggestion.best != NULL && suggestion.best[0] != '\0';
        Complain(session,
                 hasBest ? "there is no node \"%s\"; did you mean \"%s\"?" : "there is no node \"%s\".%s",
                 typed, hasBest ? suggestion.best : "");
    }
    return node;
}

// Parses "x,y,z" into a point.
static bool ParsePoint(const char* text, tdVec3* point)
{
    float numbers[3];
    for (int i = 0; i < 3; ++i)
    {
        char* end = NULL;
        numbers[i] = strtof(text, &end);
        if (end == text || !isfinite(numbers[i]) || *end != (i < 2 ? ',' : '\0'))
        {
            return false;
        }
        text = end + 1;
    }
    *point = (tdVec3){numbers[0], numbers[1], numbers[2]};
    return true;
}

// Applies --look-at: a node by name, a point, or a node by index. False when there is no such node.
static bool AimActor(const Player* player, const Session* session)
{
    const char* typed = session->options->values[OPTION_LOOK_AT].text;
    tdVec3 point;
    if (typed == NULL)
    {
        return true;
    }
    if (tdAsset_FindNode(player->asset, typed) < 0 && ParsePoint(typed, &point))
    {
        tdActor_SetGazeTarget(player->actor, point);
        return true;
    }
    int node = FindNode(session, player->asset, typed);
    tdActor_SetGazeNode(player->actor, node);
    return node >= 0;
}

tdRetargetDef MakeRetargetDef(const Options* options)
{
    tdRetargetDef def = tdDefaultRetargetDef();
    def.scaleHips = !IsGiven(options, OPTION_NO_SCALE_HIPS);
    return def;
}

static tdStage* MakeStage(const Session* session)
{
    const Options* options = session->options;
    tdStageDef def = tdDefaultStageDef();
    def.tasks = session->threads;
    def.stepRate = options->values[OPTION_STEP].number;
    if (IsGiven(options, OPTION_GRAVITY))
    {
        const double* gravity = options->values[OPTION_GRAVITY].numbers;
        def.world.gravity = (tdVec3){(float)gravity[0], (float)gravity[1], (float)gravity[2]};
    }
    return tdCreateStage(&def);
}

// Creates the clip: the retargeted motion or an animation of the asset.
static int MakeClip(Player* player, const Session* session)
{
    const Options* options = session->options;
    const char* motionPath = options->values[OPTION_MOTION].text;
    if (motionPath != NULL)
    {
        player->motion = LoadFile(session, motionPath, TD_LOAD_SCENE, player->report);
        tdRetargetDef def = MakeRetargetDef(options);
        player->clip = tdRetargetClip(player->motion, 0, player->asset, &def, NULL, player->report);
        return player->motion == NULL || player->clip == NULL
                   ? WorseExit(GetReportExit(player->report), EXIT_FOUND_ERRORS)
                   : EXIT_FINE;
    }
    int animation = FindAnimation(session, player->asset, player->path);
    if (animation == BAD_ANIMATION)
    {
        return EXIT_USAGE;
    }
    player->clip =
        animation == NO_ANIMATION ? NULL : tdCreateClip(player->asset, animation, NULL, player->report);
    return EXIT_FINE;
}

int StartPlayer(Player* player, const Session* session, const char* path)
{
    const Options* options = session->options;
    *player = (Player){.path = path, .report = tdCreateReport(NULL)};
    bool enablePhysics = IsWord(options, OPTION_PHYSICS, "on");
    player->asset =
        LoadFile(session, path, enablePhysics ? TD_LOAD_SIMULATION : TD_LOAD_SCENE, player->report);
    int result = player->asset == NULL ? WorseExit(GetReportExit(player->report), EXIT_FOUND_ERRORS)
                                       : MakeClip(player, session);
    if (result == EXIT_FINE)
    {
        tdActorDef def = tdDefaultActorDef();
        def.enablePhysics = enablePhysics;
        def.enableConstraints = IsWord(options, OPTION_CONSTRAINTS, "on");
        def.enableSprings =
            IsGiven(options, OPTION_SPRINGS) ? IsWord(options, OPTION_SPRINGS, "on") : enablePhysics;
        def.overrideBoneGaze = IsGiven(options, OPTION_OVERRIDE_GAZE);
        ProgressLine line;
        StartLoadProgress(&line, session, path);
        player->stage = MakeStage(session);
        player->actor = tdCreateActor(player->stage, player->asset, &def, player->report);
        if (player->clip != NULL)
        {
            tdActor_Play(player->actor, player->clip, NULL);
        }
        EndProgressLine(&line);
        result = player->actor == NULL ? EXIT_IO : EXIT_FINE;
        if (player->actor != NULL && !AimActor(player, session))
        {
            tdDestroyActor(player->actor);
            player->actor = NULL;
            result = EXIT_USAGE;
        }
    }
    if (player->actor == NULL)
    {
        FailFile(session, path, player->report);
        if (result == EXIT_IO && !tdReport_HasErrors(player->report))
        {
            Complain(session, "out of memory.");
        }
    }
    return result;
}

void DescribeInputs(const Player* player, const Session* session, char text[INPUT_TEXT_SIZE])
{
    text[0] = '\0';
    AppendInput(text, player->path, player->asset);
    if (player->motion != NULL)
    {
        AppendInput(text, session->options->values[OPTION_MOTION].text, player->motion);
    }
}

void StopPlayer(Player* player)
{
    tdDestroyStage(player->stage);
    tdDestroyClip(player->clip);
    tdDestroyAsset(player->motion);
    tdDestroyAsset(player->asset);
    tdDestroyReport(player->report);
}
