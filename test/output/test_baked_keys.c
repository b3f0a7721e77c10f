// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the keys of baked clips: step values, motion just above the tolerance, and quaternions with
// flipped signs.
#include "harness.h"

#include "anim/clip.h"
#include "math/vecmath.h"
#include "runtime/physics_stage.h"

#include "tendon/tendon.h"

/// The clip of a one-node scene, baked over `seconds` at 30 frames per second and loaded again.
static tdAsset* BakeChannel(const Channel* channel, double seconds)
{
    Play play = OpenScene("{}", FLOOR_SHAPE, "", channel, 1);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = seconds;
    tdAsset* baked = tdBakeActor(play.actor, &def, NULL);
    ENSURE(baked != NULL);
    ClosePlay(&play);
    return baked;
}

TEST(HeldValuesStayUntilTheFrameBeforeTheJump)
{
    // Steps at 0.5 and 1 s, which are frames of a bake at 30 frames per second. Between the frame before a
    // step and the frame at it, the baked curve is a line.
    static const float times[3] = {0.0f, 0.5f, 1.0f}, way[9] = {0, 0, 0, 2, 0, 0, 0, 3, 0};
    const Channel channel = {"/nodes/0/translation", 3, 3, times, way, true};
    tdAsset* baked = BakeChannel(&channel, 1.5);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, baked, NULL, NULL);
    tdClip* clip = tdCreateClip(baked, 1, NULL, NULL);
    ENSURE(clip != NULL);
    tdActor_Play(actor, clip, NULL);
    for (int i = 0; i <= 90; ++i)
    {
        double time = i / 60.0, frame = 1.0 / 30.0;
        if (i > 0)
        {
            ENSURE(tdStage_Step(stage));
        }
        tdStage_Evaluate(stage, time);
        double first = fmin(fmax((time - (0.5 - frame)) / frame, 0.0), 1.0);
        double second = fmin(fmax((time - (1.0 - frame)) / frame, 0.0), 1.0);
        tdVec3 t = tdActor_GetLocals(actor)[0].translation;
        ENSURE_NEAR(t.x, 2.0 * first * (1.0 - second), 1e-4);
        ENSURE_NEAR(t.y, 3.0 * second, 1e-4);
    }
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(baked);
}

TEST(MotionAboveTheToleranceIsBaked)
{
    static const float times[2] = {0.0f, 1.0f};
    tdBakeDef def = tdDefaultBakeDef();
    for (int isAbove = 0; isAbove < 2; ++isAbove)
    {
        float length = (isAbove ? 1.2f : 0.8f) * def.positionTolerance;
        const float way[6] = {0, 0, 0, 0.6f * length, 0.8f * length, 0};
        const Channel channel = {"/nodes/0/translation", 3, 2, times, way, false};
        tdAsset* baked = BakeChannel(&channel, 1.0);
        ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(baked), 1 + isAbove);
        tdDestroyAsset(baked);
    }
}

TEST(QuaternionSignsAreContinuous)
{
    // Keys of a steady rotation with alternating signs, which files may contain. The baked keys do not
    // alternate, because players without sign correction would rotate the long way.
    enum
    {
        COUNT = 9
    };
    float times[COUNT], turns[4 * COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        double angle = 0.35 * i, sign = i % 2 == 0 ? 1.0 : -1.0;
        times[i] = (float)(0.25 * i);
        turns[4 * i] = turns[4 * i + 2] = 0.0f;
        turns[4 * i + 1] = (float)(sign * sin(0.5 * angle));
        turns[4 * i + 3] = (float)(sign * cos(0.5 * angle));
    }
    const Channel channel = {"/nodes/0/rotation", 4, COUNT, times, turns, true};
    tdAsset* baked = BakeChannel(&channel, 2.0);
    tdClip* clip = tdCreateClip(baked, 1, NULL, NULL);
    ENSURE_EQUAL_INT(clip->channelCount, 1);
    const tdChannel* keys = &clip->channels[0];
    ENSURE(keys->keyCount >= COUNT);
    for (int i = 1; i < keys->keyCount; ++i)
    {
        const float *a = keys->values + 4 * (i - 1), *b = keys->values + 4 * i;
        ENSURE(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0.0f);
    }
    // The last one is the full turn, with either sign.
    const float* last = keys->values + 4 * (keys->keyCount - 1);
    ENSURE_NEAR(fabs((double)last[1]), sin(0.5 * 0.35 * (COUNT - 1)), 1e-4);
    tdDestroyClip(clip);
    tdDestroyAsset(baked);
}

TEST_MAIN(RUN(HeldValuesStayUntilTheFrameBeforeTheJump) RUN(MotionAboveTheToleranceIsBaked)
              RUN(QuaternionSignsAreContinuous))
