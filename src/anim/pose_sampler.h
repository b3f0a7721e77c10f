// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Poses of a humanoid at times of an animation: positions and rotations of its bones.
#pragma once

#include "rig.h"

#include "scene/scene.h"

typedef struct tdPoseSampler
{
    const struct tdRig* rig;
    const tdChannel* channels;
    int* cursors;
    int* used; // channels of `nodes`
    int usedCount;
    int* nodes; // bones, without fingers, and their ancestors, parents first
    int nodeCount;
    tdTrs* locals;   // by node
    tdMat4* globals; // by node, only those of `nodes`
} tdPoseSampler;

/// Prepares the poses of a rig. Arrays are in `arena`.
/// @return false when memory ran out
bool tdPoseSampler_Init(tdPoseSampler* s, const struct tdRig* rig, const tdChannel* channels, int count,
                        tdArena* arena);
/// Sets the locals of the nodes at a time. Ascending times are fastest.
void tdPoseSampler_Sample(tdPoseSampler* s, double time);
/// Returns the nodes above the hips to their rest: retargeting ignores their motion.
void tdPoseSampler_ResetRoot(tdPoseSampler* s);
/// Computes the global transforms from the locals.
void tdPoseSampler_Update(tdPoseSampler* s);
bool tdPoseSampler_HasBone(const tdPoseSampler* s, tdBone bone);
/// Position of a bone in the frame of a body that faces +Z; zero if it is missing.
tdVec3 tdPoseSampler_GetBone(const tdPoseSampler* s, tdBone bone);
/// Rotation of a bone away from its T-pose, in the frame of the body: D = R W^-1.
tdQuat tdPoseSampler_GetTurn(const tdPoseSampler* s, tdBone bone);
/// Direction in which a limb bends, in model space, from the globals of its three joints.
/// @param bias added to it, so that a straight limb has a direction
tdVec3 tdPoseSampler_FindBend(const tdPoseSampler* s, const tdBone* bones, tdVec3 bias);
/// Turns the bones of a limb, in the locals, so that its end reaches a point in the frame of the body.
/// @param pole direction of the bend, in model space
/// @param softness share of the limb over which its reach is damped
void tdPoseSampler_MoveLimb(tdPoseSampler* s, const tdBone* bones, tdVec3 target, tdVec3 pole,
                            float softness);
/// Position of a bone in the T-pose, in the frame of the body.
tdVec3 tdRig_FindRestPosition(const struct tdRig* rig, tdBone bone);
