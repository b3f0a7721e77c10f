// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts of a humanoid motion: found in the source, kept on the target by inverse kinematics.
#pragma once

#include "clip.h"
#include "rig.h"

/// The retarget whose contacts are kept.
typedef struct tdContactDef
{
    const struct tdRig *source, *target;
    const tdChannel* sourceChannels;
    int sourceChannelCount;
    const tdChannel* targetChannels; // of the retargeted clip
    int targetChannelCount;
    float duration;
    float travelScale; // of the hips translation
    unsigned kinds;    // bits of tdMotionContactKind
    bool isInPlace;    // remove the horizontal travel from the result
} tdContactDef;

/// Bones that can change: hips, arms and legs.
#define TD_CONTACT_BONES 13

/// Keys of the bones that change. All have the times of the samples.
typedef struct tdContactKeys
{
    int count; // of samples
    const float* times;
    tdBone bones[TD_CONTACT_BONES];
    tdQuat* rotations[TD_CONTACT_BONES]; // local; NULL: the bone does not change
    tdVec3* hips;                        // local translations; NULL: unchanged
    const tdMotionContact* contacts;     // of the source, by bone and time
    int contactCount;
} tdContactKeys;

/// Finds the contacts and computes the keys. Arrays are in `arena`.
/// @return false when memory ran out
bool tdKeepContacts(const tdContactDef* def, tdArena* arena, tdContactKeys* keys);
