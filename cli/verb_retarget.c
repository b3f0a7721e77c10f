// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon retarget: retargets a humanoid motion to an avatar; writes the avatar with a clip or a VRM
// Animation.
#include "batch.h"
#include "memory.h"
#include "player.h"

#include <string.h>

static bool IsMotionName(const char* path)
{
    size_t length = strlen(path);
    return length >= 5 && strcmp(path + length - 5, ".vrma") == 0;
}

// The motion and the avatar of one output.
typedef struct Pair
{
    const char *motion, *avatar;
} Pair;

static int Retarget(const Session* session, const tdAsset* motion, const tdAsset* avatar, const Pair* pair,
                    const char* input, const char* path, tdReport* report)
{
    const Options* options = session->options;
    int animation = FindAnimation(session, motion, pair->motion);
    if (animation == BAD_ANIMATION)
    {
        return EXIT_USAGE;
    }
    tdRetargetDef def = MakeRetargetDef(options);
    ProgressLine line;
    StartLoadProgress(&line, session, input);
    tdClip* clip =
        tdRetargetClip(motion, animation == NO_ANIMATION ? 0 : animation, avatar, &def, GetMemory(), report);
    tdMotionDef motionDef = tdDefaultMotionDef();
    motionDef.name = options->values[OPTION_CLIP_NAME].text;
    motionDef.bakeSprings = !IsGiven(options, OPTION_SPRINGS) || IsWord(options, OPTION_SPRINGS, "on");
    motionDef.animateMaterials = IsGiven(options, OPTION_ANIMATE_MATERIALS);
    motionDef.stripSprings = IsGiven(options, OPTION_STRIP_SPRINGS);
    tdAsset* made = IsMotionName(path) ? tdMakeMotion(avatar, clip, report)
                                       : tdAddMotion(avatar, clip, &motionDef, report);
    EndProgressLine(&line);
    int result = EXIT_FINE;
    if (clip != NULL && made != NULL)
    {
        char inputs[INPUT_TEXT_SIZE] = "", facts[64];
        AppendInput(inputs, pair->avatar, avatar);
        AppendInput(inputs, pair->motion, motion);
        snprintf(facts, sizeof facts, "%.4g s", (double)tdClip_GetDuration(clip));
        result = SaveFile(session, made, input, path, inputs, facts, report);
    }
    else
    {
        result = FailFile(session, input, report);
    }
    tdDestroyAsset(made);
    tdDestroyClip(clip);
    return result;
}

// An avatar in the place of the motion: it has nothing to play, and the other file has.
static bool LooksSwapped(const tdAsset* motion, const tdAsset* avatar)
{
    return tdDescribeAsset(motion).animationCount == 0 && tdDescribeAsset(avatar).animationCount > 0 &&
           tdDescribeHumanoid(motion).kind != TD_HUMANOID_NONE;
}

static int RetargetFile(const Session* session, const char* input, const char* path)
{
    const Options* options = session->options;
    const char* onto = options->values[OPTION_ONTO].text;
    Pair pair = {onto != NULL ? input : options->files[0], onto != NULL ? onto : input};
    tdReport* report = tdCreateReport(GetMemory());
    tdAsset* motion = LoadFile(session, pair.motion, TD_LOAD_SCENE, report);
    tdAsset* avatar = LoadAvatar(session, pair.avatar, TD_LOAD_SCENE, report);
    if (motion != NULL && avatar != NULL && LooksSwapped(motion, avatar))
    {
        const char* words = onto != NULL ? "exchange the file and the value of --onto"
                                         : "the motion comes first: tendon retarget MOTION AVATAR";
        Complain(session, "%s has no animation and %s has one; %s.", NameFile(pair.motion),
                 NameFile(pair.avatar), words);
        tdDestroyAsset(avatar);
        tdDestroyAsset(motion);
        tdDestroyReport(report);
        return EXIT_USAGE;
    }
    int result = motion != NULL && avatar != NULL
                     ? Retarget(session, motion, avatar, &pair, input, path, report)
                     : FailFile(session, input, report);
    tdDestroyAsset(avatar);
    tdDestroyAsset(motion);
    tdDestroyReport(report);
    return result;
}

int RunRetarget(Session* session)
{
    const Options* options = session->options;
    int first = IsGiven(options, OPTION_ONTO) ? 0 : 1;
    if (IsBatch(options))
    {
        return RunBatch(session, first, RetargetFile);
    }
    const char* path = options->values[OPTION_OUTPUT].text;
    return IsTerminalOutput(session, path) ? EXIT_USAGE : RetargetFile(session, options->files[first], path);
}
