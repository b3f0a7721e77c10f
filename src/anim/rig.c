// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Constants of a rig from the rest pose of a humanoid.
#include "rig.h"

static tdQuat ComputeRestRotation(const tdNodeTree* nodes, int node)
{
    tdQuat world = tdQuat_identity;
    for (; node >= 0; node = nodes->parents[node])
    {
        world = tdMulQuat(nodes->locals[node].rotation, world);
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

bool tdRig_Init(struct tdRig* rig, const tdAsset* asset)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    if (humanoid == NULL || humanoid->nodes[TD_BONE_HIPS] < 0)
    {
        return false;
    }
    const tdNodeTree* nodes = &asset->scene.nodes;
    tdQuat turn = humanoid->isHalfTurned ? (tdQuat){0.0f, 1.0f, 0.0f, 0.0f} : tdQuat_identity;
    *rig = (struct tdRig){.asset = asset, .isHalfTurned = humanoid->isHalfTurned};
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        tdRigBone* bone = &rig->bones[i];
        bone->node = humanoid->nodes[i];
        bone->left = bone->right = bone->rest = tdQuat_identity;
        if (bone->node < 0)
        {
            continue;
        }
        tdQuat world = ComputeRestRotation(nodes, bone->node);
        bone->rest = nodes->locals[bone->node].rotation;
        bone->left = tdMulQuat(tdMulQuat(bone->rest, tdConjugate(world)), turn);
        bone->right = tdMulQuat(tdConjugate(turn), world);
        FindChain(humanoid, (tdBone)i, bone);
    }
    int hips = rig->bones[TD_BONE_HIPS].node;
    rig->hipsParent = ComputeRestMatrix(nodes, nodes->parents[hips]);
    rig->hipsParentInverse = tdInverseAffine(rig->hipsParent);
    rig->hipsLocalRest = nodes->locals[hips].translation;
    rig->hipsRest = tdMat4Point(rig->hipsParent, rig->hipsLocalRest);
    return true;
}
