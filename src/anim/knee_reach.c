// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Knees of swings. The bends of both legs are known before any pose is made; where a knee would jolt, its
// difference to the motion without contacts is spread over time.
#include "knee_reach.h"

#include "arm_reach.h"
#include "easing.h"
#include "foot_shape.h"
#include "pose_sampler.h"

#include <string.h>

/// A knee of a swing may accelerate as many times as fast as those of the motion, and this fast in any case,
/// rad/s^2. The bar of test anim/contacts is 1.5.
#define KNEE_RATIO 1.45f
#define LEAST_KNEE_JOLT 20.0f
/// Time in s after a contact and before the next one over which a swing gains the freedom to be calmed. Found
/// by trial; test anim/contacts notices a change.
#define CALM_RAMP 0.1
/// Share of the leg over which a calmed reach, whose damping is done, is still damped.
#define CALMED_SOFTNESS 0.0005f

// Distance of hip and ankle as the solver of the leg makes it.
static float DampReach(float distance, float length, float softness)
{
    float range = softness * length, excess = (distance - (length - range)) / range;
    return excess > 0.0f ? length - range / (1.0f + excess) : distance;
}

// How free a sample of a swing is: not at all in a contact, so that the foot leaves it without a jolt.
static void FindFreedoms(const tdSwingSample* samples, int count, double rate, float* freedoms)
{
    float ramp = (float)(CALM_RAMP * rate), distance = ramp;
    for (int i = 0; i < count; ++i)
    {
        distance = samples[i].isContact ? 0.0f : distance + 1.0f;
        freedoms[i] = distance;
    }
    distance = ramp;
    for (int i = count - 1; i >= 0; --i)
    {
        distance = samples[i].isContact ? 0.0f : distance + 1.0f;
        freedoms[i] = tdFadeIn(tdMinFloat(tdMinFloat(freedoms[i], distance) / ramp, 1.0f));
    }
}

// Moves the goals of a calmed swing along the leg, not into the ground.
static void MoveGoals(tdSwingSample* samples, const tdArmReach* leg, const float* before)
{
    for (int i = 0; i < leg->count; ++i)
    {
        tdSwingSample* sample = &samples[i];
        tdVec3 way = tdSub(sample->goal, sample->hip);
        float length = tdLength(way);
        if (leg->freedoms[i] > 0.0f && leg->wanted[i] != before[i] && length > 0.0f)
        {
            sample->goal = tdAdd(sample->hip, tdScale(leg->wanted[i] / length, way));
            sample->goal.y = tdMaxFloat(sample->goal.y, sample->lowest);
            sample->softness = CALMED_SOFTNESS;
            sample->isCalmed = true;
        }
    }
}

bool tdCalmKnees(const struct tdRig* rig, tdSwingSample* legs[2], int count, double rate, tdArena* arena)
{
    tdArmReach reaches[2];
    float* before[2];
    float most = 0.0f;
    for (int side = 0; side < 2; ++side)
    {
        float* numbers = tdArena_NewArray(arena, float, 4 * (size_t)count);
        if (numbers == NULL)
        {
            return false;
        }
        tdVec3 joints[3];
        for (int k = 0; k < 3; ++k)
        {
            joints[k] = tdRig_FindRestPosition(rig, tdLegBones[side][k]);
        }
        tdArmReach leg = {tdDistance(joints[0], joints[1]),
                          tdDistance(joints[1], joints[2]),
                          count,
                          rate,
                          numbers,
                          numbers + count,
                          numbers + 2 * (size_t)count};
        before[side] = numbers + 3 * (size_t)count;
        FindFreedoms(legs[side], count, rate, leg.freedoms);
        for (int i = 0; i < count; ++i)
        {
            const tdSwingSample* sample = &legs[side][i];
            leg.plain[i] = sample->plain;
            before[side][i] =
                DampReach(tdDistance(sample->hip, sample->goal), leg.upper + leg.lower, sample->softness);
        }
        // The wanted distances are not set yet: their array holds the bends.
        most = tdMaxFloat(most, tdArmReach_MeasurePlain(&leg, leg.wanted));
        memcpy(leg.wanted, before[side], (size_t)count * sizeof(float));
        reaches[side] = leg;
    }
    for (int side = 0; side < 2; ++side)
    {
        if (!tdArmReach_Calm(&reaches[side], tdMaxFloat(KNEE_RATIO * most, LEAST_KNEE_JOLT), arena))
        {
            return false;
        }
        MoveGoals(legs[side], &reaches[side], before[side]);
    }
    return true;
}
