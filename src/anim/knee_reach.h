// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Distances of feet from their hips over a motion, such that knees do not jolt.
#pragma once

#include "rig.h"

#include "base/arena.h"

/// A leg of the target at one time, in the frame of the body.
typedef struct tdSwingSample
{
    tdVec3 hip, goal; // m, with contacts; the goal is the ankle's
    float lowest;     // m, height of the ankle on the ground; without meaning in a contact
    float plain;      // m, distance of hip and ankle without contacts
    float softness;   // share of the leg over which its reach is damped
    bool isContact;
    bool isCalmed; // result: the goal was moved and the softness reduced
} tdSwingSample;

/// Moves the goals of swings along their legs where a knee would accelerate too fast. Feet in contact stay.
/// @param legs samples of the left and the right leg
/// @return false when memory ran out
bool tdCalmKnees(const struct tdRig* rig, tdSwingSample* legs[2], int count, double rate, tdArena* arena);
