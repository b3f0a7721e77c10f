// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// pose.h: humanoid poses, live. A pose is free of any skeleton: rotations of the 55 VRM bones on a body in
// T-pose that faces +Z and whose bones have no rest rotation. A rig turns it into local transforms of one
// avatar, and back.
#pragma once

#include "stage.h"

#define TD_POSE_BONE_COUNT 55

/// "hips", "spine", … in the order of tdPose; NULL out of range.
TD_API const char* tdGetBoneName(int bone);
/// -1 when there is no such bone.
TD_API int tdFindBoneIndex(const char* name);

typedef struct tdPose
{
    tdQuat rotations[TD_POSE_BONE_COUNT]; // relative to the bone above; identity is the T-pose
    tdVec3 hipsTravel; // from the T-pose, in heights of the hips, so that it fits every body
} tdPose;

/// The T-pose.
TD_API tdPose tdMakeRestPose(void);

/// Constants between poses and one avatar's nodes. Immutable: any number of threads may share it. Must not
/// outlive its asset.
typedef struct tdRig tdRig;

/// @param allocator NULL: malloc
/// @return NULL when the asset has no humanoid, or memory ran out
TD_API tdRig* tdCreateRig(const tdAsset* asset, const tdAllocator* allocator);
TD_API void tdDestroyRig(tdRig* rig);
/// Node of a bone, -1 when the avatar lacks it.
TD_API int tdRig_GetNode(const tdRig* rig, int bone);

/// Pose to local transforms: writes the rotations of the bones' nodes and the translation of the hips,
/// nothing else. Rotations of bones the avatar lacks go to the bones below them.
/// @param locals by node index, such as a copy of tdActor_GetLocals
TD_API void tdRig_ApplyPose(const tdRig* rig, const tdPose* pose, tdTrs* locals);
/// The reverse. Bones the avatar lacks are at rest.
TD_API void tdRig_ReadPose(const tdRig* rig, const tdTrs* locals, tdPose* pose);
/// Many at once: rigs[i], poses[i], locals[i]. The same rig may appear often.
/// @param tasks NULL: the caller's thread
TD_API void tdRig_ApplyPoses(const tdRig* const* rigs, const tdPose* poses, tdTrs* const* locals, int count,
                             const tdTasks* tasks);

/// The pose becomes what the application writes (tdActor_SetLocal) on the actor's bones.
/// @param rig of the actor's asset
TD_API void tdActor_SetPose(tdActor* actor, const tdRig* rig, const tdPose* pose);
