// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates a playing actor from files and options.
#include "player.h"

#include "memory.h"
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

bool FindNodeList(const Session* session, const tdAsset* asset, int** nodes, int* count)
{
    const char* list = session->options->values[OPTION_NODES].text;
    *nodes = NULL;
    *count = 0;
    if (list == NULL)
    {
        return true;
    }
    size_t size = strlen(list) + 1;
    char* copy = AllocateBytes(size);
    *nodes = AllocateZeroed(size, sizeof(int));
    bool isFound = copy != NULL && *nodes != NULL;
    if (isFound)
    {
        memcpy(copy, list, size);
    }
    for (char* word = copy; isFound && word != NULL;)
    {
        char* comma = strchr(word, ',');
        if (comma != NULL)
        {
            *comma = '\0';
        }
        int node = FindNode(session, asset, word);
        isFound = node >= 0;
        (*nodes)[(*count)++] = node;
        word = comma != NULL ? comma + 1 : NULL;
    }
    free(copy);
    return isFound;
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

bool FindGazeTarget(const Session* session, const tdAsset* asset, GazeTarget* target)
{
    const char* typed = session->options->values[OPTION_LOOK_AT].text;
    target->node = -1;
    if (tdAsset_FindNode(asset, typed) < 0 && ParsePoint(typed, &target->point))
    {
        return true;
    }
    target->node = FindNode(session, asset, typed);
    return target->node >= 0;
}

// Applies --look-at. False when there is no such node.
static bool AimActor(const Player* player, const Session* session)
{
    GazeTarget target;
    if (!IsGiven(session->options, OPTION_LOOK_AT))
    {
        return true;
    }
    if (!FindGazeTarget(session, player->asset, &target))
    {
        return false;
    }
    if (target.node >= 0)
    {
        tdActor_SetGazeNode(player->actor, target.node);
    }
    else
    {
        tdActor_SetGazeTarget(player->actor, target.point);
    }
    return true;
}

tdRetargetDef MakeRetargetDef(const Options* options)
{
    tdRetargetDef def = tdDefaultRetargetDef();
    def.scaleHips = !IsGiven(options, OPTION_NO_SCALE_HIPS);
    def.root = IsWord(options, OPTION_ROOT, "in-place") ? TD_ROOT_IN_PLACE
               : IsWord(options, OPTION_ROOT, "scale")  ? TD_ROOT_SCALE
                                                        : TD_ROOT_KEEP;
    ParseContacts(options->values[OPTION_CONTACTS].text, &def.contacts);
    return def;
}

static tdStage* MakeStage(const Session* session)
{
    const Options* options = session->options;
    tdStageDef def = tdDefaultStageDef();
    def.tasks = session->threads;
    def.world.allocator = GetMemory();
    def.limits = session->limits;
    def.stepRate = options->values[OPTION_STEP].number;
    def.world.enableSleep = !IsWord(options, OPTION_SLEEP, "off");
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
        player->clip = tdRetargetClip(player->motion, 0, player->asset, &def, GetMemory(), player->report);
        return player->motion == NULL || player->clip == NULL
                   ? WorseExit(GetReportExit(player->report), EXIT_FOUND_ERRORS)
                   : EXIT_FINE;
    }
    int animation = FindAnimation(session, player->asset, player->path);
    if (animation == BAD_ANIMATION)
    {
        return EXIT_USAGE;
    }
    player->clip = animation == NO_ANIMATION
                       ? NULL
                       : tdCreateClip(player->asset, animation, GetMemory(), player->report);
    return EXIT_FINE;
}

// Creates the stage and the actor, which plays the clip. Findings go to `report`.
static int MakeActor(Player* player, const Session* session, tdReport* report)
{
    const Options* options = session->options;
    bool enablePhysics = IsWord(options, OPTION_PHYSICS, "on");
    tdActorDef def = tdDefaultActorDef();
    def.enablePhysics = enablePhysics;
    def.enableConstraints = IsWord(options, OPTION_CONSTRAINTS, "on");
    def.enableSprings =
        IsGiven(options, OPTION_SPRINGS) ? IsWord(options, OPTION_SPRINGS, "on") : enablePhysics;
    def.overrideBoneGaze = IsGiven(options, OPTION_OVERRIDE_GAZE);
    player->stage = MakeStage(session);
    if (IsGiven(options, OPTION_RECORD) && player->stage != NULL &&
        !StartRecord(&player->record, session, player->stage, report))
    {
        return EXIT_IO;
    }
    player->actor = tdCreateActor(player->stage, player->asset, &def, report);
    if (player->clip != NULL && player->actor != NULL)
    {
        tdActor_Play(player->actor, player->clip, NULL); // may run out of memory (HasMemoryFailed)
    }
    if (player->actor != NULL && !AimActor(player, session))
    {
        tdDestroyActor(player->actor);
        player->actor = NULL;
        return EXIT_USAGE;
    }
    return player->actor == NULL ? EXIT_IO : EXIT_FINE;
}

int StartPlayer(Player* player, const Session* session, const char* path)
{
    *player = (Player){.path = path, .report = tdCreateReport(GetMemory())};
    bool enablePhysics = IsWord(session->options, OPTION_PHYSICS, "on");
    player->asset =
        LoadAvatar(session, path, enablePhysics ? TD_LOAD_SIMULATION : TD_LOAD_SCENE, player->report);
    int result = player->asset == NULL ? WorseExit(GetReportExit(player->report), EXIT_FOUND_ERRORS)
                                       : MakeClip(player, session);
    if (result == EXIT_FINE)
    {
        ProgressLine line;
        StartLoadProgress(&line, session, path);
        result = MakeActor(player, session, player->report);
        EndProgressLine(&line);
    }
    if (player->actor == NULL)
    {
        FailFile(session, path, player->report);
    }
    return result;
}

bool RestartPlayer(Player* player, const Session* session)
{
    tdDestroyStage(player->stage);
    player->stage = NULL;
    player->actor = NULL;
    player->isLimited = false;
    return MakeActor(player, session, NULL) == EXIT_FINE;
}

bool AdvancePlayer(Player* player, double time)
{
    // A tolerance keeps a time that is a multiple of the step from taking one step more.
    double rate = tdStage_GetStepRate(player->stage);
    while (!player->isLimited && tdStage_GetTime(player->stage) * rate < time * rate - 1.0e-6)
    {
        if (!tdStage_Step(player->stage))
        {
            return false;
        }
        player->isLimited = !tdStage_CheckLimits(player->stage, player->report);
    }
    tdStage_Evaluate(player->stage, player->isLimited ? tdStage_GetTime(player->stage) : time);
    return true;
}

double GetRunSeconds(const Player* player, double given, double otherwise)
{
    return given >= 0.0 ? given : player->clip != NULL ? (double)tdClip_GetDuration(player->clip) : otherwise;
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
    bool hadFailed = HasMemoryFailed();
    DropRecord(&player->record);
    tdDestroyStage(player->stage);
    tdDestroyClip(player->clip);
    tdDestroyAsset(player->motion);
    tdDestroyAsset(player->asset);
    tdDestroyReport(player->report);
    if (!hadFailed)
    {
        ForgetMemoryFailure(); // contacts that end with their bodies are events that nobody reads
    }
}
