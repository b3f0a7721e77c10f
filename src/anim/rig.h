// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rig: constants that convert between local and normalised rotations of a humanoid. Normalised rotations
// are those of a skeleton in the T-pose of VRM 1.0 whose rest rotations are all identity. See
// docs/spec/vrm.md, section 5.
//
// With L the local and W the model-space rest rotation of the bone's node, and Y the half turn about Y of
// models that face -Z:
//
//     local = left N right      left = L W^-1 Y      right = Y^-1 W
//
// A humanoid with a T-pose of its own (tdTpose) takes L and W from it, and Y is the frame of its body.
//
// W L^-1 is the rest rotation of the node's parent, even if the parent is no bone, so N is the identity at
// rest.
#pragma once

#include "scene/asset.h"
#include "scene/humanoid.h"

/// Most bones that a skeleton can lack in a row: all between hips and head, or all of a limb.
#define TD_RIG_MAX_CHAIN 8

typedef struct tdRigBone
{
    int node; // -1: the skeleton lacks the bone
    tdQuat left, right;
    tdQuat rest; // local
    // Bones that the skeleton lacks between this one and its parent, topmost first. Their rotations are
    // folded into this bone (docs/spec/vrm.md, section 5.2).
    int chain[TD_RIG_MAX_CHAIN];
    int chainCount;
} tdRigBone;

struct tdRig
{
    tdAllocator allocator; // of a rig made by tdCreateRig
    const tdAsset* asset;
    tdRigBone bones[TD_BONE_COUNT];
    bool isHalfTurned;
    bool isPlain;                         // the frame is the identity or a half turn about Y
    tdQuat frame;                         // Y
    float hipsHeight;                     // of hipsRest along the up direction of the body
    tdMat4 hipsParent, hipsParentInverse; // model space, at rest
    tdVec3 hipsRest;                      // model space
    tdVec3 hipsLocalRest;
};

/// Hips below this height, in m, give no scale for the hips translation: the model lies on the ground or is
/// no body.
#define TD_RIG_MIN_HIPS_HEIGHT 0.001f

/// Rotates a vector of the model so that the body faces +Z.
tdVec3 tdRig_ToBody(const struct tdRig* rig, tdVec3 v);
/// Inverse of tdRig_ToBody.
tdVec3 tdRig_FromBody(const struct tdRig* rig, tdVec3 v);

/// Length of thigh and shin, mean of both legs, m; 0 if a leg is incomplete.
float tdRig_MeasureLeg(const struct tdRig* rig);

/// Computes the constants of an asset's humanoid.
/// @return false if the asset has no humanoid with hips
bool tdRig_Init(struct tdRig* rig, const tdAsset* asset);
