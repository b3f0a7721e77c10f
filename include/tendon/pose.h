// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// pose.h: live humanoid poses. A pose is independent of any skeleton: rotations of the 55 VRM bones of a body
// in T-pose that faces +Z and whose bones have no rest rotation. A rig converts between poses and the local
// transforms of one avatar.
#pragma once

#include "stage.h"

/// Number of VRM bones.
#define TD_POSE_BONE_COUNT 55

/// VRM name of a bone ("hips", "spine", ...) in the order of tdPose; NULL out of range. A static string.
TD_API const char* tdGetBoneName(int bone);

/// Index of a bone by its VRM name; -1 if there is none.
TD_API int tdFindBoneIndex(const char* name);

/// A skeleton-independent pose.
typedef struct tdPose
{
    tdQuat rotations[TD_POSE_BONE_COUNT]; // relative to the parent bone; identity is the T-pose
    tdVec3 hipsTravel; // translation of the hips from the T-pose, in units of the hips' rest height
} tdPose;

/// The T-pose.
TD_API tdPose tdMakeRestPose(void);

/// Constants for converting between poses and one avatar's nodes. Immutable: any number of threads may share
/// it. Its asset must outlive it.
typedef struct tdRig tdRig;

/// Create the rig of an asset.
/// @param allocator copied, its context must outlive the rig; NULL for malloc
/// @return the rig, to be freed with tdDestroyRig; NULL if the asset has no humanoid or memory ran out
TD_API tdRig* tdCreateRig(const tdAsset* asset, const tdAllocator* allocator);

/// Destroy a rig.
/// @param rig may be NULL
TD_API void tdDestroyRig(tdRig* rig);

/// Node of a bone; -1 if the avatar lacks it.
TD_API int tdRig_GetNode(const tdRig* rig, int bone);

/// Convert a pose to local transforms. Writes the rotations of the bones' nodes and the translation of the
/// hips, nothing else. Rotations of bones that the avatar lacks are folded into their children. Does not
/// allocate.
/// @param locals by node index, such as a copy of tdActor_GetLocals
TD_API void tdRig_ApplyPose(const tdRig* rig, const tdPose* pose, tdTrs* locals);

/// Convert local transforms to a pose. Bones that the avatar lacks are at rest. Does not allocate.
/// @param locals by node index
TD_API void tdRig_ReadPose(const tdRig* rig, const tdTrs* locals, tdPose* pose);

/// Convert many poses at once: poses[i] with rigs[i] into locals[i]. A rig may appear repeatedly. Does not
/// allocate.
/// @param tasks NULL: the caller's thread
TD_API void tdRig_ApplyPoses(const tdRig* const* rigs, const tdPose* poses, tdTrs* const* locals, int count,
                             const tdTasks* tasks);

/// Set the locals of the actor's bones (tdActor_SetLocal) from a pose, from the next step on. The first call
/// allocates; if memory runs out, the next tdStage_Step returns false.
/// @param rig of the actor's asset
TD_API void tdActor_SetPose(tdActor* actor, const tdRig* rig, const tdPose* pose);
