// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
#include "arm_reach.h"

#include "easing.h"

#include "math/trig.h"
#include "math/vecmath.h"

#include <string.h>

/// Share of an arm over which its reach is damped, unless the arm of the motion is straighter itself.
#define ARM_SOFTNESS 0.05f
#define LEAST_ARM_SOFTNESS 0.0005f
/// Arm lengths by which a hand stays farther from its shoulder than a folded arm, and the range over which it
/// is kept there. Found by trial on random bodies; test anim/hand_contacts notices a change.
#define FOLD_MARGIN 0.02f
#define FOLD_SOFTNESS 0.04f
/// Rate at which accelerations are measured, Hz.
#define MEASURE_RATE 60.0
/// Passes that spread a difference, each over a longer time than the one before.
#define MAX_PASSES 16
/// Time in s around a jolt in which a difference is spread.
#define CALM_TIME 0.3

// The angle between upper and lower arm, 0 if straight. In this form it is exact for nearly straight arms.
static float FindElbowBend(const tdArmReach* arm, float reach)
{
    float sum = arm->upper + arm->lower, difference = tdAbsFloat(arm->upper - arm->lower);
    float folded = tdMaxFloat((reach - difference) * (reach + difference), 0.0f);
    float straight = tdMaxFloat((sum - reach) * (sum + reach), 0.0f);
    return 2.0f * tdAtan2(tdSqrt(straight), tdSqrt(folded));
}

static float FindReach(const tdArmReach* arm, float bend)
{
    float square = arm->upper * arm->upper + arm->lower * arm->lower;
    square += 2.0f * arm->upper * arm->lower * tdCos(tdClampFloat(bend, 0.0f, TD_PI));
    return tdSqrt(tdMaxFloat(square, 0.0f));
}

static int GetStride(const tdArmReach* arm)
{
    return tdMaxInt((int)(arm->rate / MEASURE_RATE + 0.5), 1);
}

// Angular acceleration at a sample, rad/s^2.
static float FindAcceleration(const float* bends, int index, int stride, double rate)
{
    float step = (float)stride / (float)rate;
    float change = bends[index + stride] - 2.0f * bends[index] + bends[index - stride];
    return tdAbsFloat(change) / (step * step);
}

float tdArmReach_Limit(const tdArmReach* arm, float plain, float wanted)
{
    float length = arm->upper + arm->lower;
    // Near the distance of a folded arm, |upper - lower|, the elbow turns without bound: the hand stays
    // farther from the shoulder, unless the motion itself folds the arm more.
    float folded = tdAbsFloat(arm->upper - arm->lower) + FOLD_MARGIN * length;
    float least = tdMinFloat(folded, plain);
    float kept = least + tdRaiseAboveZero(wanted - least, FOLD_SOFTNESS * length);
    float range = tdClampFloat(1.0f - plain / length, LEAST_ARM_SOFTNESS, ARM_SOFTNESS) * length;
    float excess = (kept - (length - range)) / range;
    return excess > 0.0f ? length - range / (1.0f + excess) : kept;
}

float tdArmReach_MeasurePlain(const tdArmReach* arm, float* bends)
{
    int stride = GetStride(arm);
    float most = 0.0f;
    for (int i = 0; i < arm->count; ++i)
    {
        bends[i] = FindElbowBend(arm, arm->plain[i]);
    }
    for (int i = stride; i + stride < arm->count; ++i)
    {
        most = tdMaxFloat(most, FindAcceleration(bends, i, stride, arm->rate));
    }
    return most;
}

// Mean over `half` neighbours on both sides. The ends continue as they are.
static void Spread(const float* from, float* to, int count, int half)
{
    for (int i = 0; i < count; ++i)
    {
        float sum = 0.0f;
        for (int k = i - half; k <= i + half; ++k)
        {
            sum += from[tdMinInt(tdMaxInt(k, 0), count - 1)];
        }
        to[i] = sum / (float)(2 * half + 1);
    }
}

// Marks the neighbourhood of jolts, 1 at a jolt and 0 far from it. False if there is none.
static bool FindJolts(const tdArmReach* arm, const float* bends, float limit, float* marks)
{
    int stride = GetStride(arm), window = tdMaxInt((int)(CALM_TIME * arm->rate), 1);
    bool isJolt = false;
    memset(marks, 0, (size_t)arm->count * sizeof(float));
    for (int i = stride; i + stride < arm->count; ++i)
    {
        if (!(FindAcceleration(bends, i, stride, arm->rate) > limit))
        {
            continue;
        }
        isJolt = true;
        for (int k = tdMaxInt(i - window, 0); k <= tdMinInt(i + window, arm->count - 1); ++k)
        {
            float x = (float)(k - i) / (float)window, mark = (1.0f - x * x) * (1.0f - x * x);
            marks[k] = tdMaxFloat(marks[k], mark);
        }
    }
    return isJolt;
}

bool tdArmReach_Calm(tdArmReach* arm, float limit, tdArena* arena)
{
    size_t count = (size_t)arm->count;
    float* numbers = tdArena_NewArray(arena, float, 6 * count);
    if (numbers == NULL)
    {
        return false;
    }
    float *plain = numbers, *bends = plain + count, *differences = bends + count,
          *marks = differences + count;
    float *once = marks + count, *twice = once + count;
    for (int i = 0; i < arm->count; ++i)
    {
        plain[i] = FindElbowBend(arm, arm->plain[i]);
        bends[i] = FindElbowBend(arm, arm->wanted[i]);
        differences[i] = bends[i] - plain[i];
    }
    bool isChanged = false;
    for (int pass = 1; pass <= MAX_PASSES && FindJolts(arm, bends, limit, marks); ++pass)
    {
        int half = pass * GetStride(arm);
        Spread(differences, once, arm->count, half);
        Spread(once, twice, arm->count, half);
        for (int i = 0; i < arm->count; ++i)
        {
            float share = arm->freedoms != NULL ? marks[i] * arm->freedoms[i] : marks[i];
            differences[i] += share * (twice[i] - differences[i]);
            bends[i] = plain[i] + differences[i];
        }
        isChanged = true;
    }
    for (int i = 0; i < arm->count && isChanged; ++i)
    {
        arm->wanted[i] = FindReach(arm, bends[i]);
    }
    return true;
}
