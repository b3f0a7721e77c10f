// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Ends of clips: where a loop wraps, when a wrap teleports, and the velocity of a body whose clip ends inside
// a step.
#include "runtime/physics_stage.h"

#include "tendon/physics.h"

#define STEP (1.0 / 60.0)
#define BALL "{'type':'sphere','sphere':{'radius':0.25}}"
#define KINEMATIC RB("'motion':{'isKinematic':true},'collider':{" SHAPE(0) "}")

static tdPlayId PlayLooped(Play* play, float speed, float start)
{
    tdActor_Stop(play->actor, play->id);
    tdPlayDef def = tdDefaultPlayDef();
    def.loop = true;
    def.speed = speed;
    def.start = start;
    play->id = tdActor_Play(play->actor, play->clip, &def);
    return play->id;
}

/// Seconds into a loop of `duration`, in exact arithmetic.
static double Wrap(double time, double duration)
{
    double rest = fmod(time, duration);
    return rest < 0.0 ? rest + duration : rest;
}

TEST(LoopsWrapAtTheirDurationAndNowhereElse)
{
    // x goes from 0 to 8 m in half a second, so that a millisecond is 16 mm. Durations that are no multiple
    // of a step, 200 turns, forwards and backwards.
    static const float durations[] = {0.5f, 0.37f, 0.123f};
    static const float speeds[] = {1.0f, 1.5f, -1.0f};
    for (int d = 0; d < 3; ++d)
    {
        for (int s = 0; s < 3; ++s)
        {
            const float times[2] = {0.0f, durations[d]}, way[6] = {0, 0, 0, 16.0f * durations[d], 0, 0};
            Channel channel = {"/nodes/0/translation", 3, 2, times, way, false};
            Play play = OpenScene("{}", BALL, "", &channel, 1);
            PlayLooped(&play, speeds[s], 0.0f);
            double duration = (double)durations[d], speed = (double)speeds[s];
            for (int i = 1; i <= 3000; ++i)
            {
                ENSURE(tdStage_Step(play.stage));
                double clipTime = Wrap(i * STEP * speed, duration);
                if (clipTime < 1e-5 || clipTime > duration - 1e-5)
                {
                    continue; // either side of the wrap is right
                }
                ENSURE_NEAR(tdActor_GetPlayTime(play.actor, play.id), clipTime, 2e-6);
                ENSURE_NEAR(GetPosition(&play, 0).x, 16.0 * clipTime, 1e-4);
            }
            ClosePlay(&play);
        }
    }
}

TEST(LoopsShowTheirLastMillisecond)
{
    const float times[2] = {0.0f, 0.5f}, way[6] = {0, 0, 0, 8.0f, 0, 0};
    Channel channel = {"/nodes/0/translation", 3, 2, times, way, false};
    Play play = OpenScene("{}", BALL, "", &channel, 1);
    PlayLooped(&play, 1.0f, 0.0f);
    StepFor(play.stage, 0.5);
    tdStage_Evaluate(play.stage, 0.4996);
    ENSURE_NEAR(GetPosition(&play, 0).x, 16.0 * 0.4996, 1e-4);
    ENSURE(tdStage_Step(play.stage));
    tdStage_Evaluate(play.stage, 0.5004);
    ENSURE_NEAR(GetPosition(&play, 0).x, 16.0 * 0.0004, 1e-4);
    ClosePlay(&play);
}

TEST(ClipsThatDoNotLoopHoldTheirEnds)
{
    const float times[2] = {0.0f, 0.4f}, way[6] = {1, 0, 0, 5, 0, 0};
    Channel channel = {"/nodes/0/translation", 3, 2, times, way, false};
    Play play = OpenScene("{}", BALL, "", &channel, 1);
    tdActor_SetPlay(play.actor, play.id, 0.3f, 1.0f, 1.0f);
    ENSURE(tdActor_IsPlaying(play.actor, play.id));
    for (int i = 1; i <= 12; ++i)
    {
        ENSURE(tdStage_Step(play.stage));
        double clipTime = fmin(0.3 + i * STEP, 0.4);
        ENSURE_NEAR(GetPosition(&play, 0).x, 1.0 + 10.0 * clipTime, 1e-4);
    }
    tdActor_SetPlay(play.actor, play.id, 0.1f, -1.0f, 1.0f);
    for (int i = 1; i <= 12; ++i)
    {
        ENSURE(tdStage_Step(play.stage));
        ENSURE_NEAR(GetPosition(&play, 0).x, 1.0 + 10.0 * fmax(0.1 - i * STEP, 0.0), 1e-4);
    }
    ClosePlay(&play);
}

/// Speed of a kinematic body in the step in which its loop of a second wraps. It comes along X at `speed` and
/// ends `height` above its start; `travel` is how far that step takes it.
static double FindSpeedOfWrap(double speed, double height, double* travel)
{
    const float times[3] = {0.0f, 0.5f, 1.0f};
    const float way[9] = {0, 0, 0, (float)(-0.5 * speed), (float)height, 0, 0, (float)height, 0};
    Channel channel = {"/nodes/0/translation", 3, 3, times, way, false};
    Play play = OpenScene("{" KINEMATIC "}", BALL, "", &channel, 1);
    PlayLooped(&play, 1.0f, 0.0f);
    StepFor(play.stage, 59 * STEP);
    ENSURE_NEAR(tdLength(tdActor_GetLinearVelocity(play.actor, 0)), speed, 1e-3 * speed);
    *travel = (double)tdLength(GetPosition(&play, 0)); // the start is the origin
    StepFor(play.stage, STEP);
    ENSURE_NEAR(tdLength(GetPosition(&play, 0)), 0.0, 1e-5);
    double wrapped = (double)tdLength(tdActor_GetLinearVelocity(play.actor, 0));
    ClosePlay(&play);
    return wrapped;
}

TEST(JumpsAreFartherThanThreeStepsAndTwoCentimetres)
{
    // A teleport gives no velocity; a shorter distance is travelled in the step.
    static const double speeds[] = {0.05, 0.6, 3.0};
    static const double shares[] = {0.5, 0.9, 1.1, 2.0, 8.0};
    for (int i = 0; i < 3; ++i)
    {
        double last = speeds[i] * STEP, limit = 3.0 * last + 0.02;
        for (int k = 0; k < 5; ++k)
        {
            double wanted = shares[k] * limit, travel;
            double speed = FindSpeedOfWrap(speeds[i], sqrt(wanted * wanted - last * last), &travel);
            ENSURE_NEAR(travel, wanted, 1e-4);
            if (shares[k] > 1.0)
            {
                ENSURE(speed <= 1.01 * speeds[i]);
            }
            else
            {
                ENSURE_NEAR(speed, travel / STEP, 0.01 * travel / STEP);
            }
        }
    }
}

TEST(BodiesLeaveTheirClipAtItsSpeedWhereverItEnds)
{
    // A clip moves a body at 2 m/s and ends anywhere in a step. The body goes on at 2 m/s: where it is half
    // a second after the end of the clip follows.
    for (int i = 0; i < 12; ++i)
    {
        double seconds = 0.5 + i / 12.0 * STEP;
        const float times[2] = {0.0f, (float)seconds}, way[6] = {0, 0, 0, (float)(2.0 * seconds), 0, 0};
        Channel channel = {"/nodes/0/translation", 3, 2, times, way, false};
        Play play = OpenScene("{" RB("'motion':{'mass':1,'gravityFactor':0},'collider':{" SHAPE(0) "}") "}",
                              BALL, "", &channel, 1);
        StepFor(play.stage, 1.0);
        ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).x, 2.0, 1e-3);
        // The body is released at the start of the next step, so at most the distance of one step is missing.
        double way1 = (double)GetPosition(&play, 0).x;
        ENSURE(way1 < 2.0 + 1e-3 && way1 > 2.0 - 2.0 * STEP - 1e-3);
        ClosePlay(&play);
    }
}

TEST(SliversOfAStepGiveNoVelocity)
{
    // A clip that ends two microseconds behind a step, 100 m from the origin: what it moves the body by in
    // that time is lost in float32. The body keeps the velocity of the step before.
    const double seconds = 0.5 + 2e-6;
    const float times[2] = {0.0f, (float)seconds}, way[6] = {100, 0, 0, (float)(100 + 2.0 * seconds), 0, 0};
    Channel channel = {"/nodes/0/translation", 3, 2, times, way, false};
    Play play = OpenScene("{" RB("'motion':{'mass':1,'gravityFactor':0},'collider':{" SHAPE(0) "}") "}", BALL,
                          "", &channel, 1);
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).x, 2.0, 5e-3);
    ClosePlay(&play);
}

TEST(ClipsThatStartLateEndEarly)
{
    // Started a quarter of a second into the clip, it ends that much earlier, inside a step.
    for (int i = 1; i < 6; ++i)
    {
        double seconds = 0.75 + i / 6.0 * STEP;
        const float times[2] = {0.0f, (float)seconds}, way[6] = {0, 0, 0, (float)(2.0 * seconds), 0, 0};
        Channel channel = {"/nodes/0/translation", 3, 2, times, way, false};
        Play play = OpenScene("{" RB("'motion':{'mass':1,'gravityFactor':0},'collider':{" SHAPE(0) "}") "}",
                              BALL, "", &channel, 1);
        tdActor_SetPlay(play.actor, play.id, 0.25f, 1.0f, 1.0f);
        StepFor(play.stage, 1.0);
        ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).x, 2.0, 2e-3);
        ClosePlay(&play);
    }
}

TEST_MAIN(RUN(LoopsWrapAtTheirDurationAndNowhereElse) RUN(LoopsShowTheirLastMillisecond)
              RUN(ClipsThatDoNotLoopHoldTheirEnds) RUN(JumpsAreFartherThanThreeStepsAndTwoCentimetres)
                  RUN(BodiesLeaveTheirClipAtItsSpeedWhereverItEnds) RUN(SliversOfAStepGiveNoVelocity)
                      RUN(ClipsThatStartLateEndEarly))
