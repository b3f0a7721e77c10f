// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts of hands: where the hands of a source are near each other or the body, those of the target
// keep their distance, scaled by arm lengths.
#pragma once

#include "pose_sampler.h"

/// The parts of the body that a hand can touch, and the other hand.
#define TD_TOUCH_COUNT 8

/// A hand and all that it can touch.
typedef struct tdHandTouch
{
    tdVec3 offsets[TD_TOUCH_COUNT]; // m, from the wrist without contacts to its goal, target, body frame
    float weights[TD_TOUCH_COUNT];  // 0 to 1
    float bodyWeight;               // 0 to 1, of all parts of the body together
} tdHandTouch;

/// Both hands at a time: left, right.
typedef struct tdHandSample
{
    tdHandTouch hands[2];
    tdVec3 arms[2]; // from shoulder to wrist without contacts, m, body frame of the target
    bool touches[2];
} tdHandSample;

/// Two skeletons in the same pose.
typedef struct tdHandPoses
{
    const tdPoseSampler *source, *target;
    float sourceArm, targetArm; // lengths, m, > 0
} tdHandPoses;

/// Upper arm, lower arm and hand by side: left, right.
extern const tdBone tdArmBones[2][3];

/// Mean length of the arms at rest, m; 0 if a bone is missing.
float tdMeasureArm(const struct tdRig* rig);
/// Finds what the hands touch in a pose.
void tdSampleHands(const tdHandPoses* poses, tdHandSample* sample);
/// Spreads the weights over time: a hand starts to move to its touch before it is near, and takes its time to
/// leave. A touch of one sample keeps its full weight there.
/// @param rate samples per second
/// @return false when memory ran out
bool tdSmoothTouches(tdHandSample* samples, int count, double rate, tdArena* arena);
/// Offsets of both hands from their places without contacts, m, body frame of the target. Hands that meet
/// do so about a middle that touches the body as they do.
void tdFindHandOffsets(const tdHandSample* sample, tdVec3 offsets[2]);
/// Finds how far both hands are from their shoulders in all samples, m, such that elbows do not jolt.
/// @param reaches arrays of `count` numbers in the arena
/// @return false when memory ran out
bool tdPlanReaches(const tdHandPoses* poses, const tdHandSample* samples, int count, double rate,
                   tdArena* arena, float* reaches[2]);
