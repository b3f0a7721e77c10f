// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The vocabularies of joint names: bones that a name can mean.
#pragma once

#include "scene/humanoid.h"

#define TD_MAX_BONE_CANDIDATES 3

typedef struct tdBoneCandidate
{
    tdBone bone;
    int score; // percent; VRM names have more than 100
} tdBoneCandidate;

typedef struct tdJointBones
{
    tdBoneCandidate candidates[TD_MAX_BONE_CANDIDATES];
    int count;
} tdJointBones;

/// Characters between the words of a name.
#define TD_NAME_SEPARATORS "_-. "

/// Parts that most names of a file share: "Player_", "_jnt", or numbers of nodes, such as "_012".
typedef struct tdJointAffixes
{
    const char* prefix;
    size_t prefixLength; // 0: none
    const char* suffix;
    size_t suffixLength; // 0: none
    bool isNumbered;     // names have a separator and digits before `suffix`
} tdJointAffixes;

/// True for "l", "r", "left" and "right" in any case.
bool tdIsSideWord(const char* word, size_t length);
/// The name after a number and a separator at its start or after its namespace: "07_Hips", "rig:07_Hips".
const char* tdSkipJointNumber(const char* full);
/// Length of the shared suffix of a name, with its number; 0 if it has none.
size_t tdMeasureSuffix(const char* name, const tdJointAffixes* affixes);
/// Bones that a name can mean.
tdJointBones tdFindJointBones(const char* name, const tdJointAffixes* affixes);
/// True for names of controls, twist helpers and tips, which are no bones.
bool tdIsOtherJoint(const char* name);
/// True if the name has a word for left or right.
bool tdHasSideName(const char* name, const tdJointAffixes* affixes);
/// The bone of the right side for one of the left side; other bones stay.
tdBone tdMirrorBone(tdBone bone);
