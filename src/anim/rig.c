// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Constants of a rig from the rest pose of a humanoid.
#include "rig.h"

static tdQuat ComputeRestRotation(const tdHumanoid* humanoid, const tdNodeTree* nodes, int node)
{
    tdQuat world = tdQuat_identity;
    for (; node >= 0; node = nodes->parents[node])
    {
        world = tdMulQuat(tdHumanoid_GetRestRotation(humanoid, nodes, node), world);
    }
    return tdNormalizeQuat(world);
}

static tdMat4 ComputeRestMatrix(const tdNodeTree* nodes, int node)
{
    tdMat4 matrix = tdMat4_identity;
    for (; node >= 0; node = nodes->parents[node])
    {
        bool isSheared = nodes->isSheared != NULL && nodes->isSheared[node];
        matrix = tdMulMat4(isSheared ? nodes->matrices[node] : tdMat4FromTrs(nodes->locals[node]), matrix);
    }
    return matrix;
}

static void FindChain(const tdHumanoid* humanoid, tdBone bone, tdRigBone* out)
{
    tdBone above[TD_RIG_MAX_CHAIN];
    int count = 0;
    tdBone parent = tdBone_GetInfo(bone)->parent;
    while (parent != TD_BONE_NONE && humanoid->nodes[parent] < 0 && count < TD_RIG_MAX_CHAIN)
    {
        above[count++] = parent;
        parent = tdBone_GetInfo(parent)->parent;
    }
    // The hips have no parent bone, so a chain ends there.
    for (int i = 0; i < count; ++i)
    {
        out->chain[i] = (int)above[count - 1 - i];
    }
    out->chainCount = count;
}

tdVec3 tdRig_ToBody(const struct tdRig* rig, tdVec3 v)
{
    if (!rig->isPlain)
    {
        return tdInvRotate(rig->frame, v);
    }
    return rig->isHalfTurned ? (tdVec3){-v.x, v.y, -v.z} : v;
}

tdVec3 tdRig_FromBody(const struct tdRig* rig, tdVec3 v)
{
    if (!rig->isPlain)
    {
        return tdRotate(rig->frame, v);
    }
    return rig->isHalfTurned ? (tdVec3){-v.x, v.y, -v.z} : v;
}

float tdRig_MeasureLeg(const struct tdRig* rig)
{
    static const tdBone legs[2][3] = {{TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT},
                                      {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT}};
    float sum = 0.0f;
    for (int i = 0; i < 2; ++i)
    {
        tdVec3 joints[3];
        for (int k = 0; k < 3; ++k)
        {
            int node = rig->bones[legs[i][k]].node;
            if (node < 0)
            {
                return 0.0f;
            }
            joints[k] = tdMat4Translation(ComputeRestMatrix(&rig->asset->scene.nodes, node));
        }
        sum += 0.5f * (tdDistance(joints[0], joints[1]) + tdDistance(joints[1], joints[2]));
    }
    return sum;
}

bool tdRig_Init(struct tdRig* rig, const tdAsset* asset)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    if (humanoid == NULL || humanoid->nodes[TD_BONE_HIPS] < 0)
    {
        return false;
    }
    const tdNodeTree* nodes = &asset->scene.nodes;
    tdQuat turn = tdHumanoid_GetFrame(humanoid);
    *rig = (struct tdRig){.asset = asset, .isHalfTurned = humanoid->isHalfTurned, .frame = turn};
    rig->isPlain = turn.x == 0.0f && turn.z == 0.0f && (turn.y == 0.0f || turn.w == 0.0f);
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        tdRigBone* bone = &rig->bones[i];
        bone->node = humanoid->nodes[i];
        bone->left = bone->right = bone->rest = tdQuat_identity;
        if (bone->node < 0)
        {
            continue;
        }
        tdQuat world = ComputeRestRotation(humanoid, nodes, bone->node);
        bone->rest = tdHumanoid_GetRestRotation(humanoid, nodes, bone->node);
        bone->left = tdMulQuat(tdMulQuat(bone->rest, tdConjugate(world)), turn);
        bone->right = tdMulQuat(tdConjugate(turn), world);
        FindChain(humanoid, (tdBone)i, bone);
    }
    int hips = rig->bones[TD_BONE_HIPS].node;
    rig->hipsParent = ComputeRestMatrix(nodes, nodes->parents[hips]);
    rig->hipsParentInverse = tdInverseAffine(rig->hipsParent);
    rig->hipsLocalRest = nodes->locals[hips].translation;
    rig->hipsRest = tdMat4Point(rig->hipsParent, rig->hipsLocalRest);
    if (humanoid->tpose != NULL)
    {
        rig->hipsRest = humanoid->tpose->hips;
        rig->hipsLocalRest = tdMat4Point(rig->hipsParentInverse, rig->hipsRest);
    }
    rig->hipsHeight = tdRig_ToBody(rig, rig->hipsRest).y;
    return true;
}
