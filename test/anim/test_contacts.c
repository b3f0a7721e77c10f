// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts of the feet of retargeted motions. Motions with known contacts are generated on one body and
// retargeted to others: contacts are found, feet neither slide nor sink, knees do not pop.
#include "contact_motion.h"

static Motion motions[MOTION_COUNT];
static Body sources[MOTION_COUNT];

TEST(ContactsAreFound)
{
    for (int k = 0; k < MOTION_COUNT; ++k)
    {
        MakeBody(&sources[k], &shapes[0]);
        AnimateBody(&sources[k], &shapes[0], (MotionKind)k, &motions[k]);
        Body target;
        MakeBody(&target, &shapes[2]);
        FinishBody(&target);
        tdRetargetDef def = tdDefaultRetargetDef();
        def.contacts = TD_KEEP_FEET;
        tdClip* clip = tdRetargetClip(sources[k].asset, 0, target.asset, &def, NULL, NULL);
        double f1 = MeasureF1(clip, &motions[k]);
        if (!ENSURE(f1 >= 0.95))
        {
            printf("  %s: F1 %.3f\n", motionNames[k], f1);
        }
        tdDestroyClip(clip);
        tdArena_Free(&target.b.asset.arena);
    }
}

TEST(FeetNeitherSlideNorSink)
{
    for (int k = 0; k < MOTION_COUNT; ++k)
    {
        const tdScene* source = &sources[k].asset->scene;
        Measures own = MeasureClip(&sources[k], &shapes[0], source->animations[0].channels,
                                   source->animations[0].channelCount, &motions[k], 0.0);
        for (size_t shape = 1; shape < sizeof(shapes) / sizeof(shapes[0]); ++shape)
        {
            Body target;
            MakeBody(&target, &shapes[shape]);
            FinishBody(&target);
            tdRetargetDef def = tdDefaultRetargetDef();
            def.contacts = TD_KEEP_FEET;
            tdClip* clip = tdRetargetClip(sources[k].asset, 0, target.asset, &def, NULL, NULL);
            for (int half = 0; half < 2; ++half)
            {
                Measures m = MeasureClip(&target, &shapes[shape], clip->channels, clip->channelCount,
                                         &motions[k], 0.5 * half);
                bool isGood = ENSURE(m.sliding <= 0.005f) && ENSURE(m.penetration <= 0.002f) &&
                              ENSURE(m.gap <= 0.002f) && ENSURE(m.pop <= 1.5f * own.pop);
                if (!isGood || getenv("TENDON_CONTACTS") != NULL)
                {
                    printf("  %s, shape %d, shift %g: sliding %.4f m/s, penetration %.4f m, gap %.4f m, pop "
                           "%.1f "
                           "of %.1f\n",
                           motionNames[k], (int)shape, 0.5 * half, (double)m.sliding, (double)m.penetration,
                           (double)m.gap, (double)m.pop, (double)own.pop);
                }
            }
            tdDestroyClip(clip);
            tdArena_Free(&target.b.asset.arena);
        }
    }
}

// Sources of other sizes, paces and rates of keys. The lifted heel of a slow walk and the top of a jump are
// no contacts, and the last key on the ground belongs to its contact.
TEST(OtherRatesAndSizes)
{
    static const struct
    {
        MotionKind kind;
        Recording recording;
    } cases[] = {
        {JUMP, {72, 0.69f, 1.0f, 1.0f}},      {JUMP, {120, 1.4f, 1.0f, 1.0f}},
        {SLOW_WALK, {90, 1.32f, 1.5f, 1.0f}}, {SLOW_WALK, {48, 1.3f, 1.3f, 1.0f}},
        {WALK, {120, 0.36f, 0.6f, 1.0f}},     {TURN, {90, 1.4f, 1.2f, 1.0f}},
        {STAIRS, {100, 0.6f, 0.8f, 1.0f}},    {CROUCH, {30, 1.4f, 1.0f, 1.0f}},
    };
    static Motion motion;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        recording = cases[i].recording;
        Shape shape = shapes[0];
        float* sizes = &shape.thigh;
        for (size_t k = 0; k < sizeof(Shape) / sizeof(float); ++k)
        {
            sizes[k] *= recording.size;
        }
        Body source, target;
        MakeBody(&source, &shape);
        AnimateBody(&source, &shape, cases[i].kind, &motion);
        MakeBody(&target, &shapes[4]);
        FinishBody(&target);
        tdRetargetDef def = tdDefaultRetargetDef();
        def.contacts = TD_KEEP_FEET;
        tdClip* clip = tdRetargetClip(source.asset, 0, target.asset, &def, NULL, NULL);
        double f1 = MeasureF1(clip, &motion);
        Measures m = MeasureClip(&target, &shapes[4], clip->channels, clip->channelCount, &motion, 0.5);
        bool isGood = ENSURE(f1 >= 0.95) && ENSURE(m.sliding <= 0.005f);
        if (cases[i].kind == JUMP)
        {
            ENSURE_EQUAL_INT(tdClip_GetContactCount(clip), 8); // before, between and after three flights
        }
        isGood = ENSURE(m.penetration <= 0.002f) && isGood;
        if (!isGood || getenv("TENDON_CONTACTS") != NULL)
        {
            printf("  %s at %d Hz: F1 %.3f, sliding %.4f m/s, penetration %.4f m\n",
                   motionNames[cases[i].kind], recording.rate, f1, (double)m.sliding, (double)m.penetration);
        }
        tdDestroyClip(clip);
        tdArena_Free(&target.b.asset.arena);
        tdArena_Free(&source.b.asset.arena);
    }
    recording = plainRecording;
}

// A random body of 0.6 to 2.4 m with proportions of its own, recorded at a rate of cameras and suits.
static void CheckRandomCase(int i, uint32_t firstSeed)
{
    static const int rates[] = {24, 25, 30, 48, 50, 60, 72, 90, 100, 120};
    static Motion motion;
    uint32_t seed = (uint32_t)i * 747796405u + firstSeed;
    RandomBetween(&seed, 0.0f, 1.0f);
    float share = i % 2 == 0 ? 0.1f : 0.2f;
    Shape own = MakeRandomShape(&seed, RandomBetween(&seed, 0.36f, 1.44f), share);
    Shape shape = MakeRandomShape(&seed, RandomBetween(&seed, 0.36f, 1.44f), share);
    MotionKind kind = (MotionKind)(i % MOTION_COUNT);
    recording.rate = rates[(int)RandomBetween(&seed, 0.0f, 10.0f)];
    recording.size = (own.thigh + own.shin) / (shapes[0].thigh + shapes[0].shin);
    recording.pace = RandomBetween(&seed, 0.7f, 1.5f);
    recording.stride = RandomBetween(&seed, 0.7f, 1.0f);
    Body source, target;
    MakeBody(&source, &own);
    AnimateBody(&source, &own, kind, &motion);
    const tdAnimation* animation = &source.asset->scene.animations[0];
    float ownPop =
        MeasureBetweenFrames(&source, &own, animation->channels, animation->channelCount, &motion).pop;
    MakeBody(&target, &shape);
    FinishBody(&target);
    tdRetargetDef def = tdDefaultRetargetDef();
    def.contacts = TD_KEEP_FEET;
    tdClip* clip = tdRetargetClip(source.asset, 0, target.asset, &def, NULL, NULL);
    double f1 = MeasureF1(clip, &motion);
    Measures m = MeasureBetweenFrames(&target, &shape, clip->channels, clip->channelCount, &motion);
    bool isGood = ENSURE(f1 >= 0.95) && ENSURE(m.sliding <= 0.005f) && ENSURE(m.penetration <= 0.002f) &&
                  ENSURE(m.gap <= 0.002f) && ENSURE(m.pop <= 1.5f * ownPop);
    if (!isGood || getenv("TENDON_CONTACTS") != NULL)
    {
        printf("  case %d, %s at %d Hz, pace %.2f: F1 %.3f, sliding %.4f m/s, penetration %.4f m, gap %.4f "
               "m, pop %.1f of %.1f\n",
               i, motionNames[kind], recording.rate, (double)recording.pace, f1, (double)m.sliding,
               (double)m.penetration, (double)m.gap, (double)m.pop, (double)ownPop);
    }
    tdDestroyClip(clip);
    tdArena_Free(&target.b.asset.arena);
    tdArena_Free(&source.b.asset.arena);
    recording = plainRecording;
}

TEST(RandomBodies)
{
    int count = GetCaseCount(96);
    for (int i = 0; i < count; ++i)
    {
        CheckRandomCase(i, GetFirstSeed(12345u));
    }
}

// Swings that the start or the end of the motion cuts: the foot fades slowly from its one contact, steps of
// stairs beyond the cut do not hold it up, and a step is a contact from its first samples.
TEST(CutSwings)
{
    static const struct
    {
        int index;
        uint32_t seed;
    } cases[] = {{103, 1001},  {471, 1001},  {479, 1001},  {999, 1001}, {1119, 1001},
                 {2495, 1001}, {2519, 1001}, {2735, 1001}, {671, 2002}, {887, 2002}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        CheckRandomCase(cases[i].index, cases[i].seed);
    }
}

// A knee of a swing does not jolt, although the corrections of both contacts do not fade slowly enough.
TEST(FastSwings)
{
    CheckRandomCase(217, 90210);
}

// Without contacts, channels are those of plain retargeting; with them, bones other than legs keep their
// keys.
TEST(OtherBonesKeepTheirKeys)
{
    Body target;
    MakeBody(&target, &shapes[4]);
    FinishBody(&target);
    tdRetargetDef def = tdDefaultRetargetDef();
    tdClip* plain = tdRetargetClip(sources[WALK].asset, 0, target.asset, &def, NULL, NULL);
    ENSURE_EQUAL_INT(tdClip_GetContactCount(plain), 0);
    def.contacts = TD_KEEP_FEET;
    tdClip* kept = tdRetargetClip(sources[WALK].asset, 0, target.asset, &def, NULL, NULL);
    ENSURE(tdClip_GetContactCount(kept) > 8);
    for (int i = 0; i < plain->channelCount; ++i)
    {
        const tdChannel* channel = &plain->channels[i];
        int bone = target.boneOfNode[channel->target.object];
        bool isLeg =
            bone >= TD_BONE_LEFT_UPPER_LEG && bone <= TD_BONE_RIGHT_FOOT && bone != TD_BONE_LEFT_TOES;
        for (int k = 0; k < kept->channelCount; ++k)
        {
            const tdChannel* other = &kept->channels[k];
            bool isSame =
                other->target.kind == channel->target.kind && other->target.object == channel->target.object;
            if (isSame && !isLeg && channel->target.kind == TD_PROPERTY_ROTATION)
            {
                ENSURE_EQUAL_INT(other->keyCount, channel->keyCount);
                ENSURE(memcmp(other->values, channel->values,
                              sizeof(float) * 4 * (size_t)channel->keyCount) == 0);
            }
        }
    }
    ENSURE_EQUAL_INT(kept->channelCount, plain->channelCount);
    tdDestroyClip(kept);
    tdDestroyClip(plain);
    tdArena_Free(&target.b.asset.arena);
}

TEST(TravelInPlace)
{
    for (int contacts = 0; contacts < 2; ++contacts)
    {
        Body target;
        MakeBody(&target, &shapes[2]);
        FinishBody(&target);
        tdRetargetDef def = tdDefaultRetargetDef();
        def.root = TD_ROOT_IN_PLACE;
        def.contacts = contacts == 1 ? TD_KEEP_FEET : 0;
        tdClip* clip = tdRetargetClip(sources[WALK].asset, 0, target.asset, &def, NULL, NULL);
        for (int i = 0; i < clip->channelCount; ++i)
        {
            const tdChannel* channel = &clip->channels[i];
            for (int k = 0; k < channel->keyCount && channel->target.kind == TD_PROPERTY_TRANSLATION; ++k)
            {
                ENSURE_NEAR(channel->values[3 * k], 0.0, 1e-5);
                ENSURE_NEAR(channel->values[3 * k + 2], 0.0, 1e-5);
                ENSURE(channel->values[3 * k + 1] > 0.9f);
            }
        }
        tdDestroyClip(clip);
        tdArena_Free(&target.b.asset.arena);
    }
    // The ratio of leg lengths.
    Body target;
    MakeBody(&target, &shapes[4]);
    FinishBody(&target);
    tdRetargetDef def = tdDefaultRetargetDef();
    def.root = TD_ROOT_SCALE;
    tdClip* clip = tdRetargetClip(sources[WALK].asset, 0, target.asset, &def, NULL, NULL);
    for (int i = 0; i < clip->channelCount; ++i)
    {
        const tdChannel* channel = &clip->channels[i];
        if (channel->target.kind == TD_PROPERTY_TRANSLATION)
        {
            double way = (double)channel->values[3 * (FRAMES - 1) + 2] - (double)channel->values[2];
            double own = (double)motions[WALK].hips[FRAMES - 1][2] - (double)motions[WALK].hips[0][2];
            ENSURE_NEAR(way / own, 0.80 / 0.83, 1e-4);
        }
    }
    tdDestroyClip(clip);
    tdArena_Free(&target.b.asset.arena);
}

TEST(SurvivesAllocationFailures)
{
    Body target;
    MakeBody(&target, &shapes[3]);
    FinishBody(&target);
    tdRetargetDef def = tdDefaultRetargetDef();
    def.contacts = TD_KEEP_FEET | TD_KEEP_HANDS;
    bool done = false;
    for (int64_t failAt = 0; failAt < 400 && !done; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdClip* clip = tdRetargetClip(sources[CROUCH].asset, 0, target.asset, &def, &allocator, NULL);
        done = clip != NULL;
        tdDestroyClip(clip);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    ENSURE(done);
    tdArena_Free(&target.b.asset.arena);
    for (int k = 0; k < MOTION_COUNT; ++k)
    {
        tdArena_Free(&sources[k].b.asset.arena);
    }
}

TEST_MAIN(RUN(ContactsAreFound) RUN(FeetNeitherSlideNorSink) RUN(OtherRatesAndSizes) RUN(RandomBodies)
              RUN(CutSwings) RUN(FastSwings) RUN(OtherBonesKeepTheirKeys) RUN(TravelInPlace)
                  RUN(SurvivesAllocationFailures))
