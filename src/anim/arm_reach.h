// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Distances of hands from their shoulders, and of feet from their hips, over a motion, such that elbows and
// knees do not jolt.
#pragma once

#include "base/arena.h"

/// An arm over the samples of a motion.
typedef struct tdArmReach
{
    float upper, lower; // lengths, m, > 0
    int count;          // of samples
    double rate;        // samples per second
    float* plain;       // m, distance of hand and shoulder without contacts
    float* wanted;      // m, the same with contacts
    float* freedoms;    // 0 to 1, share of a change that is allowed; NULL: 1 everywhere
} tdArmReach;

/// Distance of a hand from its shoulder, m, for a wanted one: far enough from that of a folded arm, and
/// damped near full extension.
/// @param plain distance without contacts, m
float tdArmReach_Limit(const tdArmReach* arm, float plain, float wanted);
/// Largest angular acceleration of the elbow without contacts, rad/s^2.
/// @param bends memory of `count` numbers
float tdArmReach_MeasurePlain(const tdArmReach* arm, float* bends);
/// Changes the wanted distances where the elbow accelerates faster than a limit, rad/s^2: the difference
/// to the motion without contacts is spread over time there.
/// @return false when memory ran out
bool tdArmReach_Calm(tdArmReach* arm, float limit, tdArena* arena);
