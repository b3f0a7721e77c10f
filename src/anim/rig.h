// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rig: constants between the local rotations of a humanoid's nodes and normalised ones, that is rotations
// on a skeleton in the T-pose of VRM 1.0 whose rest rotations are all identity.
//
// With L the local and W the model-space rest rotation of the bone's node, and Y the half turn about Y of
// models that face -Z:
//
//     local = left N right      left = L W^-1 Y      right = Y^-1 W
//
// W L^-1 is the rest rotation of the node's parent, whatever lies between two bones, so at rest N is the
// identity.
#pragma once

#include "scene/asset.h"
#include "scene/humanoid.h"

/// How far a chain of bones that a skeleton lacks can get: hips to head, all missing in between.
#define TD_RIG_MAX_CHAIN 8

typedef struct tdRigBone
{
    int node; // -1: the skeleton lacks the bone
    tdQuat left, right;
    tdQuat rest; // local
    // Bones the skeleton lacks between this one and the one it hangs on, topmost first: their rotation is
    // this bone's, too (docs/spec/vrm.md 5.2).
    int chain[TD_RIG_MAX_CHAIN];
    int chainCount;
} tdRigBone;

struct tdRig
{
    tdAllocator allocator; // of a rig made by tdCreateRig
    const tdAsset* asset;
    tdRigBone bones[TD_BONE_COUNT];
    bool isHalfTurned;
    tdMat4 hipsParent, hipsParentInverse; // model space, at rest
    tdVec3 hipsRest;                      // model space
    tdVec3 hipsLocalRest;
};

/// False when the asset has no humanoid with hips.
bool tdRig_Init(struct tdRig* rig, const tdAsset* asset);
