// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts of the hands of retargeted motions: hands that meet or touch the body keep doing so on other
// bodies, and elbows do not pop.
#include "contact_motion.h"

#include "anim/arm_reach.h"

// Motions of the hands

typedef enum HandKind
{
    CLAP,  // wrists 0.12 m apart at the closest, in front of the body
    HIPS,  // hands on the hips, and away
    CHEST, // hands rest on the chest
    HEAD,  // hands at the head
    THIGH, // hands on the thighs
    CLASP, // hands meet before the belly, then part along it
    SWEEP, // a hand moves from the head over chest and belly to the thigh; the other one mirrors it
    HAND_KIND_COUNT
} HandKind;

static const char* const handNames[] = {"clap", "hips", "chest", "head", "thigh", "clasp", "sweep"};

// The left wrist of the source in model space; the right one mirrors it. Touches are at whole seconds.
static tdVec3 PlaceHand(HandKind kind, float time)
{
    static const tdVec3 touches[] = {
        [HIPS] = {0.12f, 1.0f, 0.05f},
        [CHEST] = {0.06f, 1.2f, 0.11f},
        [HEAD] = {0.12f, 1.46f, 0.03f},
        [THIGH] = {0.1f, 0.83f, 0.07f},
    };
    float wave = 0.5f - 0.5f * cosf(6.2831853f * time); // 0 at whole seconds
    switch (kind)
    {
    case CLAP:
        return (tdVec3){0.06f + 0.4f * wave, 1.2f, 0.35f};
    case CLASP:
        return (tdVec3){0.05f + 0.13f * wave, 1.02f, 0.16f - 0.06f * wave};
    case SWEEP:
    {
        float way = 0.5f - 0.5f * cosf(1.5707963f * time); // 0 at 0 and 4 s, 1 at 2 s and 6 s
        return (tdVec3){0.13f, 1.42f - 0.55f * way, 0.12f};
    }
    default:
        return tdAdd(touches[kind], (tdVec3){0.2f * wave, 0.15f * wave, 0.2f * wave});
    }
}

static void AnimateHands(Body* body, HandKind kind, Motion* motion)
{
    FinishBody(body);
    tdRig* rig = tdCreateRig(body->asset, NULL);
    motion->keyCount = FRAMES;
    for (int i = 0; i < FRAMES; ++i)
    {
        tdTrs locals[64];
        memcpy(locals, body->b.locals, sizeof(tdTrs) * (size_t)body->b.nodeCount);
        motion->times[i] = (float)i / RATE;
        for (int side = 0; side < 2; ++side)
        {
            tdTwoBoneDef def = tdDefaultTwoBoneDef();
            def.target = PlaceHand(kind, motion->times[i]);
            def.target.x *= side == 0 ? 1.0f : -1.0f;
            def.pole = (tdVec3){side == 0 ? 1.0f : -1.0f, -1.0f, -0.5f};
            float missed =
                tdRig_MoveLimb(rig, locals, side == 0 ? TD_BONE_LEFT_HAND : TD_BONE_RIGHT_HAND, &def);
            ENSURE(missed < 1.0e-4f);
        }
        for (int k = 0; k < TD_BONE_COUNT; ++k)
        {
            int node = body->humanoid.nodes[k];
            motion->rotations[k][i] = node >= 0 ? locals[node].rotation : tdQuat_identity;
        }
    }
    tdDestroyRig(rig);
    for (int k = 0; k < TD_BONE_COUNT; ++k)
    {
        if (body->humanoid.nodes[k] >= 0)
        {
            tdBuilder_AddChannel(&body->b, TD_PROPERTY_ROTATION, body->humanoid.nodes[k],
                                 TD_INTERPOLATION_LINEAR, 4, motion->keyCount, motion->times,
                                 &motion->rotations[k][0].x);
        }
    }
    FinishBody(body);
}

static void SampleLocals(const Body* body, const tdChannel* channels, int count, double time,
                         tdTrs locals[64])
{
    memcpy(locals, body->b.locals, sizeof(tdTrs) * (size_t)body->b.nodeCount);
    for (int c = 0; c < count; ++c)
    {
        int cursor = 0, node = channels[c].target.object;
        bool isRotation = channels[c].target.kind == TD_PROPERTY_ROTATION;
        tdSampleChannel(&channels[c], time, &cursor,
                        isRotation ? &locals[node].rotation.x : &locals[node].translation.x);
    }
}

// Largest angular acceleration of an elbow, rad/s^2, at 60 Hz.
static float MeasureElbows(const Body* body, const tdChannel* channels, int count, double shift)
{
    static const tdBone elbows[2] = {TD_BONE_LEFT_LOWER_ARM, TD_BONE_RIGHT_LOWER_ARM};
    tdQuat turns[2][3];
    float most = 0.0f;
    for (int i = 0; i + 1 < FRAMES; ++i)
    {
        tdTrs locals[64];
        SampleLocals(body, channels, count, ((double)i + shift) / RATE, locals);
        for (int side = 0; side < 2; ++side)
        {
            turns[side][i % 3] = locals[body->humanoid.nodes[elbows[side]]].rotation;
            if (i > 1)
            {
                tdQuat first = tdInvMulQuat(turns[side][(i + 1) % 3], turns[side][(i + 2) % 3]);
                tdQuat second = tdInvMulQuat(turns[side][(i + 2) % 3], turns[side][i % 3]);
                tdVec3 change = {second.x - first.x, second.y - first.y, second.z - first.z};
                most = tdMaxFloat(most, 2.0f * RATE * RATE * tdLength(change));
            }
        }
    }
    return most;
}

// Distance of the left wrist from the lines between bones.
static float MeasureTouch(const tdRig* rig, const tdTrs* locals, const tdBone* bones, int count)
{
    tdVec3 wrist = tdRig_FindBonePosition(rig, locals, TD_BONE_LEFT_HAND);
    float least = INFINITY;
    for (int i = 0; i + 1 < count; ++i)
    {
        tdVec3 a = tdRig_FindBonePosition(rig, locals, bones[i]);
        tdVec3 axis = tdSub(tdRig_FindBonePosition(rig, locals, bones[i + 1]), a);
        float square = tdLengthSquared(axis); // 0 if both bones are the other hand
        float share = square > 0.0f ? tdClampFloat(tdDot(tdSub(wrist, a), axis) / square, 0.0f, 1.0f) : 0.0f;
        least = tdMinFloat(least, tdDistance(wrist, tdMulAdd(a, share, axis)));
    }
    return least;
}

// Distance of the left shoulder from the lines between bones, without that of the wrist that is wanted: an
// arm that is shorter cannot touch.
static float MeasureNeededReach(const tdRig* rig, const tdTrs* locals, const tdBone* bones, int count,
                                float wanted)
{
    tdVec3 shoulder = tdRig_FindBonePosition(rig, locals, TD_BONE_LEFT_UPPER_ARM);
    float least = INFINITY;
    for (int i = 0; i + 1 < count; ++i)
    {
        tdVec3 a = tdRig_FindBonePosition(rig, locals, bones[i]);
        tdVec3 axis = tdSub(tdRig_FindBonePosition(rig, locals, bones[i + 1]), a);
        float square = tdLengthSquared(axis);
        float share =
            square > 0.0f ? tdClampFloat(tdDot(tdSub(shoulder, a), axis) / square, 0.0f, 1.0f) : 0.0f;
        least = tdMinFloat(least, tdDistance(shoulder, tdMulAdd(a, share, axis)));
    }
    return least - wanted;
}

// Hands keep their distance, in arm lengths, to each other or to the part of the body that they touch, and
// elbows do not pop.
TEST(HandsKeepTheirTouch)
{
    static const tdBone trunk[] = {TD_BONE_HIPS, TD_BONE_SPINE, TD_BONE_NECK, TD_BONE_HEAD};
    static const tdBone thigh[] = {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG};
    static const tdBone hand[] = {TD_BONE_RIGHT_HAND, TD_BONE_RIGHT_HAND};
    static Motion motion;
    for (int kind = 0; kind < HAND_KIND_COUNT; ++kind)
    {
        static Body source;
        MakeBody(&source, &shapes[0]);
        AnimateHands(&source, (HandKind)kind, &motion);
        const tdAnimation* own = &source.asset->scene.animations[0];
        float ownPop = MeasureElbows(&source, own->channels, own->channelCount, 0.0);
        tdRig* rigA = tdCreateRig(source.asset, NULL);
        const tdBone* touched = kind == CLAP || kind == CLASP ? hand : kind == THIGH ? thigh : trunk;
        int touchedCount = touched == trunk ? 4 : 2;
        for (size_t shape = 1; shape < sizeof(shapes) / sizeof(shapes[0]); ++shape)
        {
            const Shape* s = &shapes[shape];
            Body target;
            MakeBody(&target, s);
            FinishBody(&target);
            tdRetargetDef def = tdDefaultRetargetDef();
            def.contacts = TD_KEEP_HANDS;
            tdClip* clip = tdRetargetClip(source.asset, 0, target.asset, &def, NULL, NULL);
            if (kind != SWEEP)
            {
                ENSURE(tdClip_GetContactCount(clip) >= (kind == CLASP ? 2 : 12)); // both hands, six times
            }
            tdRig* rigB = tdCreateRig(target.asset, NULL);
            float ratio = (s->upperArm + s->lowerArm) / 0.53f, missed = 0.0f;
            for (int beat = 0; beat <= 6 && kind != SWEEP; ++beat)
            {
                tdTrs a[64], b[64];
                SampleLocals(&source, own->channels, own->channelCount, beat, a);
                SampleLocals(&target, clip->channels, clip->channelCount, beat, b);
                float wanted = ratio * MeasureTouch(rigA, a, touched, touchedCount);
                float is = MeasureTouch(rigB, b, touched, touchedCount);
                missed = tdMaxFloat(missed, fabsf(is - wanted));
            }
            for (int half = 0; half < 2; ++half)
            {
                float pop = MeasureElbows(&target, clip->channels, clip->channelCount, 0.5 * half);
                bool isGood = ENSURE(missed <= 0.006f) && ENSURE(pop <= 1.5f * ownPop);
                if (!isGood || getenv("TENDON_CONTACTS") != NULL)
                {
                    printf("  %s, shape %d, shift %g: missed by %.4f m, pop %.1f of %.1f\n", handNames[kind],
                           (int)shape, 0.5 * half, (double)missed, (double)pop, (double)ownPop);
                }
            }
            tdDestroyRig(rigB);
            tdDestroyClip(clip);
            tdArena_Free(&target.b.asset.arena);
        }
        tdDestroyRig(rigA);
        tdArena_Free(&source.b.asset.arena);
    }
}

// Upper and lower arms of very different lengths do not fold further than they can without a jolt.
TEST(FoldedArmsDoNotPop)
{
    static const Shape unequal[] = {
        {0.42f, 0.41f, 0.08f, 0.14f, 0.02f, 0.09f, 0.45f, 0.13f, 0.38f, 0.17f},
        {0.42f, 0.41f, 0.08f, 0.14f, 0.02f, 0.09f, 0.40f, 0.12f, 0.18f, 0.34f},
    };
    static Motion motion;
    static const HandKind kinds[] = {CHEST, HEAD, SWEEP};
    for (size_t i = 0; i < 2 * sizeof(kinds) / sizeof(kinds[0]); ++i)
    {
        Body source, target;
        MakeBody(&source, &shapes[0]);
        AnimateHands(&source, kinds[i / 2], &motion);
        const tdAnimation* own = &source.asset->scene.animations[0];
        MakeBody(&target, &unequal[i % 2]);
        FinishBody(&target);
        tdRetargetDef def = tdDefaultRetargetDef();
        def.contacts = TD_KEEP_HANDS;
        tdClip* clip = tdRetargetClip(source.asset, 0, target.asset, &def, NULL, NULL);
        float pop = MeasureElbows(&target, clip->channels, clip->channelCount, 0.0) /
                    MeasureElbows(&source, own->channels, own->channelCount, 0.0);
        if (!ENSURE(pop <= 1.5f) || getenv("TENDON_CONTACTS") != NULL)
        {
            printf("  %s, arms %d: pop %.2f\n", handNames[kinds[i / 2]], (int)(i % 2), (double)pop);
        }
        tdDestroyClip(clip);
        tdArena_Free(&target.b.asset.arena);
        tdArena_Free(&source.b.asset.arena);
    }
}

// An elbow that would jolt is calmed there, and keeps its distances elsewhere.
TEST(JoltsAreCalmed)
{
    enum
    {
        COUNT = 240
    };
    float plain[COUNT], wanted[COUNT], before[COUNT], bends[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        plain[i] = 0.4f + 0.05f * sinf(0.1f * (float)i);
        wanted[i] = before[i] = plain[i] - (i >= 120 ? 0.03f : 0.0f);
    }
    tdArmReach arm = {0.28f, 0.25f, COUNT, 60.0, plain, wanted, NULL};
    float limit = 1.5f * tdArmReach_MeasurePlain(&arm, bends);
    tdArmReach jolting = {0.28f, 0.25f, COUNT, 60.0, before, wanted, NULL};
    ENSURE(tdArmReach_MeasurePlain(&jolting, bends) > 4.0f * limit);
    tdArena arena;
    tdArena_Init(&arena, NULL, 0);
    ENSURE(tdArmReach_Calm(&arm, limit, &arena));
    tdArena_Free(&arena);
    tdArmReach calmed = {0.28f, 0.25f, COUNT, 60.0, wanted, wanted, NULL};
    ENSURE(tdArmReach_MeasurePlain(&calmed, bends) <= 1.01f * limit); // rounding of the distances
    for (int i = 0; i < COUNT; ++i)
    {
        ENSURE(fabsf(wanted[i] - before[i]) < ((i < 60 || i > 180) ? 1.0e-5f : 0.03f));
    }
}

// Random bodies of 0.6 to 2.4 m whose proportions vary by 20 and 35 %. Arms that are too short for what they
// touch are straight; few of the others miss, and by little.
TEST(RandomBodies)
{
    static const tdBone trunk[] = {TD_BONE_HIPS, TD_BONE_SPINE, TD_BONE_NECK, TD_BONE_HEAD};
    static const tdBone thigh[] = {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG};
    static const tdBone hand[] = {TD_BONE_RIGHT_HAND, TD_BONE_RIGHT_HAND};
    static Motion motion;
    int count = GetCaseCount(12), missCount = 0;
    for (int kind = 0; kind < HAND_KIND_COUNT; ++kind)
    {
        static Body source;
        MakeBody(&source, &shapes[0]);
        AnimateHands(&source, (HandKind)kind, &motion);
        const tdAnimation* own = &source.asset->scene.animations[0];
        float ownPop = MeasureElbows(&source, own->channels, own->channelCount, 0.0);
        tdRig* rigA = tdCreateRig(source.asset, NULL);
        const tdBone* touched = kind == CLAP || kind == CLASP ? hand : kind == THIGH ? thigh : trunk;
        int touchedCount = touched == trunk ? 4 : 2;
        for (int i = 0; i < count; ++i)
        {
            uint32_t seed = (uint32_t)(i * HAND_KIND_COUNT + kind) * 747796405u + GetFirstSeed(54321u);
            RandomBetween(&seed, 0.0f, 1.0f);
            Shape s = MakeRandomShape(&seed, RandomBetween(&seed, 0.36f, 1.44f), i % 2 == 0 ? 0.2f : 0.35f);
            Body target;
            MakeBody(&target, &s);
            FinishBody(&target);
            tdRetargetDef def = tdDefaultRetargetDef();
            def.contacts = TD_KEEP_HANDS;
            tdClip* clip = tdRetargetClip(source.asset, 0, target.asset, &def, NULL, NULL);
            tdRig* rigB = tdCreateRig(target.asset, NULL);
            float ratio = (s.upperArm + s.lowerArm) / 0.53f, missed = 0.0f, pop = 0.0f;
            for (int beat = 0; beat <= 6 && kind != SWEEP; ++beat)
            {
                tdTrs a[64], b[64];
                SampleLocals(&source, own->channels, own->channelCount, beat, a);
                SampleLocals(&target, clip->channels, clip->channelCount, beat, b);
                float wanted = ratio * MeasureTouch(rigA, a, touched, touchedCount);
                float is = MeasureTouch(rigB, b, touched, touchedCount);
                float arm = s.upperArm + s.lowerArm;
                if (MeasureNeededReach(rigB, b, touched, touchedCount, wanted) < arm)
                {
                    missed = tdMaxFloat(missed, fabsf(is - wanted));
                    continue;
                }
                float reach = tdDistance(tdRig_FindBonePosition(rigB, b, TD_BONE_LEFT_UPPER_ARM),
                                         tdRig_FindBonePosition(rigB, b, TD_BONE_LEFT_HAND));
                ENSURE(reach > 0.97f * arm);
            }
            for (int part = 0; part < 2; ++part)
            {
                pop = tdMaxFloat(pop, MeasureElbows(&target, clip->channels, clip->channelCount, 0.5 * part));
            }
            bool isPop = pop > 1.5f * ownPop, isMiss = missed > 0.006f;
            missCount += isMiss;
            ENSURE(!isPop && missed <= 0.035f);
            if (isPop || isMiss || getenv("TENDON_CONTACTS") != NULL)
            {
                printf("  case %d, %s: missed by %.4f m, pop %.2f\n", i, handNames[kind], (double)missed,
                       (double)(pop / ownPop));
            }
            tdDestroyRig(rigB);
            tdDestroyClip(clip);
            tdArena_Free(&target.b.asset.arena);
        }
        tdDestroyRig(rigA);
        tdArena_Free(&source.b.asset.arena);
    }
    ENSURE(50 * missCount <= HAND_KIND_COUNT * count); // 2 %
}

TEST_MAIN(RUN(RandomBodies) RUN(HandsKeepTheirTouch) RUN(FoldedArmsDoNotPop) RUN(JoltsAreCalmed))
