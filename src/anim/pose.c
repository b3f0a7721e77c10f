// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Humanoid poses to and from local transforms: a pose has all 55 bones, a skeleton some of them
// (docs/spec/vrm.md, section 5.2). Two quaternion products per bone, and one more per folded bone.
#include "tendon/pose.h"

#include "rig.h"

#include "base/tasks.h"

#include <string.h>

_Static_assert(TD_POSE_BONE_COUNT == TD_BONE_COUNT, "pose.h and bones.def list the same bones");

const char* tdGetBoneName(int bone)
{
    return bone >= 0 && bone < TD_BONE_COUNT ? tdBone_GetInfo((tdBone)bone)->name : NULL;
}

int tdFindBoneIndex(const char* name)
{
    return name != NULL ? (int)tdBone_Find(name, strlen(name)) : -1;
}

tdPose tdMakeRestPose(void)
{
    tdPose pose;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        pose.rotations[i] = tdQuat_identity;
    }
    pose.hipsTravel = tdVec3_zero;
    return pose;
}

tdRig* tdCreateRig(const tdAsset* asset, const tdAllocator* allocator)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdRig* rig = asset != NULL ? tdAllocate(&resolved, sizeof(tdRig), _Alignof(tdRig)) : NULL;
    if (rig != NULL && !tdRig_Init(rig, asset))
    {
        tdRelease(&resolved, rig, sizeof(tdRig));
        return NULL;
    }
    if (rig != NULL)
    {
        rig->allocator = resolved;
    }
    return rig;
}

void tdDestroyRig(tdRig* rig)
{
    if (rig != NULL)
    {
        tdAllocator allocator = rig->allocator;
        tdRelease(&allocator, rig, sizeof(tdRig));
    }
}

int tdRig_GetNode(const tdRig* rig, int bone)
{
    return rig != NULL && bone >= 0 && bone < TD_BONE_COUNT ? rig->bones[bone].node : -1;
}

// Metres per unit of hipsTravel.
static float GetTravelScale(const tdRig* rig)
{
    return rig->hipsHeight > TD_RIG_MIN_HIPS_HEIGHT ? rig->hipsHeight : 1.0f;
}

void tdRig_ApplyPose(const tdRig* rig, const tdPose* pose, tdTrs* locals)
{
    if (rig == NULL || pose == NULL || locals == NULL)
    {
        return;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        const tdRigBone* bone = &rig->bones[i];
        if (bone->node < 0)
        {
            continue;
        }
        tdQuat product = bone->left;
        for (int k = 0; k < bone->chainCount; ++k)
        {
            product = tdMulQuat(product, pose->rotations[bone->chain[k]]);
        }
        locals[bone->node].rotation = tdMulQuat(tdMulQuat(product, pose->rotations[i]), bone->right);
    }
    tdVec3 travel = tdRig_FromBody(rig, tdScale(GetTravelScale(rig), pose->hipsTravel));
    locals[rig->bones[TD_BONE_HIPS].node].translation =
        tdMat4Point(rig->hipsParentInverse, tdAdd(rig->hipsRest, travel));
}

void tdRig_ReadPose(const tdRig* rig, const tdTrs* locals, tdPose* pose)
{
    if (rig == NULL || pose == NULL || locals == NULL)
    {
        return;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        const tdRigBone* bone = &rig->bones[i];
        pose->rotations[i] = tdQuat_identity;
        if (bone->node >= 0)
        {
            pose->rotations[i] =
                tdMulQuat(tdInvMulQuat(bone->left, locals[bone->node].rotation), tdConjugate(bone->right));
        }
    }
    tdVec3 hips = tdMat4Point(rig->hipsParent, locals[rig->bones[TD_BONE_HIPS].node].translation);
    tdVec3 travel = tdScale(1.0f / GetTravelScale(rig), tdSub(hips, rig->hipsRest));
    pose->hipsTravel = tdRig_ToBody(rig, travel);
}

/// A task of fewer poses costs more to hand out than to run.
#define MIN_POSES_PER_TASK 16

typedef struct ApplyPosesTask
{
    const tdRig* const* rigs;
    const tdPose* poses;
    tdTrs* const* locals;
} ApplyPosesTask;

static void ApplyPoseRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const ApplyPosesTask* apply = task;
    for (int i = start; i < end; ++i)
    {
        tdRig_ApplyPose(apply->rigs[i], &apply->poses[i], apply->locals[i]);
    }
}

void tdRig_ApplyPoses(const tdRig* const* rigs, const tdPose* poses, tdTrs* const* locals, int count,
                      const tdTasks* tasks)
{
    if (rigs != NULL && poses != NULL && locals != NULL)
    {
        ApplyPosesTask task = {rigs, poses, locals};
        tdTasks_For(tasks, ApplyPoseRange, &task, count, MIN_POSES_PER_TASK);
    }
}
