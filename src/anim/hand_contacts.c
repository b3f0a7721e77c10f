// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
#include "hand_contacts.h"

#include "arm_reach.h"
#include "easing.h"

#include <string.h>

/// A part of the body that a hand can touch: a capsule between two bones, with its radius in arm lengths.
typedef struct BodyPart
{
    tdBone from, to;
    float radius;
} BodyPart;

static const BodyPart bodyParts[TD_TOUCH_COUNT - 1] = {
    {TD_BONE_NECK, TD_BONE_HEAD, 0.24f},
    {TD_BONE_HIPS, TD_BONE_SPINE, 0.28f},
    {TD_BONE_SPINE, TD_BONE_NECK, 0.26f},
    {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, 0.15f},
    {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG, 0.15f},
    {TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT, 0.14f},
    {TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT, 0.14f},
};
#define BODY_PART_COUNT (TD_TOUCH_COUNT - 1)

/// Distance of two wrists that meet, in arm lengths. Palms that touch are 0.1 to 0.3 apart at the wrists.
#define MEETING_DISTANCE 0.35f
/// The same for hands that both touch the body: only palms that touch hold each other then, and hands on both
/// thighs do not. Found by trial on random bodies; test anim/hand_contacts notices a change.
#define PALM_DISTANCE 0.24f
/// Multiple of a touching distance at which a hand is free.
#define FREE_DISTANCE 1.5f
/// Power of the ratio of distances that decides between two parts near a hand: the nearer one counts. A power
/// of two.
#define PART_SHARPNESS 8
/// Share of a part at its ends over which the nearest point slows down, so that it stops without a jolt.
#define END_SOFTNESS 0.5f
/// Arm lengths from the shoulder beyond which a hand slides along a part, the range over which it starts to,
/// and the least cosine between arm and part for which it slides fully. Found by trial on random bodies.
#define SLIDE_START 0.96f
#define SLIDE_RANGE 0.03f
#define SLIDE_SLOPE 0.3f
/// Arm lengths at which a hand is out of reach after sliding; at 1 it does not slide at all.
#define SLIDE_END 0.97f
/// Half width in s of the window in which a hand reaches and leaves its touch. Found by trial: the
/// largest elbow acceleration of test anim/hand_contacts.
#define TOUCH_WINDOW 0.3

/// Multiple of the largest elbow acceleration of the motion that an elbow may reach, and an acceleration that
/// nobody sees, rad/s^2.
#define JOLT_RATIO 1.45f
#define LEAST_JOLT 10.0f

// The index of the other hand among what a hand can touch, after the parts of the body.
#define OTHER_HAND BODY_PART_COUNT

const tdBone tdArmBones[2][3] = {
    {TD_BONE_LEFT_UPPER_ARM, TD_BONE_LEFT_LOWER_ARM, TD_BONE_LEFT_HAND},
    {TD_BONE_RIGHT_UPPER_ARM, TD_BONE_RIGHT_LOWER_ARM, TD_BONE_RIGHT_HAND},
};

float tdMeasureArm(const struct tdRig* rig)
{
    float sum = 0.0f;
    for (int side = 0; side < 2; ++side)
    {
        tdVec3 p[3];
        for (int k = 0; k < 3; ++k)
        {
            if (rig->bones[tdArmBones[side][k]].node < 0)
            {
                return 0.0f;
            }
            p[k] = tdRig_FindRestPosition(rig, tdArmBones[side][k]);
        }
        sum += 0.5f * (tdDistance(p[0], p[1]) + tdDistance(p[1], p[2]));
    }
    return sum;
}

// 1 within a distance, 0 beyond its FREE_DISTANCE, smooth between.
static float FindNearness(float distance, float touch)
{
    float u = (distance - touch) / ((FREE_DISTANCE - 1.0f) * touch);
    return 1.0f - tdFadeIn(u);
}

// Two hands that meet keep the vector between them, scaled, about their common middle.
static void MeetHands(const tdHandPoses* poses, tdHandSample* sample)
{
    tdVec3 left = tdPoseSampler_GetBone(poses->source, TD_BONE_LEFT_HAND),
           right = tdPoseSampler_GetBone(poses->source, TD_BONE_RIGHT_HAND);
    tdVec3 plainLeft = tdPoseSampler_GetBone(poses->target, TD_BONE_LEFT_HAND),
           plainRight = tdPoseSampler_GetBone(poses->target, TD_BONE_RIGHT_HAND);
    tdVec3 between = tdScale(0.5f * poses->targetArm / poses->sourceArm, tdSub(right, left));
    tdVec3 middle = tdScale(0.5f, tdAdd(plainLeft, plainRight));
    float weight = FindNearness(tdDistance(left, right), MEETING_DISTANCE * poses->sourceArm);
    tdHandTouch* hands = sample->hands;
    hands[0].offsets[OTHER_HAND] = tdSub(tdSub(middle, between), plainLeft);
    hands[1].offsets[OTHER_HAND] = tdSub(tdAdd(middle, between), plainRight);
    hands[0].weights[OTHER_HAND] = hands[1].weights[OTHER_HAND] = weight;
}

// Limits x to 0..1 with a slope that fades within END_SOFTNESS of both ends.
static float LimitShare(float x)
{
    float low = tdRaiseAboveZero(x, END_SOFTNESS);
    return 1.0f - tdRaiseAboveZero(1.0f - low, END_SOFTNESS);
}

// The share of the way along a part, 0 to 1, that is nearest to a point.
static float FindNearestShare(tdVec3 from, tdVec3 to, tdVec3 point)
{
    tdVec3 axis = tdSub(to, from);
    float square = tdLengthSquared(axis);
    return square > 0.0f ? LimitShare(tdDot(tdSub(point, from), axis) / square) : 0.0f;
}

// Ends of the parts of a body.
typedef struct PartEnds
{
    tdVec3 from[BODY_PART_COUNT], to[BODY_PART_COUNT];
    bool exists[BODY_PART_COUNT];
} PartEnds;

static void FindPartEnds(const tdPoseSampler* s, PartEnds* ends)
{
    for (int i = 0; i < BODY_PART_COUNT; ++i)
    {
        const BodyPart* part = &bodyParts[i];
        ends->exists[i] = tdPoseSampler_HasBone(s, part->from) && tdPoseSampler_HasBone(s, part->to);
        ends->from[i] = tdPoseSampler_GetBone(s, part->from);
        ends->to[i] = tdPoseSampler_GetBone(s, part->to);
    }
}

// A hand that does not reach its place along a part slides towards its shoulder, at most to the end of the
// part, and keeps its distance to it. A part that is square to the arm brings the hand no nearer.
// @param share of the part at which the hand is
static tdVec3 SlideIntoReach(const tdHandPoses* poses, tdVec3 shoulder, tdVec3 axis, float share, tdVec3 goal)
{
    tdVec3 arm = tdSub(goal, shoulder), along = tdNormalize(axis);
    float part = tdLength(axis);
    float distance = tdLength(arm), length = poses->targetArm, slope = tdDot(arm, along);
    float excess = tdRaiseAboveZero(distance - SLIDE_START * length, SLIDE_RANGE * length);
    float least = SLIDE_SLOPE * SLIDE_SLOPE * distance * distance;
    float way = least > 0.0f ? -excess * distance * slope / tdMaxFloat(slope * slope, least) : 0.0f;
    way = tdClampFloat(way, -share * part, (1.0f - share) * part);
    // Where sliding does not help, the hand stays at its place as well as it can.
    float rest = tdLength(tdMulAdd(arm, way, along)) / length;
    way *= 1.0f - tdFadeIn((rest - SLIDE_END) / (1.0f - SLIDE_END));
    return tdMulAdd(goal, way, along);
}

// A hand at the body keeps its place along the part and its distance, scaled.
static void TouchBody(const tdHandPoses* poses, const PartEnds* a, const PartEnds* b, tdHandTouch* hand,
                      int side)
{
    tdVec3 wrist = tdPoseSampler_GetBone(poses->source, tdArmBones[side][2]);
    tdVec3 plain = tdPoseSampler_GetBone(poses->target, tdArmBones[side][2]);
    tdVec3 shoulder = tdPoseSampler_GetBone(poses->target, tdArmBones[side][0]);
    float nearness[BODY_PART_COUNT], inverses[BODY_PART_COUNT], sum = 0.0f;
    for (int i = 0; i < BODY_PART_COUNT; ++i)
    {
        nearness[i] = inverses[i] = 0.0f;
        if (!a->exists[i] || !b->exists[i])
        {
            continue;
        }
        float share = FindNearestShare(a->from[i], a->to[i], wrist);
        tdVec3 offset = tdSub(wrist, tdLerp(a->from[i], a->to[i], share));
        tdVec3 nearest = tdLerp(b->from[i], b->to[i], share);
        tdVec3 goal = tdMulAdd(nearest, poses->targetArm / poses->sourceArm, offset);
        goal = SlideIntoReach(poses, shoulder, tdSub(b->to[i], b->from[i]), share, goal);
        hand->offsets[i] = tdSub(goal, plain);
        float touch = bodyParts[i].radius * poses->sourceArm, distance = tdLength(offset);
        nearness[i] = FindNearness(distance, touch);
        // The smallest distance bounds the power. A hand is not nearer to the axis of a part than its bones.
        float ratio = touch / tdMaxFloat(distance, 0.1f * touch), power = ratio;
        for (int k = 1; k < PART_SHARPNESS; k *= 2)
        {
            power *= power;
        }
        inverses[i] = power;
        sum += power;
    }
    for (int i = 0; i < BODY_PART_COUNT && sum > 0.0f; ++i)
    {
        hand->weights[i] = nearness[i] * inverses[i] / sum;
        hand->bodyWeight += hand->weights[i];
    }
}

// Two hands at the body meet only if their palms touch.
static void PreferBody(const tdHandPoses* poses, tdHandSample* sample)
{
    tdHandTouch* hands = sample->hands;
    tdVec3 left = tdPoseSampler_GetBone(poses->source, TD_BONE_LEFT_HAND),
           right = tdPoseSampler_GetBone(poses->source, TD_BONE_RIGHT_HAND);
    float palms = FindNearness(tdDistance(left, right), PALM_DISTANCE * poses->sourceArm);
    float body = tdMinFloat(hands[0].bodyWeight, hands[1].bodyWeight), meeting = hands[0].weights[OTHER_HAND];
    hands[0].weights[OTHER_HAND] = hands[1].weights[OTHER_HAND] = meeting + body * (palms - meeting);
}

void tdSampleHands(const tdHandPoses* poses, tdHandSample* sample)
{
    memset(sample, 0, sizeof(*sample));
    MeetHands(poses, sample);
    PartEnds a, b;
    FindPartEnds(poses->source, &a);
    FindPartEnds(poses->target, &b);
    for (int side = 0; side < 2; ++side)
    {
        tdHandTouch* hand = &sample->hands[side];
        TouchBody(poses, &a, &b, hand, side);
        sample->arms[side] = tdSub(tdPoseSampler_GetBone(poses->target, tdArmBones[side][2]),
                                   tdPoseSampler_GetBone(poses->target, tdArmBones[side][0]));
    }
    PreferBody(poses, sample);
    for (int side = 0; side < 2; ++side)
    {
        const tdHandTouch* hand = &sample->hands[side];
        sample->touches[side] = tdMaxFloat(hand->bodyWeight, hand->weights[OTHER_HAND]) > 0.5f;
    }
}

// A weight by its track: those of all touches, and that of the body.
static float* GetWeight(tdHandTouch* hand, int track)
{
    return track < TD_TOUCH_COUNT ? &hand->weights[track] : &hand->bodyWeight;
}

bool tdSmoothTouches(tdHandSample* samples, int count, double rate, tdArena* arena)
{
    float* weights = tdArena_NewArray(arena, float, count);
    float* scratch = tdArena_NewArray(arena, float, count);
    if (weights == NULL || scratch == NULL)
    {
        return false;
    }
    for (int track = 0; track < 2 * (TD_TOUCH_COUNT + 1); ++track)
    {
        int side = track & 1, touch = track / 2;
        float largest = 0.0f;
        for (int i = 0; i < count; ++i)
        {
            weights[i] = *GetWeight(&samples[i].hands[side], touch);
            largest = tdMaxFloat(largest, weights[i]);
        }
        if (largest > 0.0f)
        {
            tdSmoothPeaks(weights, scratch, count, (int)(0.5 * TOUCH_WINDOW * rate));
            for (int i = 0; i < count; ++i)
            {
                *GetWeight(&samples[i].hands[side], touch) = weights[i];
            }
        }
    }
    return true;
}

// Offset of a hand from all parts of the body that it touches. The smoothed weights of parts overlap in time,
// so their sum may exceed that of the body; it never falls below.
static tdVec3 BlendTouches(const tdHandTouch* hand)
{
    tdVec3 sum = tdVec3_zero;
    float weight = 0.0f;
    for (int i = 0; i < BODY_PART_COUNT; ++i)
    {
        sum = tdMulAdd(sum, hand->weights[i], hand->offsets[i]);
        weight += hand->weights[i];
    }
    return weight > 0.0f ? tdScale(hand->bodyWeight / weight, sum) : tdVec3_zero;
}

void tdFindHandOffsets(const tdHandSample* sample, tdVec3 offsets[2])
{
    tdVec3 body[2] = {BlendTouches(&sample->hands[0]), BlendTouches(&sample->hands[1])};
    tdVec3 middle = tdScale(0.5f, tdAdd(body[0], body[1]));
    for (int side = 0; side < 2; ++side)
    {
        const tdHandTouch* hand = &sample->hands[side];
        offsets[side] =
            tdLerp(body[side], tdAdd(middle, hand->offsets[OTHER_HAND]), hand->weights[OTHER_HAND]);
    }
}

// An arm of the target without contacts.
static tdArmReach MeasureReach(const tdHandPoses* poses, const tdHandSample* samples, int side,
                               tdArmReach arm)
{
    tdVec3 joints[3];
    for (int k = 0; k < 3; ++k)
    {
        joints[k] = tdRig_FindRestPosition(poses->target->rig, tdArmBones[side][k]);
    }
    arm.upper = tdDistance(joints[0], joints[1]);
    arm.lower = tdDistance(joints[1], joints[2]);
    for (int i = 0; i < arm.count; ++i)
    {
        arm.plain[i] = tdLength(samples[i].arms[side]);
    }
    return arm;
}

bool tdPlanReaches(const tdHandPoses* poses, const tdHandSample* samples, int count, double rate,
                   tdArena* arena, float* reaches[2])
{
    tdArmReach arms[2];
    float most = 0.0f;
    for (int side = 0; side < 2; ++side)
    {
        float* plain = tdArena_NewArray(arena, float, count);
        reaches[side] = tdArena_NewArray(arena, float, count);
        if (plain == NULL || reaches[side] == NULL)
        {
            return false;
        }
        tdArmReach arm = {.count = count, .rate = rate, .plain = plain, .wanted = reaches[side]};
        arms[side] = MeasureReach(poses, samples, side, arm);
        // The wanted distances are not known yet: their array holds the bends.
        most = tdMaxFloat(most, tdArmReach_MeasurePlain(&arms[side], reaches[side]));
    }
    for (int i = 0; i < count; ++i)
    {
        tdVec3 offsets[2];
        tdFindHandOffsets(&samples[i], offsets);
        for (int side = 0; side < 2; ++side)
        {
            float wanted = tdLength(tdAdd(samples[i].arms[side], offsets[side]));
            float plain = arms[side].plain[i];
            bool isMoved = tdLengthSquared(offsets[side]) > 0.0f;
            reaches[side][i] = isMoved ? tdArmReach_Limit(&arms[side], plain, wanted) : plain;
        }
    }
    float limit = tdMaxFloat(JOLT_RATIO * most, LEAST_JOLT);
    return tdArmReach_Calm(&arms[0], limit, arena) && tdArmReach_Calm(&arms[1], limit, arena);
}
